//go:build long

package pdf

import "testing"

// Another reader (zxing-cpp) finds the QR code on the page as a scanner of 200 dpi sees
// it, under the watermark too.
func TestAnotherReaderReadsTheQRCode(t *testing.T) {
	for _, name := range []string{"ticket", "invoice", "export"} {
		f := uruguayan(t, name)
		_, out := render(t, f, sampleLogo(t))
		if got := scan(t, out); got != f.QR {
			t.Errorf("%s: the code is read as %q, want %q", name, got, f.QR)
		}
	}
}
