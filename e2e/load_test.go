package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
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

func TestAThousandInvoicesAreReadRightAfterTheyWereCreated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	c := issuing(t, p, dir, 1)
	start := time.Now()
	each(t, 8, 1000, func(n int) error {
		reference := fmt.Sprintf("par-%d", n)
		id, err := c.pair(body("FCB", 1+n%4, reference), reference)
		if err != nil {
			return fmt.Errorf("pair %d: %w", n, err)
		}
		return c.listed(n, reference, id)
	})
	t.Logf("1,000 pairs in %s", time.Since(start).Round(time.Millisecond))
	c.settle(t, verdictLimit)
	consecutive(t, c.all(t))
	p.stop(t)
}

// pair creates an invoice and reads it at once.
func (c company) pair(body any, reference string) (id string, err error) {
	made, a, err := c.created(body)
	if err != nil {
		return "", err
	}
	if a.header.Get("Folio-Position") == "" || a.header.Get("Location") != "/api/invoices/"+made.ID {
		return "", fmt.Errorf("a create without position or location: %v", a.header)
	}
	got, err := c.send(http.MethodGet, "/api/invoices/"+made.ID, nil)
	if err != nil {
		return "", fmt.Errorf("the read after the create: %w", err)
	}
	if read, err := parse[invoice](got); err != nil || read.ID != made.ID || read.ExternalReference != reference {
		return "", fmt.Errorf("a stale read: %s (%v)", got.body, err)
	}
	return made.ID, nil
}

// listed wants every tenth invoice in the list as soon as it was created.
func (c company) listed(n int, reference, id string) error {
	if n%10 != 0 {
		return nil
	}
	a, err := c.send(http.MethodGet, "/api/invoice/list?external_reference="+reference, nil)
	if err != nil {
		return err
	}
	l, err := parse[list](a)
	if err != nil || l.TotalResults != 1 || len(l.Data) != 1 || l.Data[0].ID != id {
		return fmt.Errorf("the list after create %d has %s (%v)", n, a.body, err)
	}
	return nil
}
