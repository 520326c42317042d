//go:build long

package e2e

import (
	"fmt"
	"strings"
)

func (x *traffic) count() (n int) {
	for _, m := range x.companies {
		m.mu.Lock()
		n += len(m.acked)
		m.mu.Unlock()
	}
	return n
}

// check wants every acknowledged invoice there once, accepted, under consecutive numbers, at
// its authority once, and told to its receiver in order.
func (x *traffic) check() {
	x.t.Helper()
	for _, m := range x.companies {
		all := m.company.all(x.t)
		consecutive(x.t, all)
		seen := map[string]int{}
		for _, i := range all {
			seen[i.ID]++
			if m.acked[i.ExternalReference] != i.ID {
				x.t.Errorf("%s: nobody was told of %s", m.name, i)
			}
		}
		for key, id := range m.acked {
			if seen[id] != 1 {
				x.t.Errorf("%s: the acknowledged %s is there %d times", key, id, seen[id])
			}
		}
		if len(all) != len(m.acked) {
			x.t.Errorf("%s has %d invoices and was told of %d", m.name, len(all), len(m.acked))
		}
		x.heardOf(m)
	}
	x.arrivedOnce()
}

// arrivedOnce wants each authority to have as many documents as the company, no more.
func (x *traffic) arrivedOnce() {
	x.t.Helper()
	if known := vouchers(x.t, x.dir); len(known) != len(x.companies[0].acked) {
		x.t.Errorf("the authority of Argentina has %d documents of %d", len(known), len(x.companies[0].acked))
	}
	for i, n := range nations {
		bytes := map[string]string{}
		for _, a := range n.arrived(x.t, x.dir) {
			at := fmt.Sprint(a.code, " ", a.number)
			if was, twice := bytes[at]; twice && was != a.sha256 {
				x.t.Errorf("%s has two documents under %s", n.name, at)
			}
			bytes[at] = a.sha256
		}
		if want := len(x.companies[i+1].acked); len(bytes) > want {
			x.t.Errorf("the authority of %s has %d documents of %d", n.name, len(bytes), want)
		}
	}
}

// heardOf wants the receiver to hear of each invoice, what came first first, and of each
// change under one id however often it was told.
func (x *traffic) heardOf(m *tradesman) {
	x.t.Helper()
	eventually(x.t, x.told, "the receiver of "+m.name+" hears of every invoice", func() (string, bool) {
		left := 0
		heard := x.verdicts()
		for id := range m.ids {
			if !heard[id] {
				left++
			}
		}
		return fmt.Sprintf("%d are missing", left), left == 0
	})
	ids, status := map[string]string{}, map[string]string{}
	for _, h := range x.receiver.all() {
		change := h.event.DocumentID + " " + h.event.Status
		id := h.header.Get("webhook-id")
		if was, known := ids[change]; known && was != id {
			x.t.Errorf("%s was told as %s and as %s", change, was, id)
		}
		first := ids[change] == ""
		ids[change] = id
		if before := status[h.event.DocumentID]; first && strings.HasPrefix(before, "Accepted") {
			x.t.Errorf("%s was told after %s", change, before)
		}
		status[h.event.DocumentID] = h.event.Status
	}
}

// verdicts are the invoices of whose acceptance the receiver has heard.
func (x *traffic) verdicts() map[string]bool {
	out := map[string]bool{}
	for _, h := range x.receiver.all() {
		if h.event.Status == "Accepted" {
			out[h.event.DocumentID] = true
		}
	}
	return out
}
