package projections_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"folio/country"
	"folio/events"
	"folio/money"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/summary"
	"folio/tables"

	"github.com/go-json-experiment/json"
)

// trade is a random history of documents of every country and type, in local and foreign
// currency, taxed, exempt and untaxed; some are refused, rejected or never answered.
type trade struct {
	rng    *rand.Rand
	given  []given
	events [][]given // what is left to happen, by invoice
	want   map[string]*ledger
	number int64
}

// ledger is what the accepted documents of one month and type come to, in hundredths.
type ledger struct {
	documents                               int64
	net, exempt, untaxed, tax, other, total *big.Int
	rates                                   map[string]*big.Int // base by type of tax
}

func newTrade(seed uint64, invoices int) *trade {
	t := &trade{rng: rand.New(rand.NewPCG(seed, 7)), want: map[string]*ledger{}}
	for i := range invoices {
		t.invoice(fmt.Sprintf("I%06d", i))
		if len(t.events) > 20 {
			t.step()
		}
	}
	for len(t.events) > 0 {
		t.step()
	}
	return t
}

// step lets the next thing happen to some invoice.
func (t *trade) step() {
	i := t.rng.IntN(len(t.events))
	for range 1 + t.rng.IntN(3) {
		if len(t.events[i]) > 0 {
			t.given, t.events[i] = append(t.given, t.events[i][0]), t.events[i][1:]
		}
	}
	if len(t.events[i]) == 0 {
		t.events = append(t.events[:i], t.events[i+1:]...)
	}
}

// cents is a random amount, rarely a huge one.
func (t *trade) cents() int64 {
	if t.rng.IntN(20) == 0 {
		return t.rng.Int64N(999_999_999_999_999)
	}
	return t.rng.Int64N(10_000_00)
}

func decimalOf(cents int64) money.Decimal {
	return money.MustParse(fmt.Sprintf("%d.%02d", cents/100, cents%100))
}

func (t *trade) invoice(id string) {
	rules := summary.Countries[t.rng.IntN(len(summary.Countries))]
	kinds := rules.DocumentTypes()
	kind := kinds[t.rng.IntN(len(kinds))]
	company := rules.Code() + fmt.Sprint(t.rng.IntN(2))
	month := fmt.Sprintf("2026-%02d", 1+t.rng.IntN(3))
	currency, rate := rules.Currency(), int64(10_000) // in ten thousandths
	if t.rng.IntN(4) == 0 {
		currency, rate = "USD", 1+t.rng.Int64N(20_000_000)
	}
	net, exempt, untaxed, other := t.cents(), t.rng.Int64N(2)*t.cents(), t.rng.Int64N(2)*t.cents(),
		t.rng.Int64N(2)*t.cents()
	tax := net / 5
	e := events.InvoiceCreated{Invoice: id, Company: company, Country: rules.Code(), Environment: "Production",
		Document: events.Document{Type: kind.InvoiceType, OfficialCode: kind.Code, BranchOffice: 1,
			Date:      fmt.Sprintf("%s-%02d 10:00:00", month, 1+t.rng.IntN(28)),
			Recipient: events.Party{LegalName: "R", DocumentType: "CUIT", DocumentNumber: fmt.Sprint(t.rng.IntN(5))},
			Currency:  events.Currency{Code: currency, Rate: money.MustParse(fmt.Sprintf("%d.%04d", rate/10_000, rate%10_000))}},
		Taxes: events.TaxInformation{Rates: []events.AppliedRate{{Type: "vat", Code: "5", Rate: money.FromInt(20),
			Base: decimalOf(net), Amount: decimalOf(tax)}},
			Amounts: events.AppliedAmounts{Net: decimalOf(net), Exempt: decimalOf(exempt), Untaxed: decimalOf(untaxed),
				Tax: decimalOf(tax), Other: decimalOf(other),
				Total: decimalOf(net + exempt + untaxed + tax + other)}}}
	stream := "invoice-" + id
	t.number++
	happens := []events.Event{e}
	if currency == "USD" && t.rng.IntN(2) == 0 {
		e.Document.Currency.Rate = money.Zero
		happens = []events.Event{e, events.RateTaken{Rate: money.FromInt(1)},
			events.RateTaken{Rate: money.MustParse(fmt.Sprintf("%d.%04d", rate/10_000, rate%10_000))}}
	}
	fate := t.rng.IntN(10)
	switch fate {
	case 0: // nobody answers
	case 1:
		happens = append(happens, events.InvoiceRefused{})
	case 2:
		happens = append(happens, events.SubmissionStarted{Environment: "Production", Number: t.number},
			events.AuthorityRejected{})
	default:
		happens = append(happens, events.SubmissionStarted{Environment: "Production", Number: t.number},
			events.NumberAssigned{BranchOffice: 1, Number: t.number},
			events.AuthorityAccepted{Authorization: events.Authorization{Code: "A" + id}})
		if kind.Class != country.DispatchGuide && !country.Bought(rules, kind.Code) {
			t.expect(e, kind, rules, rate, []int64{net, exempt, untaxed, tax, other, net + exempt + untaxed + tax + other})
		}
	}
	var all []given
	for _, what := range happens {
		all = append(all, given{Stream: stream, Event: what})
	}
	t.events = append(t.events, all)
}

// expect adds a document the slow way: whole numbers, and half away from zero.
func (t *trade) expect(e events.InvoiceCreated, kind country.DocumentType, rules country.Rules, rate int64,
	cents []int64) {
	unit := big.NewInt(10_000) // hundredths from hundredths and ten thousandths
	if country.Places(rules) == 0 {
		unit = big.NewInt(1_000_000)
	}
	local := func(amount int64) *big.Int {
		n := new(big.Int).Mul(big.NewInt(amount), big.NewInt(rate))
		n.Add(n, new(big.Int).Quo(unit, big.NewInt(2))).Quo(n, unit)
		if country.Places(rules) == 0 {
			n.Mul(n, big.NewInt(100))
		}
		if kind.Class == country.CreditNote {
			n.Neg(n)
		}
		return n
	}
	key := fmt.Sprintf("%s/%s/%s/%03d", e.Company, e.Environment, e.Document.Date[:7], kind.Code)
	l := t.want[key]
	if l == nil {
		zero := func() *big.Int { return new(big.Int) }
		l = &ledger{0, zero(), zero(), zero(), zero(), zero(), zero(), map[string]*big.Int{"vat": zero()}}
		t.want[key] = l
	}
	l.documents++
	for i, sum := range []*big.Int{l.net, l.exempt, l.untaxed, l.tax, l.other, l.total} {
		sum.Add(sum, local(cents[i]))
	}
	l.rates["vat"].Add(l.rates["vat"], local(cents[0]))
}

func hundredths(n *big.Int) string {
	e, err := money.ParseExact(n.String())
	if err != nil {
		panic(err)
	}
	cent, _ := money.ParseExact("0.01")
	return e.Mul(cent).String()
}

// check compares the two books with what the documents come to.
func (t *trade) check(tb testing.TB, store tables.Store, totals, book string) {
	tb.Helper()
	seen := 0
	for _, rules := range summary.Countries {
		for n := range 2 {
			company := rules.Code() + fmt.Sprint(n)
			page, err := store.Page(tb.Context(), tables.Query{Table: totals, List: company, Limit: tables.MaxLimit})
			if err != nil {
				tb.Fatal(err)
			}
			inBook := map[string]tables.Group{}
			groups, err := store.Sum(tb.Context(),
				tables.Sums{Table: book, List: company, By: []string{"book", "invoice_type"}, Of: []string{"net", "tax", "total"}})
			if err != nil {
				tb.Fatal(err)
			}
			for _, g := range groups {
				inBook[g.Values[0]+" "+g.Values[1]] = g
			}
			for _, d := range page.Documents {
				t.compare(tb, d, inBook)
				seen++
			}
			if len(groups) != len(page.Documents) {
				tb.Fatalf("%s: %d groups in the book, %d totals", company, len(groups), len(page.Documents))
			}
		}
	}
	if seen != len(t.want) {
		tb.Fatalf("%d totals, want %d", seen, len(t.want))
	}
}

func (t *trade) compare(tb testing.TB, d tables.Document, inBook map[string]tables.Group) {
	tb.Helper()
	var got projections.VATTotal
	if err := json.Unmarshal(d.Body, &got); err != nil {
		tb.Fatal(err)
	}
	w := t.want[d.ID]
	if w == nil {
		tb.Fatalf("nothing was accepted for %s", d.ID)
	}
	a := got.Amounts
	have := fmt.Sprint(got.Documents, []money.Exact{a.Net, a.Exempt, a.Untaxed, a.Tax, a.Other, a.Total,
		got.Taxes[0].Base})
	want := fmt.Sprint(w.documents, []string{hundredths(w.net), hundredths(w.exempt), hundredths(w.untaxed),
		hundredths(w.tax), hundredths(w.other),
		hundredths(w.total), hundredths(w.rates["vat"])})
	if have != want {
		tb.Fatalf("%s: got %s, the documents come to %s", d.ID, have, want)
	}
	g := inBook[projections.BookMonth(got.Environment, got.Month)+" "+got.Type]
	have = fmt.Sprint(g.Count, g.Sums)
	want = fmt.Sprint(w.documents, []money.Exact{a.Net, a.Tax, a.Total})
	if have != want {
		tb.Fatalf("%s: the lines come to %s, the total says %s", d.ID, have, want)
	}
}

func TestTheBooksOfSalesEqualTheDocuments(t *testing.T) {
	trade := newTrade(1, 600)
	store, src := openTables(t), newSource(trade.given...)
	torn := &faults{Store: store, left: -1}
	r, stop := start(t, options(torn, src, "owner", projections.VATBook, projections.VATTotals, projections.Receivables))
	for _, p := range []string{"vat_book", "vat_totals", "receivables"} {
		waitFor(t, r, p, src.end())
	}
	trade.check(t, store, "vat_totals_v3", "vat_book_v2")
	for _, p := range []engine.Projection{projections.VATBook, projections.VATTotals} {
		if err := r.Rebuild(t.Context(), p.Name()); err != nil {
			t.Fatal(err)
		}
		awaitServing(t, r, p.Name(), generation(p, "_g2"))
	}
	trade.check(t, store, "vat_totals_v3_g2", "vat_book_v2_g2")
	stop()
}

// generation is a projection's table, by what follows the version in its name.
func generation(p engine.Projection, suffix string) string {
	return fmt.Sprintf("%s_v%d%s", p.Name(), p.Version(), suffix)
}

func awaitServing(t *testing.T, r *engine.Runner, name, table string) {
	t.Helper()
	awaitStatus(t, r, name, func(engine.Status) bool {
		got, err := r.Serving(t.Context(), name)
		return err == nil && got == table
	})
}

// A process that dies in the middle of a batch, on tables without transactions, leaves some
// documents written, and some states.
func TestTheBooksOfSalesSurviveDeathsInTheMiddleOfWrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	trade := newTrade(2, 150)
	store, src := openTables(t), newSource(trade.given...)
	src.size = 37
	ps := []engine.Projection{projections.VATBook, projections.VATTotals}
	for death := range 12 {
		torn := &faults{Store: store, left: rng.IntN(120)}
		r, stop := start(t, options(torn, src, fmt.Sprintf("life %d", death), ps...))
		awaitStatus(t, r, "vat_totals", func(s engine.Status) bool {
			torn.mu.Lock()
			defer torn.mu.Unlock()
			return torn.fails > 0 || s.CaughtUp
		})
		stop()
	}
	// Somebody who believes to be the owner reads everything once more.
	late, _ := start(t, options(&faults{Store: stale{store}, left: -1}, src, "stale", ps...))
	r, _ := start(t, options(&faults{Store: store, left: -1}, src, "last life", ps...))
	for _, p := range ps {
		waitFor(t, r, p.Name(), src.end())
		waitFor(t, late, p.Name(), src.end())
	}
	trade.check(t, store, "vat_totals_v3", "vat_book_v2")
}

func TestBooksAreTheSameHoweverTheyAreDelivered(t *testing.T) {
	trade := newTrade(5, 40)
	log := projectiontest.Log(trade.given...)
	for _, p := range []engine.Projection{projections.VATBook, projections.VATTotals, projections.Receivables} {
		once := engine.NewReplay(p)
		if err := once.Fold(context.Background(), log...); err != nil {
			t.Fatal(err)
		}
		want := projectiontest.Dump(once.Documents())
		rng := rand.New(rand.NewPCG(1, 2))
		for range 30 {
			r := engine.NewReplay(p)
			for done := 0; done < len(log); {
				from := rng.IntN(done + 1)
				to := from + 1 + rng.IntN(len(log)-from)
				if rng.IntN(3) == 0 {
					r.Restart()
				}
				if err := r.Fold(context.Background(), log[from:to]...); err != nil {
					t.Fatal(err)
				}
				done = max(done, to)
			}
			if got := projectiontest.Dump(r.Documents()); got != want {
				t.Fatalf("%s differs", p.Name())
			}
		}
	}
}
