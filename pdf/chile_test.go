package pdf

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"folio/country"
)

// chilean is a form as package cl makes it: the golden of its own tests.
func chilean(t testing.TB, name string) country.Form {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "country", "cl", "testdata", name+".form.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f country.Form
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestChileanFormsShowEverythingTheyHold(t *testing.T) {
	for _, name := range []string{"invoice", "receipt", "credit_note", "dispatch", "export", "exempt"} {
		f := chilean(t, name)
		d, _ := render(t, f, sampleLogo(t))
		whole := ""
		for i := range d.pages {
			whole += d.text(i)
		}
		eachText(&f, func(s *string) {
			for word := range strings.FieldsSeq(*s) {
				if *s != f.ID && *s != f.Title && !strings.Contains(whole, word) {
					t.Errorf("%s: %q of %q is not shown", name, word, *s)
				}
			}
		})
	}
}

func TestTheSecondCopyHasPagesOfItsOwn(t *testing.T) {
	f := chilean(t, "invoice")
	for range 60 {
		f.Rows = append(f.Rows, f.Rows[0])
	}
	d, _ := render(t, f, nil)
	if len(d.pages)%2 != 0 || len(d.pages) < 4 {
		t.Fatalf("%d pages", len(d.pages))
	}
	half := len(d.pages) / 2
	for i := range d.pages {
		if has := strings.Contains(d.text(i), "CEDIBLE\n"); has != (i >= half) {
			t.Errorf("page %d says CEDIBLE: %v", i+1, has)
		}
		last := i == half-1 || i == len(d.pages)-1
		if has := strings.Contains(d.text(i), "Timbre Electrónico SII\n"); has != last {
			t.Errorf("page %d has the stamp: %v", i+1, has)
		}
		if has := strings.Contains(d.pages[i], "0.85 0.00 0.00 rg"); !has {
			t.Errorf("page %d has nothing in red", i+1)
		}
	}
}

func TestAStampThatNoCodeCanHoldIsRefused(t *testing.T) {
	f := chilean(t, "invoice")
	f.Stamp = strings.Repeat("x", 2000)
	if _, err := Render(f, nil); err == nil {
		t.Error("it was taken")
	}
	f.Stamp = ""
	if _, err := Render(f, nil); err != nil {
		t.Errorf("a form without a stamp: %v", err)
	}
}
