package country_test

import (
	"maps"
	"testing"

	"folio/country"
	"folio/events"
)

func TestTheAddressOfADocumentIsTheRegisteredOne(t *testing.T) {
	registered := events.Address{Country: "AR", Region: "AR-C", Address: "Av. Corrientes 1234"}
	elsewhere := events.Address{Address: "Ruta 9 km 7"}
	for _, c := range []struct {
		name              string
		registered, given events.Address
		own               bool
		want              events.Address
		refused           string
		moved             bool
	}{
		{"left out", registered, events.Address{}, false, registered, "", false},
		{"the same", registered, registered, false, registered, "", false},
		{"the same but for case and spaces", registered, events.Address{Address: "AV.  corrientes 1234 "}, false, registered,
			"", false},
		{"what is not registered is the caller's", registered, events.Address{Phone: "4321"}, false,
			events.Address{Country: "AR", Region: "AR-C", Address: "Av. Corrientes 1234", Phone: "4321"}, "", false},
		{"nothing is registered", events.Address{}, elsewhere, false, elsewhere, "", false},
		{"nobody sees it, and nothing is registered", events.Address{}, events.Address{Address: "\u200b"}, false,
			events.Address{Address: "\u200b"}, "issuer.address.address", false},
		{"nobody sees it", registered, events.Address{Address: " "}, true, events.Address{Address: " "},
			"issuer.address.address", false},
		{"another street", registered, elsewhere, false, elsewhere, "issuer.address.address", false},
		{"another region", registered, events.Address{Region: "AR-B"}, false, events.Address{Region: "AR-B"},
			"issuer.address.region", false},
		{"an origin of its own takes nothing of the registered place", registered, elsewhere, true, elsewhere, "", true},
		{"another phone is no origin", registered, events.Address{Phone: "1"}, true,
			events.Address{Country: "AR", Region: "AR-C", Address: "Av. Corrientes 1234", Phone: "1"}, "", false},
	} {
		var v country.Violations
		given, path := c.given, ""
		moved := v.Origin("X", c.registered, c.own, &given)
		if len(v.All) > 0 {
			path = v.All[0].Path
		}
		if given != c.want || path != c.refused || moved != c.moved {
			t.Errorf("%s: %+v, refused %q, moved %v", c.name, given, path, moved)
		}
	}
}

func TestABranchStandsInsteadOfTheCompany(t *testing.T) {
	known := country.Branches{CodeField: "code", Fields: []country.ProfileField{{Name: "comuna"}, {Name: "city"}},
		Place: []string{"comuna", "city"}}
	head := country.Issuer{Fields: map[string]string{"comuna": "Santiago", "city": "Santiago", "giro": "Pan", "code": "1"},
		Profile: events.IssuerProfile{
			StartActivitiesDate: "1999-01-01", Address: events.Address{Region: "CL-RM", Address: "Alameda 1", Phone: "2"}}}
	got := head.At(17, events.Branch{Address: events.Address{Address: "Prat 5"},
		Fields: map[string]string{"comuna": "Arica"}}, known)
	want := events.IssuerProfile{StartActivitiesDate: "1999-01-01", Address: events.Address{Address: "Prat 5", Phone: "2"},
		HeadOffice: "Alameda 1, Santiago"}
	if got.Profile != want || !maps.Equal(got.Fields, map[string]string{"comuna": "Arica", "giro": "Pan", "code": "17"}) {
		t.Errorf("%+v %v", got.Profile, got.Fields)
	}
	if head.Fields["code"] != "1" || head.Profile.HeadOffice != "" {
		t.Error("the company itself has changed")
	}
}
