package main

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/fault"
	"folio/tables"
	"folio/vault"
	vaultsqlite "folio/vault/sqlite"
)

func TestAVaultThatIsGoneIsNoticedAtTheStart(t *testing.T) {
	d := dataFlags{Data: t.TempDir()}
	open := func() (*stores, error) { return openStores(t.Context(), d, false, slog.New(slog.DiscardHandler)) }
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := openAccounts(t.Context(), commands.NewExecutor(s.log, time.Now), s.vault)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := accounts.Register(t.Context(), "ana@example.com", "correct-horse", "test"); err != nil {
		t.Fatal(err)
	}
	if err := s.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // with its vault it opens again, also one of before vaults were marked
		if s, err = open(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.vault.Delete(t.Context(), vaultMark), s.close(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	gone, err := filepath.Glob(filepath.Join(d.Data, "vault.db*"))
	if err != nil || len(gone) == 0 {
		t.Fatal("there is no vault to take away", err)
	}
	for _, f := range gone {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := open(); err == nil || !strings.Contains(err.Error(), "backup") {
		t.Fatalf("without its vault it opened: %v %v", s, err)
	}
}

// A vault that was used with another log is taken, and who logs in is told what the operator does.
func TestALogInWhosePasswordTheVaultLacksIsUnavailable(t *testing.T) {
	d := dataFlags{Data: t.TempDir()}
	open := func() (*stores, error) { return openStores(t.Context(), d, false, slog.New(slog.DiscardHandler)) }
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := openAccounts(t.Context(), commands.NewExecutor(s.log, time.Now), s.vault)
	if err != nil {
		t.Fatal(err)
	}
	id, err := accounts.Register(t.Context(), "ana@example.com", "correct-horse", "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := accounts.Login(t.Context(), "ana@example.com", "correct-horse", ""); err != nil {
		t.Fatal(err)
	}
	var secret string
	for r, err := range s.log.All(t.Context(), events.Position{}, eventstore.Filter{Streams: []string{"account-"}}) {
		if err != nil {
			t.Fatal(err)
		}
		if r, err = events.Open(r); err != nil {
			t.Fatal(err)
		}
		if e, ok := r.Event.(events.AccountRegistered); ok {
			secret = e.Secret
		}
	}
	err = s.vault.Delete(t.Context(), secret)
	if err != nil || secret == "" {
		t.Fatal(id, err)
	}
	_, _, err = accounts.Login(t.Context(), "ana@example.com", "correct-horse", "")
	if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.Constant != "PASSWORD_UNAVAILABLE" {
		t.Errorf("a log-in without its password: %v", err)
	}
	if err := s.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := open()
	if err != nil {
		t.Fatal("a vault that was in use is refused:", err)
	}
	if err := again.close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAMongoDBThatIsAwayIsAnErrorAndNoCrash(t *testing.T) {
	d := dataFlags{Data: t.TempDir(), Mongo: "foo"}
	if _, err := openStores(t.Context(), d, false, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "read models") {
		t.Fatalf("got %v", err)
	}
}

func TestTwoFirstStartsShareOneTokenKey(t *testing.T) {
	dir := t.TempDir()
	open := func() *vault.Sealed {
		v, err := vaultsqlite.Open(t.Context(), filepath.Join(dir, "vault.db"), filepath.Join(dir, "master.key"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = v.Close() })
		return v
	}
	first, second := open(), open()
	for _, v := range []*vault.Sealed{first, second} { // both found none
		if err := drawTokenKey(t.Context(), v.SealFirst); err != nil {
			t.Fatal(err)
		}
	}
	a, err := first.Open(t.Context(), tokenKey)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := second.Open(t.Context(), tokenKey); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the second has another key, or none: %v", err)
	}
	if err := drawTokenKey(t.Context(), second.Seal); err != nil { // a rotation
		t.Fatal(err)
	}
	if b, err := first.Open(t.Context(), tokenKey); err != nil || bytes.Equal(a, b) {
		t.Errorf("a rotation kept the key: %v", err)
	}
}

func TestAStartWaitsForADatabaseThatIsBusyAndNoLongerThanItMust(t *testing.T) {
	tries := 0
	err := patiently(t.Context(), slog.New(slog.DiscardHandler), func() error {
		if tries++; tries < 3 {
			return fmt.Errorf("open: %w", tables.ErrUnavailable)
		}
		return nil
	})
	if err != nil || tries != 3 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	refused := errors.New("another shape")
	if err := patiently(t.Context(), slog.New(slog.DiscardHandler), func() error { return refused }); !errors.Is(err,
		refused) {
		t.Errorf("got %v", err)
	}
	text := explain(fmt.Errorf("open the read models: %w: connection refused", tables.ErrUnavailable))
	if !strings.Contains(text, "start it") || !strings.HasSuffix(text, "connection refused") ||
		strings.Contains(text, "Idempotency-Key") {
		t.Errorf("an operator is told %q", text)
	}
}

func TestOneProcessHasTheFilesOfAFolder(t *testing.T) {
	dir := t.TempDir()
	first, err := takeFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := takeFolder(dir); err == nil || !strings.Contains(err.Error(), "--roles") {
		t.Errorf("a second one got it, or is not told what to do: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := takeFolder(dir)
	if err != nil {
		t.Fatalf("after the first one's end: %v", err)
	}
	_ = second.Close()
}
