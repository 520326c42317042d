//go:build long

package pdf

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"folio/country"
)

// Every number of items, all the way to bytes and back through a reader.
func TestEveryNumberOfItemsIsAWholeDocument(t *testing.T) {
	picture := sampleLogo(t)
	for name, form := range map[string]func(int) country.Form{"A": formA, "B": formB, "FCE": formFCE} {
		for n := range 121 {
			f := form(n)
			d, _ := render(t, f, picture)
			whole := ""
			for i := range d.pages {
				whole += d.text(i)
				if want := fmt.Sprintf("Página %d de %d\n", i+1, len(d.pages)); !strings.Contains(d.text(i), want) {
					t.Fatalf("%s with %d items: page %d lacks %q", name, n, i+1, want)
				}
			}
			for _, row := range f.Rows {
				if strings.Count(whole, row[0]+"\n") != 1 {
					t.Fatalf("%s with %d items: %s stands there %d times", name, n, row[0], strings.Count(whole, row[0]+"\n"))
				}
			}
		}
	}
}

func TestTheMostItemsADocumentMayHave(t *testing.T) {
	f := formA(country.MaxItems)
	for i := range f.Rows {
		f.Rows[i][1] = strings.Repeat("Łódź: descripción de un renglón cualquiera. ", 6)
	}
	d, out := render(t, f, sampleLogo(t))
	if len(d.pages) < 50 || len(out) > 4<<20 {
		t.Errorf("%d pages, %d bytes", len(d.pages), len(out))
	}
}

func TestTheLargestLogos(t *testing.T) {
	for name, upload := range map[string][]byte{
		"PNG":  encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 3000, 3000))),
		"JPEG": encodeJPEG(t, image.NewGray(image.Rect(0, 0, 4000, 2250))),
	} {
		out, w, h, err := NormaliseLogo(t.Context(), upload)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkPrintable(t, out, w, h)
	}
}
