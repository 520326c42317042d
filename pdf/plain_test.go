package pdf

import "testing"

// The plain drawing is what Render is measured against: it has the same words on as many pages.
func TestAPlainDrawingHasTheSamePages(t *testing.T) {
	f := formA(60)
	draw, err := Plain(f)
	if err != nil {
		t.Fatal(err)
	}
	byLibrary, err := draw()
	if err != nil {
		t.Fatal(err)
	}
	ours, err := Render(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := readPDF(ours)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readPDF(byLibrary)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.pages) != len(want.pages) || len(got.pages) < 2 {
		t.Fatalf("%d pages, Render makes %d", len(got.pages), len(want.pages))
	}
	for i := range want.pages {
		if got.text(i) != want.text(i) {
			t.Errorf("page %d says\n%s\nand Render\n%s", i+1, got.text(i), want.text(i))
		}
	}
}
