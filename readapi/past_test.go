package readapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/projections/projectiontest"
)

// aPast is a short history of a Chilean company, whose numbers come from a file, and of an
// Argentine one.
func aPast() []given {
	chilean := func(e events.Event) given { return given{Stream: "company-C1", Event: e} }
	all := []given{
		chilean(
			events.CompanyRegistered{
				Company:           "C1",
				Account:           "A1",
				Country:           "CL",
				LegalName:         "Uno SpA",
				TaxIdentifier:     "76192083-9",
				TaxIdentifierName: "RUT",
				Currency:          2,
			},
		),
		{
			Stream: "company-C2",
			Event: events.CompanyRegistered{Company: "C2", Account: "A2", Country: "AR", LegalName: "Dos SA",
				TaxIdentifier: "30712345671", TaxIdentifierName: "CUIT", Currency: 1},
		},
		chilean(
			events.CertificateUploaded{
				Certificate: "X1",
				Environment: "Testing",
				ValidFrom:   "2026-01-01T00:00:00Z",
				ValidTo:     "2028-01-01T00:00:00Z",
			},
		),
		created("C1", "I1", nil),
		{
			Stream: "numbering-C1-Testing-33-0",
			Event: events.NumberingRangeUploaded{Range: "R1", Company: "C1", Environment: "Testing",
				DocumentType: 55, OfficialCode: 33, From: 1, To: 100},
		},
		created("C2", "I2", nil),
		created("C1", "I3", nil),
	}
	all = append(all, accepted("I1", 42)...)
	all = append(
		all,
		chilean(
			events.FiscalProfileSet{Profile: events.FiscalProfile{Address: events.Address{Country: "CL", Address: "Alameda 1"}}},
		),
		created("C1", "I4", nil),
		chilean(events.CompanyMoved{Account: "A1"}),
	)
	return append(all, rejected("I3")...)
}

// Each answer about the past is the one that a service gave whose log ended there.
func TestAnAnswerOfThePastIsWhatAReadGaveThen(t *testing.T) {
	all := aPast()
	log := projectiontest.Log(all...)
	now := newWorld(t, all...)
	paths := []string{
		"/api/companies/C1",
		"/api/invoices/I1",
		"/api/invoices/I3",
		"/api/invoices",
		"/api/invoices?status=pending",
		"/api/invoices?per_page=1&page=2",
		"/api/invoices?number=0005-00000042",
		"/api/invoices?cursor=2",
		"/api/invoices?references=I1",
	}
	for n := range all {
		then := newWorld(t, all[:n+1]...)
		for _, path := range paths {
			want := then.get(path, key1)
			sign := "?"
			if strings.Contains(path, "?") {
				sign = "&"
			}
			for _, at := range []string{fmt.Sprintf("C:%d/P:%d", n+1, n+1), log[n].Meta.At.Format(time.RFC3339),
				log[n].Meta.At.Add(time.Second).Format(time.RFC3339)} {
				got := now.get(path+sign+"at="+at, key1)
				if got.Code != want.Code || got.Code == 200 && got.Body.String() != want.Body.String() {
					t.Errorf("%s at %s: %d %s\na read gave then %d %s", path, at, got.Code, got.Body, want.Code, want.Body)
				}
			}
		}
	}
}

func TestWhatIsNoMomentIsRefused(t *testing.T) {
	w := newWorld(t, aPast()...)
	for _, path := range []string{"/api/companies/C1", "/api/invoices/I1", "/api/invoices", "/api/invoices/I1/events"} {
		for at, code := range map[string]string{"": "NOT_A_MOMENT", "yesterday": "NOT_A_MOMENT", "2026-03-02": "NOT_A_MOMENT",
			"C:0/P:0": "NOT_A_MOMENT", "C:4/P:5": "NOT_A_MOMENT", "C:5/P:4": "NOT_A_MOMENT",
			"C:99999/P:99999": "NOT_YET", "2027-01-01T00:00:00Z": "NOT_YET"} {
			w.get(path+"?at="+at, key1).fails(422, "VALIDATION_FAILED", "at "+code)
		}
	}
	w.get("/api/invoices/I1?at=C:4/P:4&x=1", key1).fails(422, "VALIDATION_FAILED", "x UNKNOWN_FIELD")
	w.get("/api/invoices/I1?x=1", key1).fails(422, "VALIDATION_FAILED", "x UNKNOWN_FIELD")
	w.get("/api/invoices/I1?at=C:3/P:3", key1).fails(404, "INVOICE_NOT_FOUND")
	for _, path := range []string{"", "/explain"} { // it is there now: nobody is to doubt the id
		before := w.get("/api/invoices/I1"+path+"?at=C:3/P:3", key1)
		if !strings.Contains(before.Body.String(), "did not have the invoice at this moment") {
			t.Errorf("%s: %s", path, before.Body)
		}
	}
	w.get("/api/invoices/I1?at=C:4/P:4", key2).fails(404, "INVOICE_NOT_FOUND")
	w.late = true
	w.get("/api/invoices?at=C:4/P:4", key1).fails(503, "POSITION_NOT_REACHED")
}

// A page after a place that the log has not come to would look like the end of the facts.
func TestAPageAfterTheEndOfTheLogIsRefused(t *testing.T) {
	w := newWorld(t, aPast()...)
	for _, path := range []string{"/api/companies/C1/events", "/api/invoices/I1/events",
		"/api/companies/C1/numbering/C1-Testing-33-0/events", "/api/companies/C1/numbering/C1-Testing-33-0/ledger"} {
		w.get(path+"?after=C:99999/P:99999", key1).fails(422, "VALIDATION_FAILED", "after NOT_YET")
		end := fmt.Sprintf("C:%d/P:%d", len(aPast()), len(aPast()))
		w.get(path+"?after="+end, key1).want(200)
	}
}

// A reader who is told which position an invoice was read at can ask for the same again.
func TestAnInvoiceSaysAsOfWhenItIs(t *testing.T) {
	w := newWorld(t, aPast()...)
	first := w.get("/api/invoices/I1", key1).want(200)
	again := w.get("/api/invoices/I1?at="+first.Header().Get("Folio-As-Of"), key1).want(200)
	if first.Body.String() != again.Body.String() ||
		again.Header().Get("Folio-As-Of") != first.Header().Get("Folio-As-Of") {
		t.Errorf("%s: %s", first.Header().Get("Folio-As-Of"), again.Body)
	}
}

// facts is a page of facts.
type facts struct {
	Next *string `json:"next_after"`
	Data []struct {
		Type, Stream, Position, Time string
		Schema, Revision             int
		Actor                        *string
		Data                         json.RawMessage
	}
}

// types lists "type@revision stream" of every fact, page by page.
func (w *world) types(path string, perPage int, headers ...string) []string {
	w.t.Helper()
	out := []string{}
	for after := ""; ; {
		var f facts
		w.get(
			fmt.Sprintf(
				"%s%sper_page=%d%s",
				path,
				map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")],
				perPage,
				after,
			),
			headers...).want(
			200,
		).into(
			&f,
		)
		for _, r := range f.Data {
			if *r.Actor != "test" || r.Schema < 1 || !json.Valid(r.Data) || r.Time == "" {
				w.t.Errorf("%s: %+v", path, r)
			}
			out = append(out, fmt.Sprintf("%s %s@%d", r.Type, r.Stream, r.Revision))
		}
		if f.Next == nil {
			return out
		}
		if len(f.Data) == 0 || len(out) > 1000 {
			w.t.Fatalf("%s does not end", path)
		}
		after = "&after=" + *f.Next
	}
}

func TestTheFactsAboutAThingInTheirOrder(t *testing.T) {
	series := func(e events.Event) given { return given{Stream: "numbering-C1-Testing-1-5", Event: e} }
	hook := func(e events.Event) given { return given{Stream: "webhook-C1", Event: e} }
	all := []given{
		{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A1", Country: "AR"}},
		series(events.SubmissionOpened{Submission: "S-0", First: 1, Invoices: []string{"I0"}}),
		created("C1", "I1", nil),
		series(
			events.SubmissionSettled{
				Submission: "S-0",
				Outcomes:   []events.Outcome{{Invoice: "I0", Number: 1, Result: events.NotProcessed}},
			},
		),
		series(events.SeriesHeld{Reason: "look"}),
		series(events.SeriesReleased{}),
		series(events.SubmissionOpened{Submission: "S-I1", First: 1, Invoices: []string{"I1"}}),
	}
	answered := accepted("I1", 1)
	all = append(
		all,
		answered[0],
		series(events.SubmissionSettled{Submission: "S-I1", Outcomes: []events.Outcome{{Invoice: "I1", Number: 1,
			Result: events.Accepted, Authorization: &events.Authorization{}}}}),
		answered[1],
		answered[2],
		series(events.SeriesHeld{Reason: "later"}),
		hook(events.WebhookSubscribed{Webhook: 7, Company: "C1", URL: "https://a.example"}),
		hook(events.WebhookRemoved{}),
		hook(events.WebhookSubscribed{Webhook: 9, Company: "C1", URL: "https://b.example"}),
	)
	w := newWorld(t, all...)
	for path, want := range map[string]string{
		"/api/invoices/I1/events": "InvoiceCreated invoice-I1@0|SeriesHeld numbering-C1-Testing-1-5@2|SeriesReleased " +
			"numbering-C1-Testing-1-5@3|" +
			"SubmissionOpened numbering-C1-Testing-1-5@4|SubmissionStarted invoice-I1@1|SubmissionSettled " +
			"numbering-C1-Testing-1-5@5|" +
			"NumberAssigned invoice-I1@2|AuthorityAccepted invoice-I1@3",
		"/api/invoices/I1/events?at=C:5/P:5":  "InvoiceCreated invoice-I1@0|SeriesHeld numbering-C1-Testing-1-5@2",
		"/api/companies/C1/events":            "CompanyRegistered company-C1@0",
		"/api/companies/C1/webhooks/7/events": "WebhookSubscribed webhook-C1@0|WebhookRemoved webhook-C1@1",
		"/api/companies/C1/webhooks/9/events": "WebhookSubscribed webhook-C1@2",
		"/api/companies/C1/numbering/C1-Testing-1-5/events": "SubmissionOpened numbering-C1-Testing-1-5@0|SubmissionSettled numbering-C1-Testing-1-5@1|" +
			"SeriesHeld numbering-C1-Testing-1-5@2|SeriesReleased numbering-C1-Testing-1-5@3|SubmissionOpened " +
			"numbering-C1-Testing-1-5@4|" +
			"SubmissionSettled numbering-C1-Testing-1-5@5|SeriesHeld numbering-C1-Testing-1-5@6",
	} {
		for _, perPage := range []int{1, 3, 100} {
			if got := strings.Join(w.types(path, perPage, key1), "|"); got != want {
				t.Errorf("%s by %d:\n%s\nwant\n%s", path, perPage, got, want)
			}
		}
	}
	w.get("/api/companies/C1/events", ana).want(200)
	for path, constant := range map[string]string{"/api/invoices/I1/events": "INVOICE_NOT_FOUND",
		"/api/companies/C2/numbering/C1-Testing-1-5/events": "COMPANY_NOT_FOUND",
		"/api/companies/C2/webhooks/7/events":               "WEBHOOK_NOT_FOUND"} {
		w.get(path, key2).fails(404, constant)
	}
	w.get("/api/companies/C1/events", bob).fails(404, "COMPANY_NOT_FOUND")
	w.get("/api/companies/C1/events", key2).fails(403, "OTHER_COMPANY")
	for path, constant := range map[string]string{"/api/companies/C1/numbering/C1-Testing-6-5/events": "SERIES_NOT_FOUND",
		"/api/companies/C1/numbering/C2-Testing-1-5/events": "SERIES_NOT_FOUND",
		"/api/companies/C1/webhooks/8/events":               "WEBHOOK_NOT_FOUND"} {
		w.get(path, key1).fails(404, constant)
	}
	w.get("/api/invoices/I1/events?after=12", key1).fails(422, "VALIDATION_FAILED", "after NOT_A_POSITION")
	w.get("/api/invoices/I1/events?after=C:5/P:6", key1).fails(422, "VALIDATION_FAILED", "after NOT_A_POSITION")
	w.get("/api/invoices/I1/events?after=C:5/P:0", key1).want(200) // how far a reader looked
	w.get("/api/invoices/I1/events?per_page=101", key1).fails(422, "VALIDATION_FAILED", "per_page OUT_OF_RANGE")
}

func TestTheFactsAboutAPurchase(t *testing.T) {
	p := events.PurchaseReceived{Purchase: "P1", Company: "C1", Country: "AR", OfficialCode: 1, BranchOffice: 3, Number: 7,
		Supplier: events.Party{DocumentNumber: "30500010912"}}
	stream := purchaseStream(p)
	w := newWorld(
		t,
		given{Stream: stream, Event: p},
		given{Stream: stream, Event: events.PurchaseVerified{Purchase: "P1", Company: "C1"}},
	)
	want := "PurchaseReceived " + stream + "@0|PurchaseVerified " + stream + "@1"
	if got := strings.Join(w.types("/api/companies/C1/purchases/P1/events", 1, key1), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	w.get("/api/companies/C2/purchases/P1/events", key2).fails(404, "PURCHASE_NOT_FOUND")
}

// A read that has no past says so: it does not answer with the present.
func TestAReadWithoutParametersRefusesThem(t *testing.T) {
	w := newWorld(t, aPast()...)
	for _, path := range []string{
		"/api/authority", "/api/currencies", "/api/catalogues/AR", "/api/events/schemas",
		"/api/events/schemas/invoice-created/1", "/api/companies/webhooks/events",
		"/api/companies/C1/branches/1", "/api/companies/C1/fiscal-profile",
		"/api/companies/C1/purchases/p", "/api/companies/C1/purchases/p/calls",
		"/api/companies/C1/webhooks", "/api/companies/C1/webhooks/1",
		"/api/companies/C1/webhooks/1/deliveries/d", "/api/companies/C1/webhooks/1/replays/r",
		"/api/invoices/I1/calls", "/api/invoices/I1/calls/00", "/api/invoices/I1/download-xml",
		"/api/invoices/I1/download-pdf/A4",
	} {
		w.get(path+"?at=C:4/P:4", key1).fails(422, "VALIDATION_FAILED", "at UNKNOWN_FIELD")
	}
	w.get("/api/account?at=C:4/P:4", ana).fails(422, "VALIDATION_FAILED", "at UNKNOWN_FIELD")
}
