package readapi_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/waiting"
)

type story struct {
	Status      string
	Number      *string
	Series      *string
	Range       *struct{ Position string }
	Certificate *struct{ ID, Position string }
	Settings    struct {
		Position *string `json:"fiscal_profile_position"`
	}
	Attempts []struct {
		Submission, Position string
		Number               int64
		Result               *string
		Certificate          *struct{ ID string }
		Messages             []struct{ Code string }
		Calls                []calledThen
	}
	Story         []struct{ Position, Type, Text string }
	PendingReason *struct{ Code string } `json:"pending_reason"`
}

type calledThen struct {
	Operation string
	Request   *string `json:"request_sha256"`
	Answer    *string `json:"answer_sha256"`
	Position  *string
}

// twiceSent is an invoice of C1 that was not processed at first, with the certificate and the
// settings of either time, and one that still waits.
func twiceSent() []given {
	of := func(stream string, e events.Event) given { return given{Stream: stream, Event: e} }
	co, series, own := "company-C1", "numbering-C1-Testing-1-5", "invoice-I1"
	certificate := func(id string) given {
		return of(co, events.CertificateUploaded{Certificate: id, Environment: "Testing", ValidFrom: "2026-01-01T00:00:00Z",
			ValidTo: "2028-01-01T00:00:00Z"})
	}
	profile := func(address string) given {
		return of(co, events.FiscalProfileSet{Profile: events.FiscalProfile{Address: events.Address{Address: address}}})
	}
	call := func(operation, request, answer string) events.Call {
		return events.Call{Operation: operation, At: now, Request: request, Answer: answer}
	}
	return []given{
		of(co, events.CompanyRegistered{Company: "C1", Account: "A1", Country: "AR"}),
		certificate("X1"),
		profile("then"),
		created("C1", "I1", nil),
		profile("later"),
		of(series, events.SubmissionOpened{Submission: "S1", First: 7, Invoices: []string{"I0", "I1"}, AuthorityLast: 6}),
		of(own, events.SubmissionStarted{Submission: "S1", Environment: "Testing", Number: 8}),
		of(
			series,
			events.SubmissionSettled{Submission: "S1", Outcomes: []events.Outcome{
				{Invoice: "I0", Number: 7, Result: events.Rejected},
				{
					Invoice:  "I1",
					Number:   8,
					Result:   events.NotProcessed,
					Messages: []events.AuthorityMessage{{Code: "1", Text: "no"}},
				},
			},
				Calls: []events.Call{call("send", "aa", "bb")}},
		),
		certificate("X2"),
		of(series, events.ForeignNumbersNoticed{From: 7, To: 8}),
		of(series, events.SubmissionOpened{Submission: "S2", First: 9, Invoices: []string{"I1"}, AuthorityLast: 8}),
		of(own, events.SubmissionStarted{Submission: "S2", Environment: "Testing", Number: 9}),
		of(
			series,
			events.SubmissionSettled{Submission: "S2", Outcomes: []events.Outcome{
				{
					Invoice:       "I1",
					Number:        9,
					Result:        events.Accepted,
					Found:         true,
					Authorization: &events.Authorization{Type: "CAE", Code: "76"},
				},
			}, Calls: []events.Call{call("ask", "cc", "")}},
		),
		of(own, events.NumberAssigned{BranchOffice: 5, Number: 9}),
		of(own, events.AuthorityAccepted{Submission: "S2", Authorization: events.Authorization{Type: "CAE", Code: "76"}}),
		created("C1", "I2", nil),
	}
}

// Its number is of the contingency point's series: there the ledger has it.
func TestWhyAnInvoiceOfAContingencyIsAsItIs(t *testing.T) {
	caea := events.Authorization{Type: events.CAEA, Code: "36"}
	w := newWorld(t, append(twiceSent()[:4],
		given{Stream: "invoice-I1", Event: events.InvoiceWithdrawn{Point: 9003}},
		given{Stream: "numbering-C1-Testing-1-9003", Event: events.ContingencyIssued{Number: 1, Invoice: "I1",
			Authorization: caea}},
		given{Stream: "invoice-I1", Event: events.NumberAssigned{BranchOffice: 9003, Number: 1}},
		given{Stream: "invoice-I1", Event: events.AuthorityAccepted{Authorization: caea}})...)
	var s story
	w.get("/api/invoices/I1/explain", key1).want(200).into(&s)
	if *s.Number != "9003-00000001" || *s.Series != "C1-Testing-1-9003" {
		t.Errorf("%+v", s)
	}
	w.get("/api/invoices/I1/explain?at=C:5/P:5", key1).want(200).into(&s)
	if s.Number != nil || *s.Series != "C1-Testing-1-5" {
		t.Errorf("before it had a number: %+v", s)
	}
}

func TestWhyAnInvoiceIsAsItIs(t *testing.T) {
	w := newWorld(t, twiceSent()...)
	var s story
	w.get("/api/invoices/I1/explain", key1).want(200).into(&s)
	if s.Status != "Accepted" || *s.Number != "0005-00000009" || *s.Series != "C1-Testing-1-5" || s.Range != nil ||
		s.Certificate.ID != "X2" || s.Certificate.Position != "C:9/P:9" || *s.Settings.Position != "C:3/P:3" {
		t.Errorf("%+v", s)
	}
	if len(s.Attempts) != 2 {
		t.Fatalf("%+v", s.Attempts)
	}
	first, second := s.Attempts[0], s.Attempts[1]
	if first.Number != 8 || *first.Result != "not_processed" || first.Certificate.ID != "X1" ||
		first.Messages[0].Code != "1" ||
		first.Calls[0].Operation != "send" ||
		*first.Calls[0].Position != "C:8/P:8" {
		t.Errorf("%+v", first)
	}
	if second.Number != 9 || *second.Result != "accepted" || second.Certificate.ID != "X2" ||
		second.Position != "C:11/P:11" {
		t.Errorf("%+v", second)
	}
	var told []string
	for _, x := range s.Story {
		told = append(told, x.Position+" "+x.Text)
	}
	for _, want := range []string{
		"C:6/P:6 It took the number 8, in a submission of the numbers 7 to 8: the authority's last number was 6.",
		"C:8/P:8 The authority did not process it: the number 8 is free again, and the invoice is sent anew.",
		"C:10/P:10 Another system, or another company with this tax identifier, used the numbers 7 to 8 of the series.",
		"C:13/P:13 The authority accepted it: CAE 76. This was learnt by asking: the answer itself was lost.",
		"C:14/P:14 Its number is final: 9.",
	} {
		if !slices.Contains(told, want) {
			t.Errorf("nothing says %q:\n%s", want, strings.Join(told, "\n"))
		}
	}
	w.get("/api/invoices/I1/explain?at=C:7/P:7", key1).want(200).into(&s)
	if s.Status != "In process" || s.Number != nil || s.Attempts[0].Result != nil || s.Certificate.ID != "X1" {
		t.Errorf("then: %+v", s)
	}
	for _, path := range []string{"/api/invoices/I1/explain", "/api/invoices/I1/calls", "/api/invoices/I1/calls/aa"} {
		w.get(path, key2).fails(404, "INVOICE_NOT_FOUND")
	}
}

func TestWhatWasSaidToTheAuthority(t *testing.T) {
	w := newWorld(t, twiceSent()...)
	w.files = map[string][]byte{"aa": []byte("<what was sent>"), "dd": []byte("of others")}
	var calls struct{ Data []calledThen }
	w.get("/api/invoices/I1/calls", key1).want(200).into(&calls)
	if len(calls.Data) != 2 || calls.Data[0].Operation != "send" || *calls.Data[0].Answer != "bb" ||
		calls.Data[1].Answer != nil {
		t.Errorf("%+v", calls)
	}
	body := w.get("/api/invoices/I1/calls/aa", key1).want(200)
	if body.Body.String() != "<what was sent>" || body.Header().Get("Content-Type") != "application/octet-stream" ||
		body.Header().Get("Content-Disposition") != `attachment; filename="send-aa.txt"` {
		t.Errorf("%v %s", body.Header(), body.Body)
	}
	w.get("/api/invoices/I1/calls/dd", key1).fails(404, "CALL_NOT_FOUND")

	// What is being tried is no fact yet.
	tried := &waiting.Tried{
		Turns: 1,
		First: waiting.Try{Turn: 1, Calls: []events.Call{{Operation: "now", At: now, Request: "ee"}}},
	}
	check(
		t,
		w.notes.Put(
			t.Context(),
			"C1-Testing-1-5",
			&waiting.Reason{Code: waiting.AuthorityDown, Text: "…", Since: time.Now(), Tried: tried},
			nil,
		),
	)
	w.get("/api/invoices/I2/calls", key1).want(200).into(&calls)
	if len(calls.Data) != 1 || calls.Data[0].Operation != "now" || calls.Data[0].Position != nil {
		t.Errorf("%+v", calls)
	}
	var s story
	w.get("/api/invoices/I2/explain", key1).want(200).into(&s)
	if s.PendingReason == nil || s.PendingReason.Code != "AUTHORITY_UNAVAILABLE" {
		t.Errorf("%+v", s)
	}
}
