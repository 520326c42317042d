package arca_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/arca"
	"folio/authority/drivertest"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"
	"folio/sandbox"
	arcasandbox "folio/sandbox/arca"
)

const issuer = "30500010912"

// noon of a Tuesday in Argentina.
var noon = time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

// Keys are what takes time here: they are made once.
var material = sync.OnceValue(func() *sandbox.CA { return drivertest.OpenCA(clock) })

func credential(days int) authority.Credential {
	return drivertest.Issue(material(), arcasandbox.Holder, issuer, issuer, days)
}

// holder is the credential that most tests use.
var holder = sync.OnceValue(func() authority.Credential { return credential(100) })

// bench is a driver with the sandbox it speaks to.
type bench struct {
	driver *arca.Driver
	server *arcasandbox.Server
	http   *httptest.Server
	cred   authority.Credential
	heard  []authority.Exchange
}

func newBench(t testing.TB) *bench {
	t.Helper()
	server, err := arcasandbox.Open(context.Background(),
		arcasandbox.Options{Dir: t.TempDir(), CA: material(), Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{server: server, http: httptest.NewServer(server), cred: holder()}
	t.Cleanup(func() {
		b.http.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	clients := map[authority.Environment]*arca.Client{}
	for e, name := range map[authority.Environment]string{authority.Testing: "testing",
		authority.Production: "production"} {
		clients[e] = arca.New(arca.Options{Endpoints: arca.EndpointsAt(name, b.http.URL+"/"+name), Now: clock,
			HTTP: arca.NewHTTPClient(5 * time.Second)})
	}
	b.driver = arca.NewDriver(clients)
	return b
}

func (b *bench) record(x authority.Exchange) { b.heard = append(b.heard, x) }

func (b *bench) send(t testing.TB, batch authority.Batch) (authority.Answer, error) {
	t.Helper()
	p, err := b.driver.Prepare(t.Context(), b.cred, batch)
	if err != nil {
		t.Fatal(err)
	}
	return b.driver.Send(t.Context(), b.cred, batch, p, b.record)
}

// batch numbers documents of one series from first on.
func batch(first int64, docs ...country.Checked) authority.Batch {
	d := docs[0].Document
	b := authority.Batch{Series: authority.Series{Environment: authority.Testing, OfficialCode: d.OfficialCode,
		BranchOffice: d.BranchOffice}}
	for i, c := range docs {
		b.Documents = append(b.Documents, authority.Document{Invoice: fmt.Sprint(d.Type, " ", i), Number: first + int64(i),
			Document: c.Document, Taxes: c.Taxes})
	}
	return b
}

// document is one of a kind that the country's rules accept: of 1,000.00 in products.
func document(t testing.TB, kind string, change func(*events.Document)) country.Checked {
	t.Helper()
	k, ok := ar.Rules{}.DocumentType(kind)
	if !ok {
		t.Fatalf("no kind %s", kind)
	}
	d := events.Document{
		Type: kind, BranchOffice: 1, Date: "2026-12-15 10:00:00", Concept: "1",
		Issuer:    events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT", DocumentNumber: issuer},
		Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: "33693450239"},
		Currency:  events.Currency{Code: "ARS", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: money.MustParse("1000.00"),
			Description: "Artículo",
			Taxes:       []events.ItemTax{{Type: "iva21"}}}},
	}
	who := country.Issuer{TaxIdentifier: issuer,
		Profile: events.IssuerProfile{LegalName: "Molinos del Plata S.A.", TaxIdentifier: issuer,
			TaxCondition: "responsable_inscripto"}}
	if classC(k.Code) {
		d.Items[0].Taxes, who.Profile.TaxCondition = nil, "monotributo"
	}
	if k.Code > 200 {
		credit(k, &d)
	}
	if exported(k.Code) {
		abroad(k, &d)
	}
	if k.Class == country.DebitNote || k.Class == country.CreditNote {
		d.BillingReference = []events.Reference{corrected(k)}
	}
	if change != nil {
		change(&d)
	}
	items, totals, err := ar.Calculate(d.Items, d.GlobalTaxes, money.Zero, ar.PerRate)
	if err != nil {
		t.Fatal(err)
	}
	d.Items, d.Totals = items, totals
	checked, wrong := ar.Rules{}.Check(d, who, noon, country.Config{})
	if len(wrong) > 0 {
		t.Fatalf("%s: %v", kind, wrong)
	}
	return checked
}

func classC(code int) bool { return code >= 11 && code <= 15 || code >= 211 }

func exported(code int) bool { return code >= 19 && code <= 21 }

// abroad makes it a sale of goods to a company in Brazil, in dollars.
func abroad(k country.DocumentType, d *events.Document) {
	d.Items[0].Taxes = nil
	d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("1450.5")}
	d.Recipient = events.Party{LegalName: "João da Silva Ltda.", DocumentType: "CUIT", DocumentNumber: "55000000050",
		Address: events.Address{Country: "BR", Address: "Rua 76, Alagoas"}}
	d.ExportInfo = []byte(`{"client_tax_id":"PJ54482221-1"}`)
	if k.Code == 19 {
		d.ExportInfo = []byte(`{"client_tax_id":"PJ54482221-1","incoterms":"FOB","payment_form":"30 dias","language":"pt"}`)
	}
}

// credit gives a credit invoice of small companies, or a note on one, its extras.
func credit(k country.DocumentType, d *events.Document) {
	if k.Class == country.Invoice {
		d.PaymentDueDate = "2027-01-15"
		d.HeaderInfo = []byte(`{"cbu":"2850590940090418135201","transfer_system":"SCA"}`)
		return
	}
	d.HeaderInfo = []byte(`{"cancellation":"N"}`)
}

// corrected is the invoice number 1 that a note of kind k corrects.
func corrected(k country.DocumentType) events.Reference {
	var first int
	switch {
	case k.Code > 200:
		first = k.Code - (k.Code-201)%5
	case k.Code > 50:
		first = 51
	case k.Code > 15:
		first = 19
	case k.Code > 10:
		first = 11
	case k.Code > 5:
		first = 6
	default:
		first = 1
	}
	return events.Reference{Type: fmt.Sprint(first), BranchOffice: 1, Number: 1, Date: "2026-12-15"}
}

func TestEveryKindThatTheRulesAcceptIsAuthorized(t *testing.T) {
	b := newBench(t)
	for _, k := range (ar.Rules{}).DocumentTypes() {
		t.Run(k.InvoiceType, func(t *testing.T) {
			last, err := b.driver.Last(t.Context(), b.cred,
				authority.Series{Environment: authority.Testing, OfficialCode: k.Code, BranchOffice: 1}, b.record)
			limit, processed := 250, "20261215120000"
			if exported(k.Code) {
				limit, processed = 1, ""
			}
			if err != nil || last.Number != 0 || last.BatchLimit != limit {
				t.Fatalf("%+v, %v", last, err)
			}
			in := batch(1, document(t, k.InvoiceType, nil))
			a, err := b.send(t, in)
			if err != nil {
				t.Fatal(err)
			}
			o := a.Outcomes[0]
			if o.Result != events.Accepted || o.Number != 1 || o.Invoice != k.InvoiceType+" 0" || len(o.Messages) > 0 ||
				!o.Sandbox {
				t.Fatalf("%+v", o)
			}
			if want := (events.Authorization{Type: "CAE", Code: o.Authorization.Code, ExpiresOn: "2026-12-25",
				Date: "2026-12-15", Processed: processed}); !reflect.DeepEqual(*o.Authorization, want) {
				t.Errorf("%+v", o.Authorization)
			}
			found, err := b.driver.Find(t.Context(), b.cred, in.Series, in.Documents[0], b.record)
			if err != nil || !found.Exists || !found.Same || !reflect.DeepEqual(found.Authorization, *o.Authorization) ||
				!found.Sandbox {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

func TestServicesTaxesAndOtherCurrenciesArrive(t *testing.T) {
	b := newBench(t)
	a, err := b.send(t, batch(1, document(t, "FCA", func(d *events.Document) {
		d.Concept, d.ServiceStart, d.ServiceEnd, d.PaymentDueDate = "3", "2026-11-01 00:00:00", "2026-11-30 00:00:00",
			"2027-01-10"
		d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("1451.5")}
		d.GlobalTaxes = []events.GlobalTax{{Type: "perc_iibb", Description: "Percepción IIBB", Rate: money.FromInt(3),
			BaseAmount: money.FromInt(1000), Amount: money.FromInt(30)}}
		d.HeaderInfo = []byte(`{"same_currency_payment":"N","optionals":[{"id":"23","value":"OC-17"}]}`)
	})))
	if err != nil || a.Outcomes[0].Result != events.Accepted {
		t.Fatalf("%+v, %v", a, err)
	}
	sent := string(b.heard[len(b.heard)-1].Request)
	for _, want := range []string{"<FchServDesde>20261101</FchServDesde>", "<MonId>DOL</MonId>",
		"<MonCotiz>1451.5</MonCotiz>", "<CanMisMonExt>N</CanMisMonExt>",
		"<Tributo><Id>7</Id>", "<Opcional><Id>23</Id><Valor>OC-17</Valor>", "<ImpTrib>30.00</ImpTrib>",
		"<CondicionIVAReceptorId>1</CondicionIVAReceptorId>"} {
		if !strings.Contains(sent, want) {
			t.Errorf("%s is missing in %s", want, sent)
		}
	}
}
