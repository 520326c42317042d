package invoice_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

type fullRow = commandtest.Case[invoice.FullCommand]

var (
	bare = events.InvoiceCreated{Invoice: "I1", Company: "C1", Country: "UY",
		Document: events.Document{Type: "EFA", HeaderInfo: []byte(`{"internal_number":"7"}`)}}
	halfway = events.InvoiceCreated{Invoice: "I1", Company: "C1", Country: "UY",
		Document: events.Document{Type: "EFA", HeaderInfo: []byte(`{"issuer":{"city":"Salto","giro":"Pan"}}`)},
		Profile:  events.IssuerProfile{Address: events.Address{Phone: "1"}}}
	present = country.Issuer{Profile: events.IssuerProfile{TaxCondition: "x",
		Address: events.Address{Address: "18 de Julio 1", Phone: "2"}},
		Fields: map[string]string{"branch_code": "1", "city": "Montevideo", "department": "Montevideo",
			"resolution": "1/2024"}}
	whole   = invoice.CompleteIssuer{Rules: uy.Rules{}, Company: present}
	without = invoice.CompleteIssuer{Rules: uy.Rules{},
		Company: country.Issuer{Fields: map[string]string{"city": "Montevideo"}}}
	unfit  = events.InvoiceRefused{Reasons: remarks}
	filled = events.IssuerCompleted{Profile: present.Profile,
		HeaderInfo: []byte(`{"internal_number":"7","issuer":{"branch_code":"1","city":"Montevideo","department":"Montevideo","resolution":"1/2024"}}`),
		Filled: []string{"tax_condition", "address.address", "address.phone", "branch_code", "city", "department",
			"resolution"}}
)

func TestAnIssuerIsCompletedOnceAndBeforeANumber(t *testing.T) {
	salto := whole
	salto.Company.Fields = map[string]string{"branch_code": "3", "city": "SALTO", "department": "Salto",
		"resolution": "1/2024"}
	kept := events.IssuerCompleted{Profile: events.IssuerProfile{TaxCondition: "x",
		Address: events.Address{Address: "18 de Julio 1", Phone: "1"}},
		HeaderInfo: []byte(`{"issuer":{"branch_code":"3","city":"Salto","department":"Salto","giro":"Pan","resolution":"1/2024"}}`),
		Filled:     []string{"tax_condition", "address.address", "branch_code", "department", "resolution"}}
	placed := halfway
	placed.Profile.Address.Address = "Uruguay 7"
	placed.Document.HeaderInfo = []byte(`{"issuer":{"branch_code":"3","city":"Salto","department":"Salto"}}`)
	elsewhere := events.IssuerCompleted{Profile: events.IssuerProfile{TaxCondition: "x",
		Address: events.Address{Address: "Uruguay 7", Phone: "1"}},
		HeaderInfo: []byte(`{"issuer":{"branch_code":"3","city":"Salto","department":"Salto","resolution":"1/2024"}}`),
		Filled:     []string{"tax_condition", "resolution"}}
	commandtest.Run(t, invoice.FullDecider,
		fullRow{Name: "all is filled", Given: []events.Event{bare}, When: whole, Then: []events.Event{filled}},
		fullRow{Name: "what was frozen stays", Given: []events.Event{halfway}, When: salto, Then: []events.Event{kept}},
		fullRow{Name: "half a place is not filled up with another one", Given: []events.Event{halfway}, When: whole,
			Err: invoice.ErrIncomplete},
		fullRow{Name: "a whole place stays, whatever the company's is", Given: []events.Event{placed}, When: whole,
			Then: []events.Event{elsewhere}},
		fullRow{Name: "half of it fills nothing", Given: []events.Event{bare}, When: without, Err: invoice.ErrIncomplete},
		fullRow{Name: "a second time is nothing new", Given: []events.Event{bare, filled}, When: whole},
		fullRow{Name: "what lacks nothing stays", Given: []events.Event{bare.Completed(filled)}, When: whole},
		fullRow{Name: "a number fixes it", Given: []events.Event{bare, started, numbered}, When: whole,
			Err: invoice.ErrNumbered},
		fullRow{Name: "an end fixes it", Given: []events.Event{bare, unfit}, When: whole, Err: invoice.ErrFinal},
		fullRow{Name: "nothing cannot be completed", When: whole, Err: invoice.ErrUnknown},
	)
	s := invoice.FullDecider.Fold(bare, filled)
	if string(s.First().Document.HeaderInfo) != `{"internal_number":"7"}` ||
		country.IssuerOf(*s.Created).Fields["city"] != "Montevideo" {
		t.Errorf("as created %s, and now %+v", s.First().Document.HeaderInfo, s.Created)
	}
	if at := s.Created.Document.Issuer.Address; at != present.Profile.Address ||
		s.First().Document.Issuer.Address != (events.Address{}) {
		t.Errorf("the document says %+v of its issuer", at)
	}
}

func TestADocumentIsRefusedBeforeItHasANumber(t *testing.T) {
	refuse := invoice.Refuse{Reasons: remarks}
	commandtest.Run(t, invoice.Decider,
		row{Name: "a pending invoice is refused", Given: history(), When: refuse, Then: []events.Event{unfit}},
		row{Name: "one that was sent under a number that is not its own is refused", Given: history(started), When: refuse,
			Then: []events.Event{unfit}},
		row{Name: "refused twice is nothing new", Given: history(unfit), When: refuse},
		row{Name: "one with a number is not refused", Given: history(started, numbered), When: refuse,
			Err: invoice.ErrNumbered},
		row{Name: "one that was issued is not refused", Given: issued(), When: refuse, Err: invoice.ErrFinal},
		row{Name: "nothing cannot be refused", When: refuse, Err: invoice.ErrUnknown},
		row{Name: "a refused invoice is not sent", Given: history(unfit), When: start, Err: invoice.ErrFinal},
	)
}

func TestARateIsTakenWhereTheCallerGaveNone(t *testing.T) {
	rate := func(text string) events.RateTaken {
		return events.RateTaken{Rate: money.MustParse(text), Date: "2026-11-26"}
	}
	take := func(text string) invoice.FullCommand { return invoice.TakeRate{Rate: rate(text)} }
	priced := bare
	priced.Document.Currency = events.Currency{Code: "USD", Rate: money.FromInt(1400)}
	commandtest.Run(t, invoice.FullDecider,
		fullRow{Name: "it is taken", Given: []events.Event{bare}, When: take("1450.5"), Then: []events.Event{rate("1450.5")}},
		fullRow{Name: "the same again is nothing new", Given: []events.Event{bare, rate("1450.5")}, When: take("1450.50")},
		fullRow{Name: "a later attempt finds another", Given: []events.Event{bare, rate("1450.5")}, When: take("1460"),
			Then: []events.Event{rate("1460")}},
		fullRow{Name: "the caller's own stays", Given: []events.Event{priced}, When: take("1450.5")},
		fullRow{Name: "a number fixes it", Given: []events.Event{bare, started, numbered}, When: take("1450.5"),
			Err: invoice.ErrNumbered},
		fullRow{Name: "an end fixes it", Given: []events.Event{bare, unfit}, When: take("1450.5"), Err: invoice.ErrFinal},
		fullRow{Name: "nothing has no rate", When: take("1450.5"), Err: invoice.ErrUnknown},
	)
	s := invoice.FullDecider.Fold(bare, rate("1450.5"))
	if got := s.Created.Document.Currency.Rate; got.String() != "1450.5" || !s.First().Document.Currency.Rate.IsZero() {
		t.Errorf("it is %s now and was %s", got, s.First().Document.Currency.Rate)
	}
}
