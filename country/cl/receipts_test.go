package cl_test

import (
	"encoding/xml"
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
			[]string{"recipient.document_number CL-RECIPIENT-07", "recipient.legal_name CL-RECIPIENT-07", "payment_method.code CL-PAYMENT-03"}},
		{"whole", "2026-11-27", "6000000", named, cash, nil},
		{"a form is no means", "2026-11-27", "6000000", named, &events.PaymentMethod{Code: "CON"}, []string{"payment_method.code CL-PAYMENT-03"}},
		{"66666666-6 is nobody", "2026-11-27", "6000000", events.Party{LegalName: "Ana", DocumentType: "RUT", DocumentNumber: "66666666-6"}, cash,
			[]string{"recipient.document_number CL-RECIPIENT-07"}},
		{"a passport is no RUT", "2026-11-27", "6000000", events.Party{LegalName: "Ana", DocumentType: "PASAPORTE", DocumentNumber: "P-1"}, cash,
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
	if _, vs := (cl.Rules{}).Check(boleta("30000"), company, now, countrytest.Figures("CL", figures.ConsumerThreshold, "2026-02-01", "29999.99")); len(vs) != 3 {
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
	for _, want := range []string{"<FchVenc>2026-12-27</FchVenc><MedioPago>2</MedioPago></IdDoc>", "<RUTRecep>12345678-5</RUTRecep><RznSocRecep>Ana Pérez</RznSocRecep>",
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
		if f := (cl.Rules{}).Form(i); (f.Stamp != "") != stamped || !strings.Contains(strings.Join(f.Stamped, " "), "www.sii.cl") {
			t.Errorf("%s: %q %q", kind, f.Stamp, f.Stamped)
		}
		if out := xmlOf(t, c); strings.Contains(out, "<RUTProvSW>76192083-9</RUTProvSW>") == stamped {
			t.Errorf("%s: %s", kind, out)
		}
	}
}
