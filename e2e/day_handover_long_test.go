//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// awayNation is a country whose documents may be handed over before the verdict.
type awayNation struct {
	nation
	zone    string
	tills   []int  // official codes that are sold
	handed  int    // of them the one that is handed over while the authority is away
	basis   string // on which
	unsent  int    // of them the one that is never sent, 0 for none
	patient string // flag --handover
}

// TestADayWithoutSII has boletas handed over while SII is away, and facturas that wait for it.
func TestADayWithoutSII(t *testing.T) {
	awayNation{nation: chile, zone: "America/Santiago", tills: []int{33, 39}, handed: 39, basis: "contingency",
		patient: "sent"}.day(t)
}

// TestADayWithoutDGI has small e-Tickets that DGI never sees, and e-Facturas that are handed over signed.
func TestADayWithoutDGI(t *testing.T) {
	awayNation{nation: uruguay, zone: "America/Montevideo", tills: []int{111, 101}, handed: 111, basis: "contingency",
		unsent: 101, patient: "offline"}.day(t)
}

func (n awayNation) day(t *testing.T) {
	zone, err := time.LoadLocation(n.zone)
	if err != nil {
		t.Fatal(err)
	}
	d := newDay(t, zone, "--handover", n.patient)
	d.c = n.company(t, d.p, d.dir)
	for _, code := range n.tills {
		n.number(t, d.c, d.dir, code, 1, 5000)
	}
	now := d.clock.Now().In(zone)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+2, 0, 0, 0, 0, zone)
	d.moveTo(midnight.Add(-14 * time.Hour))
	for _, code := range n.tills {
		d.till(fmt.Sprint("till-", code), func(k int, reference string) map[string]any {
			document := n.body(code, k)
			document["external_reference"], document["invoice_date"] = reference, d.today()+" 00:00:00"
			return document
		})
	}
	d.more(6)
	gone := d.loseNext(n.upload)
	eventually(t, verdictLimit, "an answer is lost", func() (string, bool) {
		select {
		case <-gone:
			return "", true
		default:
			return "", false
		}
	})
	limbo := d.inLimbo()
	for _, hours := range []time.Duration{-13 * time.Hour, -6 * time.Hour, -4 * time.Second, 3 * time.Hour} {
		d.moveTo(midnight.Add(hours))
		d.more(4)
		n.handsOver(d)
	}
	d.moveTo(midnight.Add(10 * time.Hour))
	d.spy.trouble.Store(nil)
	d.more(4)
	d.moveTo(midnight.Add(10*time.Hour + 10*time.Minute))
	d.stop.Store(true)
	d.tills.Wait()
	d.c.settle(t, 3*verdictLimit)
	n.check(d, limbo)
}

// handsOver waits until the last document of the kind that goes on may be handed over, and prints it.
func (n awayNation) handsOver(d *day) {
	d.t.Helper()
	prefix := fmt.Sprint("till-", n.handed, "-")
	last := 0
	d.mu.Lock()
	for reference := range d.sold {
		var k int
		if _, err := fmt.Sscanf(reference, prefix+"%d", &k); err == nil {
			last = max(last, k)
		}
	}
	id := d.sold[fmt.Sprint(prefix, last)]
	d.mu.Unlock()
	d.c.mayGo(d.t, id, n.basis)
	d.c.want(d.t, http.StatusOK, http.MethodGet, "/api/invoices/"+id+a4+"?before_verdict=true", nil)
	d.handed = append(d.handed, id)
}

// check wants one document of each sale under numbers without gap or double, and the authority to have each that it
// is sent once.
func (n awayNation) check(d *day, limbo []string) {
	t := d.t
	all := d.once()
	consecutive(t, all)
	ours := map[string]bool{}
	for _, i := range all {
		if i.Number == nil {
			continue // told already
		}
		var code, number int
		if _, err := fmt.Sscanf(i.ExternalReference, "till-%d-", &code); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf((*i.Number)[len("0000-"):], "%d", &number); err != nil {
			t.Fatal(err)
		}
		if code != n.unsent {
			ours[fmt.Sprint(code, " ", number)] = true
		}
	}
	for _, id := range d.handed {
		if got := d.c.delivery(t, id); got == nil || !got.Allowed || got.HandedOver == nil || got.NextStep != nil {
			t.Errorf("%s was handed over, and is %+v", id, got)
		}
	}
	for _, id := range limbo {
		if i := d.c.read(t, id); i.Status != "Accepted" {
			t.Errorf("in limbo as the outage began: %s", i)
		}
	}
	d.p.stop(t)
	succeed(t, "verify", "--data", d.dir)
	theirs := map[string]bool{}
	for _, a := range n.arrived(t, d.dir) {
		at := fmt.Sprint(a.code, " ", a.number)
		if theirs[at] || !ours[at] {
			t.Errorf("the authority has %s, twice: %v, ours: %v", at, theirs[at], ours[at])
		}
		theirs[at] = true
	}
	if len(theirs) != len(ours) {
		t.Errorf("the authority has %d documents, of ours %d are sent", len(theirs), len(ours))
	}
	t.Logf("%d sales, %d sent, %d handed over while the authority was away, %d in limbo", len(all), len(ours),
		len(d.handed), len(limbo))
}
