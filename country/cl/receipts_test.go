package cl_test

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/events"
)

// boleta comes to a total in one line.
func boleta(total string) events.Document {
	d := document("BOL")
	d.Items = one("1", total, "0", "iva19")
	return calculated(d, "0")
}

func xmlOf(t *testing.T, c country.Checked) string {
	t.Helper()
	raw, err := xml.Marshal(cl.NewDTE(c.Document, c.Taxes, company.Profile, 7))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// 135 UF of 31 December 2025 are 5,363,274.60 pesos, those of 2024 5,186,253.15.
func TestBoletasAbove135UFNameWhoPays(t *testing.T) {
	named := events.Party{LegalName: "Ana Pérez", DocumentType: "RUT", DocumentNumber: "12.345.678-5"}
	cash := &events.PaymentMethod{Code: "EFE"}
	for _, c := range []struct {
		name, date, total string
		recipient         events.Party
		paid              *events.PaymentMethod
		want              []string
	}{
		{"up to it", "2026-11-27", "5363274", events.Party{}, nil, nil},
		{"above it nobody is named", "2026-11-27", "5363275", events.Party{}, nil,
			[]string{"recipient.document_number CL-RECIPIENT-07", "recipient.legal_name CL-RECIPIENT-07",
				"payment_method.code CL-PAYMENT-03"}},
		{"whole", "2026-11-27", "6000000", named, cash, nil},
		{"a form is no means", "2026-11-27", "6000000", named, &events.PaymentMethod{Code: "CON"},
			[]string{"payment_method.code CL-PAYMENT-03"}},
		{"66666666-6 is nobody", "2026-11-27", "6000000",
			events.Party{LegalName: "Ana", DocumentType: "RUT", DocumentNumber: "66666666-6"}, cash,
			[]string{"recipient.document_number CL-RECIPIENT-07"}},
		{"a passport is no RUT", "2026-11-27", "6000000",
			events.Party{LegalName: "Ana", DocumentType: "PASAPORTE", DocumentNumber: "P-1"}, cash,
			[]string{"recipient.document_type CL-RECIPIENT-05"}},
		{"the figure of its own day", "2025-12-31", "5186254", events.Party{}, cash,
			[]string{"recipient.document_number CL-RECIPIENT-07", "recipient.legal_name CL-RECIPIENT-07"}},
		{"before the law", "2025-08-31", "9000000", events.Party{}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := boleta(c.total)
			d.Date, d.Recipient, d.PaymentMethod = c.date+" 10:00:00", c.recipient, c.paid
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
	d := boleta("5363275")
	d.Recipient, d.PaymentMethod = named, cash
	if _, vs := (cl.Rules{}).Check(d, company, now.AddDate(0, 2, 0), country.Config{}); len(vs) > 0 {
		t.Error(vs)
	}
	if _, vs := (cl.Rules{}).Check(boleta("30000"), company, now,
		countrytest.Figures("CL", figures.ConsumerThreshold, "2026-02-01", "29999.99")); len(vs) != 3 {
		t.Errorf("an operator's figure is not read: %v", vs)
	}
}

func TestABoletaTellsPaymentAndItsBuyersAddresses(t *testing.T) {
	d := boleta("6000000")
	d.Recipient = events.Party{LegalName: "Ana Pérez", DocumentType: "RUT", DocumentNumber: "12345678-5"}
	d.PaymentMethod = &events.PaymentMethod{Code: "ELE"}
	d.PaymentDueDate = "2026-12-27"
	d.HeaderInfo = []byte(`{"recipient":{"email":"ana@example.com","phone":"+56 9 1234 5678"}}`)
	out := xmlOf(t, mustAccept(t, d))
	for _, want := range []string{"<FchVenc>2026-12-27</FchVenc><MedioPago>2</MedioPago></IdDoc>",
		"<RUTRecep>12345678-5</RUTRecep><RznSocRecep>Ana Pérez</RznSocRecep>",
		"<CorreoRecep>ana@example.com</CorreoRecep><TelefonoRecep>+56 9 1234 5678</TelefonoRecep>"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
}

// The RUTs that stand for nobody are read back as they came, and are nobody's name on paper.
func TestRUTsOfNobodyComeBack(t *testing.T) {
	for kind, rut := range map[string]string{"BOL": "66666666-6", "FXE": "55555555-5"} {
		d := document(kind)
		d.Recipient.DocumentType, d.Recipient.DocumentNumber = "RUT", rut
		c := mustAccept(t, d)
		if got := c.Document.Recipient; got.DocumentType != "RUT" || got.DocumentNumber != rut {
			t.Errorf("%s: %+v", kind, got)
		}
		out := xmlOf(t, c)
		if !strings.Contains(out, "<RUTRecep>"+rut+"</RUTRecep>") || strings.Contains(out, "<NumId>") {
			t.Errorf("%s: %s", kind, out)
		}
	}
}

func TestTheStampMayBeLeftOffBoletas(t *testing.T) {
	who := company
	who.Fields = map[string]string{}
	for k, v := range company.Fields {
		who.Fields[k] = v
	}
	who.Fields[cl.FieldReceiptStamp], who.Fields[cl.FieldSoftwareRUT] = "false", "76.192.083-9"
	for kind, stamped := range map[string]bool{"BOL": false, "FAC": true} {
		c, vs := cl.Rules{}.Check(document(kind), who, now, country.Config{})
		if len(vs) > 0 {
			t.Fatal(vs)
		}
		i := issued(c, 7)
		i.Authorization.Extra = map[string]string{"ted": "<TED/>"}
		f := cl.Rules{}.Form(i)
		legends := []string{"Res. 80 de 2014 - Verifique documento: www.sii.cl"}
		if stamped {
			legends = append([]string{"Timbre Electrónico SII"}, legends...)
		}
		if (f.Stamp != "") != stamped || !slices.Equal(f.Stamped, legends) {
			t.Errorf("%s: %q %q, want %q", kind, f.Stamp, f.Stamped, legends)
		}
		if out := xmlOf(t, c); strings.Contains(out, "<RUTProvSW>76192083-9</RUTProvSW>") == stamped {
			t.Errorf("%s: %s", kind, out)
		}
	}
}

// passports lets boletas be made out to a document that is no RUT.
var passports = countrytest.Figures("CL", figures.ForeignBuyer, "2026-01-01", "1")

var passport = events.Party{LegalName: "Ana Smith", DocumentType: "PASAPORTE", DocumentNumber: "P-123"}

// A passport leaves as the RUT of foreigners with its number beside it, where the operator
// allows it, and never as the RUT of nobody.
func TestAPassportInABoleta(t *testing.T) {
	for _, c := range []struct {
		name, total, header string
		config              country.Config
		want                []string
	}{
		{"not allowed", "30000", "{}", country.Config{}, []string{"recipient.document_type CL-RECIPIENT-05"}},
		{"not allowed above 135 UF", "6000000", "{}", country.Config{}, []string{"recipient.document_type CL-RECIPIENT-05"}},
		{"allowed", "30000", "{}", passports, nil},
		{"allowed above 135 UF", "6000000", "{}", passports, nil},
		{"two numbers in one place", "30000", `{"recipient":{"internal_code":"7"}}`, passports,
			[]string{"additional_header_info.recipient.internal_code CL-RECIPIENT-08"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := boleta(c.total)
			d.Recipient, d.PaymentMethod, d.HeaderInfo = passport, &events.PaymentMethod{Code: "EFE"}, []byte(c.header)
			checked, vs := cl.Rules{}.Check(d, company, now, c.config)
			countrytest.MustRefuse(t, vs, c.want...)
			if len(c.want) > 0 {
				return
			}
			if out := xmlOf(t, checked); !strings.Contains(out,
				"<RUTRecep>55555555-5</RUTRecep><CdgIntRecep>P-123</CdgIntRecep><RznSocRecep>Ana Smith</RznSocRecep>") {
				t.Error(out)
			}
			if got := checked.Document.Recipient; got.DocumentType != "PASAPORTE" || got.DocumentNumber != "P-123" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// What stands for nobody is read back as it came, and SII is told 66666666-6.
func TestNobodyComesBack(t *testing.T) {
	for _, p := range []events.Party{{DocumentType: "99", DocumentNumber: "0"}, {DocumentType: "99"},
		{DocumentNumber: "00"}, {DocumentType: "RUT", DocumentNumber: "0"}} {
		d := document("BOL")
		d.Recipient = p
		c := mustAccept(t, d)
		if c.Document.Recipient != p {
			t.Errorf("%+v came back as %+v", p, c.Document.Recipient)
		}
		out, form := xmlOf(t, c), cl.Rules{}.Form(issued(c, 7))
		if !strings.Contains(out, "<Receptor><RUTRecep>66666666-6</RUTRecep><RznSocRecep>Consumidor "+
			"final</RznSocRecep></Receptor>") || len(form.RecipientLines) != 1 {
			t.Errorf("%+v: %s\n%v", p, out, form.RecipientLines)
		}
	}
	d := document("FAC")
	d.Recipient.DocumentType, d.Recipient.DocumentNumber = "99", "0"
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "recipient.document_number CL-RECIPIENT-04")
	d = boleta("6000000")
	d.Recipient = events.Party{LegalName: "Ana", DocumentType: "99", DocumentNumber: "0"}
	d.PaymentMethod = &events.PaymentMethod{Code: "EFE"}
	_, vs = check(d)
	countrytest.MustRefuse(t, vs, "recipient.document_number CL-RECIPIENT-07")
}

func TestWhereABoletaWasIssued(t *testing.T) {
	at := func(member string) string { return "additional_header_info.geo_reference" + member }
	for _, c := range []struct {
		name, kind, members string
		want                []string
	}{
		{"whole", "BOL", `"latitude":"-33.4372","longitude":"-70.6506","system":"WGS84"`, nil},
		{"without a system", "BEX", `"latitude":"-33.4372","longitude":"-70.6506"`, nil},
		{"half", "BOL", `"latitude":"-33.4372"`, []string{at(".longitude CL-HEADER-06")}},
		{"too long", "BOL", `"latitude":"-33.4372","longitude":"` + strings.Repeat("1", 31) + `"`,
			[]string{at(".longitude CL-LIMIT-01")}},
		{"a factura", "FAC", `"latitude":"-33.4372","longitude":"-70.6506"`, []string{at(" CL-HEADER-06")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(c.kind)
			d.HeaderInfo = []byte(`{"geo_reference":{` + c.members + `},` + recipient + `}`)
			checked, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
			if out := xmlOf(t, checked); len(c.want) == 0 &&
				!strings.Contains(out, "<GeoRefEmision><LatitudEmision>-33.4372</LatitudEmision><LongitudEmision>-70.6506</LongitudEmision>") {
				t.Error(out)
			}
		})
	}
}
