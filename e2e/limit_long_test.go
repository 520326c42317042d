//go:build long

package e2e

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestThreeThousandAMinuteAndRetryAfterIsEnough(t *testing.T) {
	p := serve(t, t.TempDir(), "--rate-limit-second", "0", "--log-level", "warn")
	bearer := login(t, p.base, email, password)
	start := time.Now()
	passed, refused, last := burst(t, bearer, 3050, "/api/companies?per_page=1")
	if took := time.Since(start); took < time.Minute && (passed != 3000 || refused != 50) {
		t.Errorf("%d passed and %d were refused in %s", passed, refused, took)
	}
	wait, err := strconv.Atoi(last.header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > 60 {
		t.Fatalf("Retry-After %q", last.header.Get("Retry-After"))
	}
	bearer.hasty = true
	time.Sleep(time.Duration(wait-2) * time.Second) // no longer than needed: it must still refuse
	bearer.want(t, http.StatusTooManyRequests, http.MethodGet, "/api/companies", nil)
	time.Sleep(2 * time.Second)
	bearer.want(t, http.StatusOK, http.MethodGet, "/api/companies", nil)
	p.stop(t)
}

func TestAClientThatStallsDoesNotHoldUpTheStop(t *testing.T) {
	p := serve(t, t.TempDir())
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprint(conn, "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: "+
		"application/json\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	eventually(t, startLimit, "the service has the connection", func() (string, bool) {
		return "", must(client{base: p.base}.send(http.MethodGet, "/healthz", nil)).status == http.StatusOK
	})
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(stopLimit + 5*time.Second):
		t.Fatalf("it still runs %s after SIGTERM", stopLimit+5*time.Second)
	}
}
