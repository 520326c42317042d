package pdf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"folio/country"
)

// lookalikes are printed for characters that a typeface lacks and that look the same.
var lookalikes = map[rune]string{
	'\u2010': "-", '\u2011': "-", '\u2043': "-", '\u2012': "–", '\u2212': "–", '\u2015': "—",
	'\u2000': " ", '\u2001': " ", '\u2002': " ", '\u2003': " ", '\u2004': " ", '\u2005': " ",
	'\u2006': " ", '\u2008': " ", '\u2009': " ", '\u200a': " ", '\u205f': " ", '\u3000': " ",
	'\u2007': "\u00a0", '\u202f': "\u00a0",
	'\u2032': "'", '\u2033': "\"", '\u02bc': "’", '\u2044': "/", '\u2215': "/",
	'\ufb01': "fi", '\ufb02': "fl", '\u25cf': "•", '\u2116': "N°", '\u2219': "·",
}

// invisible are characters that by their nature leave no mark: joiners, selectors of
// a variant, hints where a line may break. Overrides of the writing direction are not
// among them: they can make a text read as another, so their code is shown.
func invisible(r rune) bool {
	switch {
	case r == 0xad, r >= 0x200b && r <= 0x200f, r == 0x2060, r == 0xfeff:
		return true
	case r >= 0xfe00 && r <= 0xfe0f:
		return true
	}
	return false
}

// prepare copies the form with every text clean, and chooses the typeface it needs.
func prepare(f country.Form) (country.Form, typeface) {
	f = regular(f)
	core := helvetica{helveticaWidths()}
	var face typeface = core
	eachText(&f, func(s *string) {
		if !face.embedded() && !plain(*s) && needsLiberation(*s, core) {
			face = liberation{liberationWidths()}
		}
	})
	left := maxLineEnds
	eachText(&f, func(s *string) { *s = joinLines(clean(*s, face), &left) })
	return f, face
}

// maxLineEnds is how many line ends of its texts a document prints as such. A line end is
// one byte to send and a line of a page to print, so without a bound a document of 256 KB
// could take thousands of pages.
const maxLineEnds = 1000

// joinLines prints the line ends of s beyond those left as spaces: no word is left out.
func joinLines(s string, left *int) string {
	n := strings.Count(s, "\n")
	if n <= *left {
		*left -= n
		return s
	}
	at := 0
	for ; *left > 0; *left-- {
		at += strings.IndexByte(s[at:], '\n') + 1
	}
	return s[:at] + strings.ReplaceAll(s[at:], "\n", " ")
}

// plain says that s is printable ASCII, which every typeface has.
func plain(s string) bool {
	for i := range len(s) {
		if (s[i] < 0x20 && s[i] != '\n') || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// needsLiberation says that s has a letter that Helvetica lacks and Liberation has. A
// character that neither has is no reason to carry a font.
func needsLiberation(s string, core helvetica) bool {
	for _, r := range norm.NFC.String(s) {
		if r < 0x7f || invisible(r) || lookalikes[r] != "" {
			continue
		}
		if _, has := core.advance(r, false); has {
			continue
		}
		if _, has := (liberation{liberationWidths()}).advance(r, false); has {
			return true
		}
	}
	return false
}

// clean normalises s (NFC, one kind of line end) and puts a visible substitute where
// the typeface lacks a character.
func clean(s string, face typeface) string {
	if plain(s) {
		return s
	}
	s = strings.ReplaceAll(norm.NFC.String(s), "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s {
		switch {
		case r == '\n', r == '\r', r == 0x85, r == 0x2028, r == 0x2029:
			b.WriteByte('\n')
			continue
		case r == '\t':
			b.WriteString("    ")
			continue
		case invisible(r):
			continue
		}
		if _, has := face.advance(r, false); has {
			b.WriteRune(r)
		} else if like, ok := lookalikes[r]; ok {
			b.WriteString(like)
		} else {
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}

// joined says that r is drawn onto the character before it.
func joined(r rune) bool { return r >= 0x300 && unicode.Is(unicode.Mn, r) }

// regular copies the form so that it can be changed, with a column for every cell and
// a usable width for every column.
func regular(f country.Form) country.Form {
	for _, labels := range []*[]country.Label{
		&f.IssuerLines, &f.HeadLines, &f.Period, &f.RecipientLines, &f.Totals, &f.Authorization,
	} {
		*labels = slices.Clone(*labels)
	}
	f.Notes, f.Legends = slices.Clone(f.Notes), slices.Clone(f.Legends)
	f.Columns, f.Rows = regularTable(f.Columns, f.Rows)
	if f.Breakdown != nil {
		table := *f.Breakdown
		table.Columns, table.Rows = regularTable(table.Columns, table.Rows)
		f.Breakdown = &table
	}
	for _, block := range []**country.Block{&f.Transparency, &f.Details} {
		if *block != nil {
			*block = cloneBlock(*block)
		}
	}
	f.Stamped = slices.Clone(f.Stamped)
	if f.Box != nil {
		box := *f.Box
		box.Lines = slices.Clone(box.Lines)
		f.Box = &box
	}
	if f.Frames != nil {
		frames := *f.Frames
		for _, list := range []*[]string{&frames.Buyer, &frames.Verify, &frames.Regime, &frames.Expires} {
			*list = slices.Clone(*list)
		}
		if frames.Addenda != nil {
			frames.Addenda = cloneBlock(frames.Addenda)
		}
		f.Frames = &frames
	}
	if f.Second != nil {
		second := *f.Second
		if second.Fields != nil {
			second.Fields = cloneBlock(second.Fields)
		}
		f.Second = &second
	}
	return f
}

func cloneBlock(b *country.Block) *country.Block {
	block := *b
	block.Lines = slices.Clone(block.Lines)
	return &block
}

// regularTable gives a table a column for its longest row.
func regularTable(columns []country.Column, rows [][]string) ([]country.Column, [][]string) {
	columns, rows = slices.Clone(columns), slices.Clone(rows)
	for i, row := range rows {
		rows[i] = slices.Clone(row)
		for len(columns) < len(row) {
			columns = append(columns, country.Column{})
		}
	}
	for i, c := range columns {
		// Not c.Width <= 0: that would let NaN pass.
		if !(c.Width > 0) || math.IsInf(c.Width, 0) || c.Width > 1e6 {
			columns[i].Width = 1
		}
	}
	return columns, rows
}

// eachText visits every text that is printed or goes into the PDF's metadata.
func eachText(f *country.Form, visit func(*string)) {
	for _, s := range []*string{
		&f.ID, &f.Title, &f.Copy, &f.Letter, &f.LetterCode, &f.IssuerName, &f.Heading,
		&f.Words, &f.Authority, &f.Watermark,
	} {
		visit(s)
	}
	for _, labels := range [][]country.Label{
		f.IssuerLines, f.HeadLines, f.Period, f.RecipientLines, f.Totals, f.Authorization,
	} {
		eachLabel(labels, visit)
	}
	for _, texts := range [][]string{f.Notes, f.Legends, f.Stamped} {
		for i := range texts {
			visit(&texts[i])
		}
	}
	eachCell(f.Columns, f.Rows, visit)
	if f.Breakdown != nil {
		eachCell(f.Breakdown.Columns, f.Breakdown.Rows, visit)
	}
	for _, block := range []*country.Block{f.Transparency, f.Details} {
		if block != nil {
			eachOfBlock(block, visit)
		}
	}
	if f.Box != nil {
		visit(&f.Box.Below)
		for i := range f.Box.Lines {
			visit(&f.Box.Lines[i])
		}
	}
	if f.Frames != nil {
		eachOfFrames(f.Frames, visit)
	}
	if f.Second != nil {
		visit(&f.Second.Name)
		visit(&f.Second.Text)
		if f.Second.Fields != nil {
			eachOfBlock(f.Second.Fields, visit)
		}
	}
}

func eachOfFrames(f *country.Frames, visit func(*string)) {
	visit(&f.Below)
	for _, list := range [][]string{f.Buyer, f.Verify, f.Regime, f.Expires} {
		for i := range list {
			visit(&list[i])
		}
	}
	if f.Addenda != nil {
		eachOfBlock(f.Addenda, visit)
	}
}

func eachOfBlock(b *country.Block, visit func(*string)) {
	visit(&b.Title)
	eachLabel(b.Lines, visit)
}

func eachLabel(labels []country.Label, visit func(*string)) {
	for i := range labels {
		visit(&labels[i].Caption)
		visit(&labels[i].Value)
	}
}

func eachCell(columns []country.Column, rows [][]string, visit func(*string)) {
	for i := range columns {
		visit(&columns[i].Title)
	}
	for _, row := range rows {
		for i := range row {
			visit(&row[i])
		}
	}
}

// oneLine is s without line ends.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }
