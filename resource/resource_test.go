package resource_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"folio/country"
	"folio/country/ar"
	"folio/country/uy"
	"folio/events"
	"folio/money"
	"folio/resource"
)

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestNumbersAsTheyAreShown(t *testing.T) {
	for _, c := range []struct {
		branch int
		number int64
		want   string
	}{
		{1, 1, "0001-00000001"}, {0, 42, "0000-00000042"}, {9999, 99_999_999, "9999-99999999"},
		{12345, 7, "12345-00000007"}, // five digits where the authority gives five
	} {
		if got := resource.Number(c.branch, c.number); got != c.want {
			t.Errorf("%d, %d is %s, want %s", c.branch, c.number, got, c.want)
		}
	}
}

// The emptiest fact there can be still has every field, as null, [], "" or 0.
func TestARecordOfNothing(t *testing.T) {
	got := encode(t, resource.Pending(events.InvoiceCreated{}, time.Time{}, ar.Rules{}))
	for _, member := range []string{`"number":null`, `"items":[]`, `"global_taxes":[]`, `"billing_reference":[]`,
		`"rejection":[]`, `"payment_method":null`,
		`"additional_header_info":null`, `"additional_export_info":null`, `"electronic_authorization":null`,
		`"reason_code":null`, `"cancellation_date":null`,
		`"environment":null`, `"pending_reason":null`, `"payment_due_date":null`, `"status":"Pending"`, `"observations":""`,
		`"invoice_date":""`,
		`"totals":{"sub_total":0,"discount":0,"taxes":[],"total":0}`, `"currency":{"code":"","exchange_rate":null}`} {
		if !strings.Contains(got, member) {
			t.Errorf("%s is not in %s", member, got)
		}
	}
}

// A create that names the issuer by its identifier alone has the name that the document is signed with.
func TestTheIssuerHasTheNameOnTheDocument(t *testing.T) {
	named := events.InvoiceCreated{Profile: events.IssuerProfile{LegalName: "Ferretería Maipo SpA"},
		Document: events.Document{Issuer: events.Party{DocumentNumber: "76192083-9"}}}
	if got := resource.Pending(named, time.Time{}, ar.Rules{}).Issuer.LegalName; got != "Ferretería Maipo SpA" {
		t.Errorf("the issuer is %q", got)
	}
	named.Document.Issuer.LegalName = "as it was given"
	if got := resource.Pending(named, time.Time{}, ar.Rules{}).Issuer.LegalName; got != "as it was given" {
		t.Errorf("an issuer that was given by name is %q", got)
	}
}

func TestPartsOfARecord(t *testing.T) {
	d := events.Document{Date: "2026-11-27 10:00:00", Items: []events.Item{
		{UnitOfMeasure: "u", Code: &events.ItemCode{Type: "ean", Value: "779"}, Quantity: money.MustParse("2.000")},
		{UnitOfMeasure: "fathom", Code: &events.ItemCode{Type: "mine", Value: "1"}},
	}, BillingReference: []events.Reference{
		{Type: "FCA", BranchOffice: 0, Number: 7},
		{Type: "801", Folio: "OC-15", Date: "2026-11-20"},
		{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31", ReasonCode: "3"},
	}}
	created := time.Date(2026, 11, 27, 12, 0, 0, 0, time.FixedZone("", -3*60*60))
	got := encode(t, resource.Pending(events.InvoiceCreated{Document: d}, created, ar.Rules{}))
	for _, part := range []string{
		`"invoice_date":"2026-11-27"`, `"created_at":"2026-11-27T15:00:00Z"`, `"quantity":2.000`,
		`"code":{"type":"mine","value":"1"},"taxes":[],"type_organization_code":null,"code_unit_of_measure_organization_code":null`,
		`{"invoice_id":null,"type":"FCA","branch_office":0,"number":7,"date":null`, // point of sale 0 is one
		`"type":"801","branch_office":null,"number":"OC-15","date":"2026-11-20"`,
		`"branch_office":null,"number":null,"date":null,"document_number":null,"period_from":"2026-10-01","period_to":"2026-10-31","reason_code":"3"`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in\n%s", part, got)
		}
	}
	if !strings.Contains(got, `"code_unit_of_measure":"u"`) ||
		strings.Contains(got, `"code_unit_of_measure":"u","unit_price":0,"discount_amount":0,"description":"","code":{"type":"ean","value":"779"},"taxes":[],"type_organization_code":null,"code_unit_of_measure_organization_code":null`) {
		t.Errorf("the official code of the unit is missing: %s", got)
	}
}

func TestAuthorizedSaysTheAddressOfTheQRTwice(t *testing.T) {
	a := events.Authorization{Type: "CAE", Code: "76123456789012", ExpiresOn: "2026-12-07", QR: "https://x/?p=1"}
	if got, want := encode(t, resource.Authorized(a, nil)),
		`{"type":"CAE","code":"76123456789012","expiration_date":"2026-12-07","qr":"https://x/?p=1","qr_url":"https://x/?p=1","additional_info":null}`; got != want {
		t.Errorf("got %s", got)
	}
	a.Processed = "20261127120000"
	if got := encode(t, resource.Authorized(a, []events.AuthorityMessage{{Code: "1", Text: "uno"}})); !strings.HasSuffix(
		got,
		`"additional_info":{"observations":[{"code":"1","message":"uno"}],"process_date":"20261127120000"}}`) {
		t.Errorf("got %s", got)
	}
}

func TestACertificateCountsFromItsFirstInstantToItsLast(t *testing.T) {
	from, to := "2026-01-01T00:00:00Z", "2026-11-27T00:00:00Z"
	for _, c := range []struct {
		at      string
		missing bool
	}{
		{"2025-12-31T23:59:59Z", true}, {"2026-01-01T00:00:00Z", false}, {"2026-11-26T23:59:59Z", false},
		{"2026-11-27T00:00:00Z", true},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		steps := resource.PendingSteps("C1", ar.Rules{},
			country.Issuer{Profile: events.IssuerProfile{TaxCondition: "monotributo"}},
			resource.Holding{Certificates: []resource.Certificate{{ValidFrom: "?"}, {ValidFrom: from, ValidTo: to}}}, at)
		if steps == nil || (len(steps) > 0) != c.missing {
			t.Errorf("at %s: %v", c.at, steps)
		}
	}
}

// Class C waits for the condition before VAT, which its step says; nothing else does.
func TestAStepThatOnlySomeDocumentsWaitFor(t *testing.T) {
	if quiet := resource.PendingSteps("C1", ar.Rules{}, country.Issuer{},
		resource.Holding{Waiting: []string{"FCA", "FCX"}}, time.Time{}); len(quiet) != 1 {
		t.Errorf("nothing waits for it: %v", quiet)
	}
	steps := resource.PendingSteps("C1", ar.Rules{}, country.Issuer{}, resource.Holding{Waiting: []string{"FCA", "NCC"}},
		time.Time{})
	want := "Set tax_condition with PUT /api/companies/C1/fiscal-profile. Only FCC, NDC, NCC, RCC, FMC, DMC, CMC wait " +
		"for it."
	if len(steps) != 2 || steps[0].Code != "FISCAL_PROFILE_tax_condition" || steps[0].Message != want {
		t.Errorf("%v", steps)
	}
}

func TestACompanyWhoseNumbersComeInFilesLacksOneUntilItIsThere(t *testing.T) {
	for _, c := range []struct {
		rules    country.Rules
		numbered bool
		want     bool
	}{{ar.Rules{}, false, false}, {uy.Rules{}, false, true}, {uy.Rules{}, true, false}} {
		steps := resource.PendingSteps("C1", c.rules, country.Issuer{}, resource.Holding{Numbered: c.numbered}, time.Time{})
		got := slices.ContainsFunc(steps, func(s resource.Step) bool { return s.Code == "NUMBERING_RANGE" })
		if got != c.want {
			t.Errorf("%s, numbered %v: %v", c.rules.Code(), c.numbered, steps)
		}
	}
}

func TestWhatOneCountryAloneHasStandsBesideTheRemarks(t *testing.T) {
	a := resource.Authorized(events.Authorization{Type: "CAE", Code: "90260001231",
		Extra: map[string]string{"series": "A", "security_code": "dpmLx1"}}, nil)
	if got, want := encode(t, a.AdditionalInfo),
		`{"observations":[],"process_date":null,"security_code":"dpmLx1","series":"A"}`; got != want {
		t.Errorf("additional_info %s, want %s", got, want)
	}
}

func TestTheSeriesStandsInTheHeaderInfo(t *testing.T) {
	for _, c := range []struct{ name, info, series, want string }{
		{"a number without a series leaves what was given", `{"cancellation":"S"}`, "", `{"cancellation":"S"}`},
		{"nothing was given", `null`, "A", `{"series":"A"}`},
		{"something was given", `{"purchase_order":"4711"}`, "A", `{"purchase_order":"4711","series":"A"}`},
	} {
		if got := resource.Lettered([]byte(c.info), c.series); string(got) != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
