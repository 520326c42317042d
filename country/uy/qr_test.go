package uy_test

import (
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/uy"
	"folio/fault"
	"folio/money"
)

var signedInvoice = uy.Signed{RUC: "216753930012", Type: 111, Series: "A", Number: 758,
	Amount: money.MustParse("291.45"),
	At:     time.Date(2024, 10, 23, 1, 30, 0, 0, time.UTC), // the evening before in Uruguay
	Hash:   "dpmL/2b+kq0hZpXyV0wW3jY2cN5rQ8sT1uV4xZ7a9cA=", IDReceptor: "4471"}

func TestTheAddressOfTheCode(t *testing.T) {
	const want = "https://www.efactura.dgi.gub.uy/consultaQR/cfe?216753930012,111,A,758,291.45,20241022,dpmL%2F2b%2Bkq0hZpXyV0wW3jY2cN5rQ8sT1uV4xZ7a9cA%3D"
	if got := uy.QRAddress(signedInvoice, uy.QRDateCompact); got != want {
		t.Errorf("compact:\n got %s\nwant %s", got, want)
	}
	if got := uy.QRAddress(signedInvoice, uy.QRDateDocumented); got != strings.Replace(want, "20241022", "22%2F10%2F2024",
		1) {
		t.Errorf("documented: %s", got)
	}
	round := signedInvoice
	round.Amount = money.FromInt(5)
	if got := uy.QRAddress(round, uy.QRDateCompact); !strings.Contains(got, ",758,5.00,") {
		t.Errorf("the amount has no two decimals: %s", got)
	}
}

func TestTheAuthorizationOfADocument(t *testing.T) {
	cae := uy.CAE{RUC: "216753930012", Type: 111, Series: "A", From: 1, To: 1000, Authorization: "90240000123",
		ExpiresOn: "2026-05-05"}
	got := uy.Authorization(cae, signedInvoice)
	if got.Type != "CAE" || got.Code != "90240000123" || got.ExpiresOn != "2026-05-05" ||
		got.QR != uy.QRAddress(signedInvoice, uy.QRDateCompact) {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{uy.ExtraSeries: "A", uy.ExtraNumber: "758", uy.ExtraRange: "A 1 a A 1000",
		uy.ExtraSecurityCode: "dpmL/2",
		uy.ExtraIDReceptor:   "4471", uy.ExtraHash: signedInvoice.Hash, uy.ExtraSignedAt: "2024-10-22T22:30:00-03:00"} {
		if got.Extra[name] != want {
			t.Errorf("%s is %q, want %q", name, got.Extra[name], want)
		}
	}
	reported := signedInvoice
	reported.IDReceptor = ""
	if _, has := uy.Authorization(cae, reported).Extra[uy.ExtraIDReceptor]; has {
		t.Error("what was never sent has a number of DGI's")
	}
	if qr := (uy.Rules{}).QR(country.Issued{Authorization: got}); qr != got.QR {
		t.Errorf("printed: %s", qr)
	}
}

func TestCodesAreReadAsPurchases(t *testing.T) {
	for _, form := range []uy.QRDate{uy.QRDateCompact, uy.QRDateDocumented} {
		text := uy.QRAddress(signedInvoice, form)
		for name, scanned := range map[string]string{"as it is": text, "with white around": " " + text + "\n",
			"with spaces in the RUT": strings.Replace(text, "216753930012", "21%20675393%200012", 1),
			"signs not escaped":      strings.NewReplacer("%2F", "/", "%2B", "+", "%3D", "=").Replace(text)} {
			got, err := uy.Rules{}.ReadQR(scanned)
			if err != nil || got.OfficialCode != 111 || got.Series != "A" || got.Number != 758 ||
				got.Total.String() != "291.45" || got.Date != "2024-10-22" ||
				got.Supplier.DocumentNumber != "216753930012" || got.Currency != "" || got.Recipient != "" ||
				got.Verification != country.Consistent {
				t.Errorf("%s, %s: %+v, %v", form, name, got, err)
			}
		}
	}
	good := uy.QRAddress(signedInvoice, uy.QRDateCompact)
	for name, c := range map[string]struct{ text, says string }{
		"nothing":          {"", "give the text of the code"},
		"another page":     {strings.Replace(good, "www.efactura", "efactura.example", 1), "give the text of the code"},
		"too long":         {good + strings.Repeat("A", 1024), "longer than"},
		"parts missing":    {good[:strings.LastIndex(good, ",")], "6 parts"},
		"half an escape":   {good[:len(good)-1] + "%3", "encoded"},
		"no type":          {strings.Replace(good, ",111,", ",x,", 1), "no number"},
		"no amount":        {strings.Replace(good, "291.45", "x", 1), "amount"},
		"no date":          {strings.Replace(good, "20241022", "20241322", 1), "date"},
		"no hash":          {strings.Replace(good, "dpmL", "dp", 1), "hash"},
		"a RUT of nobody":  {strings.Replace(good, "216753930012", "216753930013", 1), "check digit"},
		"a type of nobody": {strings.Replace(good, ",111,", ",33,", 1), "no type of CFE"},
	} {
		_, err := uy.Rules{}.ReadQR(c.text)
		if f := fault.As(err); f == nil || f.Violations[0].Path != "qr" ||
			!strings.Contains(f.Violations[0].Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadQR(f *testing.F) {
	f.Add(uy.QRAddress(signedInvoice, uy.QRDateCompact))
	f.Add(uy.QRAddress(signedInvoice, uy.QRDateDocumented))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := uy.Rules{}.ReadQR(text)
		if err != nil && fault.As(err) == nil {
			t.Fatalf("an error without a path: %v", err)
		}
		if err == nil && len((uy.Rules{}).CheckPurchase(p)) > 0 {
			t.Fatalf("%q was read as what the check refuses", text)
		}
	})
}
