package writeapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fields is the invoice table of the specification, with the members of its parts:
// each must be in every record with a value of one of the kinds. "string?" may be null.
var fields = map[string]string{
	"id": "string", "number": "string?", "branch_office": "number", "invoice_type": "string", "invoice_date": "string",
	"payment_due_date": "string", "service_start_date": "string", "service_end_date": "string", "concept": "string",
	"reason_code": "string?", "cancellation_date": "string?", "observations": "string", "external_reference": "string",
	"status": "string", "tax_information": "object?", "global_taxes": "array", "additional_header_info": "object?",
	"additional_export_info": "object?", "electronic_authorization": "object?", "billing_reference": "array",
	"items": "array",

	"issuer": "object", "issuer.legal_name": "string", "issuer.document_type": "string",
	"issuer.document_number": "string",
	"issuer.address":         "object", "issuer.address.country": "string", "issuer.address.region": "string",
	"issuer.address.address": "string", "issuer.address.phone": "string",
	"recipient": "object", "recipient.legal_name": "string", "recipient.document_type": "string",
	"recipient.document_number": "string",
	"recipient.address":         "object", "recipient.address.country": "string", "recipient.address.region": "string",
	"recipient.address.address": "string", "recipient.address.phone": "string",

	"currency": "object", "currency.code": "string", "currency.exchange_rate": "number",
	"payment_method": "object", "payment_method.code": "string", "payment_method.description": "string",

	"items.quantity": "number", "items.code_unit_of_measure": "string", "items.unit_price": "number",
	"items.discount_amount": "number",
	"items.description":     "string", "items.code": "object?", "items.taxes": "array", "items.taxes.type": "string",
	"items.taxes.amount": "number", "items.taxes.rate": "number", "items.type_organization_code": "string?",
	"items.code_unit_of_measure_organization_code": "string?",

	"totals": "object", "totals.sub_total": "number", "totals.discount": "number", "totals.total": "number",
	"totals.taxes":      "array",
	"totals.taxes.type": "string", "totals.taxes.amount": "number", "totals.taxes.base_amount": "number",
}

var authorizationFields = map[string]string{
	"electronic_authorization.type": "string", "electronic_authorization.code": "string",
	"electronic_authorization.expiration_date": "string", "electronic_authorization.qr": "string",
	"electronic_authorization.qr_url": "string", "electronic_authorization.additional_info": "object?",
}

// lacking compares a record with the table.
func lacking(record map[string]any, table map[string]string) []string {
	var out []string
	for path, kind := range table {
		for _, v := range at(record, strings.Split(path, ".")) {
			got := kindOf(v)
			if got != strings.TrimSuffix(kind, "?") && (got != "null" || !strings.HasSuffix(kind, "?")) {
				out = append(out, fmt.Sprintf("%s is %s, want %s", path, got, kind))
			}
		}
	}
	slices.Sort(out)
	return out
}

type absent struct{}

// at is what a path leads to; through an array, in each of its elements.
func at(v any, path []string) []any {
	if len(path) == 0 {
		return []any{v}
	}
	switch v := v.(type) {
	case map[string]any:
		member, ok := v[path[0]]
		if !ok {
			return []any{absent{}}
		}
		return at(member, path[1:])
	case []any:
		var out []any
		for _, e := range v {
			out = append(out, at(e, path)...)
		}
		return out
	}
	return []any{absent{}}
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "absent"
}

func TestEveryFieldOfTheSpecificationIsInEveryRecord(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	created := w.call("POST", "/api/invoices", sample(t), s.key).want(201)
	id := created.text("id")
	want := func(when string, a answer, table map[string]string) {
		t.Helper()
		for _, l := range lacking(a.object(), table) {
			t.Errorf("%s: %s", when, l)
		}
	}
	want("in the answer to the create", created, fields)
	want("while Pending", w.call("GET", "/api/invoices/"+id, "", s.key).want(200), fields)
	if a := created.object(); a["status"] != "Pending" || a["number"] != nil || a["electronic_authorization"] != nil {
		t.Errorf("a new invoice says %s", created.Body)
	}
	w.settle(id, 42)
	accepted := w.call("GET", "/api/invoices/"+id, "", s.key, w.position()).want(200)
	want("once Accepted", accepted, fields)
	want("once Accepted", accepted, authorizationFields)
	a := accepted.object()
	if a["status"] != "Accepted" || a["number"] != "0001-00000042" || a["invoice_date"] != "2026-11-27" {
		t.Errorf("an accepted invoice says %s", accepted.Body)
	}
	list := w.call("GET", "/invoice/list?page=1", "", s.key).want(200).object()
	row, err := json.Marshal(list["data"].([]any)[0])
	check(t, err)
	if string(row) == "" || !equalJSON(t, row, accepted.Body.Bytes()) {
		t.Errorf("a row of the list is\n%s\nthe record is\n%s", row, accepted.Body)
	}
	for member, kind := range map[string]string{"page": "number", "total_pages": "number", "total_results": "number",
		"data": "array"} {
		if got := kindOf(list[member]); got != kind {
			t.Errorf("%s of the list is %s", member, got)
		}
	}
}

func equalJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	var x, y any
	check(t, json.Unmarshal(a, &x))
	check(t, json.Unmarshal(b, &y))
	m, err := json.Marshal(x)
	check(t, err)
	n, err := json.Marshal(y)
	check(t, err)
	return string(m) == string(n)
}

func TestARecordOfTheLeastThatCanBeSent(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	body := `{"invoice_type":"FCB","invoice_date":"2026-11-27","concept":"1",
		"items":[{"quantity":1,"unit_price":100.00,"description":"Libro","code_unit_of_measure":"u","taxes":[{"type":"iva21","rate":21,"amount":21.00}]}],
		"totals":{"sub_total":100.00,"total":121.00,"taxes":[{"type":"iva21","amount":21.00,"base_amount":100.00}]}}`
	created := w.call("POST", "/api/invoices", body, s.key).want(201)
	nullable := map[string]bool{"payment_due_date": true, "service_start_date": true, "service_end_date": true,
		"recipient.document_type": true, "recipient.document_number": true, "payment_method": true}
	table := map[string]string{}
	for path, kind := range fields {
		if strings.HasPrefix(path, "payment_method.") {
			continue
		}
		if nullable[path] && !strings.HasSuffix(kind, "?") {
			kind += "?"
		}
		table[path] = kind
	}
	for _, l := range lacking(created.object(), table) {
		t.Error(l)
	}
	got := created.object()
	for path, want := range map[string]string{
		"branch_office": "1", "currency.code": "ARS", "currency.exchange_rate": "1", "totals.total": "121.00",
		"totals.discount":       "0",
		"items.discount_amount": "0", "issuer.legal_name": "Molinos del Plata S.A.", "issuer.document_number": cuit,
		"observations": "", "external_reference": "", "tax_information.recipient_condition": "consumidor_final",
		"tax_information.recipient_condition_given": "false",
	} {
		if v := fmt.Sprint(at(got, strings.Split(path, "."))[0]); v != want {
			t.Errorf("%s is %s, want %s", path, v, want)
		}
	}
}

func TestAmountsComeBackAsTheyWereWritten(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	for _, amounts := range [][]string{ // quantity, unit_price, discount, tax, sub_total, total discount, base, total
		{"1", "100", "0", "21", "100", "0", "100", "121"},
		{"1.000", "100.00", "0.00", "21.00", "100.00", "0.00", "100.00", "121.00"},
		{"1e2", "1.0", "0", "21.0", "100.0", "0", "100.0", "121.0"},
		{"3", "33.333333", "0", "21", "100.00", "0.0", "100", "121.00"},
		{"0.5", "9999999999.98", "0", "1049999999.9979", "4999999999.99", "0", "4999999999.99", "6049999999.99"},
	} {
		if amounts[3] == "1049999999.9979" { // two decimals are the most that ARCA takes
			amounts[3] = "1050000000.00"
		}
		body := sample(t, "items", fmt.Sprintf(
			`[{"quantity":%s,"code_unit_of_measure":"u","unit_price":%s,"discount_amount":%s,"description":"x","taxes":[{"type":"iva21","amount":%s,"rate":21.00}]}]`,
			amounts[0], amounts[1], amounts[2], amounts[3]),
			"totals", fmt.Sprintf(`{"sub_total":%s,"discount":%s,"total":%s,"taxes":[{"type":"iva21","amount":%s,"base_amount":%s}]}`,
				amounts[4], amounts[5], amounts[7], amounts[3], amounts[6]))
		created := w.call("POST", "/api/invoices", body, s.key)
		if created.Code != 201 {
			t.Errorf("%v: %s", amounts, created.Body)
			continue
		}
		for _, a := range []answer{created, w.call("GET", "/api/invoices/"+created.text("id"), "", s.key).want(200)} {
			v := a.object()
			item, totals := v["items"].([]any)[0].(map[string]any), v["totals"].(map[string]any)
			got := []string{fmt.Sprint(item["quantity"]), fmt.Sprint(item["unit_price"]), fmt.Sprint(item["discount_amount"]),
				fmt.Sprint(at(item, []string{"taxes", "amount"})[0]), fmt.Sprint(totals["sub_total"]),
				fmt.Sprint(totals["discount"]),
				fmt.Sprint(at(totals, []string{"taxes", "base_amount"})[0]), fmt.Sprint(totals["total"])}
			want := slices.Clone(amounts)
			want[0] = strings.Replace(want[0], "1e2", "100", 1) // the same number in plain digits
			if !slices.Equal(got, want) {
				t.Errorf("amounts are %v, want %v", got, want)
			}
			if rate := fmt.Sprint(at(item, []string{"taxes", "rate"})[0]); rate != "21.00" {
				t.Errorf("rate is %s", rate)
			}
		}
	}
}

func TestTheAnswerToACreateIsWhatALaterReadGives(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	for name, body := range map[string]string{
		"the specification's sample": sample(t),
		"with everything": sample(t, "global_taxes",
			`[{"type":"iibb","description":"Percepción <IIBB> CABA & otras","rate":3.5,"base_amount":240.01,"amount":8.40}]`,
			"totals.total", "293.56", "observations", `"línea 1\nlínea 2 \"ñ\" 😀"`,
			"recipient.tax_condition", `"responsable_inscripto"`,
			"additional_header_info", `{ "activities" : [ 620100 ],   "optionals": [] }`),
		"to nobody in particular": sample(t, "invoice_type", `"FCB"`, "recipient", ""),
	} {
		created := w.call("POST", "/api/invoices", body, s.key)
		if created.Code != 201 {
			t.Errorf("%s: %s", name, created.Body)
			continue
		}
		if loc := created.Header().Get("Location"); loc != "/api/invoices/"+created.text("id") {
			t.Errorf("%s: Location is %q", name, loc)
		}
		read := w.call("GET", created.Header().Get("Location"), "", s.key).want(200)
		if created.Body.String() != read.Body.String() {
			t.Errorf("%s: created\n%s\nread\n%s", name, created.Body, read.Body)
		}
	}
}
