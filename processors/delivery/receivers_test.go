package delivery_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/clock"
	"folio/commands"
	"folio/events"
	"folio/outbound"
	"folio/processors/delivery"
	"folio/tables/sqlite"
)

func answer(status int, wait time.Duration, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
		}
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
	}
}

func reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		err = conn.(*net.TCPConn).SetLinger(0)
	}
	if err != nil {
		panic(err)
	}
	conn.Close()
}

func endless(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, strings.Repeat("ñ", 1000)); err != nil {
			return
		}
	}
}

// Real receivers, the real client and the real clock: the verdict of each and when it
// is tried again.
func TestEachReceiverGetsItsVerdictAndItsNextTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler   http.HandlerFunc
		tls       bool
		outcome   string
		status    int
		delivered bool
	}{
		"200 after 700 ms": {handler: answer(200, 700*time.Millisecond), outcome: "delivered", status: 200,
			delivered: true},
		"200 after 1300 ms":       {handler: answer(200, 1300*time.Millisecond), outcome: "timeout"},
		"201":                     {handler: answer(201, 0), outcome: "status", status: 201},
		"204":                     {handler: answer(204, 0), outcome: "status", status: 204},
		"301":                     {handler: answer(301, 0, "Location", "/"), outcome: "status", status: 301},
		"410":                     {handler: answer(410, 0), outcome: "status", status: 410},
		"429 and Retry-After":     {handler: answer(429, 0, "Retry-After", "3600"), outcome: "status", status: 429},
		"500":                     {handler: answer(500, 0), outcome: "status", status: 500},
		"a reset":                 {handler: reset, outcome: "broken"},
		"200 and an endless body": {handler: endless, outcome: "delivered", status: 200, delivered: true},
		"a bad certificate":       {handler: answer(200, 0), tls: true, outcome: "tls"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewUnstartedServer(c.handler)
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			if c.tls {
				s.StartTLS()
			} else {
				s.Start()
			}
			defer s.Close()
			a := firstAttempt(t, s.URL)
			// A machine that stands still makes any receiver too slow; one that is so, is
			// so every time.
			for tries := 4; tries > 0 && a.Outcome == "timeout" && c.outcome != "timeout"; tries-- {
				a = firstAttempt(t, s.URL)
			}
			if a.Outcome != c.outcome || a.Status != c.status || a.Delivered != c.delivered {
				t.Fatalf("%s, %d, delivered %v (%s)", a.Outcome, a.Status, a.Delivered, a.Fault)
			}
			if len(a.Body) > outbound.MaxBody {
				t.Errorf("a body of %d bytes was kept", len(a.Body))
			}
			switch {
			case c.delivered && a.Next != nil:
				t.Errorf("delivered, and due again at %s", a.Next)
			case !c.delivered && (a.Next == nil || a.Next.Sub(a.Started) != 5*time.Second):
				t.Errorf("next at %v, begun at %s", a.Next, a.Started)
			}
		})
	}
}

// firstAttempt runs a processor until it has recorded an attempt at the address.
func firstAttempt(t *testing.T, address string) events.DeliveryAttempted {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	w := &world{t: t, log: newMemoryLog(), store: store}
	client := outbound.New(outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	defer client.Close()
	w.record("webhook-C1", events.WebhookSubscribed{Company: "C1", Webhook: 1, URL: address, Events: []string{"ISE"},
		Secret: secret})
	w.create("C1", "I1")
	id := w.start("I1")
	ctx, cancel := context.WithCancel(t.Context())
	p := delivery.New(w.log.Base(commands.NewExecutor(w.log, time.Now), store, clock.Real{}),
		delivery.Config{Past: past{w.log}, Streams: w.log, Secrets: secrets{}, Sender: client})
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	defer func() {
		cancel()
		<-ended
	}()
	for deadline := time.Now().Add(2 * time.Minute); ; {
		_, wake := w.log.Events()
		if a := w.attempts(id); len(a) > 0 {
			return a[0]
		}
		select {
		case <-wake:
		case <-time.After(time.Until(deadline)):
			t.Fatal(fmt.Errorf("no attempt at %s within 20 s", address))
		}
	}
}
