package uy_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/countrytest"
	"folio/country/uy"
)

func TestDocumentTypesAreStable(t *testing.T) {
	want := map[string]string{ // id:code of each; they are in events and in callers' systems
		"TIC": "70:101", "NCT": "71:102", "NDT": "72:103", "EFA": "73:111", "NCF": "74:112", "NDF": "75:113",
		"EFX": "76:121", "NCX": "77:122", "NDX": "78:123", "REX": "79:124", "REM": "80:181",
	}
	list := uy.Rules{}.DocumentTypes()
	if len(list) != len(want) {
		t.Errorf("%d types, want %d", len(list), len(want))
	}
	others := append((ar.Rules{}).DocumentTypes(), (cl.Rules{}).DocumentTypes()...)
	for _, d := range list {
		if got := strconv.Itoa(d.ID) + ":" + strconv.Itoa(d.Code); got != want[d.InvoiceType] {
			t.Errorf("%s is %s, want %s", d.InvoiceType, got, want[d.InvoiceType])
		}
		if d.Country != "UY" || d.Name == "" || d.BatchLimit != 0 {
			t.Errorf("%+v", d)
		}
		for _, text := range []string{d.InvoiceType, strings.ToLower(d.InvoiceType), strconv.Itoa(d.Code)} {
			if again, ok := (uy.Rules{}).DocumentType(text); !ok || again != d {
				t.Errorf("%q finds %+v", text, again)
			}
		}
		if i := slices.IndexFunc(others, func(o country.DocumentType) bool { return o.ID == d.ID }); i >= 0 {
			t.Errorf("%d is %s's %s", d.ID, others[i].Country, others[i].InvoiceType)
		}
	}
	for _, none := range []string{"", "FCA", "33", "131", "151", "182", "201", "70", "0101", "+101", "-1"} {
		if d, ok := (uy.Rules{}).DocumentType(none); ok {
			t.Errorf("%q finds %s", none, d.InvoiceType)
		}
	}
}

func TestFamilies(t *testing.T) {
	for code, want := range map[int][4]bool{ // ticket, invoice, export, remito
		101: {true}, 102: {true}, 103: {true}, 111: {false, true}, 112: {false, true}, 113: {false, true},
		121: {false, false, true}, 122: {false, false, true}, 123: {false, false, true}, 124: {false, false, true, true},
		181: {false, false, false, true}, 182: {},
	} {
		if got := [4]bool{uy.IsTicket(code), uy.IsInvoice(code), uy.IsExport(code), uy.IsRemito(code)}; got != want {
			t.Errorf("%d: %v", code, got)
		}
	}
}

func TestTheRestOfTheContract(t *testing.T) {
	r := uy.Rules{}
	if r.Code() != "UY" || r.Authority() != "dgi" || r.Currency() != "UYU" || r.IdentifierName() != "RUT" ||
		!country.NumbersFromFiles(r) {
		t.Error("the contract is not Uruguay's")
	}
	for day, want := range map[string]string{"2026-01-15": "-03:00", "2026-07-15": "-03:00", "2014-01-15": "-02:00"} {
		at, _ := time.Parse(time.DateOnly, day)
		if got := at.In(r.Location()).Format("-07:00"); got != want {
			t.Errorf("%s is %s", day, got)
		}
	}
}

func TestCatalogues(t *testing.T) {
	c := uy.Rules{}.Catalogue()
	countrytest.Catalogues(t, map[string][]country.Catalogued{"concepts": c.Concepts, "taxes": c.TaxTypes,
		"documents": c.IdentityDocuments,
		"units":     c.Units, "payments": c.PaymentMethods, "currencies": c.Currencies, "codes": c.ItemCodes})
	for _, u := range c.Units {
		if utf8.RuneCountInString(u.OfficialCode) > 4 || u.OfficialCode == "" {
			t.Errorf("UniMed %s", u.OfficialCode)
		}
	}
	for _, p := range c.PaymentMethods {
		if p.OfficialCode != "1" && p.OfficialCode != "2" {
			t.Errorf("FmaPago %s", p.OfficialCode)
		}
	}
	wanted := map[string]string{"RUT": "2", "CI": "3", "NIE": "1", "DNI": "6", "PAS": "5", "NIFE": "7", "OTRO": "4"}
	for _, d := range c.IdentityDocuments {
		if wanted[d.Code] != d.OfficialCode {
			t.Errorf("TipoDocRecep of %s is %s", d.Code, d.OfficialCode)
		}
	}
}

func TestDepartments(t *testing.T) {
	found := map[string]bool{}
	for _, iso := range strings.Fields("AR CA CL CO DU FD FS LA MA MO PA RN RO RV SA SJ SO TA TT") {
		name, ok := uy.Department("UY-" + iso)
		again, fine := uy.Department(strings.ToUpper(name))
		if !ok || !fine || again != name || strings.Contains(name, "epart") || utf8.RuneCountInString(name) > 30 {
			t.Errorf("%s is %q", iso, name)
		}
		found[name] = true
	}
	if len(found) != 19 {
		t.Errorf("%d departments", len(found))
	}
	if _, ok := uy.Department(""); ok {
		t.Error("nothing is a department")
	}
}
