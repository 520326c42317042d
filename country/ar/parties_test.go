package ar_test

import (
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/events"
)

func TestCheckDigits(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a person's", "20-11111111-2"},
		{"an entity's", "30-00000000-7"},
		{"AFIP's own", "33-69345023-9"},
		{"a bank's", "30500010912"},
		{"no categorizado", "23-00000000-0"},
		{"a prefix that the registry switched", "23-34267943-9"},
		{"with spaces", "20 11111111 2"},
	} {
		t.Run("accepts "+c.name, func(t *testing.T) {
			digits, err := ar.Rules{}.Identifier(c.text)
			if err != nil || len(digits) != 11 {
				t.Errorf("%q: %s, %v", c.text, digits, err)
			}
		})
	}
	for _, c := range []struct{ name, text string }{
		{"a wrong check digit", "20-11111111-3"},
		{"a number whose check digit would be 10, as 9", "20-34267943-9"},
		{"a number whose check digit would be 10, as 0", "20-34267943-0"},
		{"a prefix that does not exist", "99-00000000-0"},
		{"ten digits", "2011111111"},
		{"letters", "20-1111111A-2"},
		{"nothing", ""},
		{"digits of another script", "٢٠١١١١١١١١٢"},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			if digits, err := ar.ParseCUIT(c.text); err == nil {
				t.Errorf("%q was read as %s", c.text, digits)
			}
		})
	}
	if got := ar.PrintCUIT("33693450239"); got != "33-69345023-9" {
		t.Errorf("printed as %s", got)
	}
	if got := ar.PrintCUIT("12345678"); got != "12345678" {
		t.Errorf("what is no CUIT must stay as it is, not %s", got)
	}
}

func FuzzCUIT(f *testing.F) {
	f.Add("20-11111111-2")
	f.Add("é0-11111111-2")
	f.Fuzz(func(t *testing.T, text string) {
		digits, err := ar.ParseCUIT(text)
		if err != nil {
			return
		}
		if again, err := ar.ParseCUIT(ar.PrintCUIT(digits)); err != nil || again != digits {
			t.Fatalf("%q: %s does not survive printing: %s, %v", text, digits, again, err)
		}
	})
}

func TestTheIssuerMustBeTheCompany(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*events.Party)
		want   string
	}{
		{"somebody else", func(p *events.Party) { p.DocumentNumber = recipientCUIT }, "issuer.document_number AR-ISSUER-03"},
		{"nobody", func(p *events.Party) { p.DocumentNumber = "" }, "issuer.document_number AR-ISSUER-02"},
		{"a wrong check digit", func(p *events.Party) { p.DocumentNumber = "30500010913" },
			"issuer.document_number AR-ISSUER-02"},
		{"a DNI", func(p *events.Party) { p.DocumentType = "DNI" }, "issuer.document_type AR-ISSUER-01"},
		{"a province that does not exist", func(p *events.Party) { p.Address.Region = "AR-O" },
			"issuer.address.region AR-ADDRESS-02"},
		{"a country of three letters", func(p *events.Party) { p.Address.Country = "ARG" },
			"issuer.address.country AR-ADDRESS-01"},
		{"a region of another country", func(p *events.Party) { p.Address = events.Address{Country: "UY", Region: "AR-C"} },
			"issuer.address.region AR-ADDRESS-02"},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			d := product("FCA")
			c.change(&d.Issuer)
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want)
		})
	}
	d := product("FCA")
	d.Issuer.DocumentType, d.Issuer.DocumentNumber = "80", "30-50001091-2"
	if got := mustAccept(t, d).Document.Issuer; got.DocumentType != "CUIT" || got.DocumentNumber != issuerCUIT {
		t.Errorf("normalised to %+v", got)
	}
}

func TestRecipientsByClass(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		change     func(*events.Party)
		want       string
	}{
		{"class A to a DNI", "FCA", func(p *events.Party) { p.DocumentType, p.DocumentNumber = "DNI", "30111222" },
			"recipient.document_type AR-RECIPIENT-02"},
		{"class A to nobody", "FCA", func(p *events.Party) { *p = events.Party{} },
			"recipient.document_type AR-RECIPIENT-02"},
		{"class M to a DNI", "FCM", func(p *events.Party) { p.DocumentType, p.DocumentNumber = "DNI", "30111222" },
			"recipient.document_type AR-RECIPIENT-02"},
		{"the issuer as recipient", "FCA", func(p *events.Party) { p.DocumentNumber = issuerCUIT },
			"recipient.document_number AR-RECIPIENT-03"},
		{"an identified recipient without name", "FCA", func(p *events.Party) { p.LegalName = " " },
			"recipient.legal_name AR-RECIPIENT-01"},
		{"a number without type", "FCB", func(p *events.Party) { p.DocumentType = "" },
			"recipient.document_type AR-RECIPIENT-04"},
		{"an unknown type", "FCB", func(p *events.Party) { p.DocumentType = "RUT" },
			"recipient.document_type AR-RECIPIENT-04"},
		{"a type without number", "FCB", func(p *events.Party) { p.DocumentNumber = "" },
			"recipient.document_number AR-RECIPIENT-05"},
		{"99 with a number", "FCB", func(p *events.Party) { p.DocumentType = "99" },
			"recipient.document_number AR-RECIPIENT-05"},
		{"a CUIL with a wrong check digit", "FCB",
			func(p *events.Party) { p.DocumentType, p.DocumentNumber = "CUIL", "20111111113" },
			"recipient.document_number AR-RECIPIENT-06"},
		{"a DNI of nine digits", "FCB", func(p *events.Party) { p.DocumentType, p.DocumentNumber = "DNI", "301112223" },
			"recipient.document_number AR-RECIPIENT-06"},
		{"a passport with letters, which ARCA cannot take", "FCB",
			func(p *events.Party) { p.DocumentType, p.DocumentNumber = "Pasaporte", "AAB123456" },
			"recipient.document_number AR-RECIPIENT-06"},
		{"an unknown condition", "FCB", func(p *events.Party) { p.TaxCondition = "77" },
			"recipient.tax_condition AR-RECIPIENT-07"},
		{"class A to a final consumer", "FCA", func(p *events.Party) { p.TaxCondition = "consumidor_final" },
			"recipient.tax_condition AR-RECIPIENT-08"},
		{"class M to an exempt recipient", "FCM", func(p *events.Party) { p.TaxCondition = "exento" },
			"recipient.tax_condition AR-RECIPIENT-08"},
		{"class B to a responsable inscripto", "FCB", func(p *events.Party) { p.TaxCondition = "1" },
			"recipient.tax_condition AR-RECIPIENT-08"},
		{"an FCE to whoever is no categorizado", "FMA", func(p *events.Party) { p.DocumentNumber = "23-00000000-0" },
			"recipient.document_number AR-RECIPIENT-02"},
		{"an FCE to a consumer", "FMB", func(p *events.Party) { p.DocumentType, p.DocumentNumber = "DNI", "30111222" },
			"recipient.document_type AR-RECIPIENT-02"},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			kind, _ := ar.Rules{}.DocumentType(c.kind)
			d, who := example(kind)
			c.change(&d.Recipient)
			_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
			countrytest.MustRefuse(t, vs, c.want)
		})
	}
}

func TestConditionOfTheRecipient(t *testing.T) {
	for _, c := range []struct {
		name, kind, docType, docNumber, given string
		id                                    int
		defaulted                             bool
	}{
		{"class A without a word is responsable inscripto", "FCA", "CUIT", recipientCUIT, "", 1, true},
		{"class M likewise", "FCM", "CUIT", recipientCUIT, "", 1, true},
		{"class B is a final consumer", "FCB", "", "", "", 5, true},
		{"class B to an entity too, for it is no responsable inscripto", "FCB", "CUIT", recipientCUIT, "", 5, true},
		{"class C to an entity is responsable inscripto", "FCC", "CUIT", recipientCUIT, "", 1, true},
		{"class C to a person is a final consumer", "FCC", "CUIT", "20111111112", "", 5, true},
		{"class C to nobody's CUIT is no categorizado", "FCC", "CUIT", "23000000000", "", 7, true},
		{"class C to a DNI is a final consumer", "FCC", "DNI", "30111222", "", 5, true},
		{"a monotributista gets class A", "FCA", "CUIT", recipientCUIT, "monotributo", 6, false},
		{"an id is a name too", "FCB", "CUIT", recipientCUIT, "4", 4, false},
		{"any case", "FCB", "CUIT", recipientCUIT, "Exento", 4, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, _ := ar.Rules{}.DocumentType(c.kind)
			d, who := example(kind)
			d.Recipient.DocumentType, d.Recipient.DocumentNumber, d.Recipient.TaxCondition = c.docType, c.docNumber, c.given
			checked, vs := ar.Rules{}.Check(d, who, now, country.Config{})
			if len(vs) > 0 || checked.Taxes.RecipientConditionID != c.id || checked.Taxes.RecipientDefaulted != c.defaulted {
				t.Errorf("condition %d, defaulted %v, %v", checked.Taxes.RecipientConditionID, checked.Taxes.RecipientDefaulted, vs)
			}
		})
	}
}

func TestUnidentifiedConsumersUpToTheThreshold(t *testing.T) {
	priced := func(price, currency, rate string) events.Document {
		d := consumer()
		d.Items = []events.Item{item("1", price, "0", "exempt")}
		d.Currency = events.Currency{Code: currency, Rate: dec(rate)}
		recalculate(&d, ar.PerRate)
		return d
	}
	mustAccept(t, priced("9999999.99", "ARS", "1"))
	_, vs := check(priced("10000000.00", "ARS", "1"))
	countrytest.MustRefuse(t, vs, "recipient.document_number AR-RECIPIENT-09")
	_, vs = check(priced("7000.00", "USD", "1450"))
	countrytest.MustRefuse(t, vs, "recipient.document_number AR-RECIPIENT-09")
	mustAccept(t, priced("6000.00", "USD", "1450"))
	identified := priced("10000000.00", "ARS", "1")
	identified.Recipient = events.Party{LegalName: "Ana Pérez", DocumentType: "96", DocumentNumber: "30.111.222"}
	if got := mustAccept(t, identified).Document.Recipient; got.DocumentType != "DNI" || got.DocumentNumber != "30111222" {
		t.Errorf("normalised to %+v", got)
	}
	_, vs = check(func() events.Document {
		d := priced("10000000.00", "ARS", "1")
		d.Recipient = events.Party{DocumentType: "99", DocumentNumber: "0"}
		return d
	}())
	countrytest.MustRefuse(t, vs, "recipient.document_number AR-RECIPIENT-09")
	for _, unread := range []struct{ kind, number, want string }{
		{"PAS", "123456", "recipient.document_type AR-RECIPIENT-04"},
		{"94", "AB123", "recipient.document_number AR-RECIPIENT-06"},
		{"", "30111222", "recipient.document_type AR-RECIPIENT-04"},
	} {
		d := priced("10000000.00", "ARS", "1")
		d.Recipient = events.Party{LegalName: "Ana", DocumentType: unread.kind, DocumentNumber: unread.number}
		_, vs = check(d)
		countrytest.MustRefuse(t, vs, unread.want) // who named the buyer is not told to name him
	}
	zeros := priced("100.00", "ARS", "1")
	zeros.Recipient = events.Party{DocumentType: "99", DocumentNumber: "0"}
	if got := mustAccept(t, zeros).Document.Recipient; got.DocumentType != "99" || got.DocumentNumber != "0" {
		t.Errorf("99 and 0 became %+v", got)
	}
	_, vs = ar.Rules{}.Check(priced("500.00", "ARS", "1"), company, now,
		countrytest.Figures("AR", figures.ConsumerThreshold, "2026-07-01", "500"))
	countrytest.MustRefuse(t, vs, "recipient.document_number AR-RECIPIENT-09")
}

func TestDocTipo(t *testing.T) {
	for _, c := range []struct {
		docType, docNumber string
		code               int
		number             int64
	}{
		{"CUIT", recipientCUIT, 80, 33693450239},
		{"DNI", "30111222", 96, 30111222},
		{"", "", 99, 0},
		{"99", "0", 99, 0},
		{"CIPoliciaFederal", "1234", 0, 1234},
		{"CUIT", "99999999999999999999", 99, 0},
	} {
		if code, number := ar.DocTipo(c.docType, c.docNumber); code != c.code || number != c.number {
			t.Errorf("%s %s is %d %d", c.docType, c.docNumber, code, number)
		}
	}
}
