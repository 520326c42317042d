package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"testing"
)

func TestAnIdempotencyKeyMakesOneInvoice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	c := issuing(t, p, dir, 1)
	first := once(t, c)
	for name, check := range map[string]func(*testing.T, company, answer){
		"the same JSON written otherwise is the same body": sameBody,
		"another body is refused":                          otherBody,
		"a fault is not stored":                            faultNotStored,
		"each company has its own keys":                    func(t *testing.T, c company, a answer) { ownKeys(t, p, a) },
		"a key has a form":                                 keyForm,
	} {
		t.Run(name, func(t *testing.T) { check(t, c, first) })
	}
	p.stop(t)

	p = serve(t, dir)
	c.base = p.base
	t.Run("after a restart the answer is the first one", func(t *testing.T) { sameAnswer(t, c, first) })
	t.Run("after a restart another body is refused", func(t *testing.T) { otherBody(t, c, first) })
	if l := get[list](t, c.client, "/api/invoices?external_reference=once"); l.TotalResults != 1 {
		t.Errorf("there are %d invoices of one key", l.TotalResults)
	}
	c.settle(t, verdictLimit)
	consecutive(t, c.all(t))
	p.stop(t)
}

const onceKey = "pedido 1042/1"

func onceBody() map[string]any { return body("FCA", 1, "once") }

// once posts the same body with the same key from 32 clients at once.
func once(t *testing.T, c company) answer {
	keyed := c.client.with("Idempotency-Key", onceKey)
	var mu sync.Mutex
	var first answer
	replayed := 0
	each(t, 32, 32, func(int) error {
		a, err := keyed.send(http.MethodPost, "/api/invoices", onceBody())
		if err != nil {
			return err
		}
		if a.status != http.StatusCreated {
			return fmt.Errorf("%d %s", a.status, a.body)
		}
		mu.Lock()
		defer mu.Unlock()
		if first.body == nil {
			first = a
		}
		if !bytes.Equal(a.body, first.body) || a.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("two answers to one key:\n%s\n%s", a.body, first.body)
		}
		if a.header.Get("Idempotency-Replayed") == "true" {
			replayed++
		}
		return nil
	})
	if replayed != 31 {
		t.Errorf("%d of 32 answers are replayed, want 31", replayed)
	}
	if i := decode[invoice](t, first); i.Status != "Pending" {
		t.Errorf("the first answer is %s", i)
	}
	c.accepted(t, decode[invoice](t, first).ID)
	sameAnswer(t, c, first)
	return first
}

// sameAnswer wants the first answer again, byte for byte, though the invoice has gone on.
func sameAnswer(t *testing.T, c company, first answer) {
	a := c.with("Idempotency-Key", onceKey).want(t, http.StatusCreated, http.MethodPost, "/api/invoices", onceBody())
	if !bytes.Equal(a.body, first.body) || a.header.Get("Idempotency-Replayed") != "true" ||
		a.header.Get("Location") != first.header.Get("Location") {
		t.Errorf("the replay is %s\n%s\nwant\n%s", a.header, a.body, first.body)
	}
}

func sameBody(t *testing.T, c company, first answer) {
	keyed := c.client.with("Idempotency-Key", "spelling")
	const one = `{"invoice_type":"FCB","invoice_date":"DAY","concept":"1","totals":{"sub_total":1.50,"total":1.5,"taxes":[{"type":"exempt","base_amount":1.5,"amount":0}]},"items":[{"code_unit_of_measure":"u","quantity":1,"unit_price":1.5,"description":"\u00d1","taxes":[{"type":"exempt","rate":0,"amount":0}]}]}`
	const two = `{ "concept":"1", "items":[ {"description":"Ñ","code_unit_of_measure":"u","unit_price":1.50,"quantity":1.0,"taxes":[{"amount":0.0,"type":"exempt","rate":0}]} ],
		"totals":{"total":15e-1,"sub_total":1.5,"taxes":[{"base_amount":15e-1,"type":"exempt","amount":0}]},"invoice_date":"DAY","invoice_type":"FCB"}`
	dated := func(s string) []byte { return bytes.ReplaceAll([]byte(s), []byte("DAY"), []byte(today)) }
	a := keyed.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", dated(one))
	b := keyed.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", dated(two))
	if !bytes.Equal(a.body, b.body) || b.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("one body in two spellings gave\n%s\n%s", a.body, b.body)
	}
}

func otherBody(t *testing.T, c company, _ answer) {
	other := onceBody()
	other["observations"] = "otra cosa"
	c.with("Idempotency-Key", onceKey).refused(t, 422, "IDEMPOTENCY_KEY_REUSED", http.MethodPost, "/api/invoices", other)
}

func faultNotStored(t *testing.T, c company, _ answer) {
	keyed := c.client.with("Idempotency-Key", "second try")
	wrong := body("FCB", 1, "repaired")
	wrong["concept"] = "9"
	keyed.refused(t, 422, "VALIDATION_FAILED", http.MethodPost, "/api/invoices", wrong)
	keyed.refused(t, 422, "VALIDATION_FAILED", http.MethodPost, "/api/invoices", wrong)
	a := keyed.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", body("FCB", 1, "repaired"))
	if a.header.Get("Idempotency-Replayed") != "" {
		t.Error("the first valid use of the key is said to be a replay")
	}
}

func ownKeys(t *testing.T, p *process, first answer) {
	other := register(t, login(t, p.base, email, password), cuit(9))
	a := other.with("Idempotency-Key", onceKey).want(t, http.StatusCreated, http.MethodPost, "/api/invoices", onceBody())
	if a.header.Get("Idempotency-Replayed") != "" || decode[invoice](t, a).ID == decode[invoice](t, first).ID {
		t.Errorf("another company's key is taken for this one's: %s", a.body)
	}
}

func keyForm(t *testing.T, c company, _ answer) {
	for _, key := range []string{"ñ", string(bytes.Repeat([]byte("k"), 256))} {
		c.with("Idempotency-Key", key).refused(t, 422, "VALIDATION_FAILED", http.MethodPost, "/api/invoices", onceBody())
	}
}
