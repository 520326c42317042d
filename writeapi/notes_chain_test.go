package writeapi_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
	"folio/money"
)

// lands are the three countries with an invoice and its notes, and a recipient of them.
var lands = []struct {
	rules                              country.Rules
	company, sale, debit, credit, name string
	currency                           string
	whole                              int64 // of plain
}{
	{ar.Rules{}, cuit, "FCB", "NDB", "NCB", nobody, "ARS", 1210},
	{cl.Rules{}, "77111222-6", "FAC", "NDE", "NCE", chilean + `,"document_number":"76192083-9"`, "CLP", 1190},
	{uy.Rules{}, "210001300008", "TIC", "NDT", "NCT", nobody, "UYU", 1220},
}

// Each note names the one before it, and annuls it or adds to it.
func TestAChainOfNotesUndoesWhatItNames(t *testing.T) {
	for _, land := range lands {
		w := newWorldOf(t, land.rules)
		s, number := w.owned(land.company), int64(0)
		for _, c := range []struct {
			chain string // D and C are debit and credit notes over the whole
			want  string // balance and credited_total of each document, in times of the whole
		}{
			{"D", "2/0 1/0"},
			{"DC", "1/1 0/1 1/0"},
			{"DCD", "2/0 1/0 0/1 1/0"},
			{"DCDC", "1/1 0/1 1/0 0/1 1/0"},
			{"DCDCD", "2/0 1/0 0/1 1/0 0/1 1/0"},
			{"C", "0/1 1/0"},
			{"CD", "1/0 0/1 1/0"},
			{"CDC", "0/1 1/0 0/1 1/0"},
			{"CDCD", "1/0 0/1 1/0 0/1 1/0"},
			{"CDCDCDCDCDCD", "1/0 0/1 1/0 0/1 1/0 0/1 1/0 0/1 1/0 0/1 1/0 0/1 1/0"},
			{"DD", "3/0 2/0 1/0"},
			{"DDC", "2/1 1/1 0/1 1/0"},
		} {
			t.Run(land.rules.Code()+" "+c.chain, func(t *testing.T) {
				number++
				ids := []string{w.issuedAs(s, "A", number, plain(land.sale, land.name, land.currency, ""))}
				at := ""
				for _, kind := range c.chain {
					named := map[rune]string{'D': land.debit, 'C': land.credit}[kind]
					a := w.call("POST", "/api/invoices", plain(named, land.name, land.currency, `{"invoice_id":"`+
						ids[len(ids)-1]+`"`+reasonOf(land.rules, "3")+`}`), s.key)
					a.t = t
					number++
					ids = append(ids, a.want(201).text("id"))
					w.lettered(ids[len(ids)-1], "A", number)
					at = w.counted(ids[len(ids)-1], number)
				}
				var got []string
				for _, id := range ids {
					d := w.call("GET", "/api/invoices/"+id, "", s.key, "Folio-Min-Position: "+at).want(200).object()
					times := func(name string) money.Decimal {
						return money.MustParse(fmt.Sprint(d[name])).Quo(money.FromInt(land.whole))
					}
					got = append(got, fmt.Sprintf("%s/%s", times("balance"), times("credited_total")))
				}
				if g := strings.Join(got, " "); g != c.want {
					t.Errorf("balances and credits are %s, want %s", g, c.want)
				}
			})
		}
	}
}

// link is a document of a random chain, in units of 121.
type link struct {
	id     string
	credit bool
	units  int64
	names  int // -1: none
	counts bool
}

// value is what is left of a document once those that name it are done: a note is undone by
// what is left of those that undo it.
func value(all []link, i int) int64 {
	left := all[i].units
	for n, l := range all {
		switch {
		case l.names != i || !l.counts:
		case l.credit == all[i].credit:
			left += value(all, n)
		default:
			left -= value(all, n)
		}
	}
	return left
}

// has says that each document which a note would take from, itself or through what it names,
// has that much left.
func has(all []link, note link) bool {
	for at := note.names; at >= 0; at = all[at].names {
		if note.credit != all[at].credit && value(all, at) < note.units {
			return false
		}
	}
	return true
}

// Random notes name invoices and each other; they are answered in any order.
func TestRandomChainsOfNotesComeToWhatTheySay(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 15))
		w := newWorld(t)
		s := w.company()
		var all []link
		var open []int
		for n := range int64(2) {
			all = append(all, link{id: w.issued(s, n+1, worth(t, 400)), units: 4, names: -1, counts: true})
		}
		taken := 0
		for range 80 {
			if len(open) > 0 && r.IntN(3) > 0 {
				at := r.IntN(len(open))
				w.answered(&all[open[at]], int64(100+open[at]), r.IntN(4) > 0)
				open = slices.Delete(open, at, at+1)
				for i, l := range all {
					if got, want := w.loaded(l.id).Balance(), money.FromInt(121*value(all, i)); l.counts && !got.Equal(want) {
						t.Fatalf("seed %d: document %d of %+v has a balance of %s, want %s", seed, i, all, got, want)
					}
				}
				continue
			}
			note := link{credit: r.IntN(2) == 0, units: 1 + r.Int64N(3), names: len(all) - 1 - r.IntN(min(len(all), 4))}
			if !all[note.names].counts {
				continue
			}
			kind := map[bool]string{true: "NCA", false: "NDA"}[note.credit]
			a := w.call("POST", "/api/invoices", correcting(t, kind, int(100*note.units), byID(all[note.names].id)), s.key)
			if fits := has(all, note); a.Code == 201 && !fits || a.Code != 201 && fits && len(open) == 0 {
				t.Fatalf("seed %d: %+v after %+v is answered %d %s", seed, note, all, a.Code, a.Body)
			}
			if a.Code == 201 {
				note.id, taken = a.text("id"), taken+1
				open, all = append(open, len(all)), append(all, note)
			}
		}
		if taken < 8 {
			t.Errorf("seed %d: only %d notes were taken", seed, taken)
		}
	}
}

// answered is a note that its authority accepted or rejected, told in what it corrects.
func (w *world) answered(l *link, number int64, accepted bool) {
	w.t.Helper()
	if accepted {
		w.counted(l.id, number)
		l.counts = true
		return
	}
	for _, c := range w.loaded(l.id).Created.Corrects {
		_, err := commands.Bind(w.x, invoice.Decider).Execute(w.t.Context(), c.Invoice, invoice.ReleaseNote{Note: l.id},
			commands.Request{ID: commands.Derived("release", l.id, c.Invoice)})
		check(w.t, err)
	}
}

// A note that would change too many documents is refused before it changes any.
func TestTheDocumentsBehindNotesAreBounded(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	var parts []string
	for n := range int64(26) {
		parts = append(parts, fmt.Sprintf(`{"invoice_id":"%s","amount":121}`, w.issued(s, n+1, worth(t, 100))))
	}
	var debits []string
	for n := range int64(4) {
		body := correcting(t, "NDA", 100*len(parts), strings.Join(parts, ","))
		debits = append(debits, w.call("POST", "/api/invoices", body, s.key).want(201).text("id"))
		w.counted(debits[n], n+1)
	}
	w.call("POST", "/api/invoices", correcting(t, "NCA", 400*len(parts), byID(debits...)), s.key).
		fails(422, "VALIDATION_FAILED", "billing_reference REFERENCE_CHAIN")
	w.call("POST", "/api/invoices", correcting(t, "NCA", 300*len(parts), byID(debits[:3]...)), s.key).want(201)
}
