package flat_test

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"folio/events"
	"folio/eventstore/memory"
	"folio/flat"
	"folio/money"
)

var at = time.Date(2026, time.November, 3, 13, 0, 0, 123_000, time.UTC)

func none(events.Recorded) bool { return false }

// sale records an invoice with two lines in a currency; accepted or rejected when it says so.
func sale(t *testing.T, log *memory.Log, id string, code int, rate string, more ...events.Event) {
	t.Helper()
	d := money.MustParse
	currency := "USD"
	if rate == "1" {
		currency = "ARS"
	}
	facts := append([]events.Event{events.InvoiceCreated{Invoice: id, Company: "C1", Country: "AR",
		Environment: "Production",
		Document: events.Document{Type: "FCA", OfficialCode: code, BranchOffice: 2, Date: "2026-11-03 10:00:00",
			ExternalReference: "order " + id,
			Recipient:         events.Party{LegalName: "Añil S.A.", DocumentType: "CUIT", DocumentNumber: "30500010912"},
			Currency:          events.Currency{Code: currency, Rate: d(rate)},
			Items: []events.Item{
				{Quantity: d("3"), UnitOfMeasure: "u", UnitPrice: d("33.333333"), Description: "Screws",
					Discount: d("0.005"), Code: &events.ItemCode{Type: "sku", Value: "A-17"},
					Taxes: []events.ItemTax{{Type: "iva21", Rate: d("21"), Amount: d("21.00")}}},
				{Quantity: d("1"), UnitOfMeasure: "u", UnitPrice: d("10"), Description: "Wine",
					Taxes: []events.ItemTax{{Type: "iva21", Rate: d("21"), Amount: d("2.10")},
						{Type: "internos", Rate: d("8"), Amount: d("0.80")}}}}},
		Taxes: events.TaxInformation{Amounts: events.AppliedAmounts{Net: d("109.99"), Tax: d("23.10"),
			Other: d("0.80"), Total: d("133.89")}}}}, more...)
	for i, e := range facts {
		log.Record(t, events.Meta{At: at.Add(time.Duration(i) * time.Minute), Actor: "key"}, "invoice-"+id, e)
	}
}

func read[T any](t *testing.T, dir, name string) []T {
	t.Helper()
	rows, err := parquet.ReadFile[T](filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// text is a decimal column's number.
func text(d flat.Decimal, scale int) string {
	n := new(big.Int).SetBytes(d[:])
	if d[0] >= 128 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).FloatString(scale)
}

func accepted() []events.Event {
	return []events.Event{events.SubmissionStarted{Submission: "S", Environment: "Production", Number: 7},
		events.NumberAssigned{BranchOffice: 2, Number: 7},
		events.AuthorityAccepted{Submission: "S", Authorization: events.Authorization{Code: "CAE7"}}}
}

func TestAnInvoiceIsOneRowAsItStands(t *testing.T) {
	log, dir := memory.New(), t.TempDir()
	sale(t, log, "I1", 3, "1234.5678", accepted()[:2]...) // a credit note in dollars
	sale(t, log, "I2", 1, "1")
	log.Record(t, events.Meta{At: at.Add(3 * time.Minute)}, "invoice-I1", accepted()[2]) // behind another invoice
	n, err := flat.Write(t.Context(), log, dir, events.Moment{}, none)
	if err != nil || n.Events != 5 || n.Invoices != 2 || n.Lines != 4 {
		t.Fatalf("%+v %v", n, err)
	}
	rows := read[flat.Invoice](t, dir, "invoices.parquet")
	a, b := rows[0], rows[1]
	got := []string{a.Invoice, a.Status, a.Class, fmt.Sprint(a.Sign, *a.Number), a.Authorization,
		time.Unix(int64(a.Date)*86400, 0).UTC().Format(time.DateOnly), text(a.Rate, 6), text(a.Total, 6),
		text(a.LocalTotal, 6), a.Reference,
		a.Created.UTC().Format(time.RFC3339Nano), a.Decided.UTC().Format(time.RFC3339Nano),
		b.Invoice, b.Status, fmt.Sprint(b.Number == nil, b.Decided == nil, b.Due == nil), text(b.LocalTotal, 6)}
	want := []string{"I1", "Accepted", "credit_note", "-1 7", "CAE7", "2026-11-03", "1234.567800", "133.890000",
		"-165296.280000", "order I1", "2026-11-03T13:00:00.000123Z", "2026-11-03T13:03:00.000123Z",
		"I2", "Pending", "true true true", "133.890000"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestALineIsExact(t *testing.T) {
	log, dir := memory.New(), t.TempDir()
	sale(t, log, "I1", 1, "1", accepted()...)
	if _, err := flat.Write(t.Context(), log, dir, events.Moment{}, none); err != nil {
		t.Fatal(err)
	}
	rows := read[flat.Line](t, dir, "lines.parquet")
	got := []string{rows[0].Code, rows[0].Status, text(rows[0].Amount, 12), rows[0].TaxTypes, text(*rows[0].TaxRate, 6),
		text(rows[0].Tax, 6), rows[1].TaxTypes, fmt.Sprint(rows[1].TaxRate == nil, rows[1].Line), text(rows[1].Tax, 6)}
	want := []string{"A-17", "Accepted", "99.994999000000", "iva21", "21.000000", "21.000000", "iva21+internos",
		"true 2", "2.900000"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestTheTablesAreThoseOfOneMoment(t *testing.T) {
	log, dir := memory.New(), t.TempDir()
	sale(t, log, "I1", 1, "1", accepted()...)
	sale(t, log, "I2", 1, "1", accepted()...)
	all, _ := log.Events()
	if _, err := flat.Write(t.Context(), log, dir, events.Moment{Position: all[2].Position}, none); err != nil {
		t.Fatal(err)
	}
	rows := read[flat.Invoice](t, dir, "invoices.parquet")
	if len(rows) != 1 || rows[0].Status != "In process" || len(read[flat.Event](t, dir, "events.parquet")) != 3 {
		t.Errorf("%+v", rows)
	}
	if e := read[flat.Event](t, dir, "events.parquet")[0]; e.Type != "InvoiceCreated" || e.Aggregate != "I1" ||
		string(e.Data) != string(all[0].Raw) || !e.Time.Equal(at) {
		t.Errorf("%+v", e)
	}
}

// What an operator has everybody go on without is in no table, and what nobody can read
// leaves the tables of before as they are.
func TestWhatCannotBeWrittenLeavesTheEarlierTables(t *testing.T) {
	log, dir := memory.New(), t.TempDir()
	sale(t, log, "I1", 1, "1", accepted()...)
	if _, err := flat.Write(t.Context(), log, dir, events.Moment{}, none); err != nil {
		t.Fatal(err)
	}
	sale(t, log, "I2", 1, "1")
	away := errors.New("away")
	log.Break(memory.Faults{Read: func(stream string) error {
		if stream == "invoice-I2" {
			return away
		}
		return nil
	}})
	if _, err := flat.Write(t.Context(), log, dir, events.Moment{}, none); !errors.Is(err, away) {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 || len(read[flat.Invoice](t, dir, "invoices.parquet")) != 1 {
		t.Errorf("%v %v", left, err)
	}
	skips := func(r events.Recorded) bool { return r.Stream == "invoice-I2" }
	if n, err := flat.Write(t.Context(), log, dir, events.Moment{}, skips); err != nil || n.Invoices != 1 {
		t.Errorf("%+v %v", n, err)
	}
}

// Rows leave the memory by groups, whatever the log's length.
func TestMemoryIsBoundedByGroupsOfRows(t *testing.T) {
	log, dir := memory.New(), t.TempDir()
	big := strings.Repeat("a", 6<<20)
	for i := range 8 {
		log.Record(t, events.Meta{At: at}, fmt.Sprintf("invoice-I%d", i),
			events.AuthorityRejected{Reasons: []events.AuthorityMessage{{Text: big}}})
	}
	if _, err := flat.Write(t.Context(), log, dir, events.Moment{}, none); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "events.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, _ := f.Stat()
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil || len(p.RowGroups()) < 3 {
		t.Errorf("%d groups, %v", len(p.RowGroups()), err)
	}
	if up, ok := p.Lookup("folio.up_to"); !ok || up == "" {
		t.Error("the file does not say which moment it is of")
	}
}

func TestAnEmptyLogMakesEmptyTables(t *testing.T) {
	dir := t.TempDir()
	if n, err := flat.Write(t.Context(), memory.New(), dir, events.Moment{}, none); err != nil || n.Events != 0 {
		t.Fatal(n, err)
	}
	if rows := read[flat.Line](t, dir, "lines.parquet"); len(rows) != 0 {
		t.Error(rows)
	}
}
