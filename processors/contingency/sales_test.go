package contingency_test

import (
	"errors"
	"fmt"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"folio/commands"
	"folio/commands/caea"
	"folio/commands/company"
	window "folio/commands/contingency"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"
	"folio/waiting"
)

// sell makes an invoice of today.
func (w *world) sell(kind string) string {
	w.t.Helper()
	n := len(w.sales) + 1
	id, issuer := fmt.Sprintf("I%05d", n), fmt.Sprint(holder)
	d := events.Document{
		Type: kind, BranchOffice: ordinary, Date: w.Now().In(arcaZone).Format(time.DateTime), Concept: "1",
		Issuer:    events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT", DocumentNumber: issuer},
		Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: "20111111112"},
		Currency:  events.Currency{Code: "ARS", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + n)),
			Description: "Artículo", Taxes: []events.ItemTax{{Type: "iva21"}}}},
	}
	who := country.Issuer{TaxIdentifier: issuer, Profile: events.IssuerProfile{LegalName: "Molinos del Plata S.A.",
		TaxIdentifier: issuer, TaxCondition: "responsable_inscripto"}}
	items, totals, err := ar.Calculate(d.Items, d.GlobalTaxes, money.Zero, ar.PerRate)
	if err != nil {
		w.t.Fatal(err)
	}
	d.Items, d.Totals = items, totals
	checked, wrong := ar.Rules{}.Check(d, who, w.Now(), country.Config{})
	if len(wrong) > 0 {
		w.t.Fatalf("%s: %v", kind, wrong)
	}
	s := company.Decider.Fold(w.facts("company-C1")...)
	w.record("invoice-"+id, events.InvoiceCreated{Invoice: id, Company: "C1", Country: "AR", Environment: "Testing",
		Document: checked.Document, Taxes: checked.Taxes, Profile: s.IssuerProfile()})
	w.sales = append(w.sales, id)
	return id
}

// configure gives the ordinary point its contingency point.
func (w *world) configure(hours int) {
	w.record("company-C1", events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{
		PointOfSale: spare, Mode: events.ContingencyManual, AfterMinutes: 30, MaxHours: hours}})
}

var shop = window.Window{Company: "C1", Environment: "Testing", PointOfSale: ordinary}

// by makes a person's request.
func (w *world) by() commands.Request {
	return commands.Request{ID: uuid.New(), Actor: "A", At: w.Now()}
}

// person is an executor of somebody else's process.
func (w *world) person() *commands.Executor { return commands.NewExecutor(w.log, w.Now) }

func (w *world) openWindow() {
	w.t.Helper()
	set := company.Decider.Fold(w.facts("company-C1")...).ContingencyOf(ordinary)
	opened := events.ContingencyOpened{Company: "C1", Environment: "Testing", PointOfSale: ordinary,
		Point: set.PointOfSale, Cause: "ARCA is away", By: "A"}
	_, err := commands.Bind(w.person(), window.Decider).Execute(w.t.Context(), shop.ID(),
		window.Open{Opened: opened, Mode: set.Mode}, w.by())
	if err != nil && !errors.Is(err, window.ErrOff) {
		w.t.Fatal(err)
	}
}

func (w *world) closeWindow() {
	w.t.Helper()
	_, err := commands.Bind(w.person(), window.Decider).Execute(w.t.Context(), shop.ID(),
		window.Close{Closed: events.ContingencyClosed{Reason: "ARCA is back", By: "A"}}, w.by())
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) setAway(away bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.away = away
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (w *world) invoice(id string) invoice.State {
	return invoice.Decider.Fold(w.facts("invoice-" + id)...)
}

func (w *world) series(id string) numbering.State {
	return numbering.Decider.Fold(w.facts("numbering-" + id)...)
}

func (w *world) code(id string) caea.State { return caea.Decider.Fold(w.facts("caea-" + id)...) }

// reason is why a series waits, for readers.
func (w *world) reason(series string) *waiting.Reason {
	notes, err := waiting.Open(w.t.Context(), w.store, w.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := notes.Get(w.t.Context(), series)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

const (
	ordinaryA = "C1-Testing-1-1"
	spareA    = "C1-Testing-1-9001"
)
