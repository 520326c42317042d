package credits

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/commands/invoice"
	"folio/events"
	"folio/money"
	"folio/processors/processortest"
	"folio/processors/reactor"
	"folio/tables/sqlite"
)

// old is an accepted note of before there were reservations, counted twice.
func (s *shop) old(id string, code int, total int64, currency string, references ...events.Reference) {
	note := document(id, code, total)
	note.Document.Currency.Code, note.Document.BillingReference = currency, references
	if err := s.do(id, invoice.Create{Invoice: note}); err != nil {
		s.t.Fatal(err)
	}
	s.answer(id, true)
	for range 2 {
		s.finish(id)
	}
}

// TestAnOldNoteCountsOnceItIsHeardOf has notes without reservations over invoices of 242 each.
func TestAnOldNoteCountsOnceItIsHeardOf(t *testing.T) {
	id := func(i string) events.Reference {
		return events.Reference{Invoice: i, Type: "FCA", OfficialCode: 1, Number: 1}
	}
	foreign := events.Reference{Type: "FCA", OfficialCode: 1, Number: 99}
	remito := events.Reference{Invoice: "I1", OfficialCode: 91}
	for _, c := range []struct {
		name            string
		code            int
		total           int64
		currency        string
		references      []events.Reference
		credited, left1 string
		left2           string
	}{
		{"one", 3, 100, "ARS", []events.Reference{id("I1")}, "100", "142", "242"},
		{"the whole of two", 3, 484, "ARS", []events.Reference{id("I1"), id("I2")}, "242", "0", "0"},
		{"more than one of two", 3, 300, "ARS", []events.Reference{id("I1"), id("I2")}, "58", "0", "0"},
		{"a part of two", 3, 100, "ARS", []events.Reference{id("I1"), id("I2")}, "0", "142", "142"},
		{"one of ours and another", 3, 300, "ARS", []events.Reference{id("I1"), foreign}, "0", "0", "242"},
		{"a debit note on one", 2, 58, "ARS", []events.Reference{id("I1")}, "0", "300", "242"},
		{"a debit note on two", 2, 58, "ARS", []events.Reference{id("I1"), id("I2")}, "0", "242", "242"},
		{"in another currency", 3, 100, "USD", []events.Reference{id("I1")}, "0", "242", "242"},
		{"what it only tells of", 3, 100, "ARS", []events.Reference{remito}, "0", "242", "242"},
		{"what is not ours alone", 3, 100, "ARS", []events.Reference{foreign}, "0", "242", "242"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t)
			s.old("N1", c.code, c.total, c.currency, c.references...)
			one, two := s.state("I1"), s.state("I2")
			if got := one.Notes.Credited().String(); got != c.credited || one.Left("").String() != c.left1 ||
				two.Left("").String() != c.left2 {
				t.Errorf("credited %s, left %s and %s; want %s, %s and %s", got, one.Left(""), two.Left(""), c.credited, c.left1,
					c.left2)
			}
			if cancelled := one.Cancelled != ""; cancelled != (one.Balance().Sign() == 0) {
				t.Errorf("cancelled by %q with a balance of %s", one.Cancelled, one.Balance())
			}
		})
	}
}

// TestWhatAnOldNoteMayHaveTakenIsNotLeft says so to who wants it.
func TestWhatAnOldNoteMayHaveTakenIsNotLeft(t *testing.T) {
	s := newShop(t)
	both := []events.Reference{{Invoice: "I1", OfficialCode: 1}, {Invoice: "I2", OfficialCode: 1}}
	s.old("N1", 3, 300, "ARS", both...)
	err := s.do("I1", invoice.ReserveNote{Company: "C1", Note: "N2", Type: "NCA", Credit: true,
		Portions: []events.Portion{{Takes: true, Amount: money.FromInt(1)}}})
	if !errors.Is(err, invoice.ErrExceeds) || !strings.Contains(err.Error(), "may take up to N1 (184.00)") {
		t.Errorf("%v", err)
	}
	s.old("N3", 3, 300, "ARS", both...) // nobody held it back then
	if o := s.state("I1"); o.Left("").Sign() != 0 || o.Balance().String() != "126" {
		t.Errorf("%s left of a balance of %s", o.Left(""), o.Balance())
	}
}

// TestAnOldNoteThatNamesCoordinatesCounts has notes over invoices of 242 each that name no id.
func TestAnOldNoteThatNamesCoordinatesCounts(t *testing.T) {
	ours := func(number int64) events.Reference {
		return events.Reference{Type: "FCA", OfficialCode: 1, BranchOffice: 1, Number: number, DocumentNumber: "30"}
	}
	others := ours(1)
	others.DocumentNumber = "20"
	for _, c := range []struct {
		name       string
		total      int64
		references []events.Reference
		left       string // of the first and the second invoice
	}{
		{"one", 100, []events.Reference{ours(1)}, "142 242"},
		{"the whole", whole, []events.Reference{ours(1)}, "0 242"},
		{"two", 2 * whole, []events.Reference{ours(1), ours(2)}, "0 0"},
		{"one by id and one by coordinates", 300, []events.Reference{{Invoice: "I1", OfficialCode: 1}, ours(2)}, "0 0"},
		{"another system's", 100, []events.Reference{ours(99)}, "242 242"},
		{"another issuer's", 100, []events.Reference{others}, "242 242"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShop(t)
			shown := false
			made := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
			s.p.Issued = func(_ context.Context, n reactor.Named) (string, error) {
				if !shown || n.At.Commit != 9 {
					return "", errors.New("behind")
				}
				if !n.By.Equal(made) || n.Company != "C1" {
					t.Errorf("it looks for %+v", n)
				}
				return map[int64]string{1: "I1", 2: "I2"}[n.Reference.Number], nil
			}
			note := document("N1", 3, c.total)
			note.Profile.TaxIdentifier, note.Document.BillingReference = "30", c.references
			if err := s.do("N1", invoice.Create{Invoice: note}); err != nil {
				t.Fatal(err)
			}
			s.answer("N1", true)
			store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			clock := processortest.At(time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC))
			base := processortest.NewLog().Base(s.x, store, clock)
			base.Rules, base.Issued = s.p.Rules, s.p.Issued
			p := New(base)
			heard := events.Recorded{Stream: "invoice-N1", Position: events.Position{Commit: 9, Prepare: 9},
				Meta: events.Meta{At: clock.Now()}}
			if err := p.created(t.Context(), heard, note); err != nil {
				t.Fatal(err)
			}
			for range 3 { // at first the read models are behind
				clock.Set(clock.Now().Add(2 * creating))
				if err := p.items.Due(t.Context()); err != nil {
					t.Fatal(err)
				}
				shown = true
			}
			one, two := s.state("I1"), s.state("I2")
			if got := fmt.Sprint(one.Left(""), two.Left("")); got != c.left {
				t.Errorf("left are %s, want %s", got, c.left)
			}
			if n, err := p.List.Count(t.Context()); err != nil || n != 0 {
				t.Errorf("%d items are left: %v", n, err)
			}
		})
	}
}
