package pdf

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"folio/country"
	"folio/fault"
)

// rolled lays a form out as a ticket with all its copies.
func rolled(t testing.TB, f country.Form, picture []byte) *layout {
	t.Helper()
	l := prepared(t, f, picture)
	var err error
	if l.bars, err = encodePDF417(stampBytes(l.form.Stamp), rollColumns); err != nil {
		t.Fatal(err)
	}
	l.composeRoll()
	l.composeSecond((*layout).composeRoll)
	return l
}

// everyForm are the forms of the countries' own tests and the samples of this one.
func everyForm(t *testing.T) map[string]country.Form {
	t.Helper()
	const suffix = ".form.json"
	forms := map[string]country.Form{"A": formA(5), "B": formB(25), "FCE": formFCE(60)}
	for _, code := range []string{"ar", "cl", "uy"} {
		files, err := filepath.Glob(filepath.Join("..", "country", code, "testdata", "*"+suffix))
		if err != nil || len(files) < 6 {
			t.Fatalf("%s has the forms %v, %v", code, files, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), suffix)
			forms[code+" "+name] = formOf(t, code, name)
		}
	}
	return forms
}

func TestATicketShowsEveryTextOfItsForm(t *testing.T) {
	for name, f := range everyForm(t) {
		t.Run(name, func(t *testing.T) {
			if f.Box != nil {
				f.Heading = "" // it stands in the box
			}
			l := rolled(t, f, sampleLogo(t))
			for i, s := range l.sheets {
				checkSheet(t, s, i+1)
			}
			checkWhole(t, l)
			out, err := Ticket(f, nil)
			if err != nil {
				t.Fatal(err)
			}
			d, err := readPDF(out)
			if err != nil {
				t.Fatal(err)
			}
			whole := ""
			for i := range d.pages {
				whole += d.text(i)
			}
			for _, want := range []string{f.Watermark, f.Copy} {
				if !strings.Contains(whole, want) {
					t.Errorf("%q is not shown", want)
				}
			}
			for _, label := range append(f.Totals[:len(f.Totals):len(f.Totals)], f.Authorization...) {
				if !strings.Contains(whole, label.Value+"\n") {
					t.Errorf("%q is not in one line", label.Value)
				}
			}
			for _, ink := range regexp.MustCompile(`\S+ (?:g|G|rg|RG)\n`).FindAllString(strings.Join(d.pages, ""), -1) {
				if !strings.HasPrefix(ink, "0.00") {
					t.Errorf("an ink that a roll printer lacks: %q", ink)
				}
			}
		})
	}
}

func TestACopyIsOnePageOfTheRoll(t *testing.T) {
	for _, c := range []struct {
		name  string
		form  func(n int) country.Form
		pages int
	}{
		{"Argentina", formB, 1},
		{"Chile", func(n int) country.Form { return repeated(chilean(t, "invoice"), n) }, 2},
		{"Chile, without a second copy", func(n int) country.Form { return repeated(chilean(t, "receipt"), n) }, 1},
	} {
		least := 0.0
		for _, n := range []int{1, 2, 40, 120} {
			l := rolled(t, c.form(n), nil)
			if len(l.sheets) != c.pages {
				t.Fatalf("%s with %d items: %d pages", c.name, n, len(l.sheets))
			}
			if height := l.sheets[0].roll; height <= least {
				t.Errorf("%s with %d items: %.1f mm, after %.1f with fewer", c.name, n, height, least)
			} else {
				least = height
			}
		}
	}
}

// repeated is the form with n rows like its first.
func repeated(f country.Form, n int) country.Form {
	row := f.Rows[0]
	f.Rows = nil
	for range n {
		f.Rows = append(f.Rows, row)
	}
	return f
}

// DGI's measures of a page: 15 to 35.6 cm. Each says which it is of how many, and whose.
func TestAUruguayanTicketGoesOnOnAFurtherPage(t *testing.T) {
	for n := 1; n < 90; n += 4 {
		f := repeated(uruguayan(t, "invoice"), n)
		f.Heading = "" // it stands in the box
		l := rolled(t, f, nil)
		for i, s := range l.sheets {
			checkSheet(t, s, i+1)
			if s.roll < 150 || s.roll > 356 {
				t.Errorf("%d items: page %d has %.1f mm", n, i+1, s.roll)
			}
			if txt := textOf(s); !strings.Contains(txt, fmt.Sprintf("Página %d de %d\n", i+1, len(l.sheets))) ||
				!strings.Contains(txt, "A 12\n") {
				t.Errorf("%d items: page %d does not say which it is of what:\n%s", n, i+1, txt)
			}
		}
		checkWhole(t, l)
	}
}

// The subtotal is carried from page to page, as on A4.
func TestATicketLongerThanAPageOfAPDFGoesOn(t *testing.T) {
	f := formB(country.MaxItems)
	f.Carried = &country.Carried{Caption: "Transporte"}
	for i := range f.Rows {
		f.Carried.After = append(f.Carried.After, fmt.Sprintf("%d,00", i+1))
	}
	l := rolled(t, f, nil)
	if len(l.sheets) < 2 {
		t.Fatalf("%d pages", len(l.sheets))
	}
	for i, s := range l.sheets {
		checkSheet(t, s, i+1)
		if s.roll > rollLong {
			t.Errorf("page %d has %.0f mm", i+1, s.roll)
		}
		if !strings.Contains(textOf(s), "Transporte  ") {
			t.Errorf("page %d carries nothing", i+1)
		}
	}
	checkWhole(t, l)
}

func TestNothingLeavesTheRoll(t *testing.T) {
	for _, long := range []string{
		strings.Repeat("W", 900), strings.Repeat("Texto que no termina. ", 60), strings.Repeat("ñandú\n", 30),
		strings.Repeat("Łódź ", 200),
	} {
		f := everywhere(long, 23, 40)
		f.QR, f.Breakdown = sampleQR, nil // its titles are the country's
		l := rolled(t, f, sampleLogo(t))
		for i, s := range l.sheets {
			checkSheet(t, s, i+1)
		}
		checkWhole(t, l)
		for name, f := range map[string]country.Form{"cl": chilean(t, "invoice"), "uy": uruguayan(t, "invoice")} {
			f.IssuerName, f.Box.Below, f.Heading = long, long, "" // the heading stands in the box
			f.RecipientLines = append(f.RecipientLines, country.Label{Caption: long, Value: long})
			f.Totals = append(f.Totals, country.Label{Caption: long, Value: long})
			f.Rows = append(f.Rows, []string{long, long, "1.234.567.890,123456", long, long, long, "99.999.999.999.999,99"})
			if f.Frames != nil {
				f.Frames.Buyer, f.Frames.Expires = append(f.Frames.Buyer, long), append(f.Frames.Expires, long)
				f.Frames.Verify, f.Frames.Below = append(f.Frames.Verify, long), long
			}
			l := rolled(t, f, nil)
			for i, s := range l.sheets {
				for _, m := range s.marks {
					if m.x < rollLeft-0.01 || m.x+m.w > rollWidth-rollLeft+0.01 || m.y+m.h > s.roll+m.style.em() {
						t.Fatalf("%s, page %d: %+v leaves the roll", name, i+1, m)
					}
				}
			}
			if f.Second == nil {
				checkWhole(t, l)
			}
		}
	}
}

// DGI's least measures of frames, letters and the QR code; SII's of the box and the stamp, and modules of whole dots.
func TestATicketKeepsTheMeasuresOfTheLaw(t *testing.T) {
	sizes := func(f country.Form, k kind) (found []mark) {
		for _, s := range rolled(t, f, nil).sheets[:1] {
			for _, m := range s.marks {
				if m.kind == k {
					found = append(found, m)
				}
			}
		}
		return found
	}
	ticket := uruguayan(t, "ticket")
	frames := sizes(ticket, frameMark)
	for i, least := range map[int][2]float64{2: {40, 10}, 3: {20, 10}} { // of the buyer, of the last day
		if m := frames[i]; m.w < least[0] || m.h < least[1] {
			t.Errorf("frame %d is %.1f × %.1f", i, m.w, m.h)
		}
	}
	for _, want := range []string{ticket.Box.Lines[2], ticket.Frames.Expires[1]} {
		for _, m := range sizes(ticket, textMark) {
			if m.text == want && 0.72*m.style.em() < 3 {
				t.Errorf("%q is %.2f high", want, 0.72*m.style.em())
			}
		}
	}
	for _, m := range sizes(ticket, codeMark) {
		if m.w != codeSize || m.h != codeSize {
			t.Errorf("the QR code is %.1f × %.1f", m.w, m.h)
		}
	}
	invoice := chilean(t, "invoice")
	if m := sizes(invoice, frameMark)[1]; m.w < 55 || m.h < 15 {
		t.Errorf("SII's box is %.1f × %.1f", m.w, m.h)
	}
	bars := rolled(t, invoice, nil).bars
	stamps := sizes(invoice, barMark)
	if len(stamps) != 1 || stamps[0].w != float64(bars.width)*0.25 || stamps[0].h != float64(bars.height)*0.25 {
		t.Fatalf("the stamp is %+v", stamps)
	}
	if m := stamps[0]; m.w < 45 || m.h < 20 || m.w > rollInner {
		t.Errorf("the stamp is %.1f × %.1f", m.w, m.h)
	}
}

func TestATicketWithoutFiscalValueSaysSoAtBothEnds(t *testing.T) {
	for name, f := range map[string]country.Form{
		"ar": formB(3), "cl": chilean(t, "invoice"), "uy": uruguayan(t, "ticket"),
	} {
		for i, s := range rolled(t, f, nil).sheets {
			if n := strings.Count(textOf(s), "SIN VALOR FISCAL\n"); n != 2 {
				t.Errorf("%s: page %d says it %d times", name, i+1, n)
			}
		}
	}
	if txt := textOf(rolled(t, formA(1), nil).sheets[0]); strings.Contains(txt, "SIN VALOR") {
		t.Error("a true document says that it is none")
	}
}

func TestTheSameFormGivesTheSameTicket(t *testing.T) {
	unicode := formB(3)
	unicode.IssuerName = "Łódź שלום Ćuk"
	for name, f := range map[string]country.Form{"core": formFCE(30), "embedded": unicode, "cl": chilean(t, "invoice")} {
		first, err := Ticket(f, sampleLogo(t))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Ticket(f, sampleLogo(t)); err != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: another ticket at the second time (%v)", name, err)
		}
	}
}

func TestATicketThatIsTooLongIsRefused(t *testing.T) {
	f := formA(country.MaxItems)
	for i := range f.Rows {
		f.Rows[i][1] = strings.Repeat("word ", 600)
	}
	_, err := Ticket(f, nil)
	if e := fault.As(err); e == nil || e.Constant != "DOCUMENT_TOO_LONG" || !strings.Contains(e.Error(), "A4") {
		t.Errorf("%v", err)
	}
}
