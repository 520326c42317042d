package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"folio/certificate"
	"folio/commands"
	"folio/commands/account"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	"folio/eventstore"
	"folio/fault"
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
	lines := regexp.MustCompile(`(?m)^C:\d+/P:\d+ +2026-11-27 15:00:00\.000 +(\S+) +(\d+) +(\S+) +key:K1 *$`).FindAllStringSubmatch(out, -1)
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
			Tried: &waiting.Tried{Turns: 9, First: try(1, "<html>first</html>"), Last: try(8, "<html>eighth</html>")}})
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
			Position         events.Position
			Meta             events.Meta
			Stored, Lifted   map[string]any
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if r.ID == "" || r.Stream == "" || r.Type == "" || r.Revision == nil || r.Position.IsZero() || r.Meta.Schema != 1 ||
			len(r.Stored) == 0 || len(r.Lifted) == 0 {
			t.Errorf("%s", line)
		}
		n++
	}
	if n != 7 {
		t.Errorf("%d lines, want 7:\n%s", n, out)
	}
}

func TestCommandsOnDataThatIsNotThere(t *testing.T) {
	dir, id, _ := settled(t)
	nowhere := filepath.Join(t.TempDir(), "folio-dta")
	for _, args := range [][]string{{"history", id}, {"account", "disable", "ana@example.com"},
		{"projections", "rebuild"}} {
		_, err := run(t, append(args, "--data", nowhere)...)
		if err == nil || !strings.Contains(err.Error(), "holds no data of Folio's: name the service's folder with --data") {
			t.Errorf("%v: %v", args, err)
		}
	}
	if _, err := os.Stat(nowhere); !os.IsNotExist(err) {
		t.Errorf("a folder was made: %v", err)
	}
	for args, says := range map[string]string{
		"history 01ARZ3NDEKTSV4RRFFQ69G5FAV":  "there is no invoice 01ARZ3NDEKTSV4RRFFQ69G5FAV in this log",
		"account disable nobody@example.com":  "no account",
		"projections rebuild invoices colour": `no projection "colour": use some of invoices,`,
		"projections rebuild invoices --all":  "not both",
	} {
		_, err := run(t, append(strings.Split(args, " "), "--data", dir)...)
		if err == nil || !strings.Contains(strings.ToLower(explain(err)), strings.ToLower(says)) {
			t.Errorf("folio %s: %v, want %q", args, err, says)
		}
	}
}

func TestRebuild(t *testing.T) {
	dir, _, _ := settled(t)
	one, err := run(t, "projections", "rebuild", "invoices", "--data", dir)
	if err != nil || strings.Count(one, "\n") != 2 || !strings.Contains(one, "projection invoices: asked") ||
		!strings.Contains(one, "left as they are: submission, delivery, dailyreport, notices, credits") {
		t.Errorf("%q, %v", one, err)
	}
	all, err := run(t, "projections", "rebuild", "--all", "--data", dir)
	if err != nil || !strings.Contains(all, "projection companies: asked") ||
		!strings.Contains(all, "worklist submission: asked") || strings.Contains(all, "left") {
		t.Errorf("%q, %v", all, err)
	}
}

func TestAccounts(t *testing.T) {
	dir := t.TempDir()
	drawn := regexp.MustCompile(`^account added: ana@example.com\npassword, shown this once: ([A-Z2-7]{26})\n$`)
	out, err := run(t, "account", "add", "ana@example.com", "--data", dir)
	if err != nil || !drawn.MatchString(out) {
		t.Fatalf("%q, %v", out, err)
	}
	password := drawn.FindStringSubmatch(out)[1]
	if out, err := run(t, "account", "add", "bob@example.com", "--password", "correct horse battery", "--data",
		dir); err != nil || out != "account added: bob@example.com\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := run(t, "account", "add", "Ana@example.com", "--password", "correct horse battery", "--data",
		dir); fault.As(err) == nil || !strings.Contains(explain(err), "exists already") {
		t.Errorf("the same again: %v", err)
	}
	if out, err := run(t, "account", "disable", "BOB@example.com", "--data", dir); err != nil ||
		!strings.HasPrefix(out, "account disabled: bob@example.com\n") {
		t.Errorf("%q, %v", out, err)
	}
	s := open(t, dir)
	defer shut(t, s)
	accounts, err := openAccounts(context.Background(), commands.NewExecutor(s.log, time.Now), s.vault)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := accounts.Login(context.Background(), "ana@example.com", password, "192.0.2.1"); err != nil {
		t.Errorf("the drawn password: %v", err)
	}
	if _, _, err := accounts.Login(context.Background(), "bob@example.com", "correct horse battery",
		"192.0.2.1"); err == nil {
		t.Error("a disabled account may log in")
	}
	for r, err := range s.log.Read(context.Background(), account.Decider.Stream(account.ID("ana@example.com")), 0) {
		if err != nil || strings.Contains(string(r.Raw), password) {
			t.Errorf("%v %s", err, r.Raw)
		}
	}
}

func TestCertificatesOfTheSandbox(t *testing.T) {
	dir := t.TempDir()
	for days, wantExpired := range map[string]bool{"730": false, "1": false, "0": true, "-3": true} {
		file := filepath.Join(dir, "made", "c"+days+".pfx")
		out, err := run(t, "sandbox", "certificate", "--tax-identifier", "30-50001091-2", "--password", "secreto", "--out",
			file, "--days="+days, "--data", dir)
		if err != nil {
			t.Fatal(err)
		}
		pfx, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := openCertificate(pfx, "secreto", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		// What is printed is what an upload must type.
		want := "wrote " + file + ": from_date " + c.ValidFrom.UTC().Format(time.DateOnly) + ", expiration_date " +
			c.ValidTo.UTC().Format(time.DateOnly) + "\n"
		if out != want {
			t.Errorf("printed %q, want %q", out, want)
		}
		if time.Now().After(c.ValidTo) != wantExpired {
			t.Errorf("%s days: valid to %s", days, c.ValidTo)
		}
		if c.TaxIdentifier != "30500010912" || !strings.Contains(c.Issuer, "Sandbox") || len(c.Fingerprint) != 64 ||
			strings.Contains(string(c.Sealed), "secreto") {
			t.Errorf("%+v", c)
		}
		if _, err := certificate.Unseal(c.Sealed); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	if _, err := run(t, "sandbox", "certificate", "--tax-identifier", "30500010913", "--password", "secreto", "--out",
		filepath.Join(dir, "x.pfx"), "--data", dir); err == nil || !strings.Contains(err.Error(), "check digit") {
		t.Errorf("a wrong CUIT: %v", err)
	}
}

func TestTwoServicesOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	defer shut(t, s)
	d := dataFlags{Data: dir, LogLevel: "error"}
	if _, err := openStores(context.Background(), d, true, d.logger()); err == nil ||
		!strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("a second service: %v", err)
	}
	beside, err := openStores(context.Background(), d, false, d.logger())
	if err != nil {
		t.Fatalf("a command beside it: %v", err)
	}
	if beside.id != s.id || beside.node != nil {
		t.Errorf("it has a log of its own: %s", beside.id)
	}
	shut(t, beside)
}

func TestExplainShowsAFaultAsItsOwnWords(t *testing.T) {
	err := fmt.Errorf("register: %w", fault.Field("email", "NOT_AN_EMAIL", "Write an address."))
	if got := explain(err); strings.Contains(got, "register") || !strings.Contains(got, "email: Write an address.") {
		t.Errorf("%q", got)
	}
}
