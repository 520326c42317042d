package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"folio/commands/invoice"
	"folio/commands/purchase"
	"folio/events"
)

// audited is a folder with one company's invoice, series, purchase, and another's invoice.
func audited(t *testing.T) (dir, company, id string) {
	t.Helper()
	dir, company, id = t.TempDir(), ulid.Make().String(), ulid.Make().String()
	s := open(t, dir)
	received := events.PurchaseReceived{Purchase: "P1", Company: company, Number: 9}
	created := events.InvoiceCreated{Invoice: id, Company: company, Country: "AR", Environment: "Testing",
		Document: events.Document{Type: "FCA", OfficialCode: 1, BranchOffice: 5, ExternalReference: "Order-1"}}
	series := "numbering-" + company + "-Testing-1-5"
	other := created
	other.Invoice, other.Company = ulid.Make().String(), ulid.Make().String()
	s.record(t, "company-"+company, events.CompanyRegistered{Company: company, Country: "AR"})
	s.record(t, invoice.Decider.Stream(id), created)
	s.record(t, invoice.Decider.Stream(other.Invoice), other, events.NumberAssigned{BranchOffice: 6, Number: 2})
	s.record(t, series, events.SubmissionOpened{Submission: "S1", First: 2, Invoices: []string{id}})
	s.record(t, invoice.Decider.Stream(id), events.SubmissionStarted{Submission: "S1", Environment: "Testing", Number: 2},
		events.NumberAssigned{BranchOffice: 5, Number: 2})
	s.record(t, purchase.Decider.Stream(purchase.ID(received)), received)
	shut(t, s)
	return dir, company, id
}

func TestWhoseHistoryItIs(t *testing.T) {
	dir, company, id := audited(t)
	own := "InvoiceCreated SubmissionOpened SubmissionStarted NumberAssigned"
	for args, want := range map[string]string{
		id:                                own,
		"--number=0005-00000002":          own,
		"--number=2":                      own + " InvoiceCreated NumberAssigned",
		"--number=2 --company=" + company: own,
		"--reference=order-1 --company=" + company: own,
		"--series=" + company + "-Testing-1-5":     "SubmissionOpened",
		"--purchase=P1":                            "PurchaseReceived",
		"--company=" + company: "CompanyRegistered InvoiceCreated SubmissionOpened " +
			"SubmissionStarted NumberAssigned PurchaseReceived",
		"--company=" + company + " --from=2000-01-01": "CompanyRegistered InvoiceCreated SubmissionOpened " +
			"SubmissionStarted NumberAssigned PurchaseReceived",
	} {
		out, err := run(t, append(strings.Fields("history --json --data "+dir), strings.Fields(args)...)...)
		if err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if got := typesOf(t, out); !sameWords(got, want) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	for args, want := range map[string]string{
		"--number=0007-00000002": "no invoice has this number",
		"--reference=order-2":    "no invoice has this number or reference",
		"--series=X-Testing-1-5": "no series",
		"--purchase=P2":          "no purchase P2",
		"--number=seven":         "is no number of an invoice",
		"--from=2100-01-01":      "--from: this time has not come",
		ulid.Make().String():     "there is no invoice",
	} {
		if _, err := run(
			t,
			append(strings.Fields("history --data "+dir), args)...); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// typesOf are the types of facts that are printed as JSON.
func typesOf(t *testing.T, out string) string {
	t.Helper()
	var types []string
	for line := range strings.Lines(out) {
		var r struct{ Type string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		types = append(types, r.Type)
	}
	return strings.Join(types, " ")
}

// sameWords compares without regard to which of several invoices came first.
func sameWords(a, b string) bool {
	count := func(s string) map[string]int {
		n := map[string]int{}
		for _, w := range strings.Fields(s) {
			n[w]++
		}
		return n
	}
	return fmt.Sprint(count(a)) == fmt.Sprint(count(b))
}

func TestReplayShowsReadModelsAsOfThen(t *testing.T) {
	dir, _, id := audited(t)
	out, err := run(t, "history", id, "--json", "--data", dir)
	if err != nil {
		t.Fatal(err)
	}
	var created struct{ Position string }
	if err := json.Unmarshal([]byte(strings.SplitN(out, "\n", 2)[0]), &created); err != nil {
		t.Fatal(err)
	}
	document := func(args ...string) (d struct{ Document struct{ Status string } }) {
		t.Helper()
		out, err := run(
			t,
			append([]string{"replay", "--data", dir, "--projection", "invoices", "--id", id, "--json"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	if then, now := document(
		"--until",
		created.Position,
	), document(); then.Document.Status != "Pending" ||
		now.Document.Status != "In process" {
		t.Errorf("then %+v, now %+v", then, now)
	}
	first, err := run(t, "replay", "--data", dir)
	again, err2 := run(t, "replay", "--data", dir)
	if err != nil || err2 != nil || first != again || strings.Count(first, "\n") < 10 {
		t.Errorf("%v %v\n%s\n%s", err, err2, first, again)
	}
	if _, err := run(
		t,
		"replay",
		"--data",
		dir,
		"--projection=invoices",
		"--id=X",
	); err == nil ||
		!strings.Contains(err.Error(), "no document X then") {
		t.Error(err)
	}
}

func TestTheLedgerOnTheCommandLine(t *testing.T) {
	dir, company, id := audited(t)
	series := company + "-Testing-1-5"
	for form, want := range map[string]string{"": "opened", "--csv": ",opened,,2,2," + id,
		"--json": `"what":"opened","from":2,"to":2,"invoice_id":"` + id} {
		args := append([]string{"series", "ledger", series, "--data", dir}, strings.Fields(form)...)
		if out, err := run(t, args...); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", form, err, out)
		}
	}
	if out, err := run(
		t,
		"series",
		"ledger",
		series,
		"--data",
		dir,
		"--number=3",
		"--csv",
	); err != nil ||
		strings.Count(out, "\n") != 1 {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := run(
		t,
		"series",
		"gaps",
		series,
		"--data",
		dir,
	); err != nil ||
		!strings.Contains(out, "no number is missing") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := run(
		t,
		"series",
		"gaps",
		"X-Testing-1-5",
		"--data",
		dir,
	); err == nil ||
		!strings.Contains(err.Error(), "no series") {
		t.Error(err)
	}
}
