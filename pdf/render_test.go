package pdf

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/country"
)

func render(t testing.TB, f country.Form, picture []byte) (*document, []byte) {
	t.Helper()
	out, err := Render(f, picture)
	if err != nil {
		t.Fatal(err)
	}
	d, err := readPDF(out)
	if err != nil {
		t.Fatal(err)
	}
	return d, out
}

func TestADocumentShowsEveryTextOfItsForm(t *testing.T) {
	for name, f := range map[string]country.Form{"A": formA(5), "B": formB(25), "FCE": formFCE(60)} {
		d, _ := render(t, f, nil)
		showsAll(t, name, d, f)
	}
}

// showsAll wants every word of a form on the pages, but for those of its metadata.
func showsAll(t *testing.T, name string, d *document, f country.Form) {
	t.Helper()
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

func TestADocumentIsSetInHelveticaUntilAnotherLetterComes(t *testing.T) {
	f := formA(2)
	f.Rows[0][1] = "Ñandú – «Güemes» “a” ‘b’ … € ñ ¿¡ ª º 😀 中 − ‑ №"
	d, _ := render(t, f, nil)
	for _, font := range d.fonts {
		if !strings.HasPrefix(font, "Helvetica") {
			t.Errorf("font %s is in the document", font)
		}
	}
	want := "Ñandú – «Güemes» “a” ‘b’ … € ñ ¿¡ ª º [U+1F600] [U+4E2D] – - N°"
	if got := squeeze(d.text(0)); !strings.Contains(got, squeeze(want)) {
		t.Errorf("the page does not show %q", want)
	}

	f.Rows[0][1] = "Łódź"
	d, out := render(t, f, nil)
	for _, font := range d.fonts {
		if strings.HasPrefix(font, "Helvetica") {
			t.Errorf("font %s is in a document that needs another", font)
		}
	}
	if len(out) > 80<<10 {
		t.Errorf("the document has %d bytes: the font was not cut down to what it uses", len(out))
	}
}

func TestTheSameFormGivesTheSameBytes(t *testing.T) {
	unicode := formB(3)
	unicode.IssuerName = "Łódź שלום Ćuk"
	picture := sampleLogo(t)
	for name, f := range map[string]country.Form{"core font": formFCE(30), "embedded font": unicode} {
		first, err := Render(f, picture)
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				again, err := Render(f, picture)
				if err != nil || !bytes.Equal(first, again) {
					t.Errorf("%s: another document at the second time (%v)", name, err)
				}
			})
		}
		wait.Wait()
	}
}

func TestRenderLeavesTheFormAsItWas(t *testing.T) {
	f := formA(2)
	f.Rows[0][1], f.Notes = "emoji 😀", []string{"nota\r\n"}
	if _, err := Render(f, nil); err != nil {
		t.Fatal(err)
	}
	if f.Rows[0][1] != "emoji 😀" || f.Notes[0] != "nota\r\n" {
		t.Errorf("the caller's form was changed: %q, %q", f.Rows[0][1], f.Notes[0])
	}
}

func TestTheDatesInADocumentAreThoseOfTheForm(t *testing.T) {
	buenosAires := time.FixedZone("ART", -3*3600)
	for _, c := range []struct {
		created time.Time
		want    string
	}{
		{time.Date(2026, 11, 10, 23, 4, 5, 0, buenosAires), "(D:20261111020405)"},
		{time.Time{}, "(D:19700101000000)"},
		{time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC), "(D:19700101000000)"},
	} {
		f := formA(1)
		f.Created = c.created
		d, _ := render(t, f, nil)
		if strings.Count(d.info, c.want) != 2 {
			t.Errorf("created %v: %q is not both dates in %q", c.created, c.want, d.info)
		}
	}
}

func TestAnEmptyFormIsAPage(t *testing.T) {
	d, _ := render(t, country.Form{}, nil)
	if len(d.pages) != 1 || !strings.Contains(d.text(0), "Página 1 de 1") {
		t.Errorf("%d pages with %q", len(d.pages), d.text(0))
	}
}

func TestTheQRCodeIsOnePath(t *testing.T) {
	d, _ := render(t, formA(1), nil)
	from := strings.Index(d.pages[0], "cm\n")
	to := strings.Index(d.pages[0], "f Q")
	if from < 0 || to < from || strings.Count(d.pages[0][from:to], " re\n") < 500 {
		t.Error("the page has no path of a QR code")
	}
	f := formA(1)
	f.QR = strings.Repeat("x", 5000)
	if _, err := Render(f, nil); err == nil {
		t.Error("a text that no QR code can hold was taken")
	}
}

func TestALogoThatWasNotNormalisedIsRefused(t *testing.T) {
	for _, picture := range []string{"GIF89a", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0"} {
		if _, err := Render(formA(1), []byte(picture)); err == nil {
			t.Errorf("%q was taken as a logo", picture)
		}
	}
}
