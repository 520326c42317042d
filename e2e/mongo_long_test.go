//go:build long

package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/tables/mongo"
	"folio/tables/mongo/mongotest"
	vaultmongo "folio/vault/mongo"
)

// mongoServer is FOLIO_TEST_MONGO, or a FerretDB of the nested module, with a database
// of this test's own.
func mongoServer(t *testing.T) string {
	t.Helper()
	address := mongotest.Server(t)
	name := fmt.Sprintf("folio_e2e_%d", time.Now().UnixNano())
	t.Cleanup(func() { drop(t, address, name) })
	before, query, found := strings.Cut(address, "?")
	address = strings.TrimSuffix(before, "/") + "/" + name
	if found {
		address += "?" + query
	}
	return address
}

func drop(t *testing.T, address, name string) {
	ctx := context.Background()
	store, err := mongo.Open(ctx, address, name)
	if err != nil {
		t.Error(err)
		return
	}
	secrets, err := vaultmongo.OpenBackend(ctx, address, name+"_vault")
	if err != nil {
		t.Error(err)
		return
	}
	if err := errors.Join(store.Destroy(ctx), secrets.Destroy(ctx), store.Close(), secrets.Close()); err != nil {
		t.Error(err)
	}
}

func TestFortyInvoicesWithMongoDB(t *testing.T) {
	address := mongoServer(t)
	dir := t.TempDir()
	flags := append([]string{"--mongo", address}, unlimited...)
	p := serve(t, dir, flags...)
	c := issuing(t, p, dir, 1)
	form, kind := multipartForm(t, nil, "logo", logo(t))
	c.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, c.path("/logo"), form)
	kinds := []string{"FCA", "FCB", "RCB"}
	each(t, 4, 40, func(n int) error {
		reference := fmt.Sprint("mongo-", n)
		_, err := c.pair(body(kinds[n%3], 1+n/3%2, reference), reference)
		return err
	})
	c.settle(t, 2*verdictLimit)
	all := c.all(t)
	if series := consecutive(t, all); len(all) != 40 || len(series) != 6 {
		t.Errorf("%d invoices in %v", len(all), series)
	}
	for query, want := range map[string]int{"status=accepted": 40, "invoice_type=fca": 14, "external_reference=MONGO-7": 1,
		"recipient_document=28765432": 26} {
		if l := get[list](t, c.client, "/api/invoices?per_page=7&page=2&"+query); l.TotalResults != want {
			t.Errorf("%s finds %d, want %d", query, l.TotalResults, want)
		}
	}
	first := c.pdf(t, http.MethodPost, all[0].ID, "/download-pdf/A4")
	p.stop(t)

	for _, name := range []string{"tables.db", "vault.db"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was made beside MongoDB: %v", name, err)
		}
	}
	p = serve(t, dir, flags...)
	c.base = p.base
	if again := c.pdf(t, http.MethodGet, all[0].ID, "/download/A4"); string(again) != string(first) {
		t.Error("the document has other bytes after a restart")
	}
	if i := c.issue(t, body("FCA", 3, "after")); *i.Number != "0003-00000001" {
		t.Errorf("after a restart: %s", i)
	}
	p.stop(t)
}

func TestDeliveriesWithMongoDB(t *testing.T) {
	failedDelivery(t, "--mongo", mongoServer(t))
}

func TestNationsWithMongoDB(t *testing.T) {
	eachNation(t, func(t *testing.T, n nation) {
		n.overThreeTypes(t, 30, 2*verdictLimit, "--mongo", mongoServer(t))
	})
}
