package readapi_test

import (
	"fmt"
	"testing"

	"folio/admission"
	"folio/events"
	"folio/tables"
)

// The law measures each branch of a taxpayer: companies of one account with the same tax identifier share points of
// sale, two points may share a contingency point, and a setting may have named another one before. What the company
// tried in Testing is no sale, nor is it a contingency.
func TestTheShareOfAMonthIsOfTheTaxpayersPointOfSale(t *testing.T) {
	setting := func(company string, ordinary, point int) given {
		return given{Stream: "company-" + company, Event: events.ContingencyConfigured{PointOfSale: ordinary,
			Contingency: events.Contingency{PointOfSale: point, Mode: events.ContingencyManual}}}
	}
	environment := "Testing"
	window := func(company string, ordinary, point int) []given { // each step of the log takes a minute
		stream := fmt.Sprintf("contingency-%s-%s-%d", company, environment, ordinary)
		return []given{{Stream: stream, Event: events.ContingencyOpened{Company: company, Environment: environment,
			PointOfSale: ordinary, Point: point}}, {Stream: stream, Event: events.ContingencyClosed{Reason: "back"}}}
	}
	all := []given{company("A1", "C1"), company("A1", "C3"), company("A2", "C2"),
		certificate("C1", "K1", "Testing", "2027-01-01"), certificate("C1", "K2", "Production", "2027-01-01"),
		certificate("C3", "K3", "Testing", "2027-01-01"), setting("C1", 1, 9001),
		setting("C1", 2, 9001), setting("C3", 1, 9003)}
	n := 0
	sold := func(company string, ordinary, point, count int) {
		for range count {
			n++
			id := fmt.Sprint("I", n)
			on := func(e events.Event) given { return given{Stream: "invoice-" + id, Event: e} }
			all = append(all, on(events.InvoiceCreated{Invoice: id, Company: company, Country: "AR", Environment: environment,
				Document: events.Document{Type: "FCA", OfficialCode: 1, BranchOffice: ordinary, Date: "2026-03-02 10:00:00"}}),
				on(events.NumberAssigned{BranchOffice: point, Number: int64(n)}),
				on(events.AuthorityAccepted{Authorization: events.Authorization{Type: "CAE", Code: "1"}}))
		}
	}
	all = append(all, window("C1", 1, 9001)...)
	sold("C1", 1, 1, 30)
	sold("C3", 2, 2, 30)
	sold("C1", 1, 9001, 2)
	sold("C3", 2, 9001, 2)
	environment = "Production"
	all = append(all, window("C1", 1, 9000)...) // before the setting was changed
	all = append(all, window("C1", 1, 9001)...)
	all = append(all, window("C1", 2, 9001)...)
	all = append(all, window("C3", 1, 9003)...)
	sold("C1", 1, 1, 3)
	sold("C1", 2, 2, 5)
	sold("C3", 1, 1, 4)
	sold("C1", 1, 9000, 1)
	sold("C1", 1, 9001, 1)
	sold("C1", 2, 9001, 2)
	sold("C3", 1, 9003, 1)
	sold("C2", 1, 1, 50) // another account's, of the same taxpayer: none of its business
	w := newWorld(t, all...)
	var got struct {
		Points []struct {
			Point       int `json:"point_of_sale"`
			Documents   int
			Contingency int
			Hours       string
			Warning     bool
		} `json:"points_of_sale"`
	}
	w.get("/api/companies/C1/contingency/use?month=2026-03", key1).want(200).into(&got)
	if fmt.Sprint(got.Points) != "[{1 10 3 0.05 true} {2 7 2 0.01 true}]" {
		t.Errorf("%+v", got.Points)
	}
}

// A point of sale whose contingencies are too many to look at all is counted at the contingency point of its setting.
func TestTheShareCountsTheContingencyPointOfTheSetting(t *testing.T) {
	all := []given{company("A1", "C1"), certificate("C1", "K1", "Production", "2027-01-01"),
		{Stream: "company-C1", Event: events.ContingencyConfigured{PointOfSale: 1,
			Contingency: events.Contingency{PointOfSale: 9001, Mode: events.ContingencyManual}}}}
	for _, e := range []events.Event{
		events.InvoiceCreated{Invoice: "I1", Company: "C1", Country: "AR", Environment: "Production",
			Document: events.Document{Type: "FCA", OfficialCode: 1, BranchOffice: 1, Date: "2026-03-02 10:00:00"}},
		events.NumberAssigned{BranchOffice: 9001, Number: 1},
		events.AuthorityAccepted{Authorization: events.Authorization{Type: "CAEA", Code: "1"}}} {
		all = append(all, given{Stream: "invoice-I1", Event: e})
	}
	var got struct {
		Points []struct{ Documents, Contingency int } `json:"points_of_sale"`
	}
	newWorld(t, all...).get("/api/companies/C1/contingency/use?month=2026-03", key1).want(200).into(&got)
	if fmt.Sprint(got.Points) != "[{1 1}]" {
		t.Errorf("%+v", got.Points)
	}
}

// allWork is the room for heavy reads. What does not fit is refused at once.
const allWork = 1 << 30

var roomy = admission.Limits{All: allWork, Each: allWork}

// It counts documents of many points of sale: like other heavy reads it waits for its turn.
func TestTheShareOfAMonthIsAHeavyRead(t *testing.T) {
	w := newWorld(t, company("A1", "C1"))
	leave, err := w.work.Enter(t.Context(), "another", allWork)
	check(t, err)
	w.get("/api/companies/C1/contingency/use", key1).fails(429, "TOO_MANY_AT_ONCE")
	leave()
	w.get("/api/companies/C1/contingency/use", key1).want(200)
}

// A page of contingencies is not all of them: the first one of a month counts, however many came after it.
func TestTheHoursOfAMonthAreOfAllItsContingencies(t *testing.T) {
	set := func(ordinary int) given {
		return given{Stream: "company-C1", Event: events.ContingencyConfigured{PointOfSale: ordinary,
			Contingency: events.Contingency{PointOfSale: 9001, Mode: events.ContingencyManual}}}
	}
	all := []given{company("A1", "C1"), certificate("C1", "K1", "Production", "2027-01-01"), set(1), set(2)}
	for n := range tables.MaxLimit + 1 {
		ordinary := min(n, 1) + 1
		stream := fmt.Sprint("contingency-C1-Production-", ordinary)
		all = append(all, given{Stream: stream, Event: events.ContingencyOpened{Company: "C1", Environment: "Production",
			PointOfSale: ordinary, Point: 9001}}, given{Stream: stream, Event: events.ContingencyClosed{Reason: "back"}})
	}
	var got struct {
		Points []struct{ Hours string } `json:"points_of_sale"`
	}
	newWorld(t, all...).get("/api/companies/C1/contingency/use?month=2026-03", key1).want(200).into(&got)
	if fmt.Sprint(got.Points) != "[{0.01} {16.66}]" {
		t.Errorf("%+v", got.Points)
	}
}
