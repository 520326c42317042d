package writeapi_test

import (
	"fmt"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
)

// creditable is an accepted invoice of a country.
func creditable(t testing.TB, rules country.Rules, identifier, body string) (*world, shop, string) {
	w := newWorldOf(t, rules)
	s := w.owned(identifier)
	return w, s, w.issuedAs(s, "A", 1, body)
}

func (w *world) credit(s shop, id, body string, headers ...string) answer {
	w.t.Helper()
	return w.call("POST", "/api/invoices/"+id+"/credit-note", body, append(headers, s.key)...)
}

func totalOf(t testing.TB, a answer) string {
	return encoded(t, a.object()["totals"].(map[string]any)["total"])
}

func TestACreditNoteOfTheWholeMirrorsTheInvoice(t *testing.T) {
	for _, c := range []struct {
		rules            country.Rules
		identifier, body string
		kind, total      string
	}{
		{ar.Rules{}, cuit, sample(t), "NCA", "285.16"},
		{ar.Rules{}, cuit, sample(t, "currency", `{"code":"USD","exchange_rate":1450.5}`), "NCA", "285.16"},
		{cl.Rules{}, "77111222-6", plain("FAC", chileanBuyer, "CLP", ""), "NCE", "1190"},
		{cl.Rules{}, "77111222-6", plain("BOL", "", "CLP", ""), "NCE", "1190"},
		{uy.Rules{}, "217111220014", plain("TIC", nobody, "UYU", ""), "NCT", "1220"},
	} {
		w, s, id := creditable(t, c.rules, c.identifier, c.body)
		original := w.call("GET", "/api/invoices/"+id, "", s.key).want(200).object()
		made := w.credit(s, id, "").want(201)
		note := made.object()
		if note["invoice_type"] != c.kind || totalOf(t, made) != c.total {
			t.Errorf("%s: %v of %s", c.rules.Code(), note["invoice_type"], made.Body)
		}
		for _, member := range []string{"currency", "branch_office", "global_taxes"} {
			if encoded(t, note[member]) != encoded(t, original[member]) {
				t.Errorf("%s: %s is %v, not %v", c.rules.Code(), member, note[member], original[member])
			}
		}
		if ref := note["billing_reference"].([]any)[0].(map[string]any); ref["invoice_id"] != id {
			t.Errorf("%v", ref)
		}
		if c.body[:20] == plain("BOL", "", "CLP", "")[:20] {
			continue
		}
		for _, member := range []string{"items", "totals", "recipient"} {
			if encoded(t, note[member]) != encoded(t, original[member]) {
				t.Errorf("%s: %s is %v, not %v", c.rules.Code(), member, note[member], original[member])
			}
		}
		w.credit(s, id, `{"amount":1}`).fails(409, "NOTE_EXCEEDS_ORIGINAL")
	}
}

// Every amount from a peso on is credited to the cent, or the next ones are named.
func TestACreditNoteOfAnAmountComesToIt(t *testing.T) {
	for _, c := range []struct {
		rules            country.Rules
		identifier, body string
		unit             string
		always           bool
	}{
		{ar.Rules{}, cuit, sample(t), "0.01", true},
		{cl.Rules{}, "77111222-6", plain("FAC", chileanBuyer, "CLP", ""), "1", false},
		{cl.Rules{}, "77111222-6", plain("BOL", "", "CLP", ""), "1", false},
		{uy.Rules{}, "217111220014", plain("TIC", nobody, "UYU", ""), "0.01", false},
	} {
		w, s, id := creditable(t, c.rules, c.identifier, c.body)
		made := 0
		for n := 100; n < 109; n++ {
			amount := fmt.Sprint(n)
			if c.unit == "0.01" {
				amount = fmt.Sprintf("%d.%02d", n/100, n%100)
			}
			note := w.credit(s, id, `{"amount":`+amount+`}`)
			switch {
			case note.Code == 201 && totalOf(t, note) == amount:
				made++
			case note.Code != 422 || c.always:
				t.Errorf("%s: %s is %d: %s", c.rules.Code(), amount, note.Code, note.Body)
			default:
				note.fails(422, "VALIDATION_FAILED", "amount CREDIT_AMOUNT")
			}
		}
		if made < 7 {
			t.Errorf("%s: only %d of 9 amounts", c.rules.Code(), made)
		}
	}
}

func TestACreditNoteOfSomeItems(t *testing.T) {
	w, s, id := creditable(t, ar.Rules{}, cuit, sample(t))
	note := w.credit(s, id, `{"items":[{"item":0,"quantity":1}],"reason":"Devolución","external_reference":"R-1"}`).want(
		201)
	got := note.object()
	if items := got["items"].([]any); len(items) != 1 || encoded(t, items[0].(map[string]any)["quantity"]) != "1" ||
		got["observations"] != "Devolución" || got["external_reference"] != "R-1" {
		t.Errorf("%s", note.Body)
	}
	w.credit(s, id, `{"items":[{"item":7},{"item":0,"quantity":900},{"item":1},{"item":1}]}`).fails(422,
		"VALIDATION_FAILED", "items[0].item CREDIT_ITEMS", "items[1].quantity CREDIT_ITEMS", "items[3].item CREDIT_ITEMS")
	w.credit(s, id, `{"items":[{"item":0}],"amount":1,"invoice_date":"x"}`).fails(422, "VALIDATION_FAILED",
		"amount CREDIT_AMBIGUOUS", "invoice_date NOT_A_DATE_TIME")
	w, s, id = creditable(t, cl.Rules{}, "77111222-6", plain("BOL", "", "CLP", ""))
	if note := w.credit(s, id, `{"items":[{"item":0}]}`).want(201); totalOf(t, note) != "1190" {
		t.Errorf("%s", note.Body)
	}
	for _, body := range []string{plain("FAC", chileanBuyer, "CLP", ""), plain("BOL", "", "CLP", "")} {
		w, s, id = creditable(t, cl.Rules{}, "77111222-6", body)
		w.credit(s, id, `{"items":[{"item":0,"quantity":0.0001}]}`).fails(422, "VALIDATION_FAILED", "items CREDIT_ITEMS")
	}
}

func TestCreditNotesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	s, other := w.company(), w.owned("30712345671")
	id := w.issued(s, 1, worth(t, 200))
	w.credit(other, id, "").fails(404, "INVOICE_NOT_FOUND")
	w.credit(s, "01AAAAAAAAAAAAAAAAAAAAAAAA", "").fails(404, "INVOICE_NOT_FOUND")
	pending := w.call("POST", "/api/invoices", worth(t, 200), s.key).want(201).text("id")
	w.credit(s, pending, "").fails(409, "REFERENCE_NOT_ACCEPTED")
	note := w.issued(s, 2, correcting(t, "NCA", 100, byID(id)))
	w.credit(s, note, "").fails(409, "NOT_CREDITABLE")
	w.credit(s, id, `{"amount":1000}`).fails(409, "NOTE_EXCEEDS_ORIGINAL")
}

func TestACreditNoteIsIssuedOncePerKey(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id, second := w.issued(s, 1, worth(t, 200)), w.issued(s, 2, worth(t, 200))
	first := w.credit(s, id, `{"amount":121}`, "Idempotency-Key: k1").want(201)
	again := w.credit(s, id, `{"amount":121.0}`, "Idempotency-Key: k1").want(201)
	if first.text("id") != again.text("id") || again.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("%s\n%s", first.Body, again.Body)
	}
	w.credit(s, id, `{"amount":12.1}`, "Idempotency-Key: k1").fails(422, "IDEMPOTENCY_KEY_REUSED")
	w.credit(s, second, `{"amount":121}`, "Idempotency-Key: k1").fails(422, "IDEMPOTENCY_KEY_REUSED")
	w.call("POST", "/api/invoices", worth(t, 200), s.key, "Idempotency-Key: k1").fails(422, "IDEMPOTENCY_KEY_REUSED")
}
