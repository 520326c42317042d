package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"folio/scope"
)

// invoiceBody has the shape and size of the specification's sample.
const invoiceBody = `{"branch_office":1,"invoice_type":"FCA","invoice_date":"2026-03-01 10:00:00","payment_due_date":"2026-03-31",
"service_start_date":"2026-02-01 00:00:00","service_end_date":"2026-02-28 00:00:00","concept":"3","observations":"Servicio de febrero, según contrato",
"external_reference":"order-4711","issuer":{"legal_name":"Empresa de Prueba S.A.","document_type":"CUIT","document_number":"30712345678",
"address":{"country":"AR","region":"AR-C","address":"Av. Corrientes 1234","phone":"+54 11 5555-1234"}},
"recipient":{"legal_name":"Compañía Cliente S.R.L.","document_type":"CUIT","document_number":"30798765432",
"address":{"country":"AR","region":"AR-B","address":"Calle 50 Nº 789, La Plata","phone":"+54 221 555-9876"}},
"currency":{"code":"ARS","exchange_rate":1},"payment_method":{"code":"CON","description":"Contado"},
"items":[{"quantity":2,"code_unit_of_measure":"u","unit_price":100.00,"discount_amount":0,"description":"Consultoría técnica por hora",
"code":{"type":"sku","value":"CONS-01"},"taxes":[{"type":"iva21","amount":42.00,"rate":21}]},
{"quantity":1,"code_unit_of_measure":"u","unit_price":50.50,"discount_amount":0.50,"description":"Mantenimiento mensual",
"code":{"type":"sku","value":"MANT-02"},"taxes":[{"type":"iva105","amount":5.25,"rate":10.5}]}],
"totals":{"sub_total":250.50,"discount":0.50,"taxes":[{"type":"iva21","amount":42.00,"base_amount":200.00},
{"type":"iva105","amount":5.25,"base_amount":50.00}],"total":297.25}}`

func readParty(o Object) {
	o.String("legal_name", Required, MaxLen(200))
	o.String("document_type")
	o.String("document_number", MaxLen(20))
	a := o.Object("address")
	a.String("country", MaxLen(2))
	a.String("region")
	a.String("address")
	a.String("phone")
}

func readInvoice(o Object) {
	o.MustBeEmpty("id", "number", "status", "reason_code", "cancellation_date", "tax_information",
		"electronic_authorization")
	o.Int("branch_office", Required, Between(1, 99999))
	o.String("invoice_type", Required)
	o.DateTime("invoice_date", Required)
	o.Date("payment_due_date")
	o.DateTime("service_start_date")
	o.DateTime("service_end_date")
	o.String("concept", Required)
	o.String("observations", Multiline)
	o.String("external_reference")
	readParty(o.Object("issuer"))
	readParty(o.Object("recipient", Required))
	c := o.Object("currency")
	c.String("code", Required)
	c.Decimal("exchange_rate")
	p := o.Object("payment_method")
	p.String("code")
	p.String("description")
	o.Array("items", func(_ int, item Object) {
		item.Decimal("quantity", Required)
		item.String("code_unit_of_measure")
		item.Decimal("unit_price", Required)
		item.Decimal("discount_amount")
		item.String("description", Required)
		code := item.Object("code")
		code.String("type")
		code.String("value")
		item.Array("taxes", func(_ int, tax Object) {
			tax.String("type", Required)
			tax.Decimal("amount", Required)
			tax.Decimal("rate", Required)
		})
	}, Required)
	t := o.Object("totals", Required)
	t.Decimal("sub_total", Required)
	t.Decimal("discount")
	t.Array("taxes", func(_ int, tax Object) {
		tax.String("type", Required)
		tax.Decimal("amount", Required)
		tax.Decimal("base_amount", Required)
	})
	t.Decimal("total", Required)
}

func TestTheSampleInvoiceDecodesWithinItsAllocations(t *testing.T) {
	raw := []byte(invoiceBody)
	decode := func() {
		b, err := Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		o := b.Object()
		readInvoice(o)
		if err := o.Done(); err != nil {
			t.Fatal(err)
		}
	}
	// 6 as a rule; some 25 more when a collection has just emptied the pool of decoders.
	if n := testing.AllocsPerRun(100, decode); n > 40 {
		t.Errorf("%.0f allocations, want 40 at most", n)
	}
}

func BenchmarkDecodeInvoice(b *testing.B) {
	raw := []byte(invoiceBody)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		body, err := Parse(raw)
		if err != nil {
			b.Fatal(err)
		}
		o := body.Object()
		readInvoice(o)
		if err := o.Done(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	body, err := Parse([]byte(invoiceBody))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := body.Canonical(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLimiter(b *testing.B) {
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = "key:" + strconv.Itoa(i)
	}
	l := NewLimiter(DefaultLimits, nil)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		l.Take(keys[i%1000])
		i++
	}
}

// BenchmarkRequest is everything of this package for one POST, without a network.
func BenchmarkRequest(b *testing.B) {
	mux := NewRouter(Config{Auth: fakeAuth{}, Limiter: NewLimiter(Limits{PerSecond: 1e9, PerMinute: 1e9}, nil),
		Log: slog.New(slog.DiscardHandler)})
	mux.With(RequireCompany(scope.Read)).Method("POST", "/api/invoices",
		Handler(func(w http.ResponseWriter, r *http.Request) error {
			body, err := ReadJSON(w, r)
			if err != nil {
				return err
			}
			o := body.Object()
			readInvoice(o)
			if err := o.Done(); err != nil {
				return err
			}
			RawJSON(w, http.StatusCreated, []byte(`{}`))
			return nil
		}))
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("POST", "/api/invoices", strings.NewReader(invoiceBody))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Api-Key", "good-key")
		w := httptest.NewRecorder()
		if mux.ServeHTTP(w, r); w.Code != http.StatusCreated {
			b.Fatal(w.Body)
		}
	}
}
