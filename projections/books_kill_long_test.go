//go:build long

package projections_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
	"folio/tables/mongo"
	"folio/tables/mongo/mongotest"
	"folio/tables/sqlite"
)

// The process that is killed is this test's own program, which runs TestAProcessThatFoldsBooks.
const (
	booksStore = "FOLIO_BOOKS_STORE" // a file of SQLite or an address of MongoDB; unset: there is nothing to fold
	booksCount = "FOLIO_BOOKS_COUNT"
	booksTable = "FOLIO_BOOKS_TABLE" // whose generation is waited for, behind the version
)

const (
	booksSeed     = 17
	booksDatabase = "folio_test_books"
)

var books = []engine.Projection{projections.VATBook, projections.VATTotals}

func openAt(at string) (tables.Store, error) {
	if strings.HasPrefix(at, "mongodb") {
		return mongo.Open(context.Background(), at, booksDatabase)
	}
	return sqlite.Open(context.Background(), at)
}

func openBooks(t *testing.T, at string) tables.Store {
	t.Helper()
	s, err := openAt(at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// It folds until the books are those of the whole history, under the generation asked for.
func TestAProcessThatFoldsBooks(t *testing.T) {
	at := os.Getenv(booksStore)
	if at == "" {
		return
	}
	n, err := strconv.Atoi(os.Getenv(booksCount))
	if err != nil {
		t.Fatal(err)
	}
	src := newSource(newTrade(booksSeed, n).given...)
	src.given = nil
	o := options(openBooks(t, at), src, fmt.Sprint("process ", os.Getpid()), books...)
	o.Lease = 2 * time.Second
	r, stop := start(t, o)
	fmt.Println("folding")
	for _, p := range books {
		if err := r.WaitFor(t.Context(), p.Name(), src.end()); err != nil {
			t.Fatal(err)
		}
		for served := ""; served != generation(p, os.Getenv(booksTable)); {
			if served, err = r.Serving(t.Context(), p.Name()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	stop()
	fmt.Println("folded")
}

// folding starts the process and returns when it folds.
func folding(t *testing.T, at string, n int, table string) (c *exec.Cmd, said *bufio.Reader) {
	t.Helper()
	c = exec.Command(os.Args[0], "-test.run=^TestAProcessThatFoldsBooks$", "-test.timeout=30m")
	c.Env = append(os.Environ(), booksStore+"="+at, fmt.Sprint(booksCount, "=", n), booksTable+"="+table)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said = bufio.NewReader(out)
	if line, err := said.ReadString('\n'); err != nil || line != "folding\n" {
		t.Fatalf("the process said %q, %v", line, err)
	}
	return c, said
}

// shop is where the books are kept.
type shop struct {
	at       func() string // a file of SQLite or an address of MongoDB
	restart  func(testing.TB)
	patience time.Duration
}

// fold has the books folded to their end by processes of which the first ones are killed at random points, and later
// ones when they take longer than patience.
func (s shop) fold(t *testing.T, random *rand.Rand, n, kills int, table string) {
	t.Helper()
	for life := range kills + 50 {
		c, said := folding(t, s.at(), n, table)
		left := s.patience
		if life < kills {
			left = time.Duration(random.IntN(3000)) * time.Millisecond
		}
		killer := time.AfterFunc(left, func() { _ = c.Process.Kill() }) // it may have come to its end
		rest, err := io.ReadAll(said)
		killed := !killer.Stop()
		ended := c.Wait()
		switch folded := strings.HasPrefix(string(rest), "folded\n"); {
		case folded && life >= kills:
			return
		case !folded && !killed:
			t.Fatalf("the process ends with %v, %v\n%s", ended, err, rest)
		}
		s.restart(t)
	}
	t.Fatalf("no process came to its end within %s", s.patience)
}

// with opens the tables for as long as nobody restarts their server.
func (s shop) with(t *testing.T, what func(tables.Store)) {
	t.Helper()
	store, err := openAt(s.at())
	if err != nil {
		t.Fatal(err)
	}
	what(store)
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// survivesKills asserts that the books are the sums over the documents, to the cent, after
// processes were killed while they were built, rebuilt and, after a rollback, caught up again.
func (s shop) survivesKills(t *testing.T, n int) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d invoices, seed of the kills %d", n, seed)
	random := rand.New(rand.NewPCG(seed, 1))
	trade := newTrade(booksSeed, n)
	trade.given = nil
	s.fold(t, random, n, 8, "")
	s.with(t, func(store tables.Store) {
		trade.check(t, store, "vat_totals_v3", "vat_book_v2")
		if err := engine.RebuildAs(t.Context(), store, logID, engine.Mode{Keep: true}, books...); err != nil {
			t.Fatal(err)
		}
	})
	s.fold(t, random, n, 4, "_g2")
	s.with(t, func(store tables.Store) {
		trade.check(t, store, "vat_totals_v3_g2", "vat_book_v2_g2")
		for _, p := range books {
			if err := engine.Rollback(t.Context(), store, p); err != nil {
				t.Fatal(err)
			}
		}
	})
	s.fold(t, random, n, 2, "")
	s.with(t, func(store tables.Store) { trade.check(t, store, "vat_totals_v3", "vat_book_v2") })
}

func TestBooksOfAHundredThousandInvoicesSurviveKills(t *testing.T) {
	at := filepath.Join(t.TempDir(), "tables.db")
	shop{func() string { return at }, func(testing.TB) {}, 20 * time.Minute}.survivesKills(t, 100_000)
}

// FerretDB 1.24, which stands in for MongoDB, asks SQLite for one document only where a filter has nothing but one _id.
// It reads the whole collection for every look at many ids and for every replacement, whose filter has a guard beside
// the id, so that a batch costs documents times documents: a thousand invoices take its sums past any deadline. MongoDB
// finds all of them by an index, which package ferret asserts of each command. It stands still once its hundred
// connections are lost one by one, too: it is killed with each process.
func TestBooksOnMongoDBSurviveKills(t *testing.T) {
	n, patience := 300, 30*time.Second
	if os.Getenv("FOLIO_TEST_MONGO") != "" {
		n, patience = 100_000, time.Hour
	}
	server := mongotest.Start(t)
	shop := shop{func() string { return server.Address }, server.Restart, patience}
	t.Cleanup(func() {
		s, err := mongo.Open(context.Background(), server.Address, booksDatabase)
		if err == nil {
			err = errors.Join(s.Destroy(context.Background()), s.Close())
		}
		if err != nil {
			t.Error(err)
		}
	})
	shop.survivesKills(t, n)
}
