package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The first pause after a failure is a minute here, so what goes on sooner was woken.
func TestWhatWaitsForTheLogSaysSoAndGoesOnWhenItIsBack(t *testing.T) {
	t.Parallel()
	r := receive(t)
	x := inTrouble(t, "--retry-base", "60s", "--sandbox-latency", "1500ms", allowLoopback)
	x.c.subscribe(t, r.URL, "ISE")
	x.c.issue(t, body("FCA", 1, "before")) // the session with the authority is there
	told := len(r.await(t, 2, verdictLimit))
	waits := x.c.post(t, body("FCA", 1, "waits"))
	x.bytes.Refuse() // while the authority is called
	eventually(t, verdictLimit, "the invoice says what it waits for", func() (string, bool) {
		i := x.c.read(t, waits.ID)
		return i.String(), i.PendingReason != nil && i.PendingReason.Code == "LOG_UNAVAILABLE"
	})
	x.becomes(http.StatusServiceUnavailable, "says that the log is away")
	x.cure()
	x.becomes(http.StatusOK, "says that the log is back")
	const soon = 20 * time.Second // three calls of the authority, and a busy machine
	back := time.Now()
	eventually(t, soon, "the invoice goes on", func() (string, bool) {
		i := x.c.read(t, waits.ID)
		return i.String(), i.Status == "Accepted"
	})
	r.await(t, told+2, soon)
	t.Logf("accepted and told %s after the log was back", time.Since(back).Round(time.Millisecond))
	x.check()
	x.p.stop(t)
}

// An outage of the log must not take the readers out of a load balancer.
func TestAReaderGoesOnWithoutTheLog(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	old := x.c.issue(t, body("FCA", 1, "before"))
	reader := begin(t, append(append([]string{}, x.args...), "--roles", "read")...)
	reader.base = reader.await(t, "listening on ")
	c := x.c
	c.base = reader.base
	of := &troubled{t: t, p: reader}
	for tries := 0; ; tries++ { // a process that has just begun believes no key before it follows the log
		eventually(t, startLimit, "the reader, which has a connection of its own, knows the key", func() (string, bool) {
			a := must(c.once(http.MethodGet, "/api/invoices/"+old.ID, nil))
			return string(a.body), a.status == http.StatusOK
		})
		x.bytes.Refuse()
		if a := must(c.once(http.MethodGet, "/api/invoices/"+old.ID, nil)); a.status == http.StatusOK {
			break
		} else if tries == 5 {
			t.Fatalf("without the log a known key is refused: %d %s", a.status, a.body)
		}
		x.cure()
		x.insist(fmt.Sprint("between ", tries)) // the log is back
	}
	x.becomes(http.StatusServiceUnavailable, "says that the log is away")
	eventually(t, tellLimit, "the reader tells of the log and stays ready", func() (string, bool) {
		status, log := of.ready()
		if status != http.StatusOK {
			t.Fatalf("the reader is %d", status)
		}
		return fmt.Sprint(status, " ", log), log == "unreachable"
	})
	if got := c.read(t, old.ID); got.Status != "Accepted" {
		t.Errorf("without the log an invoice reads %s", got)
	}
	if l := get[list](t, c.client, "/api/invoices"); l.TotalResults < 1 {
		t.Errorf("without the log %d are listed", l.TotalResults)
	}
	x.cure()
	x.becomes(http.StatusOK, "says that the log is back")
	eventually(t, tellLimit, "the reader tells that it is back", func() (string, bool) {
		status, log := of.ready()
		return fmt.Sprint(status, " ", log), status == http.StatusOK && log == "ok"
	})
	reader.stop(t)
	x.p.stop(t)
}

func TestAStreamThatWasDeletedWhileNobodyLookedIsToldAtTheStart(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	x.c.issue(t, body("FCA", 1, "before"))
	x.p.stop(t)
	handAt(t, x.node).deletes("company-" + x.c.id)
	p := begin(t, x.args...)
	p.base = p.await(t, "listening on ")
	eventually(t, startLimit, "readyz tells of the stream, which nobody needs", func() (string, bool) {
		a := must(client{base: p.base}.send(http.MethodGet, "/readyz", nil))
		out := string(a.body)
		return out, a.status == http.StatusOK && strings.Contains(out, `"stream":"company-`+x.c.id+`"`)
	})
	p.kill()
}
