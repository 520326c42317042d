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

	"folio/mongodb"
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
	address, stopped, err := ferret.Start(ctx, t.TempDir(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-stopped })
	return address, false
}

var count atomic.Int64

// database is a name that no other test uses.
func database() string { return fmt.Sprintf("folio_test_%d_%d", time.Now().UnixNano(), count.Add(1)) }

// What the suite asks is found by an index, too.
func TestTables(t *testing.T) {
	address, _ := server(t)
	plans := newPlanned()
	defer plans.check(t)
	tabletest.Run(t, func(t *testing.T) tables.Store {
		s, err := mongo.Open(t.Context(), address, database(), mongodb.WithMonitor(plans.monitor()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(s.Destroy(context.Background()), s.Close()); err != nil {
				t.Error(err)
			}
		})
		return s
	})
}

func TestVault(t *testing.T) {
	address, _ := server(t)
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
	})
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
