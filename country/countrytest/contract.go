package countrytest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/events"
	"folio/fault"
)

// EveryKind wants a document of each kind accepted and returned with the official code
// and the issuer's canonical identifier, the caller's own left as it was, and what is
// returned accepted again without a change.
func EveryKind(t *testing.T, kinds []country.DocumentType, issuer string, document func(kind string) events.Document,
	check func(events.Document) (country.Checked, []fault.Violation)) {
	t.Helper()
	for _, k := range kinds {
		d := document(k.InvoiceType)
		before := text(t, d)
		checked, vs := check(d)
		if len(vs) > 0 {
			t.Errorf("%s: refused: %v", k.InvoiceType, vs)
		}
		if text(t, d) != before {
			t.Errorf("%s: the caller's document was changed", k.InvoiceType)
		}
		got := checked.Document
		if got.OfficialCode != k.Code || got.Issuer.DocumentNumber != issuer || got.BranchOffice != 0 {
			t.Errorf("%s: %+v", k.InvoiceType, got)
		}
		again, vs := check(got)
		if len(vs) > 0 || !reflect.DeepEqual(again.Document, got) {
			t.Errorf("%s: checked twice it is another: %v\n%s\n%s", k.InvoiceType, vs, again.Document.HeaderInfo, got.HeaderInfo)
		}
	}
}

// text is a document as it is stored: unlike another copy it shares nothing with it.
func text(t *testing.T, d events.Document) string {
	t.Helper()
	out, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Catalogues wants a code and a name in every row of these lists, by name, each code
// once, and no list without rows.
func Catalogues(t *testing.T, lists map[string][]country.Catalogued) {
	t.Helper()
	for name, list := range lists {
		seen := map[string]bool{}
		for _, x := range list {
			key := strings.ToLower(x.Code)
			if x.Code == "" || x.Name == "" || seen[key] {
				t.Errorf("%s: %+v is empty or there twice", name, x)
			}
			seen[key] = true
		}
		if len(list) == 0 {
			t.Errorf("%s: nothing", name)
		}
	}
}

// Profile wants nothing missing of a complete company, these fields of one that has said
// nothing, and of each field the values that fit taken and the others refused.
func Profile(t *testing.T, r country.Rules, complete country.Issuer, missing []string,
	fits map[string]map[string]bool) {
	t.Helper()
	if m := r.Missing(complete); len(m) != 0 {
		t.Errorf("missing %v", m)
	}
	if m := r.Missing(country.Issuer{}); !slices.Equal(m, missing) {
		t.Errorf("missing %v", m)
	}
	checks := map[string]func(string) error{}
	for _, f := range r.ProfileFields() {
		checks[f.Name] = f.Check
	}
	for field, values := range fits {
		for value, ok := range values {
			if err := checks[field](value); (err == nil) != ok {
				t.Errorf("%s %q: %v", field, value, err)
			}
		}
	}
}
