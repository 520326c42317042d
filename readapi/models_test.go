package readapi_test

import (
	"fmt"
	"testing"
)

// Whoever lists the projections finds what to ask each of them.
func TestProjectionsTellHowTheyAreRead(t *testing.T) {
	var list struct {
		Data []struct {
			Name       string
			CompanyKey *string                       `json:"company_key"`
			Fields     []struct{ Name, Type string } `json:"fields"`
			Filters    []struct {
				Name, Type string
				Sort, Sum  bool
			}
		}
	}
	w := booksWorld(t)
	w.get("/api/projections", key1).want(200).into(&list)
	readable := 0
	for _, p := range list.Data {
		if p.CompanyKey == nil {
			continue
		}
		readable++
		for _, f := range p.Filters {
			query := ""
			if f.Sort {
				query = "?sort=" + f.Name
			}
			if f.Sum {
				w.get("/api/projections/"+p.Name+"?sum="+f.Name, key1).want(200)
			}
			w.get("/api/projections/"+p.Name+query, key1).want(200)
		}
		if p.Name == "vat_totals" && (fmt.Sprint(p.Fields[0]) != "{company text}" || len(p.Filters) != 2) {
			t.Errorf("%+v", p)
		}
	}
	if readable < 5 {
		t.Errorf("%d of %d can be read", readable, len(list.Data))
	}
}
