package main

import (
	"encoding/json"
	"strings"
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

// A word alone is most often a document type, and the refusal says which flags take it; a country that is none lists
// nothing and is refused.
func TestAnExampleSaysHowItIsNamed(t *testing.T) {
	for word, says := range map[string]string{
		"FCB": "unexpected argument FCB: a document type is named by --type, its country by --country: --country ar --type FCB",
		"EFA": "--country uy --type EFA",
		"x":   "--country CC --type x",
	} {
		if _, _, err := parse(t, "example", word); err == nil || !strings.HasSuffix(hinted(err).Error(), says) {
			t.Errorf("%v, want %q", hinted(err), says)
		}
	}
	if _, _, err := parse(t, "example", "--nothing"); err == nil || hinted(err) != err {
		t.Errorf("%v has a hint", err)
	}
	if _, err := run(t, "example", "--country", "xx"); err == nil || !strings.Contains(err.Error(), "--country is one of ar") {
		t.Error("a country that is none:", err)
	}
	if _, _, err := parse(t, "export", "company"); err == nil || !strings.Contains(err.Error(), `expected "<company>"`) {
		t.Error("an export of no company:", err)
	}
}
