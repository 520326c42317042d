package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"

	"strings"
	"testing"
)

// updateBefore writes the golden from the program that FOLIO_E2E_PROGRAM names: one of before there were contingencies
// and hand-overs.
var updateBefore = flag.Bool("update-before", false, "write testdata/before-contingency.txt")

// TestWithEverythingOffAnswersAndEventsAreAsBefore holds the answers about documents of three countries, and their
// events as they are stored, to what a program gave that knew neither contingencies nor hand-overs, with what later
// releases say of any document (no_fiscal_value, the issuer_condition that the class gives). What differs between any
// two runs is struck out: ids, times, codes and digests.
func TestWithEverythingOffAnswersAndEventsAreAsBefore(t *testing.T) {
	t.Parallel()
	const golden = "testdata/before-contingency.txt"
	dir := t.TempDir()
	p := serve(t, dir)
	out := &transcript{t: t, ids: map[string]string{}}
	ar := issuing(t, p, dir, 1)
	out.issue(ar, dir, body("FCA", 1, "before-1"), body("FCB", 1, "before-2"))
	cl := chilean(t, p, dir)
	cl.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	cl.enumerate(t, http.StatusCreated, 39, caf(t, dir, rutIssuer, 39, 1, 100))
	out.issue(cl, dir, pesos("FAC", "before-3"), pesos("BOL", "before-4"))
	uy := uruguayan(t, p, dir)
	uy.enumerate(t, http.StatusCreated, 111, cae(t, dir, rucIssuer, 111, "A", 1, 100))
	uy.enumerate(t, http.StatusCreated, 101, cae(t, dir, rucIssuer, 101, "A", 1, 100))
	out.issue(uy, dir, uruguayos("EFA", "before-5", 2), uruguayos("TIC", "before-6", 1))
	p.stop(t)
	if *updateBefore {
		if err := os.WriteFile(golden, out.text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	had, have := strings.Split(string(want), "\n"), strings.Split(out.text.String(), "\n")
	for i := range max(len(had), len(have)) {
		if i >= len(had) || i >= len(have) || had[i] != have[i] {
			t.Fatalf("line %d is\n%s\nand was\n%s", i+1, strings.Join(have[min(i, len(have)):min(i+3, len(have))], "\n"),
				strings.Join(had[min(i, len(had)):min(i+3, len(had))], "\n"))
		}
	}
}

// transcript is what a program said, with what differs between two runs struck out.
type transcript struct {
	t    *testing.T
	text bytes.Buffer
	ids  map[string]string
}

// issue issues documents of a company one after the other, and writes down what is said of them.
func (x *transcript) issue(c company, dir string, documents ...map[string]any) {
	x.t.Helper()
	for _, document := range documents {
		made := c.want(x.t, http.StatusCreated, http.MethodPost, "/api/invoices", document)
		x.write("created", made.body)
		i := c.accepted(x.t, decode[invoice](x.t, made).ID)
		x.write("read", c.want(x.t, http.StatusOK, http.MethodGet, "/api/invoices/"+i.ID, nil).body)
		for _, paper := range []string{"A4", "ticket"} {
			a := c.want(x.t, http.StatusOK, http.MethodGet, "/api/invoices/"+i.ID+"/download-pdf/"+paper, nil)
			fmt.Fprintf(&x.text, "# %s %s\n%d pages\n", paper, a.header.Get("Content-Type"),
				bytes.Count(a.body, []byte("/Type /Page\n")))
		}
		for _, f := range history(x.t, dir, i.ID) {
			x.write(f.Type, f.Stored)
		}
	}
}

// write adds a text of JSON, indented, without calls: how often a verdict is asked for depends on the machine.
func (x *transcript) write(name string, text []byte) {
	x.t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		x.t.Fatalf("%s: %v: %s", name, err, text)
	}
	if o, ok := v.(map[string]any); ok {
		delete(o, "calls")
	}
	told, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		x.t.Fatal(err)
	}
	fmt.Fprintf(&x.text, "# %s\n%s\n", name, x.struck(string(told)))
}

var struckOut = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`https?://[^"]+`), "<address>"},
	{regexp.MustCompile(`"(receipt|sha256|digest|processed|hash|security_code)": "[^"]*"`), `"$1": "<text>"`},
	{regexp.MustCompile(`[A-Za-z0-9+/]{40,}={0,2}`), "<bytes>"}, // keys and signatures
	{regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)?`), "<time>"},
	{regexp.MustCompile(`\b(\d{14}|\d{11}|20\d{6})\b`), "<digits>"}, // codes of authorizations, and days
	{regexp.MustCompile(`C:\d+/P:\d+`), "<position>"},
}

var ulidForm = regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`)

// struck replaces what differs; an id is told by its place among all of them.
func (x *transcript) struck(text string) string {
	text = ulidForm.ReplaceAllStringFunc(text, func(id string) string {
		if x.ids[id] == "" {
			x.ids[id] = fmt.Sprintf("<id %d>", len(x.ids)+1)
		}
		return x.ids[id]
	})
	for _, s := range struckOut {
		text = s.what.ReplaceAllString(text, s.with)
	}
	return text
}
