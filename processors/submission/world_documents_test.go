package submission_test

import (
	"context"
	"fmt"
	"slices"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"folio/clock"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/eventstore"
	"folio/money"
	"folio/waiting"
)

// record puts a fact of somebody else's into the log.
func (w *world) record(stream string, e events.Event) {
	w.t.Helper()
	name, schema, data, err := events.Encode(e)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = w.log.Append(context.Background(), stream, int64(len(w.log.Stream(stream)))-1,
		eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema, At: w.Now()}})
	if err != nil {
		w.t.Fatal(err)
	}
}

// company registers C1 or C2, with a certificate for testing unless bare.
func (w *world) company(id string, cuit int64, bare bool) {
	w.companyOf[cuit] = id
	w.record("company-"+id, events.CompanyRegistered{Company: id, Account: "A", Country: "AR",
		LegalName: "Molinos del Plata S.A.", TaxIdentifier: fmt.Sprint(cuit)})
	if !bare {
		w.upload(id, "Testing", noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 700))
	}
}

func (w *world) upload(id, environment string, from, to time.Time) {
	_, c := material()
	w.mu.Lock()
	name := fmt.Sprintf("%s-%s-%d", id, environment, len(w.certificates))
	w.certificates[name] = c
	w.mu.Unlock()
	w.record("company-"+id, events.CertificateUploaded{Certificate: name, Environment: environment, Fingerprint: name,
		ValidFrom: from.Format(time.RFC3339), ValidTo: to.Format(time.RFC3339)})
}

// issue creates an invoice of C1: of products, 1,000.00 and something of its own.
func (w *world) issue(kind string, change func(*events.Document)) string {
	return w.issueOf("C1", kind, change)
}

func (w *world) issueOf(co, kind string, change func(*events.Document)) string {
	w.t.Helper()
	id := fmt.Sprintf("I%05d", len(w.invoices)+1)
	c := w.document(kind, len(w.invoices)+1, change)
	s := company.Decider.Fold(w.log.facts("company-" + co)...)
	environment := s.Environment()
	if w.unaware {
		environment = ""
	}
	w.record("invoice-"+id, events.InvoiceCreated{Invoice: id, Company: co, Country: "AR", Environment: environment,
		Document: c.Document, Taxes: c.Taxes, Profile: s.IssuerProfile()})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.invoices = append(w.invoices, id)
	return id
}

func (w *world) document(kind string, n int, change func(*events.Document)) country.Checked {
	w.t.Helper()
	issuer := fmt.Sprint(holder)
	d := events.Document{
		Type: kind, BranchOffice: w.branch, Date: w.Now().In(arcaZone).Format(time.DateTime), Concept: "1",
		Issuer:    events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT", DocumentNumber: issuer},
		Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: "20111111112"},
		Currency:  events.Currency{Code: "ARS", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + n)),
			Description: "Artículo",
			Taxes:       []events.ItemTax{{Type: "iva21"}}}},
	}
	who := country.Issuer{TaxIdentifier: issuer,
		Profile: events.IssuerProfile{LegalName: "Molinos del Plata S.A.", TaxIdentifier: issuer,
			TaxCondition: "responsable_inscripto"}}
	if change != nil {
		change(&d)
	}
	items, totals, err := ar.Calculate(d.Items, d.GlobalTaxes, money.Zero, ar.PerRate)
	if err != nil {
		w.t.Fatal(err)
	}
	d.Items, d.Totals = items, totals
	checked, wrong := ar.Rules{}.Check(d, who, w.Now(), country.Config{})
	if len(wrong) > 0 {
		w.t.Fatalf("%s: %v", kind, wrong)
	}
	return checked
}

var arcaZone = time.FixedZone("-03", -3*60*60)

// dated changes the date of a document by days.
func (w *world) dated(days int) func(*events.Document) {
	return func(d *events.Document) { d.Date = w.Now().In(arcaZone).AddDate(0, 0, days).Format(time.DateTime) }
}

func (w *world) state(id string) invoice.Full {
	return invoice.FullDecider.Fold(w.log.facts("invoice-" + id)...)
}

func (w *world) statuses(ids ...string) []invoice.Status {
	out := make([]invoice.Status, len(ids))
	for i, id := range ids {
		out[i] = w.state(id).Status
	}
	return out
}

const seriesA = "C1-Testing-1-1" // FCA of point of sale 1

func (w *world) series(id string) numbering.State {
	return numbering.Decider.Fold(w.log.facts("numbering-" + id)...)
}

// reason is why a series waits, for readers.
func (w *world) reason(series string) *waiting.Reason {
	w.t.Helper()
	notes, err := waiting.Open(context.Background(), w.store, w.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := notes.Stored(context.Background(), series)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// until lets time pass, as long as everybody waits, until cond holds. It looks every
// second at first, and less often the longer it takes.
func (w *world) until(what string, within time.Duration, cond func() bool) {
	w.t.Helper()
	began := time.Now()
	for end := began.Add(within); ; time.Sleep(max(time.Second, time.Since(began)/50)) {
		synctest.Wait()
		if cond() {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("%s: not within %s\n%s", what, within, w.dump())
		}
	}
}

// done says that every invoice has its final answer and nobody works any more.
func (w *world) done() bool {
	for _, id := range w.invoices {
		if w.ended[id] {
			continue
		}
		if s := w.state(id).Status; s != invoice.Accepted && s != invoice.Rejected {
			return false
		}
		w.ended[id] = true
	}
	return w.p.p.Series() == 0
}

func (w *world) finish(within time.Duration) {
	w.t.Helper()
	w.until("every invoice final", within, w.done)
}

func (w *world) waits(series string, code waiting.Code) func() bool {
	return func() bool {
		r := w.reason(series)
		return r != nil && r.Code == code
	}
}

func (w *world) dump() string {
	out := ""
	for _, name := range slices.Concat(w.log.named("numbering"), w.log.named("invoice")) {
		for _, e := range w.log.facts(name) {
			if _, long := e.(events.InvoiceCreated); long {
				continue
			}
			out += fmt.Sprintf("%s %T %.300s\n", name, e, fmt.Sprintf("%+v", e))
			if len(out) > 6_000 {
				return out
			}
		}
	}
	return out + fmt.Sprint(w.operations())
}

var _ clock.Clock = (*world)(nil)
