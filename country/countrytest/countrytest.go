// Package countrytest is what the tests of every country's rules need: golden files and
// violations to compare with.
package countrytest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/events"
	"folio/fault"
)

var update = flag.Bool("update", false, "write the golden files again")

// Golden compares got with testdata/name.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and look at the difference:\n%s", path, got)
	}
}

// GoldenForm compares a printed document with testdata/<name>.form.json.
func GoldenForm(t *testing.T, name string, f country.Form) {
	t.Helper()
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		t.Fatal(err)
	}
	Golden(t, name+".form.json", got.Bytes())
}

// described is "path CODE" of each violation, sorted.
func described(vs []fault.Violation) []string {
	list := make([]string, len(vs))
	for i, v := range vs {
		list[i] = v.Path + " " + v.Code
	}
	slices.Sort(list)
	return list
}

// MustRefuse wants exactly these violations, as "path CODE".
func MustRefuse(t *testing.T, vs []fault.Violation, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := described(vs); !slices.Equal(got, want) {
		t.Errorf("violations are\n  %s\nwant\n  %s\n%v", strings.Join(got, "\n  "), strings.Join(want, "\n  "), vs)
	}
}

// MustSay wants every violation to say where, what and why.
func MustSay(t *testing.T, vs []fault.Violation) {
	t.Helper()
	for _, v := range vs {
		if v.Path == "" || v.Code == "" || v.Message == "" {
			t.Fatalf("a violation that says nothing: %+v", v)
		}
	}
}

// Unsaid is the document with lines and totals that say nothing of taxes.
func Unsaid(d events.Document) events.Document {
	for i := range d.Items {
		d.Items[i].Taxes = nil
	}
	d.Totals.Taxes = nil
	return d
}
