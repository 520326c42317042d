package main

import (
	"encoding/json"
	"testing"
	"time"

	"folio/commands/company"
	"folio/countries"
	"folio/events"
	"folio/resource"
)

func TestAnExampleIsFoundByCodeAndNameAndIsTheCompanys(t *testing.T) {
	at := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct{ country, name, kind string }{
		{"cl", "33", "FAC"}, {"CL", "fac", "FAC"}, {"ar", "1", "FCA"}, {"ar", "perceptions", "FCA"}, {"uy", "111", "EFA"},
		{"uy", "x", ""},
	} {
		rules, _ := countries.Rules().ByCode(c.country)
		d, ok := exampleOf(rules, c.name, at)
		if ok != (c.kind != "") || d.Type != c.kind {
			t.Errorf("%s %s is %q", c.country, c.name, d.Type)
		}
	}
	rules, _ := countries.Rules().ByCode("ar")
	d, _ := exampleOf(rules, "FCA", at)
	var of company.State
	of.Company, of.TaxIdentifierName, of.TaxIdentifier = "C", "CUIT", "30712345671"
	of.Branches = map[int]events.Branch{7: {}, 3: {}}
	out, err := json.Marshal(resource.CreateOf(issuedBy(of, rules, d)))
	if err != nil {
		t.Fatal(err)
	}
	var body struct {
		Branch int `json:"branch_office"`
		Issuer struct {
			Number string `json:"document_number"`
		}
		Date string `json:"invoice_date"`
	}
	if err := json.Unmarshal(out, &body); err != nil || body.Branch != 3 || body.Issuer.Number != "30712345671" ||
		body.Date != "2026-11-27 10:30:00" {
		t.Errorf("%v %s", err, out)
	}
}
