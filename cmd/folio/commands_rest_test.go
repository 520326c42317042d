package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"folio/certificate"
	"folio/commands"
	"folio/commands/account"
	"folio/fault"
)

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
		"projections show vat_book nowhere":   "projection vat_book is not built yet: a service",
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
	if err != nil || strings.Count(one, "\n") != 2 ||
		!strings.Contains(one, "projection invoices: no service has begun") ||
		!strings.Contains(one, "left as they are: submission, delivery, dailyreport, contingency, notices, credits") {
		t.Errorf("%q, %v", one, err)
	}
	all, err := run(t, "projections", "rebuild", "--all", "--data", dir)
	if err != nil || !strings.Contains(all, "projection companies: no service has begun") ||
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
		out != "account disabled: bob@example.com\n" { // without a word of keys, of which it has none
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
