package derive

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the document and the catalogue of codes anew")

// wired are the places whose codes come through a function that the program wires in;
// Codes looks there too.
var wired = []string{"folio/writeapi: code"}

// What is served is what the program says: no route, field, status or code without its
// entry, and none that the program lacks. Each difference is cured with -update, or by
// explaining what is new in operations.go or words.go.
func TestTheDocumentIsTheProgram(t *testing.T) {
	p, err := Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	codes, err := p.Codes()
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range p.Lost {
		if !slices.Contains(wired, place) {
			t.Errorf("nobody knows which codes come from %s", place)
		}
	}
	for _, c := range codes {
		if len(c.Says) == 0 {
			t.Errorf("%s says nothing: explain it in codes.go", c.Code)
		}
	}
	same(t, "../codes.json", encoded(t, codes))
	same(t, "../holes.json", encoded(t, p.Holes))
	same(t, "../reasons.json", encoded(t, p.Reasons()))
	same(t, "../stories.json", encoded(t, p.Stories()))
	waits := p.Waits()
	for _, c := range waits {
		if len(c.Says) == 0 {
			t.Errorf("no call says why an invoice waits with %s", c.Code)
		}
	}
	same(t, "../waits.json", encoded(t, waits))
	document, err := p.Document()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "../openapi.json", append(document, '\n'))
	typed, err := GoClient(document)
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range typed {
		same(t, "../../client/"+name, source)
	}
}

func encoded(t *testing.T, codes any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(codes); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func same(t *testing.T, path string, made []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, made) {
		at := 0
		for at < min(len(kept), len(made)) && kept[at] == made[at] {
			at++
		}
		t.Errorf("%s is not what the program says (from byte %d: …%.200s…): run go test ./apidoc/derive -update and look "+
			"at the diff",
			path, at, made[max(0, at-100):])
	}
}
