package e2e

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// handingOver is the member delivery of a record.
type handingOver struct {
	Allowed    bool
	Basis      *string
	SentAt     *string `json:"sent_at"`
	Receipt    *string
	HandedOver *string `json:"handed_over_at"`
	NextStep   *string `json:"next_step"`
}

func (c company) delivery(t testing.TB, id string) *handingOver {
	t.Helper()
	return get[struct{ Delivery *handingOver }](t, c.client, "/api/invoices/"+id).Delivery
}

// mayGo waits until an invoice may be handed over, on a basis.
func (c company) mayGo(t testing.TB, id, basis string) handingOver {
	t.Helper()
	var d *handingOver
	eventually(t, verdictLimit, "it may be handed over", func() (string, bool) {
		d = c.delivery(t, id)
		return fmt.Sprint(d, c.read(t, id)), d != nil && d.Allowed && d.Basis != nil && *d.Basis == basis
	})
	return *d
}

const a4 = "/download-pdf/A4"

// prints downloads the paper of an invoice without a verdict; FOLIO_PICTURES names a folder that keeps it.
func (c company) prints(t testing.TB, id, name string) {
	t.Helper()
	c.refused(t, http.StatusConflict, "INVOICE_NOT_ACCEPTED", http.MethodGet, "/api/invoices/"+id+a4, nil)
	for _, paper := range []string{a4, "/download-pdf/ticket"} {
		a := c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+id+paper+"?before_verdict=true", nil)
		if a.header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(string(a.body), "%PDF-") {
			t.Errorf("the print is %v %.100q", a.header, a.body)
		}
		if dir := os.Getenv("FOLIO_PICTURES"); dir != "" {
			file := dir + "/" + name + strings.ReplaceAll(paper, "/", "-") + ".pdf"
			if err := os.WriteFile(file, a.body, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func described(document map[string]any, text string) map[string]any {
	document["items"].([]map[string]any)[0]["description"] = text
	return document
}

func TestChileanDocumentsAreHandedOverBeforeTheVerdict(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sii := spyOn(t, dir)
	flags := append(soonAway(sii), "--handover", "sent")
	p := serve(t, dir, flags...)
	c := chilean(t, p, dir)
	c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	c.enumerate(t, http.StatusCreated, 39, caf(t, dir, rutIssuer, 39, 1, 100))

	stuck := c.post(t, described(pesos("FAC", "stuck"), "Taladro SANDBOX:stick"))
	if d := c.mayGo(t, stuck.ID, "sent"); d.SentAt == nil || d.Receipt == nil || d.HandedOver != nil {
		t.Errorf("what SII has is %+v", d)
	}
	c.prints(t, stuck.ID, "cl-sent")
	if d := c.delivery(t, stuck.ID); d.HandedOver == nil || c.read(t, stuck.ID).Status != "In process" {
		t.Errorf("what was handed over is %+v", d)
	}

	sii.trouble.Store(&trouble{effect: down})
	var boletas []invoice
	for n := range 8 { // more than an authority that answers nobody would be sent
		boletas = append(boletas, c.post(t, pesos("BOL", fmt.Sprint("during ", n))))
	}
	doomed := c.post(t, described(pesos("BOL", "doomed"), "Taladro SANDBOX:reject=HED-3-340"))
	factura := c.post(t, pesos("FAC", "waits"))
	for _, b := range append(boletas, doomed) {
		c.mayGo(t, b.ID, "contingency")
	}
	c.prints(t, boletas[7].ID, "cl-contingency")
	c.prints(t, doomed.ID, "cl-doomed")
	if d := c.delivery(t, factura.ID); d == nil || d.Allowed || d.Basis != nil {
		t.Errorf("a factura that SII does not have: %+v", d)
	}
	c.refused(t, http.StatusConflict, "HANDOVER_NOT_ALLOWED", http.MethodGet,
		"/api/invoices/"+factura.ID+a4+"?before_verdict=true", nil)
	p.kill()
	p = serve(t, dir, flags...)
	c.base = p.base
	sii.trouble.Store(nil)
	for n, b := range boletas {
		if i := c.accepted(t, b.ID); *i.Number != fmt.Sprintf("0000-%08d", n+1) {
			t.Errorf("boleta %d is %s: not in the order of creation", n, i)
		}
	}
	if d := c.mayGo(t, boletas[7].ID, "sent"); d.HandedOver == nil || d.NextStep != nil {
		t.Errorf("once it is accepted: %+v", d)
	}
	eventually(t, verdictLimit, "the other one is rejected", func() (string, bool) {
		i := c.read(t, doomed.ID)
		return i.String(), i.Status == "Rejected"
	})
	if d := c.delivery(t, doomed.ID); d.Allowed || d.HandedOver == nil || d.NextStep == nil ||
		!strings.Contains(*d.NextStep, "void") {
		t.Errorf("refused after it was handed over: %+v", d)
	}
	inSpanish := string(must(c.with("Accept-Language", "es").send("GET", "/api/invoices/"+doomed.ID, nil)).body)
	if !strings.Contains(inSpanish, `"next_step":"Se entregó antes de que el SII lo rechazara`) {
		t.Errorf("in Spanish: %s", inSpanish)
	}
	c.accepted(t, factura.ID)
	p.stop(t)
	p = serve(t, dir, "--authority-url", sii.URL)
	c.base = p.base
	if a := string(must(c.send("GET", "/api/invoices/"+boletas[0].ID, nil)).body); strings.Contains(a, `"delivery"`) {
		t.Errorf("without the flag the record is %s", a)
	}
	c.refused(t, 422, "VALIDATION_FAILED", http.MethodGet, "/api/invoices/"+stuck.ID+a4+"?before_verdict=true", nil)
	p.stop(t)
}

func TestUruguayanDocumentsAreHandedOverBeforeTheVerdict(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dgi := spyOn(t, dir)
	flags := soonAway(dgi)
	p := serve(t, dir, append(flags, "--handover", "sent")...)
	c := uruguayan(t, p, dir)
	c.enumerate(t, http.StatusCreated, 111, cae(t, dir, rucIssuer, 111, "A", 1, 100))
	c.enumerate(t, http.StatusCreated, 101, cae(t, dir, rucIssuer, 101, "A", 1, 100))
	stuck := c.post(t, described(uruguayos("EFA", "stuck", 2), "Yerba SANDBOX:stick"))
	if d := c.mayGo(t, stuck.ID, "sent"); d.SentAt == nil || d.Receipt == nil {
		t.Errorf("what DGI has is %+v", d)
	}
	c.prints(t, stuck.ID, "uy-sent")

	dgi.trouble.Store(&trouble{effect: down})
	small := c.post(t, uruguayos("TIC", "small", 1))
	c.accepted(t, small.ID)
	c.mayGo(t, small.ID, "report_only")
	waits := c.post(t, uruguayos("EFA", "waits", 2))
	eventually(t, verdictLimit, "the outage is seen", func() (string, bool) {
		all := c.outages(t)
		return fmt.Sprint(all), len(all) > 0
	})
	if d := c.delivery(t, waits.ID); d == nil || d.Allowed {
		t.Errorf("an e-Factura that DGI does not have: %+v", d)
	}
	p.kill()
	p = serve(t, dir, append(flags, "--handover", "offline")...)
	c.base = p.base
	c.mayGo(t, waits.ID, "contingency")
	c.prints(t, waits.ID, "uy-contingency")
	dgi.trouble.Store(nil)
	if i := c.accepted(t, waits.ID); *i.Number != "0000-00000002" {
		t.Errorf("it is %s", i)
	}
	p.stop(t)
}
