package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// todayInUruguay is the same for a whole run.
var todayInUruguay = time.Now().In(time.FixedZone("-03", -3*60*60)).Format(time.DateOnly)

const rucIssuer, rucBuyer = "217111220014", "219999830019"

// uruguayan is a company that lacks nothing but numbering files.
func uruguayan(t testing.TB, p *process, dir string) company {
	t.Helper()
	bearer := login(t, p.base, email, password)
	c := registered(t, bearer, rucIssuer, "UY", map[string]any{"legal_name": "Almacén Ñandubay S.A.",
		"tax_identifier": rucIssuer, "tax_identifier_name": "RUT", "start_activities_date": "2017-05-02", "id_currency": 3})
	c.want(t, http.StatusOK, http.MethodPut, c.path("/fiscal-profile"), map[string]any{
		"address": map[string]any{"country": "UY", "region": "UY-MO", "address": "Av. 18 de Julio 1234",
			"phone": "+598 2900 1234"},
		"branch_code": "1", "city": "Montevideo", "department": "Montevideo", "resolution": "1234/2017"})
	c.certifyFor(t, dir, "uy", rucIssuer)
	return c
}

// cae is a numbering file of the sandbox.
func cae(t testing.TB, dir, ruc string, code int, series string, from, to int, more ...string) []byte {
	t.Helper()
	return sandboxFile(t, append([]string{"cae", "--data", dir, "--tax-identifier", ruc, "--type", fmt.Sprint(code),
		"--series", series,
		"--from", fmt.Sprint(from), "--to", fmt.Sprint(to)}, more...)...)
}

// uruguayos is a create request in Uruguayan pesos of one line of units at 100 without
// IVA at the basic rate: an e-Ticket, an e-Factura, or a note.
func uruguayos(kind, reference string, units int) map[string]any {
	net, tax := units*100, units*22
	out := map[string]any{
		"invoice_type": kind, "invoice_date": todayInUruguay + " 00:00:00", "concept": "1", "external_reference": reference,
		"currency":       map[string]any{"code": "UYU", "exchange_rate": 1},
		"payment_method": map[string]any{"code": "CON", "description": "Contado"},
		"items": []map[string]any{{"quantity": units, "code_unit_of_measure": "u", "unit_price": 100, "discount_amount": 0,
			"description": "Yerba Ñandú 1 kg",
			"code":        map[string]any{"type": "sku", "value": "Y-1"},
			"taxes":       []map[string]any{{"type": "iva22", "rate": 22, "amount": tax}}}},
		"totals": map[string]any{"sub_total": net, "discount": 0, "total": net + tax,
			"taxes": []map[string]any{{"type": "iva22", "amount": tax, "base_amount": net}}},
	}
	if strings.HasPrefix(kind, "EF") || kind == "NCF" {
		out["recipient"] = map[string]any{"legal_name": "Cooperativa Ñandubay", "document_type": "RUT",
			"document_number": rucBuyer,
			"address":         map[string]any{"country": "UY", "region": "UY-CA", "address": "Ruta 5 km 48", "phone": ""}}
		out["additional_header_info"] = map[string]any{"recipient": map[string]any{"city": "Canelones",
			"department": "Canelones"}}
	}
	return out
}

func TestAUruguayanCompany(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := uruguayan(t, p, dir)

	early := c.post(t, uruguayos("EFA", "before any number", 2))
	c.waits(t, early.ID, "NO_NUMBERING_RANGE")

	t.Run("files that cannot be used are refused with the reason", func(t *testing.T) {
		good := cae(t, dir, rucIssuer, 111, "A", 1, 3)
		for reason, file := range map[string][]byte{
			"UY-RANGE-03":   bytes.Replace(good, []byte("HNro>3<"), []byte("HNro>3000<"), 1),
			"UY-RANGE-02":   []byte("<no/>"),
			"OTHER_COMPANY": cae(t, dir, rucBuyer, 111, "A", 1, 3),
			"RANGE_EXPIRED": cae(t, dir, rucIssuer, 111, "A", 1, 3, "--date", "2023-01-15", "--valid-days=-1"),
		} {
			if a := c.enumerate(t, http.StatusUnprocessableEntity, 111, file); !strings.Contains(string(a.body), reason) {
				t.Errorf("want %s: %s", reason, a.body)
			}
		}
	})

	var first invoice
	t.Run("an e-Factura goes to the authority and comes back accepted", func(t *testing.T) {
		c.enumerate(t, http.StatusCreated, 111, cae(t, dir, rucIssuer, 111, "A", 1, 3))
		c.enumerate(t, http.StatusCreated, 112, cae(t, dir, rucIssuer, 112, "A", 41, 100))
		c.enumerate(t, http.StatusCreated, 101, cae(t, dir, rucIssuer, 101, "A", 1, 100))
		first = c.accepted(t, early.ID)
		if *first.Number != "0000-00000001" || first.Authorization.Type != "CAE" || len(first.Authorization.Code) != 11 ||
			first.Authorization.ExpirationDate == "" {
			t.Errorf("%s %+v", first, first.Authorization)
		}
		for _, want := range []string{"https://www.efactura.dgi.gub.uy/consultaQR/cfe?" + rucIssuer + ",111,A,1,244.00,",
			`"series":"A"`, `"security_code"`, `"id_receptor"`} {
			if a := c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+first.ID, nil); !strings.Contains(string(a.body),
				want) {
				t.Errorf("no %s: %s", want, a.body)
			}
		}
	})
	t.Run("a small e-Ticket is accepted when signed and stored, a large one must name its buyer", func(t *testing.T) {
		if b := c.issue(t, uruguayos("TIC", "ticket", 3)); *b.Number != "0000-00000001" || b.Authorization.Type != "CAE" {
			t.Errorf("%s %+v", b, b.Authorization)
		}
		large := uruguayos("TIC", "large ticket", 1_000)
		c.want(t, http.StatusUnprocessableEntity, http.MethodPost, "/api/invoices", large)
		large["recipient"] = map[string]any{"legal_name": "Ana Núñez", "document_type": "CI",
			"document_number": "1.335.321-4",
			"address":         map[string]any{"country": "UY", "region": "UY-MO", "address": "Colonia 900", "phone": ""}}
		large["additional_header_info"] = map[string]any{"recipient": map[string]any{"city": "Montevideo",
			"department": "Montevideo"}}
		if b := c.issue(t, large); *b.Number != "0000-00000002" {
			t.Errorf("%s", b)
		}
	})
	t.Run("a note that cancels the invoice, and the same bytes each time", func(t *testing.T) {
		note := uruguayos("NCF", "note", 2)
		note["billing_reference"] = []map[string]any{{"invoice_id": first.ID}}
		if n := c.issue(t, note); *n.Number != "0000-00000041" {
			t.Errorf("%s", n)
		}
		one := c.pdf(t, http.MethodPost, first.ID, "/download-pdf/A4")
		if two := c.pdf(t, http.MethodPost, first.ID, "/download-pdf/A4"); !bytes.Equal(one, two) {
			t.Error("the document changed")
		}
		c.pdf(t, http.MethodGet, first.ID, ticketPath)
	})
	t.Run("numbers run out, and another series of the same numbers goes on", func(t *testing.T) {
		c.issue(t, uruguayos("EFA", "2", 1))
		c.issue(t, uruguayos("EFA", "3", 1))
		left := c.post(t, uruguayos("EFA", "4", 1))
		c.waits(t, left.ID, "NUMBERING_RANGE_EXHAUSTED")
		c.enumerate(t, http.StatusCreated, 111, cae(t, dir, rucIssuer, 111, "B", 1, 100))
		if i := c.accepted(t, left.ID); *i.Number != "0000-00000001" {
			t.Errorf("%s", i)
		}
	})
	p.stop(t)
}
