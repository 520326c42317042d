package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
)

// each runs f for 0..n-1 on so many clients at once and reports the errors.
func each(t testing.TB, clients, n int, f func(i int) error) {
	t.Helper()
	work := make(chan int)
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for i := range work {
				if err := f(i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wg.Wait()
}

// created sends a create and wants 201.
func (c company) created(body any) (invoice, answer, error) {
	a, err := c.send(http.MethodPost, "/api/invoices", body)
	if err != nil {
		return invoice{}, a, err
	}
	if a.status != http.StatusCreated {
		return invoice{}, a, fmt.Errorf("create: %d %s", a.status, a.body)
	}
	i, err := parse[invoice](a)
	return i, a, err
}

func TestTwoHundredInvoicesOfTwentyClients(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	c := issuing(t, p, dir, 1)
	kinds := []string{"FCA", "FCB", "RCB"}
	each(t, 20, 200, func(i int) error {
		_, _, err := c.created(body(kinds[i%3], 1+i/3%2, fmt.Sprintf("pedido-%d", i)))
		return err
	})
	c.settle(t, verdictLimit)
	all := c.all(t)
	series := consecutive(t, all)
	if len(all) != 200 || len(series) != 6 {
		t.Errorf("%d invoices in the series %v, want 200 in six", len(all), series)
	}
	if l := get[list](t, c.client, "/invoice/list?page=2"); l.TotalResults != 200 || l.TotalPages != 2 ||
		len(l.Data) != 100 {
		t.Errorf("page 2 has %d of %d invoices on %d pages", len(l.Data), l.TotalResults, l.TotalPages)
	}
	each(t, 20, len(all), func(i int) error {
		a, err := c.send(http.MethodPost, "/api/invoices/"+all[i].ID+"/download-pdf/A4", nil)
		if err != nil {
			return err
		}
		return isPDF(a)
	})
	p.stop(t)
}
