package main

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	"folio/eventstore"
	"folio/waiting"
)

// open gives the stores of a data folder, to be closed before a command runs on it.
func open(t *testing.T, dir string) *stores {
	t.Helper()
	d := dataFlags{Data: dir, LogLevel: "error"}
	s, err := openStores(context.Background(), d, true, d.logger())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shut(t *testing.T, s *stores) {
	t.Helper()
	if err := s.close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func (s *stores) record(t *testing.T, stream string, all ...events.Event) {
	t.Helper()
	expected := eventstore.NoStream
	for r, err := range s.log.Read(context.Background(), stream, 0) {
		if err != nil {
			t.Fatal(err)
		}
		expected = int64(r.Revision)
	}
	for _, e := range all {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.log.Append(context.Background(), stream, expected,
			eventstore.Pending{ID: uuid.New(), Type: name, Data: data,
				Meta: events.Meta{Schema: schema, Actor: "key:K1", At: time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)}})
		if err != nil {
			t.Fatal(err)
		}
		expected++
	}
}

func TestALogKeepsItsID(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first := s.id
	if _, err := uuid.Parse(first); err != nil {
		t.Errorf("id %q: %v", first, err)
	}
	if again, err := s.storeID(context.Background()); err != nil || again != first {
		t.Errorf("%s, %v; want %s", again, err, first)
	}
	shut(t, s)
	s = open(t, dir)
	if s.id != first {
		t.Errorf("after a restart it is %s, it was %s", s.id, first)
	}
	shut(t, s)
	other := open(t, t.TempDir())
	if other.id == first {
		t.Error("two logs have one id")
	}
	shut(t, other)
}

// settled is a folder whose log holds one accepted invoice and one that waits.
func settled(t *testing.T) (dir, id, waiting string) {
	t.Helper()
	dir, id, waiting = t.TempDir(), "01KJQ8M5ZV4W6R0S8N3XHYD2AB", "01KJQ8M5ZV4W6R0S8N3XHYD2AC"
	s := open(t, dir)
	sha, err := s.vault.StoreFile(context.Background(), []byte("<FECAESolicitar>ñ</FECAESolicitar>"))
	if err != nil {
		t.Fatal(err)
	}
	refused, err := s.vault.StoreFile(context.Background(),
		[]byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><refused>A\xf1o</refused>"))
	if err != nil {
		t.Fatal(err)
	}
	created := events.InvoiceCreated{Invoice: id, Company: "C1", Country: "AR",
		Document: events.Document{Type: "FCA", OfficialCode: 1, BranchOffice: 5}}
	series := numbering.Decider.Stream(numbering.Series{Company: "C1", Environment: "Testing", OfficialCode: 1,
		BranchOffice: 5}.ID())
	cae := events.Authorization{Type: "CAE", Code: "76123456789012"}
	s.record(t, invoice.Decider.Stream(id), created)
	s.record(t, series, events.SubmissionOpened{Submission: "S0", First: 1, Invoices: []string{"X"}},
		events.SubmissionSplit{Submission: "S0"}, events.SubmissionSettled{Submission: "S0"},
		events.SubmissionOpened{Submission: "S1", First: 2, Invoices: []string{id}})
	s.record(t, invoice.Decider.Stream(id), events.SubmissionStarted{Submission: "S1", Environment: "Testing", Number: 2})
	s.record(t, series, events.SubmissionSplit{Submission: "S1",
		Messages: []events.AuthorityMessage{{Code: "S04", Text: "No cumple"}},
		Calls:    []events.Call{{Operation: "EFACRECEPCIONSOBRE", Answer: refused}}})
	s.record(t, series, events.SubmissionSettled{Submission: "S1",
		Outcomes: []events.Outcome{{Invoice: id, Number: 2, Result: events.Accepted, Authorization: &cae}},
		Calls: []events.Call{{Operation: "FECAESolicitar", At: time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC),
			Request: sha}}})
	s.record(t, invoice.Decider.Stream(id), events.NumberAssigned{BranchOffice: 5, Number: 2},
		events.AuthorityAccepted{Submission: "S1", Authorization: cae})
	created.Invoice = waiting
	s.record(t, invoice.Decider.Stream(waiting), created)
	shut(t, s)
	return dir, id, waiting
}

func TestHistory(t *testing.T) {
	dir, id, queued := settled(t)
	out, err := run(t, "history", id, "--data", dir, "--calls")
	if err != nil {
		t.Fatal(err)
	}
	// Its own events and those of its submission, in the order of the log; not the others'.
	row := regexp.MustCompile(`(?m)^C:\d+/P:\d+ +2026-11-27 15:00:00\.000 +(\S+) +(\d+) +(\S+) +key:K1 *$`)
	lines := row.FindAllStringSubmatch(out, -1)
	var got []string
	for _, l := range lines {
		got = append(got, l[3])
	}
	want := "InvoiceCreated SubmissionOpened SubmissionStarted SubmissionSplit SubmissionSettled NumberAssigned " +
		"AuthorityAccepted"
	if strings.Join(got, " ") != want {
		t.Errorf("events are %v, want %s\n%s", got, want, out)
	}
	if strings.Contains(out, `"S0"`) || !strings.Contains(out, `"code": "76123456789012"`) ||
		!strings.Contains(out, "FECAESolicitar at 2026-11-27T15:00:00Z") ||
		!strings.Contains(out, "<FECAESolicitar>ñ</FECAESolicitar>") || !strings.Contains(out, "No cumple") ||
		!strings.Contains(out, "<refused>Año</refused>") {
		t.Errorf("%s", out)
	}
	if !utf8.ValidString(out) { // whatever encoding the authority wrote
		t.Errorf("it is not UTF-8: %q", out)
	}
	if out, err = run(t, "history", queued, "--data", dir); err != nil || strings.Count(out, "InvoiceCreated") != 2 ||
		strings.Contains(out, "Submission") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestHistoryOfAnInvoiceThatIsStuck(t *testing.T) {
	dir, _, stuck := settled(t)
	s := open(t, dir)
	notes, err := waiting.Open(t.Context(), s.tables, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	try := func(turn int, answer string) waiting.Try {
		sha, err := s.vault.StoreFile(t.Context(), []byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		return waiting.Try{Turn: turn, Calls: []events.Call{{Operation: "FECompConsultar", At: at, Answer: sha}}}
	}
	s.record(t, "company-C1", events.CertificateUploaded{Certificate: "F", Environment: "Testing", Fingerprint: "F"})
	err = notes.Put(t.Context(), "C1-Testing-1-5",
		&waiting.Reason{Code: waiting.AuthorityDown, Text: "It is away.", Since: at,
			Tried: &waiting.Tried{Turns: 9, First: try(1, "<html>first</html>"), Last: try(8, "<html>eighth</html>")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	shut(t, s)
	out, err := run(t, "history", stuck, "--data", dir, "--calls")
	for _, want := range []string{"AUTHORITY_UNAVAILABLE: It is away.", "in 9 turns", "Turn 1:", "<html>first</html>",
		"Turn 8:", "<html>eighth</html>"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v: no %q in\n%s", err, want, out)
		}
	}
	if out, err = run(t, "history", stuck, "--data", dir); err != nil || strings.Contains(out, "<html>") ||
		!strings.Contains(out, "in 9 turns") {
		t.Errorf("without --calls: %v\n%s", err, out)
	}
}

func TestHistoryAsJSON(t *testing.T) {
	dir, id, _ := settled(t)
	out, err := run(t, "history", id, "--data", dir, "--json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(out) {
		var r struct {
			ID, Stream, Type string
			Revision         *uint64
			Position         string
			Meta             events.Meta
			Stored, Lifted   map[string]any
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		at, err := events.ParsePosition(r.Position)
		if err != nil || at.IsZero() || r.ID == "" || r.Stream == "" || r.Type == "" || r.Revision == nil ||
			r.Meta.Schema != 1 ||
			len(r.Stored) == 0 || len(r.Lifted) == 0 {
			t.Errorf("%s", line)
		}
		n++
	}
	if n != 7 {
		t.Errorf("%d lines, want 7:\n%s", n, out)
	}
}
