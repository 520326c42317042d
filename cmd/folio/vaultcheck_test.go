package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/commands"
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

func TestAMongoDBThatIsAwayIsAnErrorAndNoCrash(t *testing.T) {
	d := dataFlags{Data: t.TempDir(), Mongo: "foo"}
	if _, err := openStores(t.Context(), d, false, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "read models") {
		t.Fatalf("got %v", err)
	}
}
