package arch

import (
	"testing"

	"folio/countries"
)

// nowhere are the packages that know no country: what they do must follow from the
// contracts of country and authority alone.
var nowhere = []string{"writeapi", "readapi", "httpapi", "processors", "processors/", "projections", "commands",
	"commands/", "events", "pdf",
	"bus", "outbound", "waiting", "access", "certificate", "vault", "vault/", "tables/sqlite", "tables/mongo"}

// ofOneCountry are texts that a switch over countries would have.
var ofOneCountry = func() (texts []string) {
	for _, c := range countries.All {
		texts = append(append(texts, c.Rules.Code(), c.Rules.Authority(), c.Rules.IdentifierName()), c.Words...)
	}
	return texts
}()

func TestNoCountryIsKnownOutsideItsFolders(t *testing.T) {
	noneHas(t, countriesIn, nowhere)
}

// countriesIn lists the texts of a file that only one country has.
func countriesIn(t *testing.T, file string, src any) []string {
	t.Helper()
	return literalsIn(t, file, src, ofOneCountry)
}

func TestASwitchOverCountriesIsFound(t *testing.T) {
	src := "package x\nfunc f(c string) bool { return c == \"UY\" }"
	if got := countriesIn(t, "x.go", src); len(got) != 1 {
		t.Errorf("found %v", got)
	}
	if got := countriesIn(t, "x.go", "package x\n// UY\nconst a = \"PAY\""); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}
