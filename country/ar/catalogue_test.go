package ar_test

import (
	"slices"
	"strconv"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
)

func TestDocumentTypesAreStable(t *testing.T) {
	want := map[string]string{ // id:code of each; they are in events and in callers' systems
		"FCA": "1:1", "NDA": "2:2", "NCA": "3:3", "RCA": "4:4", "FCB": "6:6", "NDB": "7:7", "NCB": "8:8", "RCB": "9:9",
		"FCC": "11:11", "NDC": "12:12", "NCC": "13:13", "RCC": "15:15", "FCM": "51:51", "NDM": "52:52", "NCM": "53:53",
		"RCM": "54:54",
		"FCX": "19:19", "NDX": "20:20", "NCX": "21:21",
		"FMA": "31:201", "DMA": "32:202", "CMA": "33:203", "FMB": "34:206", "DMB": "35:207", "CMB": "36:208", "FMC": "37:211",
		"DMC": "38:212", "CMC": "39:213",
	}
	list := ar.Rules{}.DocumentTypes()
	if len(list) != len(want) {
		t.Errorf("%d types, want %d", len(list), len(want))
	}
	for _, d := range list {
		if got := strconv.Itoa(d.ID) + ":" + strconv.Itoa(d.Code); got != want[d.InvoiceType] {
			t.Errorf("%s is %s, want %s", d.InvoiceType, got, want[d.InvoiceType])
		}
		if d.ID == 55 || d.ID < 1 || d.ID > 54 || d.Country != "AR" || d.Name == "" {
			t.Errorf("%+v", d)
		}
		if again, ok := (ar.Rules{}).DocumentType(strconv.Itoa(d.Code)); !ok || again != d {
			t.Errorf("%d finds %+v", d.Code, again)
		}
		if limit := map[bool]int{true: 1, false: 0}[d.Code > 200 || d.InvoiceType[2] == 'X']; d.BatchLimit != limit {
			t.Errorf("%s: batches of %d, want %d", d.InvoiceType, d.BatchLimit, limit)
		}
	}
	if !slices.IsSortedFunc(list, func(a, b country.DocumentType) int { return a.ID - b.ID }) {
		t.Error("types are not in order of id")
	}
	for _, code := range []string{"FCX", "19"} {
		if d, ok := (ar.Rules{}).DocumentType(code); !ok || d.Code != 19 || d.Class != country.Export {
			t.Errorf("%s finds %+v", code, d)
		}
	}
	for _, none := range []string{"", "FCE", "5", "0", "-1", "0001", "+1"} {
		if d, ok := (ar.Rules{}).DocumentType(none); ok {
			t.Errorf("%q finds %s", none, d.InvoiceType)
		}
	}
}

func TestCatalogues(t *testing.T) {
	c := ar.Rules{}.Catalogue()
	countrytest.Catalogues(t, map[string][]country.Catalogued{
		"concepts": c.Concepts, "taxes": c.TaxTypes, "global taxes": c.GlobalTaxTypes, "conditions": c.TaxConditions,
		"documents": c.IdentityDocuments, "units": c.Units, "payment": c.PaymentMethods, "currencies": c.Currencies,
		"codes": c.ItemCodes,
	})
	official := func(list []country.Catalogued, code string) string {
		for _, x := range list {
			if x.Code == code {
				return x.OfficialCode
			}
		}
		return "none"
	}
	for _, x := range []struct {
		list       []country.Catalogued
		code, want string
	}{
		{c.TaxTypes, "iva0", "3"}, {c.TaxTypes, "iva105", "4"}, {c.TaxTypes, "iva21", "5"}, {c.TaxTypes, "iva27", "6"},
		{c.TaxTypes, "iva5", "8"}, {c.TaxTypes, "iva25", "9"}, {c.TaxTypes, "exempt", ""},
		{c.GlobalTaxTypes, "internal", "4"},
		{c.GlobalTaxTypes, "other", "99"}, {c.TaxConditions, "consumidor_final", "5"}, {c.IdentityDocuments, "CUIT", "80"},
		{c.IdentityDocuments, "DNI", "96"}, {c.Units, "u", "7"}, {c.Currencies, "ARS", "PES"}, {c.Currencies, "EUR", "060"},
		{c.Concepts, "3", "3"},
	} {
		if got := official(x.list, x.code); got != x.want {
			t.Errorf("%s is %q, want %q", x.code, got, x.want)
		}
	}
}

func TestTheRestOfTheContract(t *testing.T) {
	r := ar.Rules{}
	if r.Code() != "AR" || r.Authority() != "arca" || r.Currency() != "ARS" || r.IdentifierName() != "CUIT" ||
		country.NumbersFromFiles(r) {
		t.Errorf("%s %s %s %s", r.Code(), r.Authority(), r.Currency(), r.IdentifierName())
	}
	if m := r.Missing(country.Issuer{}); len(m) != 1 || m[0] != "tax_condition" || len(r.Missing(company)) != 0 ||
		len(r.ProfileFields()) != 0 {
		t.Errorf("missing %v", m)
	}
	for region, id := range map[string]int{"AR-C": 0, "AR-B": 1, "AR-X": 3, "AR-V": 24} {
		if p, ok := ar.FindProvince(region); !ok || p.ID != id {
			t.Errorf("%s is %+v", region, p)
		}
	}
	if id, ok := ar.GlobalTaxID("perc_iibb"); !ok || id != 7 {
		t.Errorf("perc_iibb is %d", id)
	}
	if id, ok := ar.MonID("USD"); !ok || id != "DOL" {
		t.Errorf("USD is %s", id)
	}
}
