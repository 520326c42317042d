package ar

import (
	"encoding/base64"
	"testing"

	"folio/country"
	"folio/fault"
)

const qrSample = `{"ver":1,"fecha":"2020-10-13","cuit":30000000007,"ptoVta":10,"tipoCmp":1,"nroCmp":94,"importe":12100,"moneda":"DOL","ctz":65,"tipoDocRec":80,"nroDocRec":20000000001,"tipoCodAut":"E","codAut":70417054367476}`

func encodeQR(s string) string {
	return "https://www.arca.gob.ar/fe/qr/?p=" + base64.StdEncoding.EncodeToString([]byte(s))
}

func TestTheOfficialSampleIsRead(t *testing.T) {
	p, err := Rules{}.ReadQR(encodeQR(qrSample))
	if err != nil {
		t.Fatal(err)
	}
	if p.OfficialCode != 1 || p.BranchOffice != 10 || p.Number != 94 || p.Date != "2020-10-13" || p.Currency != "USD" ||
		p.Total.String() != "12100" || p.Supplier.DocumentNumber != "30000000007" || p.Recipient != "20000000001" ||
		p.Authorization != "70417054367476" || p.Verification != country.Consistent {
		t.Fatalf("read %+v", p)
	}
}

func TestWhatIsNoVoucherCodeIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":      "",
		"no base64":    "https://www.arca.gob.ar/fe/qr/?p=%%%",
		"no parameter": "https://www.arca.gob.ar/fe/qr/",
		"other JSON":   encodeQR(`[1,2]`),
		"a CUIT that is none": encodeQR(
			`{"ver":1,"fecha":"2020-10-13","cuit":30000000008,"ptoVta":10,"tipoCmp":1,"nroCmp":94,"importe":1,"moneda":"PES","ctz":1,"tipoCodAut":"E","codAut":70417054367476}`),
		"a CAE of ten digits": encodeQR(
			`{"ver":1,"fecha":"2020-10-13","cuit":30000000007,"ptoVta":10,"tipoCmp":1,"nroCmp":94,"importe":1,"moneda":"PES","ctz":1,"tipoCodAut":"E","codAut":7041705436}`),
		"an amount that is no number": encodeQR(
			`{"ver":1,"fecha":"2020-10-13","cuit":30000000007,"ptoVta":10,"tipoCmp":1,"nroCmp":94,"importe":1e99,"moneda":"PES","ctz":1,"tipoCodAut":"E","codAut":70417054367476}`),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Rules{}.ReadQR(text)
			f := fault.As(err)
			if f == nil || len(f.Violations) != 1 || f.Violations[0].Path != "qr" {
				t.Fatalf("got %v, want a fault at qr", err)
			}
		})
	}
}

func FuzzReadQR(f *testing.F) {
	f.Add(encodeQR(qrSample))
	f.Add("https://www.afip.gob.ar/fe/qr/?p=e30")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Rules{}.ReadQR(text)
		if err == nil && len(Rules{}.CheckPurchase(p)) > 0 {
			t.Fatalf("%q was read as what the check refuses", text)
		}
	})
}
