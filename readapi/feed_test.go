package readapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"folio/events"
	"folio/events/schema"
)

// feedLine is what a line of the feed names itself by.
type feedLine struct {
	Type, Stream, Position string
	Schema                 int
	Data                   json.RawMessage
}

func (a answer) feed() (lines []feedLine) {
	a.t.Helper()
	a.want(200)
	s := bufio.NewScanner(strings.NewReader(a.Body.String()))
	for s.Scan() {
		var l feedLine
		check(a.t, json.Unmarshal(s.Bytes(), &l))
		lines = append(lines, l)
	}
	check(a.t, s.Err())
	return lines
}

func typesOf(lines []feedLine) (types []string) {
	for _, l := range lines {
		types = append(types, l.Type)
	}
	return types
}

func feedWorld(t *testing.T) *world {
	all := []given{company("A1", "C1"), company("A2", "C2"), created("C1", "I1", nil), created("C2", "I2", nil)}
	all = append(append(all, accepted("I1", 1)...), rejected("I2")...)
	return newWorld(t, append(all, given{Stream: "invoice-I1", Event: events.NoteReserved{Note: "N"}},
		given{Stream: "invoice-lost", Event: events.CreationAbandoned{}})...)
}

func TestTheFeedHasTheFactsOfOneCompany(t *testing.T) {
	w := feedWorld(t)
	a := w.get("/api/feed", key1)
	got := a.feed()
	if types := fmt.Sprint(typesOf(got)); types != "[CompanyRegistered InvoiceCreated SubmissionStarted NumberAssigned "+
		"AuthorityAccepted NoteReserved]" {
		t.Errorf("got %s", types)
	}
	if a.Header().Get("Content-Type") != "application/x-ndjson" || got[1].Stream != "invoice-I1" ||
		len(got[1].Data) < 100 {
		t.Errorf("headers %v, line %+v", a.Header(), got[1])
	}
	for _, l := range got {
		if _, ok := schema.Get(l.Type, l.Schema); !ok {
			t.Errorf("no schema of %s v%d", l.Type, l.Schema)
		}
	}
	if types := typesOf(w.get("/api/feed", key2).feed()); len(types) != 4 {
		t.Errorf("the other company hears %v", types)
	}
}

func TestTheFeedIsResumedWithoutLossOrRepetition(t *testing.T) {
	w := feedWorld(t)
	whole := w.get("/api/feed", key1).feed()
	for _, limit := range []int{1, 2, 5} {
		var walked []feedLine
		after := ""
		for {
			a := w.get(fmt.Sprintf("/api/feed?limit=%d&after=%s", limit, strings.ReplaceAll(after, "/", "%2F")), key1)
			part := a.feed()
			after = a.Header().Get("Folio-Next-After")
			if walked = append(walked, part...); len(part) == 0 {
				break
			}
		}
		if got, want := fmt.Sprint(typesOf(walked)), fmt.Sprint(typesOf(whole)); got != want {
			t.Errorf("by %d: %s, want %s", limit, got, want)
		}
	}
	// From the position of a line, too.
	rest := w.get("/api/feed?after="+strings.ReplaceAll(whole[2].Position, "/", "%2F"), key1).feed()
	if len(rest) != len(whole)-3 || rest[0].Position != whole[3].Position {
		t.Errorf("%d lines after the third", len(rest))
	}
}

func TestTheFeedIsFiltered(t *testing.T) {
	w := feedWorld(t)
	for query, want := range map[string]string{
		"type=NumberAssigned,NoteReserved":            "[NumberAssigned NoteReserved]",
		"facts=webhook":                               "[SubmissionStarted AuthorityAccepted]",
		"to=2026-03-02T12:02:30-03:00":                "[CompanyRegistered InvoiceCreated]",
		"from=2026-03-02T15:08:00Z":                   "[NoteReserved]",
		"from=2026-03-03":                             "[]",
		"from=2026-03-02&to=2026-03-02&facts=webhook": "[SubmissionStarted AuthorityAccepted]",
		"to=2026-03-01":                               "[]",
		"to=9999-12-31&facts=webhook":                 "[SubmissionStarted AuthorityAccepted]",
	} {
		if got := fmt.Sprint(typesOf(w.get("/api/feed?"+query, key1).feed())); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	w.get("/api/feed?after=7&type=APIKeyIssued&from=yesterday&facts=all&limit=0", key1).fails(422, "VALIDATION_FAILED",
		"after NOT_A_POSITION", "type NOT_ALLOWED", "from INVALID_FORMAT", "facts NOT_ALLOWED", "limit OUT_OF_RANGE")
}

func TestTheFeedRefusesAPositionThatTheLogDoesNotHave(t *testing.T) {
	w := feedWorld(t)
	for _, wait := range []string{"", "&wait=1"} {
		w.get("/api/feed?after=C:99999%2FP:99999"+wait, key1).fails(422, "VALIDATION_FAILED", "after NOT_YET")
	}
	w.get("/api/feed?to=9999-12-31T23:59:59-03:00", key1).fails(422, "VALIDATION_FAILED", "to INVALID_FORMAT")
	end := w.get("/api/feed", key1).Header().Get("Folio-Next-After")
	w.get("/api/feed?after="+strings.ReplaceAll(end, "/", "%2F"), key1).want(200)
}

// What passes others by moves the read model, too. It is no reason to answer: the call goes on waiting.
func TestTheFeedWaitsForNews(t *testing.T) {
	w, more := newWorldOf(t, true, company("A1", "C1"), company("A2", "C2"), created("C1", "I1", nil))
	end := w.get("/api/feed", key1).Header().Get("Folio-Next-After")
	create := func(company, id string) func() { return func() { more(created(company, id, nil)) } }
	for _, c := range []struct {
		name  string
		moves []func()
		want  string
	}{
		{"nobody's", nil, "[]"},
		{"only others'", []func(){create("C2", "I2"), func() {}}, "[]"},
		{"its own", []func(){func() {}, create("C2", "I3"), create("C1", "I4")}, "[InvoiceCreated]"},
	} {
		w.asked, w.moves = nil, c.moves
		a := w.get("/api/feed?wait=20&type=InvoiceCreated&after="+strings.ReplaceAll(end, "/", "%2F"), key1).want(200)
		waits := len(c.moves)
		if c.want == "[]" {
			waits++ // until the time is over
		}
		if got := fmt.Sprint(typesOf(a.feed())); got != c.want || len(w.asked) != waits ||
			!strings.HasPrefix(w.asked[0], "facts ") {
			t.Errorf("%s: %s, want %s; asked %v", c.name, got, c.want, w.asked)
		}
	}
}

// The feed has the same facts that webhooks tell of: a document that is sent again was "In
// process" already, and what a certificate's stream tells is the company's.
func TestTheFactsOfWebhooks(t *testing.T) {
	started := func(submission string) given {
		return given{Stream: "invoice-I1", Event: events.SubmissionStarted{Submission: submission, Environment: "Testing"}}
	}
	w := newWorld(t, company("A1", "C1"), created("C1", "I1", nil),
		given{Stream: "invoice-I1", Event: events.RateTaken{Date: "2026-11-27"}}, started("S1"), started("S2"),
		given{Stream: "certificate-X", Event: events.CertificateExpiryNoticed{Company: "C1", Certificate: "X", Days: 30}},
		given{Stream: "certificate-Y", Event: events.CertificateExpiryNoticed{Company: "C2", Certificate: "Y", Days: 30}},
		given{Stream: "numbering-C1-Testing-033-0000", Event: events.NumberingNoticed{Kind: "quantity", Notice: 1}},
		given{Stream: "invoice-I1", Event: events.AuthorityRejected{Submission: "S2"}})
	for query, want := range map[string]string{
		"facts=webhook":          "[SubmissionStarted CertificateExpiryNoticed NumberingNoticed AuthorityRejected]",
		"facts=webhook&limit=1":  "[SubmissionStarted]",
		"type=SubmissionStarted": "[SubmissionStarted SubmissionStarted]",
	} {
		if got := fmt.Sprint(typesOf(w.get("/api/feed?"+query, key1).feed())); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// The place of one's own calls is one's own fault: 429. Others are not kept out.
func TestFourCallsOfACompanyWait(t *testing.T) {
	w := feedWorld(t)
	wait := func(key string) answer {
		end := w.get("/api/feed", key).Header().Get("Folio-Next-After")
		return w.get("/api/feed?wait=20&after="+strings.ReplaceAll(end, "/", "%2F"), key)
	}
	w.held = &held{make(chan struct{}), make(chan struct{})}
	var waiting sync.WaitGroup
	begin := func(key string) {
		waiting.Go(func() {
			if a := wait(key); a.Code != 200 {
				t.Errorf("a call that waited is answered %d %s", a.Code, a.Body)
			}
		})
		<-w.held.waits
	}
	for range 4 {
		begin(key1)
	}
	fifth := wait(key1)
	fifth.fails(429, "TOO_MANY_AT_ONCE")
	if fifth.Header().Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
	begin(key2)
	close(w.held.end)
	waiting.Wait()
}

func TestSchemasOfEvents(t *testing.T) {
	w := newWorld(t)
	if body := w.get("/api/events/schemas").want(200).Body.String(); !strings.Contains(body,
		`{"name":"InvoiceCreated","version":1,"href":"/api/events/schemas/InvoiceCreated/1"}`) {
		t.Errorf("got %.300s", body)
	}
	a := w.get("/api/events/schemas/InvoiceCreated/1").want(200)
	if a.Header().Get("Content-Type") != "application/schema+json" ||
		!strings.Contains(a.Body.String(), `"urn:folio:event:InvoiceCreated:v1"`) {
		t.Errorf("got %v %.200s", a.Header(), a.Body)
	}
	for _, path := range []string{"InvoiceCreated/9", "InvoiceCreated/one", "Nothing/1", "..%2Fx/1"} {
		w.get("/api/events/schemas/"+path).fails(404, "SCHEMA_NOT_FOUND")
	}
}
