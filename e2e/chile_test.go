package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// todayInChile is the same for a whole run.
var todayInChile = func() string {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		zone = time.FixedZone("-04", -4*60*60)
	}
	return time.Now().In(zone).Format(time.DateOnly)
}()

const rutIssuer, rutHolder = "77111222-6", "12345678-5"

// chilean is a company that lacks nothing but numbering files.
func chilean(t testing.TB, p *process, dir string) company {
	t.Helper()
	bearer := login(t, p.base, email, password)
	c := registered(t, bearer, rutIssuer, "CL", map[string]any{"legal_name": "Ferretería Ñuble & Cía SpA",
		"tax_identifier": "77.111.222-6", "tax_identifier_name": "RUT", "start_activities_date": "2015-03-01",
		"id_currency": 2})
	c.want(t, http.StatusOK, http.MethodPut, c.path("/fiscal-profile"), map[string]any{
		"address": map[string]any{"country": "CL", "region": "CL-RM", "address": "Av. Matta 1234",
			"phone": "+56 2 2345 6789"},
		"giro": "Venta de artículos de ferretería", "acteco": "475201", "comuna": "Santiago", "city": "Santiago",
		"resolution_number": "80", "resolution_date": "2014-08-22", "sii_office": "Santiago Centro"})
	c.certifyFor(t, dir, "cl", rutHolder)
	return c
}

// caf is a numbering file of the sandbox.
func caf(t testing.TB, dir, rut string, code, from, to int, more ...string) []byte {
	t.Helper()
	return sandboxFile(t, append([]string{"caf", "--data", dir, "--tax-identifier", rut, "--type", fmt.Sprint(code),
		"--from", fmt.Sprint(from), "--to", fmt.Sprint(to)}, more...)...)
}

// pesos is a create request in whole pesos: an invoice, a boleta, or a credit note.
func pesos(kind, reference string) map[string]any {
	out := map[string]any{
		"invoice_type": kind, "invoice_date": todayInChile + " 00:00:00", "concept": "1", "external_reference": reference,
		"recipient": map[string]any{"legal_name": "Constructora Ñandú Ltda.", "document_type": "RUT",
			"document_number": "76.192.083-9",
			"address":         map[string]any{"country": "CL", "region": "CL-RM", "address": "Los Leones 567", "phone": ""}},
		"additional_header_info": map[string]any{"recipient": map[string]any{"giro": "Construcción", "comuna": "Providencia",
			"city": "Santiago"}},
		"currency":       map[string]any{"code": "CLP", "exchange_rate": 1},
		"payment_method": map[string]any{"code": "CON", "description": "Contado"},
		"items": []map[string]any{{"quantity": 2, "code_unit_of_measure": "u", "unit_price": 10_000, "discount_amount": 0,
			"description": "Taladro percutor Ñuñoa",
			"code":        map[string]any{"type": "sku", "value": "T-1"},
			"taxes":       []map[string]any{{"type": "iva19", "rate": 19, "amount": 3_800}}}},
		"totals": map[string]any{"sub_total": 20_000, "discount": 0, "total": 23_800,
			"taxes": []map[string]any{{"type": "iva19", "amount": 3_800, "base_amount": 20_000}}},
	}
	if kind == "BOL" { // gross prices, nobody named
		delete(out, "recipient")
		delete(out, "additional_header_info")
		out["items"].([]map[string]any)[0]["taxes"] = []map[string]any{{"type": "iva19", "rate": 19, "amount": 3_193}}
		out["totals"] = map[string]any{"sub_total": 20_000, "discount": 0, "total": 20_000,
			"taxes": []map[string]any{{"type": "iva19", "amount": 3_193, "base_amount": 16_807}}}
	}
	return out
}

// waits wants an invoice to be Pending for this reason.
func (c company) waits(t testing.TB, id, reason string) {
	t.Helper()
	eventually(t, verdictLimit, "the reason is shown", func() (string, bool) {
		i := c.read(t, id)
		return i.String(), i.Status == "Pending" && i.PendingReason != nil && i.PendingReason.Code == reason
	})
}

func TestAChileanCompany(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := chilean(t, p, dir)

	early := c.post(t, pesos("FAC", "before any folio"))
	c.waits(t, early.ID, "NO_NUMBERING_RANGE")

	t.Run("files that cannot be used are refused with the reason", func(t *testing.T) {
		good := caf(t, dir, rutIssuer, 33, 1, 3)
		tomorrow := time.Now().AddDate(0, 0, 2).Format(time.DateOnly)
		for reason, file := range map[string][]byte{
			"CL-RANGE-03":        bytes.Replace(good, []byte("<H>3</H>"), []byte("<H>3000</H>"), 1),
			"CL-RANGE-02":        []byte("<no/>"),
			"OTHER_COMPANY":      caf(t, dir, "76192083-9", 33, 1, 3),
			"RANGE_EXPIRED":      caf(t, dir, rutIssuer, 33, 1, 3, "--date", "2020-01-15"),
			"RANGE_ISSUED_LATER": caf(t, dir, rutIssuer, 33, 1, 3, "--date", tomorrow),
		} {
			if a := c.enumerate(t, http.StatusUnprocessableEntity, 33, file); !strings.Contains(string(a.body), reason) {
				t.Errorf("want %s: %s", reason, a.body)
			}
		}
	})

	var first invoice
	t.Run("the first folio is where the company says", func(t *testing.T) {
		// The reason that the invoice waited ends with the upload, so the start comes first
		// for a type of which none waits.
		got := decode[struct {
			ID string `json:"id_enumeration"`
		}](t, c.enumerate(t, http.StatusCreated, 61, caf(t, dir, rutIssuer, 61, 1, 100)))
		c.want(t, http.StatusOK, http.MethodPut, c.path("/enumeration/"+got.ID+"/config"),
			map[string]any{"enumeration_starts_from": 41})
		c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 3))
		c.enumerate(t, http.StatusCreated, 39, caf(t, dir, rutIssuer, 39, 1, 100))
		first = c.accepted(t, early.ID)
		if *first.Number != "0000-00000001" || first.Authorization.Type != "CAF" || first.Authorization.Code == "" ||
			first.Authorization.ExpirationDate == "" {
			t.Errorf("%s %+v", first, first.Authorization)
		}
	})
	t.Run("a boleta and the note that cancels the invoice", func(t *testing.T) {
		if b := c.issue(t, pesos("BOL", "boleta")); *b.Number != "0000-00000001" || b.Totals.Total != "20000" {
			t.Errorf("%s %s", b, b.Totals.Total)
		}
		note := pesos("NCE", "note")
		note["billing_reference"] = []map[string]any{{"invoice_id": first.ID, "reason_code": "1"}}
		if n := c.issue(t, note); *n.Number != "0000-00000041" {
			t.Errorf("the note did not begin where it was told to: %s", n)
		}
		one := c.pdf(t, http.MethodPost, first.ID, "/download-pdf/A4")
		if two := c.pdf(t, http.MethodPost, first.ID, "/download-pdf/A4"); !bytes.Equal(one, two) {
			t.Error("the document changed")
		}
		c.pdf(t, http.MethodGet, first.ID, ticketPath)
	})
	t.Run("66666666-6 comes back, and the list finds it", func(t *testing.T) {
		unnamed := pesos("BOL", "unnamed")
		unnamed["recipient"] = map[string]any{"document_type": "RUT", "document_number": "66666666-6"}
		b := c.issue(t, unnamed)
		for _, path := range []string{"/api/invoices/" + b.ID, "/api/invoices?recipient_document=66666666-6"} {
			if got := string(c.want(t, http.StatusOK, http.MethodGet, path, nil).body); !strings.Contains(got,
				`"document_number":"66666666-6"`) || !strings.Contains(got, b.ID) {
				t.Errorf("%s: %s", path, got)
			}
		}
	})
	t.Run("an order by its text, and the number that another has", func(t *testing.T) {
		ordered := pesos("BOL", "ordered")
		ordered["billing_reference"] = []map[string]any{{"type": "801", "number": "OC-15", "date": todayInChile},
			{"type": "HES", "number": 77, "date": todayInChile}}
		b := c.issue(t, ordered)
		record := string(c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+b.ID, nil).body)
		signed := string(c.xml(t, b.ID).body)
		for _, want := range []string{`"number":"OC-15"`, `"number":77`} {
			if !strings.Contains(record, want) {
				t.Errorf("no %s: %s", want, record)
			}
		}
		if !strings.Contains(signed, "<FolioRef>OC-15</FolioRef>") || !strings.Contains(signed, "<FolioRef>77</FolioRef>") {
			t.Errorf("%s", signed)
		}
		ordered["billing_reference"] = []map[string]any{{"type": "FAC", "number": "OC-15", "date": todayInChile}}
		if a := c.want(t, http.StatusUnprocessableEntity, http.MethodPost, "/api/invoices",
			ordered); !strings.Contains(string(a.body), "CL-REFERENCE-04") {
			t.Errorf("%s", a.body)
		}
	})
	t.Run("folios run out, and the next file lets invoices go on", func(t *testing.T) {
		c.issue(t, pesos("FAC", "2"))
		c.issue(t, pesos("FAC", "3"))
		left := c.post(t, pesos("FAC", "4"))
		c.waits(t, left.ID, "NUMBERING_RANGE_EXHAUSTED")
		c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 101, 200))
		if i := c.accepted(t, left.ID); *i.Number != "0000-00000101" {
			t.Errorf("%s", i)
		}
	})
	p.stop(t)
}
