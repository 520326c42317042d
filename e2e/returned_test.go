package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"strings"
	"testing"
)

// TestAReadReturnsWhatWasSent: each member of a request is read back with its value, also
// what stands for nobody and branch offices of a country that has none, and the list finds
// the document by its recipient.
func TestAReadReturnsWhatWasSent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	companies := map[string]company{"AR": issuing(t, p, dir, 3), "CL": chilean(t, p, dir), "UY": uruguayan(t, p, dir)}
	kinds := map[string]func(kind string) map[string]any{
		"AR": func(kind string) map[string]any { return body(kind, 1, "as sent") },
		"CL": func(kind string) map[string]any { return pesos(kind, "as sent") },
		"UY": func(kind string) map[string]any { return uruguayos(kind, "as sent", 2) },
	}
	issuers := map[string]map[string]any{
		"AR": {"legal_name": "Papelera", "document_type": "CUIT", "document_number": cuit(3),
			"address": map[string]any{"country": "AR", "region": "AR-C", "address": "Perú 1", "phone": "4321"}},
		"CL": {"legal_name": "Ferretería", "document_type": "RUT", "document_number": rutIssuer,
			"address": map[string]any{"address": "Av. Matta 1234"}},
		"UY": {"legal_name": "Almacén", "document_type": "RUT", "document_number": rucIssuer},
	}
	for _, c := range []struct{ country, kind, document, number string }{
		{"AR", "FCA", "", ""}, {"AR", "FCB", "", ""}, {"AR", "FCB", "99", "0"}, {"AR", "FCB", "SinIdentificar", "0"},
		{"CL", "FAC", "RUT", "76192083-9"}, {"CL", "BOL", "", ""}, {"CL", "BOL", "RUT", "66666666-6"},
		{"CL", "BOL", "99", "0"},
		{"UY", "EFA", "", ""}, {"UY", "TIC", "", ""}, {"UY", "TIC", "99", "0"}, {"UY", "TIC", "RUT", "0"},
	} {
		sent := kinds[c.country](c.kind)
		sent["issuer"] = issuers[c.country]
		if c.country != "AR" {
			sent["branch_office"] = 1
		}
		if c.document != "" {
			to, _ := sent["recipient"].(map[string]any)
			to = maps.Clone(to)
			if to == nil {
				to = map[string]any{"legal_name": "Ana"}
			}
			to["document_type"], to["document_number"] = c.document, c.number
			sent["recipient"] = to
		}
		on := companies[c.country]
		id := on.post(t, sent).ID
		read := get[map[string]any](t, on.client, "/api/invoices/"+id)
		day, _, _ := strings.Cut(sent["invoice_date"].(string), " ")
		sent["invoice_date"] = day // the record has the date only
		raw, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		var plain map[string]any
		if err := json.Unmarshal(raw, &plain); err != nil {
			t.Fatal(err)
		}
		for _, fault := range differences("", plain, read) {
			t.Errorf("%s %s for %q %q: %s", c.country, c.kind, c.document, c.number, fault)
		}
		if c.document == "" {
			continue
		}
		found := string(on.want(t, http.StatusOK, http.MethodGet, "/api/invoices?recipient_document="+c.number, nil).body)
		if !strings.Contains(found, id) {
			t.Errorf("%s: the list does not find %s %s", c.country, c.document, c.number)
		}
	}
}

// differences are the members of what was sent that were not read back as they were.
func differences(path string, sent, read any) (out []string) {
	switch sent := sent.(type) {
	case map[string]any:
		got, _ := read.(map[string]any)
		for name, value := range sent {
			out = append(out, differences(path+"."+name, value, got[name])...)
		}
	case []any:
		got, _ := read.([]any)
		if len(got) != len(sent) {
			return []string{fmt.Sprintf("%s has %d elements of %d", path, len(got), len(sent))}
		}
		for i := range sent {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), sent[i], got[i])...)
		}
	default:
		if want, got := fmt.Sprint(sent), fmt.Sprint(read); want != got && !sameNumber(want, got) {
			out = append(out, fmt.Sprintf("%s was %s and is %s", path, want, got))
		}
	}
	return out
}

func sameNumber(a, b string) bool {
	x, ok1 := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return ok1 && ok2 && x.Cmp(y) == 0
}
