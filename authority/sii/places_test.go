package sii_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"

	"folio/authority"
	"folio/country/cl"
	"folio/events"
	"folio/money"
)

// What a DTE signs reads the same where it stands in the envelope and taken out of it, so
// that its signature holds in both places.
func TestADTEVerifiesInsideItsEnvelopeToo(t *testing.T) {
	w := newWorld(t)
	canonical := func(text, path string) []byte {
		doc := etree.NewDocument()
		if err := doc.ReadFromString(text); err != nil {
			t.Fatal(err)
		}
		found := doc.FindElement(path)
		if found == nil {
			t.Fatalf("no %s", path)
		}
		out, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(found)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for i, kind := range []string{"FAC", "BOL", "FXE"} {
		content := w.prepare(w.batch(kind, i, 7)).Content
		alone := cl.FromLatin1(dteOf(content))
		_, envelope, _ := strings.Cut(cl.FromLatin1(content), "?>")
		for _, path := range []string{"//DTE/*[1]", "//DTE/Signature/SignedInfo"} {
			if a, b := canonical(alone, path), canonical(envelope, path); !bytes.Equal(a, b) {
				t.Errorf("%s %s:\n%.200s\n%.200s", kind, path, a, b)
			}
		}
	}
}

// The switch of the sandbox refuses a guía without the data of goods in transit.
func TestTheSandboxAsksForGoodsInTransit(t *testing.T) {
	w := newWorld(t)
	k := w.server.Knobs()
	k.RequireTransit = true
	w.server.SetKnobs(k)
	whole := w.batch("GUI", 0, 1)
	if a, err := w.send(whole, w.prepare(whole)); err != nil || a.Outcomes[0].Result != events.Accepted {
		t.Fatalf("%+v, %v", a, err)
	}
	for folio, c := range []struct {
		kind, said string
		change     func(d *events.Document)
	}{
		{"GUI", "Falta Patente del", func(d *events.Document) {
			d.HeaderInfo = []byte(strings.Replace(string(d.HeaderInfo), `"plate":"ABCD12",`, "", 1))
		}},
		{"GUI", "Falta PrcItem de la linea 1", func(d *events.Document) {
			d.HeaderInfo = []byte(strings.Replace(string(d.HeaderInfo), `"transfer_type":5`, `"transfer_type":1`, 1))
			d.Items[0].UnitPrice = money.Zero
		}},
		{"GUI", "Falta QtyItem de la linea 1", func(d *events.Document) { d.Items[0].Quantity = money.Zero }},
		{"FAC", "Falta RUTTrans", func(d *events.Document) {
			d.HeaderInfo = []byte(strings.Replace(string(d.HeaderInfo), `{`, `{"dispatch_type":2,`, 1))
		}},
	} {
		b := w.batch(c.kind, folio, int64(folio)+10)
		c.change(&b.Documents[0].Document)
		a, err := w.send(b, w.prepare(b))
		if err != nil || a.Outcomes[0].Result != events.Rejected ||
			!strings.Contains(fmt.Sprint(a.Outcomes[0].Messages), c.said) {
			t.Errorf("%s: %+v, %v", c.said, a, err)
		}
	}
	covered := w.batch("FAC", 9, 20)
	d := &covered.Documents[0].Document
	d.HeaderInfo = []byte(strings.Replace(string(d.HeaderInfo), `{`, `{"dispatch_type":2,`, 1))
	d.BillingReference = []events.Reference{{Type: "GUI", OfficialCode: 52, Number: 1, Date: "2026-11-27"}}
	if a, err := w.send(covered, w.prepare(covered)); err != nil || a.Outcomes[0].Result != events.Accepted {
		t.Errorf("the guía that a factura names covers its goods: %+v, %v", a, err)
	}
	bare := w.batch("GUI", 0, 2)
	bare.Documents[0].Document.HeaderInfo = []byte(strings.Replace(string(bare.Documents[0].Document.HeaderInfo),
		`"departure_at":"2026-11-27 14:30:00"`, `"city":"Santiago"`, 1))
	a, err := w.send(bare, w.prepare(bare))
	if err != nil || a.Outcomes[0].Result != events.Rejected ||
		!strings.Contains(fmt.Sprint(a.Outcomes[0].Messages), "Falta FchSalida") {
		t.Errorf("%+v, %v", a, err)
	}
}

// The new elements stand in the order of the schemas, which prepare holds them to.
func TestTheElementsOf2025And2026FitTheSchemas(t *testing.T) {
	w := newWorld(t)
	boleta := w.batch("BOL", 0, 1)
	d := &boleta.Documents[0].Document
	d.PaymentMethod, d.PaymentDueDate = &events.PaymentMethod{Code: "EFE"}, "2026-12-27"
	d.HeaderInfo = []byte(strings.Replace(string(d.HeaderInfo), `{`,
		`{"geo_reference":{"latitude":"-33.4372","longitude":"-70.6506","system":"WGS84"},"recipient":{"contact":"Ana","email":"a@example.com","phone":"+56 9"},`, 1))
	guide := w.batch("GUI", 1, 1)
	g := &guide.Documents[0].Document
	g.HeaderInfo = []byte(strings.Replace(string(g.HeaderInfo), `"plate":"ABCD12"`,
		`"plate":"ABCD12","trailer_plate":"JT1234","arrival_date":"2026-11-29","long_move_reason":"por barco"`, 1))
	for want, b := range map[string]authority.Batch{"<MedioPago>1</MedioPago>": boleta,
		"<PatenteCarro>JT1234</PatenteCarro>": guide} {
		p := w.prepare(b)
		a, err := w.send(b, p)
		if err != nil || a.Outcomes[0].Result != events.Accepted || !strings.Contains(string(p.Content), want) {
			t.Errorf("%s: %+v, %v", want, a, err)
		}
	}
}
