package events_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"folio/events"
	"folio/money"
)

// example is a value of an event with every field filled, and the stream that it is
// recorded in. A new event needs its line here.
type example struct {
	stream string
	event  events.Event
}

var at = time.Date(2026, time.March, 2, 15, 4, 5, 678_000_000, time.UTC)

var (
	dec     = money.MustParse
	address = events.Address{Country: "AR", Region: "AR-C", Address: "Av. Corrientes 1234", Phone: "+54 11 4321-0000"}
	message = events.AuthorityMessage{Code: "10016", Text: "El número o fecha del comprobante no se corresponde"}
	cae     = events.Authorization{Type: "CAE", Code: "76123456789012", ExpiresOn: "2026-03-12",
		QR: "https://www.arca.gob.ar/fe/qr/?p=eyJ2ZXIiOjF9", Date: "2026-03-02", Processed: "20260302120405",
		Extra: map[string]string{"security_code": "aB3+xY"}}
)

const (
	accountStream   = "account-<hash of the e-mail>"
	companyStream   = "company-<id>"
	invoiceStream   = "invoice-<id>"
	seriesStream    = "numbering-<company>-<environment>-<official code>-<point of sale>"
	reportStream    = "dailyreport-<company>-<environment>-<date>"
	keyStream       = "apikey-<key id>"
	treeStream      = "transparency-<id of the log>"
	caeaStream      = "caea-<company>-<environment>-<yyyymm>-<order>"
	windowStream    = "contingency-<company>-<environment>-<point of sale>"
	exampleInvoice  = "01KJQ8M5ZV4W6R0S8N3XHYD2AB"
	exampleCompany  = "01KJQ8K2P3TTV1EYB5W0ZC9FGH"
	exampleEmail    = "01KJQ8T0000000000000000000"
	exampleNote     = "01KJQ8R0000000000000000000"
	exampleLog      = "0b8a1c1e-6a56-4d4e-9a51-6a5b2f0d9d11"
	exampleVerifier = "folio.example.com/log+0f7b1a2c+AW5hY2hhcg"
	exampleRoot     = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
	exampleHash     = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

var exampleCalls = []events.Call{{Operation: "FECAESolicitar", At: at, Request: exampleHash, Answer: exampleHash,
	Fault: "timeout"}}

var (
	portions = []events.Portion{{Takes: true, Amount: dec("121.00"), Via: "01KJQ8T0000000000000000000", AtMost: true}}
	part     = dec("121.00")
)

var examples = append([]example{
	{"quarantine-<stream>", events.TroubleSkipped{Stream: "numbering-01KJQ8K2P3TTV1EYB5W0ZC9FGH-Production-1-3",
		Kind: events.Unreadable, Revision: 7, Next: 9,
		Event: "0b8a1c1e-6a56-4d4e-9a51-6a5b2f0d9d12", Fault: "unexpected EOF", Reason: "written by hand, ticket 4711"}},
	{"quarantine-<stream>", events.TroubleRetried{Stream: "company-01KJQ8K2P3TTV1EYB5W0ZC9FGH", Reason: "upgraded"}},
	{treeStream, events.TreeBegun{Tree: exampleLog, Origin: "folio.example.com/log/" + exampleLog, Key: exampleVerifier,
		Leaf:  "folio-leaf-1",
		Salts: exampleHash, Previous: &events.TreeHead{Tree: exampleLog, Origin: "folio.example.com/log/" + exampleLog,
			Key:  exampleVerifier,
			Size: 70_000, Root: exampleRoot}, Reason: "an older copy of the log was restored"}},
	{treeStream, events.CheckpointRecorded{Tree: exampleLog, Size: 71_000, Root: exampleRoot}},
	{treeStream, events.CheckpointCosigned{Tree: exampleLog, Size: 71_000,
		Signatures: []string{"— witness.example.com jWbPPwAAAABkGFDL"}}},
	{treeStream, events.NotaryKeyRotated{Tree: exampleLog, Key: exampleVerifier, Statement: "folio.example.com/log ...",
		Reason: "yearly"}},
	{"folio-store", events.StoreCreated{Store: "0b8a1c1e-6a56-4d4e-9a51-6a5b2f0d9d11", Format: 2, Version: "v2.0.0"}},

	{accountStream, events.AccountRegistered{Account: "01KJQ8J0000000000000000000", Email: "ana@example.com",
		Secret: "account/01KJQ8J0000000000000000000/password/1", Role: "owner"}},
	{accountStream, events.PasswordChanged{Secret: "account/01KJQ8J0000000000000000000/password/2"}},
	{accountStream, events.PasswordResetOffered{SHA256: exampleHash, Until: at}},
	{accountStream, events.SessionsEnded{}},
	{accountStream, events.SessionEnded{Session: "01KJQ8M7Z0V5T3C2R1P0N9M8L7",
		Until: time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)}},
	{accountStream, events.AccountDisabled{}},

	{companyStream, events.CompanyRegistered{Company: exampleCompany, Account: "01KJQ8J0000000000000000000", Country: "AR",
		LegalName: "Molinos del Plata S.A.", TaxIdentifier: "30500010912", TaxIdentifierName: "CUIT",
		StartActivitiesDate: "1999-03-01", Currency: 1}},
	{companyStream, events.FiscalProfileSet{Profile: events.FiscalProfile{Address: address,
		TaxCondition:      "responsable_inscripto",
		GrossIncomeNumber: "901-123456-7", Fields: map[string]string{"resolution_number": "80"}}}},
	{companyStream, events.BranchSet{Number: 17, Branch: events.Branch{Address: address, StartActivitiesDate: "2021-05-01",
		Fields: map[string]string{"comuna": "Providencia"}}}},
	{companyStream, events.LogoUploaded{SHA256: exampleHash, Width: 640, Height: 240}},
	{companyStream, events.CertificateUploaded{Certificate: "01KJQ8K9999999999999999999", Environment: "Testing",
		SerialNumber: "4f2a", Subject: "SERIALNUMBER=CUIT 30500010912,CN=folio", Issuer: "CN=Computadores Test,O=AFIP,C=AR",
		TaxIdentifier: "30500010912", ValidFrom: "2026-01-01T00:00:00Z", ValidTo: "2028-01-01T00:00:00Z",
		Fingerprint: exampleHash, Secret: "company/" + exampleCompany + "/certificate/01KJQ8K9999999999999999999"}},

	{companyStream, events.CertificateRemoved{Certificate: "01KJQ8K9999999999999999999",
		Environment: "Testing", Secret: "company/" + exampleCompany + "/certificate/01KJQ8K9999999999999999999"}},
	{companyStream, events.AccessGranted{Account: "01KJQ8J2222222222222222222", Email: "luz@example.com",
		Role: "auditor"}},
	{companyStream, events.AccessWithdrawn{Account: "01KJQ8J2222222222222222222"}},
	{"access-<company>-<YYYY-MM-DD>", events.CompanyRead{Company: exampleCompany,
		Account: "01KJQ8J2222222222222222222", Key: "01KJQ8J3333333333333333333",
		Method: "GET", Path: "/api/invoices/" + exampleInvoice, Query: "at=C:12/P:12", Refused: "SCOPE_MISSING"}},
	{companyStream, events.CompanyMoved{Account: "01KJQ8J1111111111111111111"}},

	{keyStream, events.APIKeyIssued{Key: "01KJQ8KAAAAAAAAAAAAAAAAAAA", Company: exampleCompany,
		Account:     "01KJQ8J0000000000000000000",
		Description: "Tienda", SHA256: exampleHash, Scopes: []string{"read"}, Name: "Caja 3", Environment: "Production",
		ExpiresAt: &at, Replaces: "01KJQ8KBBBBBBBBBBBBBBBBBBB"}},
	{keyStream, events.APIKeyReplaced{By: "01KJQ8KCCCCCCCCCCCCCCCCCCC", Until: at}},
	{keyStream, events.APIKeyRevoked{}},

	{"idempotency-<company>-<hash of the key>", events.RequestAccepted{BodyHash: exampleHash, Invoice: exampleInvoice,
		Resource: exampleCompany, Time: at}},
	{"idempotency-<company>-<hash of the key>",
		events.RequestAnswered{Status: 201, Location: "/api/companies/" + exampleCompany,
			Position: "C:41/P:41", Body: `{"id_company":"` + exampleCompany + `"}`, Once: "API key " + exampleCompany}},

	{invoiceStream, events.InvoiceCreated{Invoice: exampleInvoice, Company: exampleCompany, Country: "AR",
		Environment: "Testing",
		Document:    document, Profile: profile, Taxes: taxes,
		Corrects: []events.Correction{{Invoice: exampleInvoice, Portions: portions}}}},
	{invoiceStream, events.IssuerCompleted{Profile: profile, HeaderInfo: []byte(`{"issuer":{"city":"Montevideo"}}`),
		Filled: []string{"address", "city"}}},
	{invoiceStream, events.RateTaken{Rate: money.MustParse("1450.5"), Date: "2026-11-26"}},
	{invoiceStream, events.InvoiceRefused{Reasons: []events.AuthorityMessage{message}}},
	{invoiceStream, events.SubmissionStarted{Submission: "01KJQ8P0000000000000000000", Environment: "Testing",
		Number: 42}},
	{invoiceStream, events.NumberAssigned{BranchOffice: 5, Number: 42, Series: "A"}},
	{invoiceStream, events.AuthorityAccepted{Submission: "01KJQ8P0000000000000000000", Authorization: cae,
		Observations: []events.AuthorityMessage{message}, Sandbox: true}},
	{invoiceStream, events.AuthorityRejected{Submission: "01KJQ8P0000000000000000000",
		Reasons: []events.AuthorityMessage{message}}},
	{invoiceStream, events.InvoiceCancelled{CreditNote: "01KJQ8R0000000000000000000", Date: "2026-03-05",
		ReasonCode: "1"}},
	{invoiceStream, events.ProcessingRequested{At: at}},
	{invoiceStream, events.NoteReserved{Note: exampleNote, Type: "NCA", Attempt: 1, Portions: portions}},
	{invoiceStream, events.NoteCounted{Note: exampleNote, Type: "NCA", Date: "2026-03-05", Portions: portions}},
	{invoiceStream, events.NoteReleased{Note: exampleNote, Attempt: 1}},
	{invoiceStream, events.CreationAbandoned{Attempt: 1}},
	{invoiceStream, events.EmailRequested{Email: exampleEmail, Company: exampleCompany, To: "compras@cliente.example"}},
	{invoiceStream, events.EmailDelayed{Email: exampleEmail, Try: 1, Reason: "451 4.3.2 Please try again later",
		Next: at}},
	{invoiceStream, events.EmailSent{Email: exampleEmail, Try: 2, MessageID: exampleEmail + "@emisor.example",
		Files: []string{"FCA-0005-00000042.pdf"}}},
	{invoiceStream, events.EmailFailed{Email: exampleEmail, Try: 1, Reason: "550 5.1.1 No such user here"}},

	{reportStream, events.DailyReportSent{Company: exampleCompany, Environment: "Production", Date: "2026-03-02",
		Sending: 1, Sequence: 1,
		SHA256: exampleHash, Facts: exampleHash, Used: 214, Annulled: 1}},
	{reportStream, events.DailyReportAccepted{Sending: 1, Receipt: "4711", Repeated: true, Sandbox: true,
		Calls: exampleCalls}},
	{reportStream, events.DailyReportRejected{Sending: 1, Reasons: []events.AuthorityMessage{message},
		Calls: exampleCalls}},
	{reportStream, events.DailyReportRequested{Company: exampleCompany, Environment: "Production", Date: "2026-03-02",
		Sequence: 2, Reason: "DGI put it right"}},

	{"taxpayer-<country>-<tax identifier>", events.NumberingRangeClaimed{Company: exampleCompany,
		Environment:  "Production",
		OfficialCode: 111, Series: "A", From: 1, To: 100}},
	{"taxpayer-<country>-<tax identifier>", events.ContingencyPointClaimed{Company: exampleCompany,
		Environment: "Production", PointOfSale: 9003}},

	{seriesStream, events.SubmissionOpened{Submission: "01KJQ8P0000000000000000000", First: 42,
		Invoices: []string{exampleInvoice},
		SHA256:   exampleHash, AuthorityLast: 41, Range: "01KJQ8S0000000000000000000"}},
	{seriesStream, events.SubmissionSplit{Submission: "01KJQ8P0000000000000000000",
		Messages: []events.AuthorityMessage{message}, Calls: exampleCalls}},
	{seriesStream, events.EnvelopeRenewed{Submission: "01KJQ8P0000000000000000000", SHA256: exampleHash,
		Messages: []events.AuthorityMessage{message}, Calls: exampleCalls}},
	{seriesStream, events.SubmissionSettled{Submission: "01KJQ8P0000000000000000000",
		Outcomes: []events.Outcome{{Invoice: exampleInvoice, Number: 42, Result: events.Accepted, Authorization: &cae,
			Messages: []events.AuthorityMessage{message}, Found: true, Sandbox: true}},
		Calls: exampleCalls}},
	{seriesStream, events.ForeignNumbersNoticed{From: 10, To: 41}},
	{seriesStream, events.SeriesHeld{Reason: "the authority's last number is lower than ours", Calls: exampleCalls}},
	{seriesStream, events.SeriesReleased{Reason: "checked with ARCA by telephone", Range: "01KJQ8N0000000000000000000",
		Next: 42, Voids: "01KJQ8M0000000000000000000"}},
}, contingencyExamples...)

var document = events.Document{
	Type: "NCA", OfficialCode: 3, BranchOffice: 5, Branch: 5, Date: "2026-03-02 12:04:05", PaymentDueDate: "2026-04-01",
	ServiceStart: "2026-02-01 00:00:00", ServiceEnd: "2026-02-28 23:59:59", Concept: "3",
	Observations: "Pedido 1042", ExternalReference: "A-1042",
	Issuer: events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT", DocumentNumber: "30500010912",
		TaxCondition: "responsable_inscripto", Address: address},
	Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: "33693450239",
		TaxCondition: "responsable_inscripto", Address: address},
	Currency:      events.Currency{Code: "ARS", Rate: dec("1")},
	PaymentMethod: &events.PaymentMethod{Code: "CON", Description: "Contado"},
	Items: []events.Item{{Quantity: dec("2.000"), UnitOfMeasure: "u", UnitPrice: dec("100.00"), Discount: dec("10"),
		Description: "Servicio de mantenimiento", Code: &events.ItemCode{Type: "sku", Value: "A-17"},
		Taxes: []events.ItemTax{{Type: "iva21", Rate: dec("21"), Amount: dec("39.90")}}}},
	GlobalTaxes: []events.GlobalTax{{Type: "iibb", Description: "Percepción CABA", Rate: dec("3.5"),
		BaseAmount: dec("190.00"), Amount: dec("6.65")}},
	Totals: events.Totals{SubTotal: dec("200.00"), Discount: dec("10.00"), Total: dec("236.55"),
		Taxes: []events.TotalTax{{Type: "iva21", Amount: dec("39.90"), BaseAmount: dec("190.00")}}},
	BillingReference: []events.Reference{{Invoice: exampleInvoice, Type: "FCA", OfficialCode: 1, BranchOffice: 5,
		Series: "A", Number: 41, Folio: "OC-15",
		Date: "2026-03-01", DocumentNumber: "30500010912", PeriodFrom: "2026-02-01", PeriodTo: "2026-02-28", ReasonCode: "1",
		Amount: &part, Currency: "USD", Rate: &part, Total: &part}},
	HeaderInfo: json.RawMessage(`{"cancellation":"S"}`), ExportInfo: json.RawMessage(`{"incoterm":"FOB"}`),
}

var profile = events.IssuerProfile{LegalName: "Molinos del Plata S.A.", TaxIdentifier: "30500010912",
	StartActivitiesDate: "1999-03-01", TaxCondition: "responsable_inscripto", GrossIncomeNumber: "901-123456-7",
	Address: address, HeadOffice: "Av. Corrientes 1, Buenos Aires", Establishment: "Prat 5, Valparaíso", Logo: exampleHash}

var taxes = events.TaxInformation{IssuerCondition: "responsable_inscripto", RecipientCondition: "responsable_inscripto",
	RecipientConditionID: 1, RecipientDefaulted: true,
	Rates: []events.AppliedRate{{Type: "iva21", Code: "5", Rate: dec("21"), Base: dec("190.00"), Amount: dec("39.90")}},
	Amounts: events.AppliedAmounts{Net: dec("190.00"), Untaxed: dec("1.00"), Exempt: dec("2.00"),
		Tax: dec("39.90"), Other: dec("6.65"), Total: dec("239.55")}}

// exampleOf finds the example of a type.
func exampleOf(t *testing.T, zero events.Event) example {
	t.Helper()
	for _, x := range examples {
		if reflect.TypeOf(x.event) == reflect.TypeOf(zero) {
			return x
		}
	}
	t.Fatalf("%T has no example: add one with its stream to examples_test.go", zero)
	return example{}
}

func TestEveryEventHasOneExampleWithEveryFieldFilled(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, x := range examples {
		typ := reflect.TypeOf(x.event)
		if seen[typ] {
			t.Errorf("%s has two examples", typ)
		}
		seen[typ] = true
		for _, path := range empty(reflect.ValueOf(x.event), typ.Name()) {
			t.Errorf("%s is empty in its example: fill it, so that its golden shows it", path)
		}
	}
	for _, e := range events.Catalog() {
		exampleOf(t, e.Zero)
	}
	if len(seen) != len(events.Catalog()) {
		t.Errorf("%d examples for %d events", len(seen), len(events.Catalog()))
	}
}

// empty names the fields below v that hold nothing.
func empty(v reflect.Value, path string) []string {
	switch v.Type() {
	case reflect.TypeFor[events.Fact]():
		return nil
	case reflect.TypeFor[money.Decimal](), reflect.TypeFor[time.Time]():
		if v.IsZero() {
			return []string{path}
		}
		return nil
	}
	var out []string
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out = append(out, empty(v.Field(i), path+"."+v.Type().Field(i).Name)...)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return []string{path}
		}
		return empty(v.Elem(), path)
	case reflect.Slice, reflect.Map:
		if v.Len() == 0 {
			return []string{path}
		}
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
			return empty(v.Index(0), path+"[0]")
		}
	default:
		if v.IsZero() {
			return []string{path}
		}
	}
	return out
}

func TestEveryStreamIsNamedForItsCategory(t *testing.T) {
	for _, x := range examples {
		name, schema, _, err := events.Encode(x.event)
		if err != nil {
			t.Fatal(err)
		}
		r := events.Recorded{Stream: x.stream, Type: name, Meta: events.Meta{Schema: schema}}
		if events.KinshipOf(r) != events.Known {
			t.Errorf("%T: the catalogue does not expect it in stream %q", x.event, x.stream)
		}
	}
}

func TestOnlyPairsOfTypeAndCategoryCount(t *testing.T) {
	for _, c := range []struct {
		stream, name string
		schema       int
		want         events.Kinship
	}{
		{"invoice-1", "InvoiceCreated", 1, events.Known},
		{"invoice-1", "InvoiceCreated", 0, events.Known},
		{"invoice-1", "InvoiceCreated", 99, events.Known},
		{"shop-1", "InvoiceCreated", 1, events.Foreign},
		{"company-1", "InvoiceCreated", 1, events.Foreign},
		{"invoice", "InvoiceCreated", 1, events.Foreign},
		{"invoice-", "InvoiceCreated", 1, events.Foreign},
		{"invoices-1", "InvoiceCreated", 1, events.Foreign},
		{"", "InvoiceCreated", 1, events.Foreign},
		{"-invoice", "InvoiceCreated", 1, events.Foreign},
		{"invoice-1", "InvoicePrinted", 0, events.Foreign},
		{"invoice-1", "InvoicePrinted", 1, events.Newer},
		{"shop-1", "InvoicePrinted", 1, events.Foreign},
	} {
		r := events.Recorded{Stream: c.stream, Type: c.name, Meta: events.Meta{Schema: c.schema}}
		if got := events.KinshipOf(r); got != c.want {
			t.Errorf("%s of schema %d in %q: %d, want %d", c.name, c.schema, c.stream, got, c.want)
		}
	}
}
