package uy_test

import (
	"fmt"
	"testing"

	"folio/country/countrytest"
	"folio/country/uy"
)

func TestRUT(t *testing.T) {
	for text, want := range map[string]string{
		"214844360018": "214844360018", "219999830019": "219999830019", "217111220014": "217111220014", // uruguay.md §10
		"21.484436.0018": "214844360018", "21-484436-0018": "214844360018", " 214844360018 ": "214844360018",
		"220000000016": "220000000016", "990000000011": "990000000011", // no upper bound of the prefix
		"214844360019": "", "21484436001": "", "2148443600180": "", "": "", "21484436001a": "", "000000000000": "",
		"76192083-9": "", "２１４８４４３６００１８": "",
	} {
		got, err := uy.ParseRUT(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}

// Where the rule gives 10 there is no such number; everywhere else there is one digit.
func TestEveryRUTHasAtMostOneCheckDigit(t *testing.T) {
	none := 0
	for n := range 1100 {
		found := 0
		for digit := range 10 {
			if _, err := uy.ParseRUT(fmt.Sprintf("21%09d%d", n, digit)); err == nil {
				found++
			}
		}
		if found > 1 {
			t.Fatalf("21%09d has %d check digits", n, found)
		}
		none += 1 - found
	}
	if none == 0 || none > 200 {
		t.Errorf("%d of 1,100 have none, about one in eleven should", none)
	}
}

func TestCI(t *testing.T) {
	for text, want := range map[string]string{
		"1335321-4": "13353214", "1.335.321-4": "13353214", "45123455": "45123455", "234567-4": "02345674",
		"500.000-5": "05000005",
		"13353215":  "", "123456": "", "123456789": "", "": "", "1.335.321-K": "", "00000000": "",
	} {
		got, err := uy.ParseCI(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for ci, want := range map[string]string{"13353214": "1.335.321-4", "05000005": "500.000-5", "x": "x", "": ""} {
		if got := uy.PrintCI(ci); got != want {
			t.Errorf("%s is printed %s", ci, got)
		}
	}
}

// Chile and Uruguay both call it RUT: the number itself tells them apart.
func TestTheRegistryTellsTheRUTsApart(t *testing.T) {
	r := uy.Rules{}
	if _, err := r.Identifier("76192083-9"); err == nil {
		t.Error("Chile's RUT is taken")
	}
	if got, err := r.Identifier("21 711122 0014"); err != nil || got != issuerRUT {
		t.Errorf("%s %v", got, err)
	}
}

func TestProfile(t *testing.T) {
	missing := []string{"address", "branch_code", "city", "department", "resolution"}
	countrytest.Profile(t, uy.Rules{}, company, missing, map[string]map[string]bool{
		"branch_code": {"1": true, "0001": true, "0": false, "12345": false, "A": false},
		"city":        {"Ciudad de la Costa": true, "Una ciudad de más de treinta letras": false, "a\tb": false},
		"department":  {"Cerro Largo": true, "UY-CL": true, "Atlantis": false},
		"resolution":  {"4055/2024": true, "2024-05-01": true, "yes": false},
		"iva_al_dia":  {"false": true, "true": true, "no": false},
	})
}
