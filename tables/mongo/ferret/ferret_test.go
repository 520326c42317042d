package ferret_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"folio/tables"
	"folio/tables/mongo"
	"folio/tables/mongo/ferret"
	"folio/tables/tabletest"
)

// TestSuite runs the suite of tables against FOLIO_TEST_MONGO, or FerretDB without it.
func TestSuite(t *testing.T) {
	address, foreign := os.LookupEnv("FOLIO_TEST_MONGO")
	var without []tabletest.Option
	if !foreign {
		ctx, cancel := context.WithCancel(context.Background())
		started, stopped, err := ferret.Start(ctx, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cancel(); <-stopped })
		address = started
		without = append(without, tabletest.Without("Leases/one of many at once gets it",
			"FerretDB 1.24 runs findAndModify as a read and a write; SQLite's run proves the rule"))
	}
	var n atomic.Int64
	tabletest.Run(t, func(t *testing.T) tables.Store {
		database := fmt.Sprintf("folio_test_%d_%d", time.Now().UnixNano(), n.Add(1))
		s, err := mongo.Open(t.Context(), address, database)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Destroy(context.Background()); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	}, without...)
}
