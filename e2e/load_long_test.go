//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

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
