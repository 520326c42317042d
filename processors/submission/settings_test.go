package submission_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority/drivertest"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/cl"
	"folio/events"
	"folio/waiting"
)

// nations are the countries of signed documents.
var nations = map[string]func() *nation{"cl": chile, "uy": uruguay}

// inNation runs a test in a world of that country, with a company that has a certificate
// and numbers, and no profile.
func inNation(t *testing.T, name string, f func(*world, *nation)) {
	t.Helper()
	n := nations[name]()
	held := drivertest.Issue(signedCA(), n.as, n.holder, n.issuer.TaxIdentifier, 300)
	inWorld(t, func(w *world) {
		authorities, err := n.open(w.t.TempDir(), w.Now)
		if err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(func() { authorities.Close() })
		w.settleBare(n, held, authorities)
		w.start()
		f(w, n)
	})
}

// company is the company as the log has it.
func (w *world) companyState() company.State {
	return company.Decider.Fold(w.log.facts("company-C1")...)
}

// create makes an invoice that freezes what the company says now, as POST does.
func (w *world) create(n *nation, kind string) string {
	w.t.Helper()
	s := w.companyState()
	id := fmt.Sprintf("I%05d", len(w.invoices)+1)
	issuer := country.Issuer{TaxIdentifier: s.TaxIdentifier, Profile: s.IssuerProfile(), Fields: s.Profile.Fields}
	c, err := n.document(kind, len(w.invoices)+1, issuer, w.Now().In(n.rules.Location()))
	if err != nil {
		w.t.Fatal(err)
	}
	w.record("invoice-"+id, events.InvoiceCreated{Invoice: id, Company: "C1", Country: n.rules.Code(),
		Environment: s.Environment(),
		Document:    c.Document, Taxes: c.Taxes, Profile: issuer.Profile})
	w.invoices = append(w.invoices, id)
	return id
}

// An invoice that was made before the fiscal profile waits for it, says so, and is issued
// with it; the profile that is taken back in between changes nothing.
func TestAnInvoiceIsCompletedByTheProfileThatCameLater(t *testing.T) {
	for name := range nations {
		t.Run(name, func(t *testing.T) {
			inNation(t, name, func(w *world, n *nation) {
				first := w.create(n, n.kinds[0])
				series := w.seriesOf(n, n.kinds[0])
				w.until("the invoice waits for the profile", time.Hour, w.waits(series, waiting.NoProfile))
				if r := w.reason(series); !strings.Contains(r.Text, "address") ||
					!strings.Contains(r.Text, "PUT /api/companies/C1/fiscal-profile") {
					t.Errorf("the reason says %q", r.Text)
				}
				w.record("company-C1", events.FiscalProfileSet{Profile: n.profile()})
				second := w.create(n, n.kinds[0])
				w.finish(time.Hour)
				if got := w.statuses(first, second); !slices.Equal(got, []invoice.Status{invoice.Accepted, invoice.Accepted}) {
					t.Fatalf("%v\n%s", got, w.dump())
				}
				if a, b := w.state(first), w.state(second); a.Number != 1 || b.Number != 2 {
					t.Errorf("numbers %d and %d: they keep the order of creation", a.Number, b.Number)
				}
				if w.count(first, events.IssuerCompleted{}) != 1 || w.count(second, events.IssuerCompleted{}) != 0 {
					t.Errorf("completed by %d and %d facts, want 1 and 0", w.count(first, events.IssuerCompleted{}),
						w.count(second, events.IssuerCompleted{}))
				}
				w.checkIssuers(n)
			})
		})
	}
}

// A profile that is taken away stops only what lacks it: not a document that has all it
// needs, and not one that is on its way.
func TestAProfileThatIsTakenAwayStopsNoDocumentThatHasIt(t *testing.T) {
	for name := range nations {
		t.Run(name, func(t *testing.T) {
			inNation(t, name, func(w *world, n *nation) {
				w.record("company-C1", events.FiscalProfileSet{Profile: n.profile()})
				kept := w.create(n, n.kinds[0])
				w.record("company-C1", events.FiscalProfileSet{})
				w.finish(time.Hour)
				bare := w.create(n, n.kinds[0])
				w.until("the next one waits", time.Hour, w.waits(w.seriesOf(n, n.kinds[0]), waiting.NoProfile))
				if got := w.statuses(kept, bare); !slices.Equal(got, []invoice.Status{invoice.Accepted, invoice.Pending}) {
					t.Errorf("%v", got)
				}
			})
		})
	}
}

// What no profile can cure is rejected with its reason, without a number, and those behind
// it go on.
func TestADocumentThatTheSchemaRefusesTakesNoNumber(t *testing.T) {
	for name := range nations {
		t.Run(name, func(t *testing.T) {
			inNation(t, name, func(w *world, n *nation) {
				profile := n.profile()
				profile.Fields = maps.Clone(profile.Fields)
				profile.Fields["branch_code"] = "12345678901" // no check of today lets it in; an old log may hold it
				w.record("company-C1", events.FiscalProfileSet{Profile: profile})
				bad := w.create(n, n.kinds[0])
				w.record("company-C1", events.FiscalProfileSet{Profile: n.profile()})
				good := w.create(n, n.kinds[0])
				w.finish(time.Hour)
				if got := w.statuses(bad, good); !slices.Equal(got, []invoice.Status{invoice.Rejected, invoice.Accepted}) {
					t.Fatalf("%v\n%s", got, w.dump())
				}
				facts := w.log.facts("invoice-" + bad)
				refused, ok := facts[len(facts)-1].(events.InvoiceRefused)
				if !ok || len(refused.Reasons) != 1 || refused.Reasons[0].Code != events.CodeUnfit ||
					!strings.Contains(refused.Reasons[0].Text, "/") {
					t.Errorf("it ends with %+v", facts[len(facts)-1])
				}
				if w.state(bad).Number != 0 || w.state(good).Number != 1 {
					t.Errorf("numbers %d and %d, want none and 1", w.state(bad).Number, w.state(good).Number)
				}
			})
		})
	}
}

// TestSettingsChangeBetweenAllSteps changes profile, logo and certificate after every step
// of the processor, while documents are made and issued. Whatever a document froze is what
// is signed and kept; what it lacked is filled once, before its number.
func TestSettingsChangeBetweenAllSteps(t *testing.T) {
	for name := range nations {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				t.Parallel()
				inNation(t, name, func(w *world, n *nation) {
					c := &changes{world: w, n: n, r: rand.New(rand.NewPCG(seed, 13))}
					w.between = c.change
					for len(w.invoices) < 20 {
						c.create()
						time.Sleep(time.Duration(7*len(w.invoices)) * time.Second)
					}
					synctest.Wait()
					w.between = nil
					w.record("company-C1", events.FiscalProfileSet{Profile: n.profile()})
					w.finish(24 * time.Hour)
					w.checkIssuers(n)
				})
			})
		}
	}
}

// changes makes settings, one at a time.
type changes struct {
	*world
	n      *nation
	mu     sync.Mutex
	r      *rand.Rand
	number int
	left   int // changes until the next document: a change is heard, which is a step again
}

func (c *changes) create() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.world.create(c.n, c.n.kinds[c.r.IntN(len(c.n.kinds))])
	c.left = 40
}

func (c *changes) change() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return
	}
	c.number++
	p := c.n.profile()
	switch c.r.IntN(8) {
	case 0, 1: // taken back
		p = events.FiscalProfile{}
	case 2: // without one member that is needed
		p.Fields = maps.Clone(p.Fields)
		needed := c.n.rules.Missing(country.Issuer{})
		delete(p.Fields, needed[c.r.IntN(len(needed))])
	case 3, 4, 5: // of another address
		p.Address.Address = fmt.Sprintf("Calle %d", c.number)
	case 6:
		c.record("company-C1", events.LogoUploaded{SHA256: fmt.Sprintf("logo %d", c.number)})
		return
	case 7:
		c.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 300))
		return
	}
	c.record("company-C1", events.FiscalProfileSet{Profile: p})
}

// seriesOf is the series of a kind of the company's documents.
func (w *world) seriesOf(n *nation, kind string) string {
	k, ok := n.rules.DocumentType(kind)
	if !ok {
		w.t.Fatalf("no kind %s", kind)
	}
	return fmt.Sprintf("C1-Testing-%d-0", k.Code)
}

// count is how many events of a type an invoice has.
func (w *world) count(id string, like events.Event) (n int) {
	for _, e := range w.log.facts("invoice-" + id) {
		if fmt.Sprintf("%T", e) == fmt.Sprintf("%T", like) {
			n++
		}
	}
	return n
}

// checkIssuers holds every invoice of the world to what it froze about its issuer.
func (w *world) checkIssuers(n *nation) {
	w.t.Helper()
	next := map[int]int64{}
	for _, id := range w.invoices {
		s := w.state(id)
		if s.Status != invoice.Accepted {
			w.t.Errorf("%s is %s: %+v", id, s.Status, w.log.facts("invoice-" + id)[1:])
			continue
		}
		if code := s.Created.Document.OfficialCode; s.Number != next[code]+1 {
			w.t.Errorf("%s has number %d of type %d, want %d", id, s.Number, code, next[code]+1)
		} else {
			next[code]++
		}
		first, last := country.IssuerOf(*s.First()), country.IssuerOf(*s.Created)
		if missing := n.rules.Missing(last); len(missing) > 0 {
			w.t.Errorf("%s was issued without %v", id, missing)
		}
		for _, change := range changed(first, last) {
			w.t.Errorf("%s: %s", id, change)
		}
		w.checkSigned(n, id, s)
	}
}

// changed names the members that a document had and that are others now.
func changed(first, last country.Issuer) (out []string) {
	flat := func(i country.Issuer) map[string]string {
		m := map[string]string{}
		text, _ := json.Marshal(i.Profile)
		var members map[string]json.RawMessage
		_ = json.Unmarshal(text, &members)
		for name, value := range members {
			m[name] = string(value)
		}
		m["address"] = i.Profile.Address.Address
		for name, value := range i.Fields {
			m["fields."+name] = value
		}
		return m
	}
	is := flat(last)
	for name, was := range flat(first) {
		if was != "" && is[name] != was {
			out = append(out, fmt.Sprintf("%s was %q and is %q", name, was, is[name]))
		}
	}
	return out
}

// checkSigned wants the bytes that were signed under an invoice's number to say what its
// record says.
func (w *world) checkSigned(n *nation, id string, s invoice.Full) {
	w.t.Helper()
	series := fmt.Sprintf("numbering-C1-Testing-%d-0", s.Created.Document.OfficialCode)
	for _, e := range w.log.facts(series) {
		o, ok := e.(events.SubmissionOpened)
		if !ok || !slices.Contains(o.Invoices, id) {
			continue
		}
		content, err := w.files.File(w.t.Context(), o.SHA256)
		if err != nil {
			w.t.Fatal(err)
		}
		file, err := n.rules.(country.Signed).SignedDocument(content, s.Number)
		if err != nil {
			w.t.Fatal(err)
		}
		want := []byte(">" + s.Created.Profile.Address.Address + "<")
		if file.Charset != "UTF-8" {
			if want, err = cl.ToLatin1(xmlText(string(want))); err != nil {
				w.t.Fatal(err)
			}
		}
		if !bytes.Contains(file.Content, want) {
			w.t.Errorf("%s: what was signed does not have the address %q:\n%s", id, s.Created.Profile.Address.Address,
				file.Content)
		}
		return
	}
	w.t.Errorf("%s: nothing was sent", id)
}

// xmlText is a text as encoding/xml writes it, between its brackets.
func xmlText(text string) string { return strings.ReplaceAll(text, "'", "&#39;") }
