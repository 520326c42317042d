package uy_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
)

func TestRulesOfTheParties(t *testing.T) {
	party := func(kind, number, nation string) func(*events.Document) {
		return func(d *events.Document) {
			d.Recipient.DocumentType, d.Recipient.DocumentNumber = kind, number
			d.Recipient.Address.Country, d.Recipient.Address.Region = nation, ""
		}
	}
	mustRefuseAll(t, []refusal{
		{"another's invoice", "EFA", func(d *events.Document) { d.Issuer.DocumentNumber = recipientRUT },
			[]string{"issuer.document_number UY-ISSUER-03"}},
		{"an issuer with a CUIT", "EFA", func(d *events.Document) { d.Issuer.DocumentType = "CUIT" },
			[]string{"issuer.document_type UY-ISSUER-01"}},
		{"Chile's RUT", "EFA", func(d *events.Document) { d.Issuer.DocumentNumber = "76192083-9" },
			[]string{"issuer.document_number UY-ISSUER-02"}},
		{"an e-Factura to nobody", "EFA", party("", "", "UY"), []string{"recipient.document_number UY-RECIPIENT-03"}},
		{"an e-Factura to a CI", "EFA", party("CI", "1.335.321-4", "UY"),
			[]string{"recipient.document_type UY-RECIPIENT-04"}},
		{"a note of an e-Factura to a passport", "NCF", party("PAS", "X1", "FR"),
			[]string{"recipient.document_type UY-RECIPIENT-04"}},
		{"a wrong check digit", "EFA", party("RUT", "214844360019", "UY"),
			[]string{"recipient.document_number UY-RECIPIENT-05"}},
		{"an e-Factura without name, address and city", "EFA", func(d *events.Document) {
			d.Recipient.LegalName, d.Recipient.Address.Address, d.HeaderInfo = " ", "", nil
		}, []string{"recipient.legal_name UY-RECIPIENT-02", "recipient.address.address UY-RECIPIENT-02",
			"additional_header_info.recipient.city UY-RECIPIENT-02"}},
		{"an e-Ticket to nobody", "TIC", party("", "", ""), nil},
		{"an e-Ticket to 99 and 0", "TIC", party("99", "0", ""), nil},
		{"an e-Ticket to a RUT, as to a consumer", "TIC", party("rut", recipientRUT, ""), nil},
		{"an e-Ticket to a CI", "TIC", party("ci", "1.335.321-4", ""), nil},
		{"a CI with a wrong check digit", "TIC", party("CI", "1.335.321-5", ""),
			[]string{"recipient.document_number UY-RECIPIENT-05"}},
		{"a NIE", "TIC", party("NIE", "930000012", ""), nil},
		{"a NIE in letters", "TIC", party("NIE", "A1", ""), []string{"recipient.document_number UY-RECIPIENT-05"}},
		{"a DNI of Argentina", "TIC", party("DNI", "12345678", "AR"), nil},
		{"a DNI of nowhere", "TIC", party("DNI", "12345678", ""), []string{"recipient.address.country UY-RECIPIENT-06"}},
		{"a DNI of Spain", "TIC", party("DNI", "12345678", "ES"), []string{"recipient.address.country UY-RECIPIENT-06"}},
		{"DGI's number of a passport", "TIC", party("5", "AB123", "DE"), nil},
		{"a passport without a number", "TIC", party("PAS", "", "DE"), []string{"recipient.document_number UY-RECIPIENT-03"}},
		{"a passport too long", "TIC", party("PAS", "123456789012345678901", "DE"),
			[]string{"recipient.document_number UY-LIMIT-01"}},
		{"an unknown document", "TIC", party("CUIL", "1", "AR"), []string{"recipient.document_type UY-RECIPIENT-04"}},
		{"a condition before IVA", "EFA", func(d *events.Document) { d.Recipient.TaxCondition = "exento" },
			[]string{"recipient.tax_condition UY-RECIPIENT-01"}},
		{"a remito to nobody", "REM", party("", "", "UY"), []string{"recipient.document_number UY-RECIPIENT-03"}},
		{"an export to somebody without a document", "EFX",
			func(d *events.Document) { d.Recipient.DocumentType, d.Recipient.DocumentNumber = "", "" }, nil},
		{"an export without country and department", "EFX", func(d *events.Document) {
			d.Recipient.DocumentType, d.Recipient.DocumentNumber, d.Recipient.Address.Country = "", "", ""
			d.HeaderInfo = []byte(`{"recipient":{"city":"Springfield"}}`)
		}, []string{"recipient.address.country UY-RECIPIENT-02",
			"additional_header_info.recipient.department UY-RECIPIENT-02"}},
		{"a region of nowhere", "EFA", func(d *events.Document) { d.Recipient.Address.Region = "UY-XX" },
			[]string{"recipient.address.region UY-ADDRESS-02"}},
		{"a country in words", "EFA", func(d *events.Document) {
			d.Recipient.Address.Country, d.Recipient.Address.Region = "Uruguay", ""
		}, []string{"recipient.address.country UY-ADDRESS-01"}},
	})
}

func TestIdentifiersBecomeCanonical(t *testing.T) {
	d := document("TIC")
	d.Recipient = events.Party{DocumentType: "ci", DocumentNumber: "500.000-5"}
	if got := mustAccept(t, d).Document.Recipient; got.DocumentType != "CI" || got.DocumentNumber != "05000005" {
		t.Errorf("%+v", got)
	}
	if got := mustAccept(t, document("EFA")).Document.Recipient.DocumentNumber; got != recipientRUT {
		t.Error(got)
	}
}

// 5,000 UI are 30,000 pesos for documents of 2026, net of IVA.
func TestTheThresholdOfETickets(t *testing.T) {
	dollars := events.Currency{Code: "USD", Rate: dec("40")}
	for _, c := range []struct {
		name, kind, date string
		currency         events.Currency
		items            []events.Item
		only, refused    bool
	}{
		{"at the threshold, net", "TIC", "2026-11-27", events.Currency{}, one("1", "30000", "0", "iva22"), true, false},
		{"a cent above it", "TIC", "2026-11-27", events.Currency{}, one("1", "30000.01", "0", "iva22"), false, true},
		{"what is exempt counts", "TIC", "2026-11-27", events.Currency{},
			[]events.Item{item("1", "20000", "0", "iva10"), item("1", "10000.01", "0", "exempt")}, false, true},
		{"what is not invoiceable does not", "TIC", "2026-11-27", events.Currency{},
			[]events.Item{item("1", "30000", "0", "iva22"), item("1", "900", "0", "not_invoiceable")}, true, false},
		{"notes of e-Tickets likewise", "NCT", "2026-11-27", events.Currency{}, one("1", "30000.01", "0", "iva22"), false,
			true},
		{"a small note", "NDT", "2026-11-27", events.Currency{}, one("1", "1", "0", "iva22"), true, false},
		{"750 dollars at 40", "TIC", "2026-11-27", dollars, one("1", "750", "0", "iva22"), true, false},
		{"a cent of a dollar above", "TIC", "2026-11-27", dollars, one("1", "750.01", "0", "iva22"), false, true},
		{"2025 has its own figure: 27,500", "TIC", "2025-12-31", events.Currency{}, one("1", "27500.01", "0", "iva22"), false,
			true},
		{"10,000 UI until 2022-10-31", "TIC", "2022-10-31", events.Currency{}, one("1", "50000", "0", "iva22"), true, false},
		{"5,000 UI from 2022-11-01", "TIC", "2022-11-01", events.Currency{}, one("1", "25000.01", "0", "iva22"), false, true},
		{"no figure at all: everybody is identified", "TIC", "2020-06-01", events.Currency{}, one("1", "1", "0", "iva22"),
			false, true},
		{"an e-Factura is sent whatever its amount", "EFA", "2026-11-27", events.Currency{}, one("1", "1", "0", "iva22"),
			false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(c.kind)
			d.Date, d.Currency, d.Items = c.date+" 10:00:00", c.currency, c.items
			for i := range d.BillingReference {
				d.BillingReference[i].Date = ""
			}
			d = calculated(d, "0")
			checked, vs := check(d)
			if c.refused {
				countrytest.MustRefuse(t, vs, "recipient.document_number UY-RECIPIENT-07")
				d.Recipient.DocumentType, d.Recipient.DocumentNumber = "CI", "1335321-4"
				checked = mustAccept(t, d) // identified it is sent by itself
			} else if len(vs) > 0 {
				t.Fatal(vs)
			}
			if got := uy.ReportOnly(checked.Document); got != c.only {
				t.Errorf("only in the daily report: %v", got)
			}
		})
	}
}

func TestTheBuiltInFigures(t *testing.T) {
	d := document("TIC")
	d.Items = one("1", "32100", "0", "iva22") // 5,000 × 6.42
	d = calculated(d, "0")
	if _, vs := (uy.Rules{}).Check(d, company, now, country.Config{}); len(vs) > 0 {
		t.Error(vs)
	}
	d.Items = one("1", "32100.01", "0", "iva22")
	_, vs := uy.Rules{}.Check(calculated(d, "0"), company, now, country.Config{})
	countrytest.MustRefuse(t, vs, "recipient.document_number UY-RECIPIENT-07")
	d.Items = one("1", "841.57", "0", "iva22")
	d.Currency = events.Currency{Code: "USD", Rate: dec("38.143")}
	_, vs = uy.Rules{}.Check(calculated(d, "0"), company, now, country.Config{})
	countrytest.MustRefuse(t, vs, "recipient.document_number UY-RECIPIENT-07")
	if !strings.Contains(vs[0].Message, "32100.00451") {
		t.Errorf("a net above it by less than a cent is told as %q", vs[0].Message)
	}
	if _, year, ok := uy.Threshold(now.AddDate(3, 0, 0), country.Config{}); !ok || year != 2025 {
		t.Errorf("%d %v", year, ok)
	}
	absurd := countrytest.Figures("UY", figures.UnitValue, "2026-01-01", "9999999999999")
	if _, _, ok := uy.Threshold(now, absurd); ok {
		t.Error("an absurd figure is used")
	}
}
