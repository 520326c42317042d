package cl_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/countrytest"
	"folio/events"
)

func TestDocumentTypesAreStable(t *testing.T) {
	want := map[string]string{ // id:code of each; they are in events and in callers' systems
		"FAC": "55:33", "FEX": "56:34", "BOL": "57:39", "BEX": "58:41", "FCO": "59:46", "GUI": "60:52", "NDE": "61:56",
		"NCE": "62:61",
		"FXE": "63:110", "NDX": "64:111", "NCX": "65:112",
	}
	list := cl.Rules{}.DocumentTypes()
	if len(list) != len(want) {
		t.Errorf("%d types, want %d", len(list), len(want))
	}
	for _, d := range list {
		if got := strconv.Itoa(d.ID) + ":" + strconv.Itoa(d.Code); got != want[d.InvoiceType] {
			t.Errorf("%s is %s, want %s", d.InvoiceType, got, want[d.InvoiceType])
		}
		if d.Country != "CL" || d.Name == "" || d.BatchLimit != 1 || d.ID < 55 || d.ID > 79 {
			t.Errorf("%+v", d)
		}
		for _, text := range []string{d.InvoiceType, strings.ToLower(d.InvoiceType), strconv.Itoa(d.Code)} {
			if again, ok := (cl.Rules{}).DocumentType(text); !ok || again != d {
				t.Errorf("%q finds %+v", text, again)
			}
		}
		for _, other := range (ar.Rules{}).DocumentTypes() {
			if other.ID == d.ID {
				t.Errorf("%d is Argentina's %s", d.ID, other.InvoiceType)
			}
		}
	}
	for _, none := range []string{"", "FCA", "55", "43", "0", "-1", "0033", "+33"} {
		if d, ok := (cl.Rules{}).DocumentType(none); ok {
			t.Errorf("%q finds %s", none, d.InvoiceType)
		}
	}
}

func TestCatalogues(t *testing.T) {
	c := cl.Rules{}.Catalogue()
	countrytest.Catalogues(t, map[string][]country.Catalogued{
		"concepts": c.Concepts, "taxes": c.TaxTypes, "documents": c.IdentityDocuments, "units": c.Units,
		"payment": c.PaymentMethods, "currencies": c.Currencies, "codes": c.ItemCodes,
	})
	for _, x := range c.Units {
		if len(x.OfficialCode) > 4 || x.OfficialCode == "" {
			t.Errorf("UnmdItem has 4 characters: %+v", x)
		}
	}
	for _, x := range c.Currencies {
		if len(x.OfficialCode) > 15 {
			t.Errorf("TpoMoneda has 15 characters: %+v", x)
		}
	}
	for _, x := range country.Currencies {
		if !slices.ContainsFunc(c.Currencies, func(y country.Catalogued) bool { return y.Code == x.Code }) {
			t.Errorf("%s has no name of SII", x.Code)
		}
	}
}

func TestTheRestOfTheContract(t *testing.T) {
	r := cl.Rules{}
	if r.Code() != "CL" || r.Authority() != "sii" || r.Currency() != "CLP" || r.IdentifierName() != "RUT" ||
		!country.NumbersFromFiles(r) {
		t.Errorf("%s %s %s %s", r.Code(), r.Authority(), r.Currency(), r.IdentifierName())
	}
}

// Chile has daylight saving time, from September to April.
func TestTheDayIsChiles(t *testing.T) {
	for at, want := range map[string]string{
		"2026-01-01T02:59:59Z": "2025-12-31 23:59", "2026-01-01T03:00:00Z": "2026-01-01 00:00", // summer: UTC-3
		"2026-07-01T03:59:59Z": "2026-06-30 23:59", "2026-07-01T04:00:00Z": "2026-07-01 00:00", // winter: UTC-4
	} {
		moment, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := moment.In(cl.Rules{}.Location()).Format("2006-01-02 15:04"); got != want {
			t.Errorf("%s is %s, want %s", at, got, want)
		}
	}
	d := document("FAC")
	d.Date = "2026-11-28 00:00:00"
	late := time.Date(2026, 11, 28, 2, 59, 59, 0, time.UTC) // 27 November, 23:59:59
	_, vs := cl.Rules{}.Check(d, company, late, country.Config{})
	countrytest.MustRefuse(t, vs, "invoice_date CL-DATE-03")
	_, vs = cl.Rules{}.Check(d, company, late.Add(time.Second), country.Config{})
	countrytest.MustRefuse(t, vs)
}

func TestRUT(t *testing.T) {
	for text, want := range map[string]string{
		"76192083-9": "76192083-9", "76.192.083-9": "76192083-9", "761920839": "76192083-9", " 76 192 083-9 ": "76192083-9",
		"60803000-k": "60803000-K", "60.803.000-K": "60803000-K", "66666666-6": "66666666-6", "55555555-5": "55555555-5",
		"76543210-3": "76543210-3", "77111222-6": "77111222-6", "76999888-8": "76999888-8",
		"07654321-6": "7654321-6", "": "", "9": "", "76192083-8": "", "76192083-K": "", "217111220014": "",
		"2171112200140": "",
		"761920x3-9":    "", "-9": "", "123-6": "", "12345678-5": "12345678-5", "76,192,083-9": "",
	} {
		got, err := cl.ParseRUT(text)
		if (err == nil) != (want != "") || got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	// 11 − (sum mod 11) = 11 is written 0: the case that implementations get wrong.
	for n := 1_000_000; n < 1_000_200; n++ {
		found := 0
		for _, digit := range "0123456789K" {
			if _, err := cl.ParseRUT(strconv.Itoa(n) + "-" + string(digit)); err == nil {
				found++
			}
		}
		if found != 1 {
			t.Fatalf("%d has %d check digits", n, found)
		}
	}
	for rut, want := range map[string]string{"76192083-9": "76.192.083-9", "7654321-6": "7.654.321-6",
		"60803000-K": "60.803.000-K", "x": "x", "": ""} {
		if got := cl.PrintRUT(rut); got != want {
			t.Errorf("%s is printed %s", rut, got)
		}
	}
	if n, c := cl.SplitRUT("60803000-K"); n != "60803000" || c != "K" {
		t.Errorf("%s %s", n, c)
	}
}

func TestProfile(t *testing.T) {
	missing := []string{"address", "giro", "acteco", "comuna", "resolution_number", "resolution_date", "sii_office"}
	countrytest.Profile(t, cl.Rules{}, company, missing, map[string]map[string]bool{
		"giro": {strings.Repeat("ñ", 80): true, strings.Repeat("n", 81): false, "Łódź": false, "a\tb": false},
		"acteco": {"620100": true, "620100, 620200,1,2": true, "1,2,3,4,5": false, "x": false, "0": false,
			"1234567": false},
		"comuna":            {"Santiago": true, strings.Repeat("x", 21): false},
		"resolution_number": {"0": true, "1234567": false, "-1": false},
		"resolution_date":   {"2014-08-22": true, "22-08-2014": false},
		"sender_rut":        {"12.345.678-5": true, "12345678-6": false},
		"branch_code":       {"123456789": true, "x": false},
	})
}

func TestAuthorization(t *testing.T) {
	signer, err := cl.OpenCAF(read(t, "cl_caf_33.xml"))
	if err != nil {
		t.Fatal(err)
	}
	a := cl.Authorization(signer.CAF, []byte("<TED>\xf1</TED>"), "123", "EPR")
	if a.Type != "CAF" || a.Code != "123" || a.ExpiresOn != "2027-04-05" || a.Extra["ted"] != "<TED>ñ</TED>" ||
		a.Extra["caf_to"] != "50" || a.Extra["sii_state"] != "EPR" {
		t.Errorf("%+v", a)
	}
	if b := cl.Authorization(signer.CAF, nil, "", ""); b.Code != "" || len(b.Extra) != 4 {
		t.Errorf("%+v", b)
	}
	if q := (cl.Rules{}).QR(country.Issued{Authorization: events.Authorization{}}); q != "https://www.sii.cl" {
		t.Error(q)
	}
}
