package ar_test

import (
	"slices"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/events"
)

// A point of sale prints its own domicile, phone and first day (RG 1415, annex II).
func TestAPointOfSalePrintsItsOwnAddressAndFirstDay(t *testing.T) {
	known := ar.Rules{}.Branches()
	issuer := company.At(5, events.Branch{StartActivitiesDate: "2021-05-01",
		Address: events.Address{Country: "AR", Region: "AR-X", Address: "Bv. San Juan 870", Phone: "351 422-0000"}}, known)
	d := sample(t)
	d.BranchOffice, d.Branch, d.Issuer.Address = 5, 5, events.Address{}
	checked, vs := ar.Rules{}.Check(d, issuer, now, country.Config{})
	if len(vs) > 0 {
		t.Fatal(vs)
	}
	form := ar.Rules{}.Form(country.Issued{Document: checked.Document, Profile: issuer.Frozen(checked.Document, known),
		Taxes: checked.Taxes, BranchOffice: 5, Number: 7})
	for caption, want := range map[string]string{"Domicilio comercial": "Bv. San Juan 870, Córdoba",
		"Teléfono": "351 422-0000", "Inicio de actividades": "01/05/2021"} {
		if !slices.ContainsFunc(slices.Concat(form.IssuerLines, form.HeadLines),
			func(l country.Label) bool { return l.Caption == caption && l.Value == want }) {
			t.Errorf("no %s %q in %v %v", caption, want, form.IssuerLines, form.HeadLines)
		}
	}
}
