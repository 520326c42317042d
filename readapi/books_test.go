package readapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"folio/events"
	"folio/money"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// billed is an accepted document of C1 with net, VAT at 21 % and total.
func billed(id string, number int64, code int, kind, date, currency, rate string) []given {
	dec := money.MustParse
	e := created("C1", id, func(d *events.Document) {
		d.OfficialCode, d.Type, d.Date, d.Currency = code, kind, date+" 10:00:00",
			events.Currency{Code: currency, Rate: dec(rate)}
		d.Recipient.LegalName = "=HYPERLINK()"
	})
	i := e.Event.(events.InvoiceCreated)
	i.Taxes = events.TaxInformation{Rates: []events.AppliedRate{{Type: "iva21", Code: "5", Rate: dec("21"),
		Base: dec("100.00"), Amount: dec("21.00")}},
		Amounts: events.AppliedAmounts{Net: dec("100.00"), Tax: dec("21.00"), Total: dec("121.00")}}
	e.Event = i
	return append([]given{e}, accepted(id, number)...)
}

func booksWorld(t *testing.T) *world {
	all := []given{company("A1", "C1"), company("A2", "C2")}
	for _, one := range [][]given{
		billed("I1", 1, 1, "FCA", "2026-11-03", "ARS", "1"), billed("I2", 2, 1, "FCA", "2026-11-02", "USD", "1000.5"),
		billed("I3", 1, 3, "NCA", "2026-11-30", "ARS", "1"), billed("I4", 3, 1, "FCA", "2026-12-01", "ARS", "1")} {
		all = append(all, one...)
	}
	return newWorld(t, append(append(all, created("C1", "I5", nil)), rejected("I5")...)...)
}

func TestTheBookOfSalesOfAMonth(t *testing.T) {
	w := booksWorld(t)
	var b struct {
		Month, Country, Environment, Currency string
		NoFiscalValue                         int64 `json:"no_fiscal_value"`
		Totals                                struct{ Documents, Net, Tax, Total json.Number }
		Rates                                 []map[string]any `json:"by_rate"`
		Types                                 []struct {
			InvoiceType string `json:"invoice_type"`
			Documents   int64
			Total       json.Number
		} `json:"by_type"`
		Results int64 `json:"total_results"`
		Data    []struct {
			Invoice string `json:"invoice_id"`
			Number  string
			Total   json.Number
		}
	}
	w.get("/api/reports/vat-book?month=2026-11&environment=testing", key1).want(200).into(&b)
	if got := fmt.Sprint(b.Month, b.Country, b.Environment, b.Currency, b.NoFiscalValue, b.Totals,
		b.Results); got != "2026-11ARTestingARS3 {3 100050.00 21010.50 121060.50} 3" {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprint(b.Types); got != "[{FCA 2 121181.50} {NCA 1 -121.00}]" {
		t.Errorf("by type %s", got)
	}
	if got := fmt.Sprint(b.Rates); got != "[map[amount:21010.5 base_amount:100050 organization_code:5 rate:21 type:iva21]]" {
		t.Errorf("by rate %s", got)
	}
	if got := fmt.Sprint(b.Data); got != "[{I2 0005-00000002 121060.50} {I1 0005-00000001 121.00} {I3 0005-00000001 "+
		"-121.00}]" {
		t.Errorf("documents %s", got)
	}
	w.get("/api/reports/vat-book?month=2026-11", key1).want(200).into(&b)
	if b.Results != 0 || b.Data == nil {
		t.Errorf("nothing was issued in production: %+v", b)
	}
	w.get("/api/reports/vat-book?month=2026-11&environment=testing", key2).want(200).into(&b)
	if b.Results != 0 {
		t.Errorf("another company's book: %+v", b)
	}
	w.get("/api/reports/vat-book?month=2026-13&environment=x&formt=csv", key1).fails(422, "VALIDATION_FAILED",
		"month INVALID_FORMAT", "environment NOT_ALLOWED", "formt UNKNOWN_FIELD")
}

// Totals and documents are folded apart. A month whose totals lack a document that is listed
// is read again, and says so when it stays.
func TestTotalsAreThoseOfTheDocumentsThatAreListed(t *testing.T) {
	w := booksWorld(t)
	type month struct {
		AsOf       string `json:"as_of"`
		Consistent bool
		Totals     struct{ Documents int64 }
		Results    int64 `json:"total_results"`
	}
	ask := func() (m month) {
		w.get("/api/reports/vat-book?month=2026-11&environment=testing", key1).want(200).into(&m)
		return m
	}
	whole := ask()
	if _, err := events.ParsePosition(whole.AsOf); err != nil || !whole.Consistent || whole.Results != 3 {
		t.Fatalf("%+v", whole)
	}
	first := func(p engine.Projection) (table string, d tables.Document) {
		at, err := engine.Inspect(t.Context(), w.store, p)
		check(t, err)
		page, err := w.store.Page(t.Context(), tables.Query{Table: at.Table, List: "C1", Limit: 1})
		check(t, err)
		return at.Table, page.Documents[0]
	}
	put := func(table string, d tables.Document) {
		check(t, w.store.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: table,
			Documents: []tables.Document{d}}}}))
	}
	table, d := first(projections.VATBook)
	d.ID += "-newer"
	put(table, d)
	w.asked = nil
	if m := ask(); m.Consistent || m.Results != 4 || m.Totals.Documents != 3 || len(w.asked) < 2 || m.AsOf != whole.AsOf {
		t.Errorf("the totals stay behind: %+v, waited for %v", m, w.asked)
	}
	w.waited = func() { // they catch up
		table, d := first(projections.VATTotals)
		d.At.Commit++
		d.Body = bytes.Replace(d.Body, []byte(`"documents":2`), []byte(`"documents":3`), 1)
		put(table, d)
		w.waited = nil
	}
	if m := ask(); !m.Consistent || m.Totals.Documents != 4 {
		t.Errorf("the totals catch up: %+v", m)
	}
}

func TestTheBookOfSalesAsTables(t *testing.T) {
	w := booksWorld(t)
	a := w.get("/api/reports/vat-book?month=2026-11&environment=testing&format=csv", key1).want(200)
	lines := strings.Split(strings.TrimSpace(a.Body.String()), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "date,invoice_type,") ||
		!strings.HasSuffix(a.Header().Get("Content-Type"), "charset=utf-8") {
		t.Fatalf("%q", lines)
	}
	if want := "2026-11-30,NCA,3,credit_note,,0005-00000001,'=HYPERLINK(),CUIT,33693450239,ARS,1,-100.00,0.00,0.00,-21.00,0.00,-121.00,iva21=-100.00/-21.00,76123456789012,true,I3"; lines[3] != want {
		t.Errorf("%s\nwant\n%s", lines[3], want)
	}
	file := w.get("/api/reports/vat-book/cbte?month=2026-11&environment=testing", key1).want(200).Body.String()
	if len(file) != 3*268 || !strings.HasPrefix(file, "2026110200100005") {
		t.Errorf("%d bytes: %q", len(file), file)
	}
	file = w.get("/api/reports/vat-book/alicuotas?month=2026-11&environment=testing", key1).want(200).Body.String()
	if len(file) != 3*64 {
		t.Errorf("%d bytes: %q", len(file), file)
	}
	w.get("/api/reports/vat-book/other?month=2026-11", key1).fails(404, "BOOK_FILE_NOT_FOUND")
}

// The first document of the month is of 121 dollars at 1,000.5 pesos; the others are in pesos.
func TestAFileHasAmountsInTheCurrencyThatIsAskedFor(t *testing.T) {
	w := booksWorld(t)
	for file, amounts := range map[string]map[string]string{
		"cbte":      {"": "000000000012100", "document": "000000000012100", "local": "000000012106050"},
		"alicuotas": {"": "000000000010000", "document": "000000000010000", "local": "000000010005000"},
	} {
		at := map[string]int{"cbte": 108, "alicuotas": 28}[file]
		for parameter, want := range amounts {
			path := "/api/reports/vat-book/" + file + "?month=2026-11&environment=testing&amounts=" + parameter
			raw := w.get(path, key1).want(200).Body.String()
			if got := raw[at : at+15]; got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
			if file == "cbte" && raw[228:241] != "DOL1000500000" {
				t.Errorf("%s: currency and rate are %s", path, raw[228:241])
			}
		}
	}
	w.get("/api/reports/vat-book/cbte?month=2026-11&amounts=pesos", key1).fails(422, "VALIDATION_FAILED", "amounts NOT_ALLOWED")
}

func TestReceivablesAndPurchases(t *testing.T) {
	p := events.PurchaseReceived{Company: "C1", Country: "AR", OfficialCode: 1, BranchOffice: 2, Number: 7,
		Date:     "2026-11-05",
		Supplier: events.Party{LegalName: "Proveedor", DocumentNumber: "30"}, Currency: "ARS", Total: "50.25", Source: "qr",
		Verification: "consistent"}
	p.Purchase = "P1"
	credit := p
	credit.Purchase, credit.OfficialCode, credit.Number = "P2", 3, 8
	refused := p
	refused.Purchase, refused.Number, refused.Verification = "P3", 9, "authority_refused"
	all := []given{company("A1", "C1")}
	for _, one := range [][]given{billed("I1", 1, 1, "FCA", "2026-11-03", "ARS", "1"),
		billed("I2", 2, 1, "FCA", "2026-11-02", "USD", "1000.5"), billed("I3", 1, 3, "NCA", "2026-11-30", "ARS", "1")} {
		all = append(all, one...)
	}
	for _, one := range []events.PurchaseReceived{p, credit, refused} {
		all = append(all, given{Stream: purchaseStream(one), Event: one})
	}
	w := newWorld(t, all...)
	body := w.get("/api/reports/receivables?environment=testing", key1).want(200).Body.String()
	for _, want := range []string{`"currency":"USD","documents":1,"billed":121.00`,
		`"credit_notes":1,"credited":121.00,"balance":0.00`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	body = w.get("/api/reports/purchase-book?month=2026-11", key1).want(200).Body.String()
	for _, want := range []string{`"totals":[{"currency":"ARS","documents":2,"total":0.00,"tax":null}]`,
		`"total":-50.25,"net":null,"tax":null,"taxes_known":false`,
		`"verification":"authority_refused","counted":false`, `"total_results":3`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	body = w.get("/api/reports/purchase-book?month=2026-11&format=csv", key1).want(200).Body.String()
	if !strings.Contains(body, "0002-00000008,Proveedor,30,ARS,-50.25,unknown,unknown,qr,consistent,true,P2") {
		t.Errorf("got %s", body)
	}
}

func TestACompanyReadsItsOwnDocumentsOfAProjection(t *testing.T) {
	w := booksWorld(t)
	p := w.page("/api/projections/vat_book?sort=total&order=desc&from_date=2026-11-02&to_date=2026-11-30", key1)
	if got := fmt.Sprint(p.TotalResults, p.ids(t, "invoice")); got != "3 [I2 I1 I3]" {
		t.Errorf("got %s", got)
	}
	if got := w.get("/api/projections/vat_book?by=book,invoice_type&sum=total",
		key1).want(200).Body.String(); strings.TrimSpace(got) !=
		`{"data":[{"book":"Testing/2026-11","count":2,"invoice_type":"FCA","sum_total":121181.5},{"book":"Testing/2026-11","count":1,"invoice_type":"NCA","sum_total":-121},`+
			`{"book":"Testing/2026-12","count":1,"invoice_type":"FCA","sum_total":121}]}` {
		t.Errorf("got %s", got)
	}
	csv := strings.Split(w.get("/api/projections/vat_totals?format=csv&book=Testing/2026-12",
		key1).want(200).Body.String(), "\n")
	if len(csv) != 3 || csv[0] != "id,book,month,document" ||
		!strings.HasPrefix(csv[1], "C1/Testing/2026-12/001,Testing/2026-12,2026-12,") {
		t.Errorf("got %q", csv)
	}
	if p := w.page("/api/projections/vat_book", key2); p.TotalResults != 0 {
		t.Errorf("another company sees %v", p)
	}
	for _, name := range []string{"invoices", "api_keys", "nothing"} {
		w.get("/api/projections/"+name, key1).fails(404, "PROJECTION_NOT_FOUND")
	}
	w.get("/api/projections/vat_book?sort=net&sum=date&from_total=much&colour=red", key1).fails(422, "VALIDATION_FAILED",
		"sort NOT_ALLOWED", "sum NOT_ALLOWED", "from_total INVALID_FORMAT", "colour UNKNOWN_FIELD")
}
