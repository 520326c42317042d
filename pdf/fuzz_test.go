package pdf

import (
	"bytes"
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/fault"
)

func FuzzRender(f *testing.F) {
	for _, s := range []string{
		"", "FACTURA", "Łódź Ćuk ₲ → 😀", "a\u0303\u0301\u0301", strings.Repeat("W", 3000), "שלום 123 (abc) \u202e",
		"line\nline\r\n\n", "\xff\xfe\x00", ") Tj ET (\\", "— – − ‑", strings.Repeat("palabra ", 400),
		"\U0010ffff\ud7ff\ue000",
	} {
		f.Add(s, uint8(3), 1.0, int64(0))
	}
	f.Fuzz(func(t *testing.T, s string, n uint8, w float64, created int64) {
		if len(s) > 4000 {
			return
		}
		form := everywhere(s, int(n%24), w)
		form.Created = time.Unix(created, 0)
		out, err := Render(form, nil)
		if err != nil {
			if len(s) < 200 {
				t.Fatalf("refused: %v", err)
			}
			form.QR = "" // the text may be too long for a code
			if out, err = Render(form, nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := readPDF(out); err != nil {
			t.Fatal(err)
		}
		form.QR = ""
		checkWhole(t, composed(t, form, nil))
		checkWhole(t, rolled(t, form, nil))
	})
}

// everywhere is a form with the same text in every place.
func everywhere(s string, n int, w float64) country.Form {
	label := country.Label{Caption: s, Value: s, Strong: n%2 == 0}
	labels := []country.Label{label, {Value: s}, label}
	f := country.Form{
		ID: s, Title: s, Copy: s, Letter: s, LetterCode: s, IssuerName: s, IssuerLines: labels, Heading: s, HeadLines: labels,
		Period: labels, RecipientLines: labels, Notes: []string{s, s}, Totals: labels, Words: s, Legends: []string{s},
		QR: s, Authorization: labels, Authority: s, Watermark: s,
		Transparency: &country.Block{Title: s, Lines: labels}, Details: &country.Block{Title: s, Lines: labels},
		Columns:   []country.Column{{Title: s, Width: w}, {Title: s, Width: -w, Right: true}, {Title: s, Width: math.NaN()}},
		Breakdown: &country.Table{Columns: []country.Column{{Title: s, Width: w}}, Rows: [][]string{{s, s}, {}}},
	}
	for i := range n {
		f.Rows = append(f.Rows, []string{s, s, s, s}[:i%5])
	}
	return f
}

func FuzzNormaliseLogo(f *testing.F) {
	f.Add(drawing(f, 30, 10))
	f.Add(encodeJPEG(f, photograph(24, 12)))
	f.Add(withOrientation(encodeJPEG(f, photograph(24, 12)), 8))
	f.Add(interlaced(f))
	f.Add(cmykJPEG(true))
	f.Add([]byte("GIF89a"))
	f.Fuzz(func(t *testing.T, upload []byte) {
		out, w, h, err := NormaliseLogo(t.Context(), upload)
		if err != nil {
			if v := fault.As(err); v == nil || v.Violations[0].Path != "logo" {
				t.Fatalf("refused without a fault: %v", err)
			}
			return
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(out))
		if err != nil || config.Width != w || config.Height != h || w > printWidth || h > printHeight {
			t.Fatalf("%v, %d x %d: %v", config, w, h, err)
		}
		printed, err := Render(country.Form{}, out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readPDF(printed); err != nil {
			t.Fatal(err)
		}
	})
}
