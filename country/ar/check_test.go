package ar_test

import (
	"reflect"
	"testing"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
	"folio/money"
)

func TestTheSpecificationsSampleIsAcceptedAsItStands(t *testing.T) {
	d := sample(t)
	before := sample(t)
	checked, vs := ar.Rules{}.Check(d, country.Issuer{TaxIdentifier: issuerCUIT}, now, country.Config{})
	if len(vs) > 0 {
		t.Fatal(vs)
	}
	if !reflect.DeepEqual(d, before) {
		t.Error("the caller's document was changed")
	}
	got := checked.Document
	if got.OfficialCode != 1 || got.Type != "FCA" || got.Concept != "3" || got.Recipient.DocumentNumber != recipientCUIT {
		t.Errorf("normalised to %+v", got)
	}
	x := checked.Taxes
	if x.RecipientCondition != "responsable_inscripto" || x.RecipientConditionID != 1 || !x.RecipientDefaulted {
		t.Errorf("condition %s (%d), defaulted %v", x.RecipientCondition, x.RecipientConditionID, x.RecipientDefaulted)
	}
	want := events.AppliedAmounts{Net: dec("240.01"), Untaxed: dec("0.00"), Exempt: dec("0.00"), Tax: dec("45.15"),
		Other: dec("0.00"), Total: dec("285.16")}
	if !reflect.DeepEqual(x.Amounts, want) {
		t.Errorf("told %v, want %v", x.Amounts, want)
	}
	if len(x.Rates) != 2 || x.Rates[0].Code != "4" || x.Rates[1].Code != "5" || x.Rates[1].Base.String() != "190.00" {
		t.Errorf("rates %v", x.Rates)
	}
}

func TestEveryKindHasAnAcceptedExample(t *testing.T) {
	for _, kind := range (ar.Rules{}).DocumentTypes() {
		t.Run(kind.InvoiceType, func(t *testing.T) {
			d, who := example(kind)
			checked, vs := ar.Rules{}.Check(d, who, now, country.Config{})
			if len(vs) > 0 {
				t.Fatal(vs)
			}
			if checked.Document.OfficialCode != kind.Code || checked.Taxes.RecipientConditionID == 0 {
				t.Errorf("code %d, condition %d", checked.Document.OfficialCode, checked.Taxes.RecipientConditionID)
			}
		})
	}
}

// example is a valid document of the kind with its issuer.
func example(kind country.DocumentType) (events.Document, country.Issuer) {
	d, who := product(kind.InvoiceType), company
	if kind.InvoiceType[2] == 'C' {
		d, who = simple()
		d.Type = kind.InvoiceType
		d.Recipient = product("FCA").Recipient
	}
	note := kind.Class == country.CreditNote || kind.Class == country.DebitNote
	switch {
	case kind.InvoiceType[2] == 'X':
		return export(kind.InvoiceType), company
	case kind.BatchLimit == 1 && note:
		d.BillingReference = []events.Reference{{Type: "FM" + kind.InvoiceType[2:], BranchOffice: 1, Number: 5,
			Date: "2026-11-20", DocumentNumber: "30-50001091-2"}}
		d.HeaderInfo = []byte(`{"cancellation":"N"}`)
	case kind.BatchLimit == 1:
		d.PaymentDueDate = "2026-12-27"
		d.HeaderInfo = []byte(`{"cbu":"0170099220000012345678","cbu_alias":"folio.sa","transfer_system":"SCA"}`)
	case note:
		d.BillingReference = []events.Reference{{Type: "FC" + kind.InvoiceType[2:], BranchOffice: 1, Number: 5}}
	}
	return d, who
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*events.Document, *country.Issuer)
		want   string
	}{
		{"a missing type", func(d *events.Document, _ *country.Issuer) { d.Type = "" }, "invoice_type AR-KIND-01"},
		{"a type of another country", func(d *events.Document, _ *country.Issuer) { d.Type = "33" },
			"invoice_type AR-KIND-01"},
		{"a point of sale above 99998", func(d *events.Document, _ *country.Issuer) { d.BranchOffice = 99999 },
			"branch_office AR-KIND-03"},
		{"a negative point of sale", func(d *events.Document, _ *country.Issuer) { d.BranchOffice = -1 },
			"branch_office AR-KIND-03"},
		{"class A from a monotributista", func(_ *events.Document, who *country.Issuer) {
			who.Profile.TaxCondition = "monotributo"
		}, "invoice_type AR-KIND-04"},
		{"class A from an exempt issuer told by id",
			func(_ *events.Document, who *country.Issuer) { who.Profile.TaxCondition = "4" }, "invoice_type AR-KIND-04"},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			d, who := product("FCA"), company
			c.change(&d, &who)
			_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
			countrytest.MustRefuse(t, vs, c.want)
		})
	}
	t.Run("refuses class C from a responsable inscripto", func(t *testing.T) {
		d, _ := simple()
		_, vs := check(d)
		countrytest.MustRefuse(t, vs, "invoice_type AR-KIND-04")
	})
	t.Run("takes the official code, padded or not, and any case", func(t *testing.T) {
		for _, name := range []string{"1", "001", "fca"} {
			d := product(name)
			if got := mustAccept(t, d).Document; got.Type != "FCA" || got.OfficialCode != 1 {
				t.Errorf("%s became %s, %d", name, got.Type, got.OfficialCode)
			}
		}
	})
	t.Run("fills branch office, currency and rate", func(t *testing.T) {
		d := product("FCA")
		d.BranchOffice, d.Currency = 0, events.Currency{}
		got := mustAccept(t, d).Document
		if got.BranchOffice != 1 || got.Currency.Code != "ARS" || !got.Currency.Rate.Equal(money.FromInt(1)) {
			t.Errorf("filled to %d %v", got.BranchOffice, got.Currency)
		}
	})
}

func TestAllViolationsAreReportedAtOnceAndInTheSameOrder(t *testing.T) {
	d := product("FCA")
	d.Issuer.DocumentNumber = recipientCUIT
	d.Recipient.DocumentNumber = "20111111111"
	d.Currency.Code = "XXX"
	d.Concept = "9"
	d.Items[0].UnitOfMeasure = "parsec"
	d.Totals.Total = dec("1210.02")
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "issuer.document_number AR-ISSUER-03", "recipient.document_number AR-RECIPIENT-06",
		"currency.code AR-CURRENCY-01", "concept AR-DATE-01", "items[0].code_unit_of_measure AR-ITEM-03",
		"totals.total AR-TOTAL-01")
	for range 20 {
		if _, again := check(d); !reflect.DeepEqual(vs, again) {
			t.Fatal("the order of violations changes")
		}
	}
}

func TestCurrencies(t *testing.T) {
	for _, c := range []struct{ name, code, rate, want string }{
		{"pesos at another rate than 1", "ARS", "2", "currency.exchange_rate AR-CURRENCY-02"},
		{"no rate for a foreign currency", "BRL", "0", "currency.exchange_rate AR-CURRENCY-03"},
		{"a negative rate", "USD", "-1000", "currency.exchange_rate AR-CURRENCY-03"},
		{"seven decimals of a rate", "BRL", "0.1234567", "currency.exchange_rate AR-CURRENCY-03"},
		{"five digits before the point", "USD", "10000", "currency.exchange_rate AR-CURRENCY-03"},
		{"dollars for a peso", "USD", "0.000700", "currency.exchange_rate AR-CURRENCY-04"},
		{"a currency that no longer exists", "NLG", "1", "currency.code AR-CURRENCY-01"},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			d := product("FCA")
			d.Currency = events.Currency{Code: c.code, Rate: dec(c.rate)}
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want)
		})
	}
	t.Run("reads ARCA's code and any case as ISO", func(t *testing.T) {
		for _, code := range []string{"DOL", "usd"} {
			d := product("FCA")
			d.Currency = events.Currency{Code: code, Rate: dec("1450.50")}
			if got := mustAccept(t, d).Document.Currency.Code; got != "USD" {
				t.Errorf("%s became %s", code, got)
			}
		}
	})
}

func TestTheDayIsArgentinasNotTheServers(t *testing.T) {
	d := product("FCA")
	d.Date = "2026-11-30 21:30:00" // three days ahead: within N+5 and in the same month
	lateEvening := time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC)
	if _, vs := (ar.Rules{}).Check(d, company, lateEvening, country.Config{}); len(vs) > 0 {
		t.Errorf("22:00 of 30 November in Argentina is 1 December in UTC: %v", vs)
	}
	d.Date = "2026-12-01 00:30:00"
	_, vs := ar.Rules{}.Check(d, company, lateEvening, country.Config{})
	countrytest.MustRefuse(t, vs, "invoice_date AR-DATE-04")
	if zone := (ar.Rules{}).Location(); now.In(zone).Format("-07:00") != "-03:00" ||
		zone.String() != "America/Argentina/Buenos_Aires" {
		t.Errorf("zone %s", zone)
	}
}
