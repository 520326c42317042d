package writeapi_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/commands"
)

const key = "Idempotency-Key: order-1042"

func (w *world) invoices() int { return w.log.Count("invoice-") }

func TestTheSameKeyAndBodyIsTheSameInvoice(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	first := w.call("POST", "/api/invoices", sample(t), s.key, key).want(201)
	if first.Header().Get("Idempotency-Replayed") != "" {
		t.Error("the first answer says that it is a replay")
	}
	w.settle(first.text("id"), 7)
	w.advance(26 * time.Hour)
	// Another order of members, another form of numbers and spaces: the same body (RFC 8785).
	same := strings.NewReplacer(`"rate":21}`, `"rate":2.1e1}`, `"discount":10`, `"discount":10.00`).Replace(sample(t))
	for _, body := range []string{sample(t), "  " + same + "\n"} {
		again := w.call("POST", "/api/invoices", body, s.key, key).want(201)
		if again.Body.String() != first.Body.String() || again.Header().Get("Idempotency-Replayed") != "true" ||
			again.Header().Get("Location") != first.Header().Get("Location") {
			t.Errorf("first\n%s\nagain\n%s %v", first.Body, again.Body, again.Header())
		}
	}
	// The sample's date is too old for a new invoice by now; the key still answers.
	w.advance(60 * 24 * time.Hour)
	w.call("POST", "/api/invoices", sample(t), s.key, key).want(201)
	if n := len(w.log.Stream("invoice-" + first.text("id"))); n != 4 {
		t.Errorf("the invoice has %d events", n)
	}
	w.restart()
	if again := w.call("POST", "/api/invoices", sample(t), s.key,
		key).want(201); again.Body.String() != first.Body.String() {
		t.Errorf("after a restart\n%s\n%s", first.Body, again.Body)
	}
}

// restart forgets what the process keeps in memory.
func (w *world) restart() { *w.x = *commands.NewExecutor(w.log, w.now) }

func TestTheSameKeyWithAnotherBodyIsRefused(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.call("POST", "/api/invoices", sample(t), s.key, key).want(201)
	for name, body := range map[string]string{
		"another amount":       sample(t, "observations", `"other"`),
		"a null where nothing": sample(t, "additional_header_info", `null`),
		"a faulty one":         `{}`,
	} {
		a := w.call("POST", "/api/invoices", body, s.key, key)
		a.fails(422, "IDEMPOTENCY_KEY_REUSED")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	if n := w.invoices(); n != 1 {
		t.Errorf("%d invoices", n)
	}
}

func TestAKeyBelongsToItsCompany(t *testing.T) {
	w := newWorld(t)
	s, other := w.company(), w.company()
	mine := w.call("POST", "/api/invoices", sample(t), s.key, key).want(201).text("id")
	theirs := w.call("POST", "/api/invoices", sample(t), other.key, key).want(201)
	if theirs.text("id") == mine || theirs.Header().Get("Idempotency-Replayed") != "" {
		t.Errorf("another company got the same invoice: %s", theirs.Body)
	}
}

func TestFaultsUseUpNoKey(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.call("POST", "/api/invoices", sample(t, "totals.total", "1"), s.key, key).fails(422, "VALIDATION_FAILED")
	w.log.failing("idempotency-")
	w.call("POST", "/api/invoices", sample(t), s.key, key).fails(503, "LOG_UNAVAILABLE")
	if a := w.call("POST", "/api/invoices", sample(t), s.key,
		key).want(201); a.Header().Get("Idempotency-Replayed") != "" {
		t.Error("a fault counts as the first use")
	}
	if n := w.invoices(); n != 1 {
		t.Errorf("%d invoices", n)
	}
}

func TestWhatACrashLeftOutIsFinished(t *testing.T) {
	for name, crash := range map[string]func(*world){
		"between RequestAccepted and InvoiceCreated": func(w *world) { w.log.failing("invoice-") },
		"after InvoiceCreated, before the answer":    func(w *world) { w.log.losing("invoice-") },
		"after RequestAccepted, its answer lost":     func(w *world) { w.log.losing("idempotency-") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.company()
			crash(w)
			w.call("POST", "/api/invoices", sample(t), s.key, key).fails(503, "LOG_UNAVAILABLE")
			began := w.now()
			w.restart()
			w.advance(3 * time.Hour)
			first := w.call("POST", "/api/invoices", sample(t), s.key, key).want(201)
			if got, want := first.text("created_at"), began.Format(time.RFC3339Nano); got != want {
				t.Errorf("created at %s, want the time of the first try, %s", got, want)
			}
			again := w.call("POST", "/api/invoices", sample(t), s.key, key).want(201)
			if again.Body.String() != first.Body.String() {
				t.Errorf("first\n%s\nagain\n%s", first.Body, again.Body)
			}
			if n := w.invoices(); n != 1 {
				t.Errorf("%d invoices", n)
			}
			if n := w.log.Count("idempotency-"); n != 1 {
				t.Errorf("%d uses of the key", n)
			}
		})
	}
}

func TestManyAtOnceWithOneKeyMakeOneInvoice(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	answers := make([]string, 32)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			a := w.call("POST", "/api/invoices", sample(t), s.key, key)
			answers[i] = fmt.Sprint(a.Code, " ", a.Body)
		})
	}
	all.Wait()
	for _, a := range answers {
		if a != answers[0] || !strings.HasPrefix(a, "201 ") {
			t.Errorf("answers differ:\n%s\n%s", answers[0], a)
		}
	}
	if n := w.invoices(); n != 1 {
		t.Errorf("%d invoices", n)
	}
	if n := w.call("GET", "/api/invoices", "", s.key).want(200).object()["total_results"]; fmt.Sprint(n) != "1" {
		t.Errorf("%v are listed", n)
	}
}

// The loser of a race takes over what the winner fixed, though its own company state
// was read earlier.
func TestTheLoserOfARaceAnswersWithTheFactThatWon(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	var once sync.Once
	var won answer
	w.log.hook(func(stream string) error {
		if strings.HasPrefix(stream, "idempotency-") {
			once.Do(func() {
				w.log.hook(nil)
				w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile", `{"tax_condition":"responsable_inscripto"}`,
					s.key).want(200)
				won = w.call("POST", "/api/invoices", sample(t), s.key, key).want(201)
			})
		}
		return nil
	})
	w.advance(time.Second)
	lost := w.call("POST", "/api/invoices", sample(t), s.key, key).want(201)
	if lost.Body.String() != won.Body.String() || lost.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("won\n%s\nlost\n%s", won.Body, lost.Body)
	}
	read := w.call("GET", "/api/invoices/"+won.text("id"), "", s.key).want(200)
	if read.Body.String() != won.Body.String() {
		t.Errorf("won\n%s\nread\n%s", won.Body, read.Body)
	}
}

func TestKeysThatAreNone(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	for name, bad := range map[string]string{"empty": "", "too long": strings.Repeat("x", 256), "not ASCII": "ñ",
		"a control character": "a\tb"} {
		a := w.call("POST", "/api/invoices", sample(t), s.key, "Idempotency-Key: "+bad)
		a.fails(422, "VALIDATION_FAILED", "Idempotency-Key INVALID_FORMAT")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	w.call("POST", "/api/invoices", sample(t), s.key, "Idempotency-Key: "+strings.Repeat("x", 255)).want(201)
}

func TestWithoutAKeyEachPostIsAnInvoice(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	a, b := w.call("POST", "/api/invoices", sample(t), s.key).want(201),
		w.call("POST", "/api/invoices", sample(t), s.key).want(201)
	if a.text("id") == b.text("id") {
		t.Error("two posts made one invoice")
	}
}
