package pdf

import (
	"strings"
	"testing"
)

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
