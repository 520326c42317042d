package pdf

import (
	"fmt"
	"strings"
	"testing"

	"folio/country"
)

func TestUruguayanPagesAreInOrder(t *testing.T) {
	for n := range 75 {
		f := uruguayan(t, "invoice")
		for i := range n {
			row := append([]string{}, f.Rows[i%3]...)
			row[0] = fmt.Sprintf("SKU-%d", i)
			f.Rows = append(f.Rows, row)
		}
		f.Frames.Addenda.Lines[0].Value += strings.Repeat("Texto que sigue. ", n*5)
		l := composed(t, f, nil)
		for i, s := range l.sheets {
			checkSheet(t, s, i+1)
			txt, last := textOf(s), i == len(l.sheets)-1
			for _, want := range []string{"Total a pagar\n", "Código de seguridad: 3fQx7a\n", "Fecha de vencimiento\n"} {
				if strings.Contains(txt, want) != last {
					t.Fatalf("%d rows, page %d of %d: %q is on the wrong page", n, i+1, len(l.sheets), want)
				}
			}
			if !strings.Contains(txt, fmt.Sprintf("Página %d de %d\n", i+1, len(l.sheets))) || !strings.Contains(txt, "A 12") {
				t.Fatalf("%d rows: page %d does not say which it is of what:\n%s", n, i+1, txt)
			}
		}
	}
}

// The least measures of DGI's instructives for the printed copy, in millimetres.
func TestTheFramesAreAsLargeAsDGIWants(t *testing.T) {
	for _, name := range []string{"ticket", "invoice", "period_note", "export"} {
		l := composed(t, uruguayan(t, name), nil)
		s := l.sheets[0]
		frameAround := func(txt string) (w, h, size float64) {
			for _, m := range s.marks {
				if m.kind != textMark || m.text != txt {
					continue
				}
				for _, f := range s.marks {
					if f.kind == frameMark && f.w < inner && f.x < m.x && f.x+f.w > m.x+m.w && f.y < m.y-m.h/2 && f.y+f.h > m.y {
						return f.w, f.h, 0.72 * m.style.em()
					}
				}
			}
			t.Errorf("%s: nothing around %q", name, txt)
			return 0, 0, 0
		}
		buyer := l.form.Frames.Buyer
		if w, h, _ := frameAround(buyer[len(buyer)-1]); w < 40 || h < 10 {
			t.Errorf("%s: the buyer's frame is %.1f × %.1f", name, w, h)
		}
		if w, h, size := frameAround("05/10/2028"); w < 20 || h < 10 || size < 3 {
			t.Errorf("%s: the frame of the last day is %.1f × %.1f, its letters %.2f", name, w, h, size)
		}
		if _, _, size := frameAround(l.form.Box.Lines[2]); size < 3 {
			t.Errorf("%s: the number is %.2f high", name, size)
		}
		for _, m := range s.marks {
			if m.kind != codeMark {
				continue
			}
			modules := float64(l.code.size)
			if side, margin := m.w*(modules-2*quiet)/modules, m.x-left+m.w*quiet/modules; side < 22 || side > 30 || margin < 3 {
				t.Errorf("%s: the code is %.1f wide with %.1f beside it", name, side, margin)
			}
		}
	}
}

func TestHugeUruguayanFormsLoseNothing(t *testing.T) {
	long := strings.Repeat("Texto que no termina y ocupa muchos renglones de la hoja. ", 60)
	f := uruguayan(t, "invoice")
	f.IssuerName, f.Heading = long, "" // the heading stands in the frame
	f.Box.Lines = append(f.Box.Lines, long, "A 12")
	f.Frames.Buyer, f.Frames.Expires, f.Frames.Below = append(f.Frames.Buyer, long), append(f.Frames.Expires, long), long
	f.Frames.Verify = append(f.Frames.Verify, long, long)
	f.Frames.Addenda.Lines = append(f.Frames.Addenda.Lines, country.Label{Caption: "Otro", Value: long})
	for i := range 60 {
		f.RecipientLines = append(f.RecipientLines, country.Label{Caption: "Campo", Value: long[:i*10]})
	}
	l := composed(t, f, nil)
	for i, s := range l.sheets {
		checkSheet(t, s, i+1)
	}
	checkWhole(t, l)
}
