//go:build long

package pdf

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Another reader (zxing-cpp, package zxing-cpp-tools) finds the stamp on the page as a
// scanner of 200 dpi sees it (poppler-utils), and reads what was written byte for byte.
func TestAnotherReaderReadsTheStamp(t *testing.T) {
	f := chilean(t, "invoice")
	stamps := []string{f.Stamp, chilean(t, "credit_note").Stamp}
	random := rand.New(rand.NewPCG(6, 417))
	letters := []rune(strings.Repeat("abcdefghijklmnopqrstuvwxyz0123456789<>/=+&;", 3) + "áéíóúñÑÉüª°")
	for _, n := range []int{40, 101, 333, 600, 701, 745, 746, 802, 900, 1000} {
		var b strings.Builder
		for range n {
			b.WriteRune(letters[random.IntN(len(letters))])
		}
		stamps = append(stamps, b.String())
	}
	for _, stamp := range stamps {
		f.Stamp = stamp
		_, out := render(t, f, nil)
		if got := scan(t, out); got != stamp {
			t.Errorf("a stamp of %d characters is read as\n%q\nwant\n%q", len([]rune(stamp)), got, stamp)
		}
		ticket, err := Ticket(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := scan(t, ticket); got != stamp {
			t.Errorf("on a ticket, a stamp of %d characters is read as\n%q", len([]rune(stamp)), got)
		}
	}
}

// scan reads the barcode of the first page.
func scan(t *testing.T, document []byte) string {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "a.pdf")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("pdftoppm", "-r", "200", "-f", "1", "-l", "1", "-singlefile", "-gray", "-png", file,
		filepath.Join(folder, "a")).CombinedOutput(); err != nil {
		t.Fatalf("pdftoppm: %v\n%s", err, out)
	}
	reader := exec.Command("ZXingReader", filepath.Join(folder, "a.png"))
	reader.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := reader.CombinedOutput()
	if err != nil {
		t.Fatalf("ZXingReader: %v\n%s", err, out)
	}
	_, text, found := strings.Cut(string(out), `Text:       "`)
	text, _, ended := strings.Cut(text, "\"\nBytes:")
	if !found || !ended {
		t.Fatalf("no code was found on the page:\n%s", out)
	}
	return text
}
