package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

func badAmounts(c company) []refusal {
	one := func(name, kind string, change func(b map[string]any), faults string) refusal {
		return create(c, name, changed(kind, change), 422, faults)
	}
	number := func(text string) refusal {
		return one("a quantity of "+text, "FCA", func(b map[string]any) { item(b)["quantity"] = json.Number(text) },
			"items[0].quantity")
	}
	total := func(text string) func(b map[string]any) {
		return func(b map[string]any) { totals(b)["total"] = json.Number(text) }
	}
	return []refusal{
		number("12345678901234567890"), number("1e21"), number("1e400"), number("-1e400"), number("1e999999999"),
		number("0.0000001"),
		number("1." + strings.Repeat("3", 5000)),
		one("a total 0.02 too high", "FCA", total("242.02"), "totals.total"),
		one("a total 0.02 too low", "FCB", total("241.98"), "totals.total"),
		one("a total of nothing", "FCA", total("0"), "totals.total"),
		one("a total of 1e21", "FCA", total("1e21"), "totals.total"),
		one("a sub_total that is not the lines'", "FCA",
			func(b map[string]any) { totals(b)["sub_total"] = json.Number("199.99") }, "totals.sub_total"),
		one("a discount that no line has", "FCA", func(b map[string]any) { totals(b)["discount"] = -5 }, "totals.discount"),
		one("a tax with four decimals", "FCA", func(b map[string]any) {
			item(b)["taxes"].([]map[string]any)[0]["amount"] = json.Number("42.0001")
		}, "items[0].taxes[0].amount"),
		one("a tax that its rate does not explain", "FCA", func(b map[string]any) {
			item(b)["taxes"].([]map[string]any)[0]["amount"] = 50
		}, "items[0].taxes[0].amount"),
		one("no row for the tax", "FCA", func(b map[string]any) { totals(b)["taxes"] = []any{} }, "totals.taxes"),
		one("an unknown tax", "FCA", func(b map[string]any) { item(b)["taxes"].([]map[string]any)[0]["type"] = "iva22" },
			"items[0].taxes[0].type"),
		one("a rate that is not the tax's", "FCA",
			func(b map[string]any) { item(b)["taxes"].([]map[string]any)[0]["rate"] = 20 }, "items[0].taxes[0].rate"),
		one("class C with VAT", "FCC", func(b map[string]any) {
			b["items"], b["totals"] = body("FCA", 1, "")["items"], body("FCA", 1, "")["totals"]
		}, "totals.total totals.taxes[0].type"),
	}
}

func badDocuments(c company) []refusal {
	one := func(name, kind string, change func(b map[string]any), faults string) refusal {
		return create(c, name, changed(kind, change), 422, faults)
	}
	day := func(days int) string {
		d, _ := time.Parse(time.DateOnly, today)
		return d.AddDate(0, 0, days).Format(time.DateOnly) + " 10:00:00"
	}
	return []refusal{
		one("a date twenty days from now", "FCA", func(b map[string]any) { b["invoice_date"] = day(20) }, "invoice_date"),
		one("a date twenty days ago", "FCA", func(b map[string]any) { b["invoice_date"] = day(-20) }, "invoice_date"),
		one("a service without its period", "FCA", func(b map[string]any) { b["concept"] = "2" },
			"service_start_date service_end_date payment_due_date"),
		one("an unknown kind", "FCA", func(b map[string]any) { b["invoice_type"] = "FZZ" }, "invoice_type"),
		one("a recipient whose CUIT is wrong", "FCA",
			func(b map[string]any) { b["recipient"].(map[string]any)["document_number"] = "33693450230" },
			"recipient.document_number"),
		one("class A for a consumer", "FCA", func(b map[string]any) { delete(b, "recipient") }, "recipient.document_type"),
		one("a recipient of another class", "FCA",
			func(b map[string]any) { b["recipient"].(map[string]any)["tax_condition"] = "consumidor_final" },
			"recipient.tax_condition"),
		one("another issuer", "FCA", func(b map[string]any) {
			b["issuer"] = map[string]any{"legal_name": "Otra S.A.", "document_type": "CUIT", "document_number": cuit(77)}
		}, "issuer.document_number"),
		one("pesos at another rate", "FCA", func(b map[string]any) {
			b["currency"] = map[string]any{"code": "ARS", "exchange_rate": 2}
		}, "currency.exchange_rate"),
		one("dollars at one peso", "FCA", func(b map[string]any) {
			b["currency"] = map[string]any{"code": "USD", "exchange_rate": 1}
		}, "currency.exchange_rate"),
		one("an unknown way to pay", "FCA", func(b map[string]any) { b["payment_method"] = map[string]any{"code": "SHELLS"} },
			"payment_method.code"),
		one("a note on nothing", "NCA", func(map[string]any) {}, "billing_reference"),
		one("a note on an unknown invoice", "NCA", func(b map[string]any) {
			b["billing_reference"] = []any{map[string]any{"invoice_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}}
		}, "billing_reference[0].invoice_id"),
		one("a note whose second reference is wrong", "NCA", func(b map[string]any) {
			b["billing_reference"] = []any{map[string]any{"type": "FCA", "branch_office": 1, "number": 1, "date": today},
				map[string]any{"invoice_id": "x"}}
		}, "billing_reference[1].invoice_id"),
		one("a reference of two ways", "NCA", func(b map[string]any) {
			b["billing_reference"] = []any{map[string]any{"invoice_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "period_from": today}}
		}, "billing_reference[0]"),
		one("an FCE without its CBU", "FMA", func(b map[string]any) { b["payment_due_date"] = today },
			"additional_header_info.cbu additional_header_info.transfer_system"),
	}
}

func badQueries(c company) []refusal {
	var out []refusal
	for query, path := range map[string]string{
		"page=0": "page", "page=-1": "page", "page=abc": "page", "page=1.5": "page", "page=1e9": "page", "page=%2B1": "page",
		"page=99999999999999999999": "page", "page=1&page=2": "page", "per_page=0": "per_page", "per_page=101": "per_page",
		"cursor=0": "cursor", "cursor=abc": "cursor", "cursor=1&page=2": "cursor", "status=done": "status",
		"date_from=2026-13-01": "date_from",
		"date_to=yesterday":    "date_to", "colour=red": "colour", "number=%ff": "number", "number=%zz": "number",
		"external_reference=" + strings.Repeat("x", 300): "external_reference",
	} {
		out = append(out, refusal{"a list with " + query[:min(len(query), 40)], c.client, http.MethodGet,
			"/invoice/list?" + query, nil, 422, path})
	}
	return append(out, refusal{"a list from a strange position", c.with("Folio-Min-Position", "C:x/P:1"), http.MethodGet,
		"/api/invoices", nil, 422, "Folio-Min-Position"})
}

func badCredentials(t *testing.T, c company, bearer client) []refusal {
	nobody := client{base: c.base}
	out := []refusal{
		{"no credential", nobody, "GET", "/api/invoices", nil, 401, ""},
		{"a token where a key is needed", bearer, "GET", "/api/invoices", nil, 401, ""},
		{"a key where a token is needed", c.client, "POST", "/api/companies", companyBody(cuit(5)), 401, ""},
		{"a wrong password", nobody, "POST", "/api/login", map[string]any{"email": email, "password": "wrong-password"}, 401,
			""},
		{"a login without password", nobody, "POST", "/api/login", map[string]any{"email": email}, 422, "password"},
		{"a login with a number", nobody, "POST", "/api/login", map[string]any{"email": email, "password": 12345678}, 422,
			"password"},
		{"a login with more", nobody, "POST", "/api/login",
			map[string]any{"email": email, "password": password, "admin": true}, 422, "admin"},
		{"a login that is no JSON", nobody, "POST", "/api/login", []byte("email=x"), 400, ""},
	}
	key := c.client.key
	for name, bad := range map[string]string{
		"garbage": "garbage", "fk_": "fk_", "its id alone": key[:29], "another secret": key[:len(key)-3] + "xyz",
		"a longer one":        key + "0",
		"a key in lower case": strings.ToLower(key), "another id": key[:3] + "01ARZ3NDEKTSV4RRFFQ69G5FAV" + key[29:],
		"letters of Latin-1":    "fk_\xf1\xf1",
		"five thousand letters": strings.Repeat("k", 5000), "a quote": `fk_' OR '1'='1`,
	} {
		out = append(out, refusal{"the key is " + name, nobody.with("x-api-key", bad), "GET", "/api/invoices", nil, 401, ""})
	}
	parts := strings.Split(bearer.token, ".")
	for name, bad := range map[string]string{
		"nothing": "Bearer ", "garbage": "Bearer garbage", "of another scheme": "Basic " + bearer.token,
		"without scheme":   bearer.token,
		"unsigned":         "Bearer eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0." + parts[1] + ".",
		"signed otherwise": "Bearer " + parts[0] + "." + parts[1] + "." + strings.Repeat("A", 43), "dots": "Bearer ..",
		"five thousand letters": "Bearer " + strings.Repeat("t", 5000),
	} {
		out = append(out, refusal{"the token is " + name, nobody.with("Authorization", bad), "GET", "/api/companies", nil,
			401, ""})
	}
	return out
}

// badAccess are good requests of the wrong people.
func badAccess(t *testing.T, c company, bearer client) []refusal {
	t.Helper()
	other := register(t, bearer, cuit(2))
	revoked := withKey(t, bearer, c)
	bearer.want(t, http.StatusNoContent, http.MethodDelete, c.path("/apikeys/"+revoked.keyID), nil)
	id := get[list](t, c.client, "/api/invoices").Data[0].ID
	return []refusal{
		{"another company's profile", other.client, "PUT", c.path("/fiscal-profile"), map[string]any{}, 403, ""},
		{"another company's logo", other.client, "POST", c.path("/logo"), nil, 403, ""},
		{"another company's certificate", other.client, "POST", c.path("/certificates"), nil, 403, ""},
		{"another company's record", other.client, "GET", c.path(""), nil, 403, ""},
		{"another company's invoice", other.client, "GET", "/api/invoices/" + id, nil, 404, ""},
		{"another company's document", other.client, "POST", "/api/invoices/" + id + "/download-pdf/A4", nil, 404, ""},
		{"a revoked key reads", revoked.client, "GET", "/api/invoices", nil, 401, ""},
		{"a revoked key writes", revoked.client, "POST", "/api/invoices", body("FCA", 1, "revoked"), 401, ""},
		{"a revoked key is revoked for another company", bearer, "DELETE", other.path("/apikeys/" + revoked.keyID), nil, 404,
			""},
		{"a final invoice is processed", c.client, "POST", "/api/invoices/" + id + "/process", nil, 409, ""},
	}
}
