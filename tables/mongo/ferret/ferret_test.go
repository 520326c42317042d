package ferret_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"folio/tables"
	"folio/tables/mongo"
	"folio/tables/mongo/ferret"
	"folio/tables/tabletest"
	"folio/vault"
	vaultmongo "folio/vault/mongo"
	"folio/vault/vaulttest"
)

// server is FOLIO_TEST_MONGO, or a FerretDB of the test's own when it is not set.
func server(t *testing.T) (address string, foreign bool) {
	t.Helper()
	if address, foreign = os.LookupEnv("FOLIO_TEST_MONGO"); foreign {
		return address, true
	}
	ctx, cancel := context.WithCancel(context.Background())
	address, stopped, err := ferret.Start(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-stopped })
	return address, false
}

var count atomic.Int64

// database is a name that no other test uses.
func database() string { return fmt.Sprintf("folio_test_%d_%d", time.Now().UnixNano(), count.Add(1)) }

func TestTables(t *testing.T) {
	address, foreign := server(t)
	var without []tabletest.Option
	if !foreign {
		without = append(without, tabletest.Without("Leases/one of many at once gets it",
			"FerretDB 1.24 runs findAndModify as a read and a write; SQLite's run proves the rule"))
	}
	tabletest.Run(t, func(t *testing.T) tables.Store {
		s, err := mongo.Open(t.Context(), address, database())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(s.Destroy(context.Background()), s.Close()); err != nil {
				t.Error(err)
			}
		})
		return s
	}, without...)
}

func TestVault(t *testing.T) {
	address, foreign := server(t)
	var exceptions []vaulttest.Except
	if !foreign {
		const why = "FerretDB 1.24 runs an update with a condition as a read and a write; SQLite's run proves the rule"
		exceptions = []vaulttest.Except{
			{Test: "rotations at once leave what opens", Reason: why},
			{Test: "what is written during a rotation stays", Reason: why},
		}
	}
	vaulttest.Run(t, func(t *testing.T) vault.Backend {
		b, err := vaultmongo.OpenBackend(t.Context(), address, database())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(b.Destroy(context.Background()), b.Close()); err != nil {
				t.Error(err)
			}
		})
		return b
	}, exceptions...)
}

func TestAddressWithAPasswordIsNotRepeatedInErrors(t *testing.T) {
	const address = "mongodb://folio:geheim@pass word@127.0.0.1:1/?x=%zz"
	_, tablesErr := mongo.Open(t.Context(), address, "x")
	_, vaultErr := vaultmongo.OpenBackend(t.Context(), address, "x")
	for _, err := range []error{tablesErr, vaultErr} {
		if err == nil || strings.Contains(err.Error(), "geheim") || strings.Contains(err.Error(), "pass word") {
			t.Errorf("error %v", err)
		}
	}
}
