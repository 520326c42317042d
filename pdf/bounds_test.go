package pdf

import (
	"context"
	"errors"
	"strings"
	"testing"

	"folio/country"
	"folio/fault"
)

func TestManyLineEndsTakeFewPages(t *testing.T) {
	f := formA(3)
	for i := range f.Rows {
		f.Rows[i][1] = strings.Repeat("x\n", 40_000) + "last"
	}
	d, _ := render(t, f, nil)
	if len(d.pages) > MaxPages {
		t.Errorf("%d pages", len(d.pages))
	}
	if !strings.Contains(d.text(len(d.pages)-1)+d.text(len(d.pages)-2), "last") {
		t.Error("the last word is not printed")
	}
}

func TestLineEndsBeyondTheBoundAreSpaces(t *testing.T) {
	left := 3
	if got := joinLines("a\nb", &left) + "|" + joinLines("c\nd\ne\nf", &left) + "|" +
		joinLines("g\nh", &left); got != "a\nb|c\nd\ne f|g h" {
		t.Errorf("%q", got)
	}
}

func TestADocumentOfTooManyPagesIsRefused(t *testing.T) {
	f := formA(country.MaxItems)
	for i := range f.Rows {
		f.Rows[i][1] = strings.Repeat("word ", 600)
	}
	_, err := Render(f, nil)
	if e := fault.As(err); e == nil || e.Constant != "DOCUMENT_TOO_LONG" || e.Code != fault.Conflict {
		t.Errorf("%v", err)
	}
}

func TestALogoWhoseCallerHasGoneIsNotUnpacked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := NormaliseLogo(ctx, drawing(t, 3000, 2000)); !errors.Is(err, ctx.Err()) {
		t.Errorf("%v", err)
	}
	if n, err := LogoMemory(drawing(t, 3000, 2000)); err != nil || n < 3000*2000*8 || n > 160<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}
