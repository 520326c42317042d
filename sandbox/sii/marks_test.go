package sii

import (
	"strings"
	"testing"

	"github.com/beevik/etree"

	"folio/sandbox/desk"
)

// marked is an envelope with a document to a recipient, with a text in it.
func marked(t *testing.T, rut, text string) set {
	t.Helper()
	whole := `<DTE><Documento><Encabezado><Receptor><RUTRecep>` + rut +
		`</RUTRecep></Receptor></Encabezado><Detalle><NmbItem>` + text + `</NmbItem></Detalle></Documento></DTE>`
	doc := etree.NewDocument()
	if err := doc.ReadFromString(whole); err != nil {
		t.Fatal(err)
	}
	return set{documents: []dte{{text: whole, alone: doc.Root(), body: doc.Root().ChildElements()[0]}}}
}

func TestAMarkIsReadOnceThoughTheStampRepeatsIt(t *testing.T) {
	call := &call{Server: &Server{Desk: desk.New(desk.Options{Effects: effects})}, environment: Testing}
	for _, c := range []struct{ name, stamped string }{
		{"Clavo SANDBOX:remark=HED-2-340", "Clavo SANDBOX:remark=HED-2-340"},
		{"Clavos de acero templado SANDBOX:remark=HED-2-340", "Clavos de acero templado SANDBOX:remark="},
	} {
		text := c.name + `</NmbItem></Detalle><TED version="1.0"><DD><IT1>` + c.stamped +
			`</IT1></DD></TED><Detalle><NmbItem>otro`
		got := call.marks(sending{issuer: "77111222-6"}, marked(t, "76192083-9", text))
		if len(got) != 1 || got[0].Effect != Remark || got[0].Code != "HED-2-340" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestMarksOfDocuments(t *testing.T) {
	for _, c := range []struct{ rut, text, first, second string }{
		{"76192083-9", "sin marca", "", ""},
		{"76192083-9", "Taladro SANDBOX:reject=DTE-3-101 y mas", "reject DTE-3-101", "reject DTE-3-101"},
		{"76192083-9", "SANDBOX:lose,remark=HED-2-1", "lose, remark HED-2-1", "remark HED-2-1"},
		{"76192083-9", "SANDBOX:explode", "reject DTE-3-999", "reject DTE-3-999"},
		{"99990001-1", "x", "reject HED-3-340", "reject HED-3-340"},
		{"99990003-8", "x", "lose", ""},
		{"99990099-8", "x", "", ""},
	} {
		d := desk.New(desk.Options{Effects: effects})
		call := &call{Server: &Server{Desk: d}, environment: Testing}
		for i, want := range []string{c.first, c.second} {
			var got []string
			for _, f := range call.marks(sending{issuer: "77111222-6"}, marked(t, c.rut, c.text)) {
				got = append(got, strings.TrimSpace(string(f.Effect)+" "+f.Code))
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s %q, attempt %d: %v, want %s", c.rut, c.text, i, got, want)
			}
		}
	}
}
