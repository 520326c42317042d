package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"folio/fault"
)

func encodePNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodeJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// photograph is a picture that no palette holds.
func photograph(w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(x*255/w + r.IntN(9)), uint8(y * 255 / h), uint8(r.IntN(30)), 255})
		}
	}
	return img
}

func TestLogosOfEveryKindBecomeFitForAPage(t *testing.T) {
	deep := image.NewNRGBA64(image.Rect(0, 0, 40, 20))
	for i := range deep.Pix {
		deep.Pix[i] = uint8(i * 7)
	}
	grey16 := image.NewGray16(image.Rect(0, 0, 40, 20))
	palette := image.NewPaletted(image.Rect(0, 0, 40, 20), color.Palette{color.Transparent, color.Black})
	for _, c := range []struct {
		name          string
		upload        []byte
		width, height int
	}{
		{"PNG with transparency", drawing(t, 300, 100), 300, 100},
		{"PNG of 16 bits with transparency", encodePNG(t, deep), 40, 20},
		{"PNG of 16 bit greys", encodePNG(t, grey16), 40, 20},
		{"PNG with a palette that has a transparent colour", encodePNG(t, palette), 40, 20},
		{"interlaced PNG", interlaced(t), 4, 4},
		{"wide PNG", drawing(t, 3000, 600), 800, 160},
		{"high PNG", drawing(t, 300, 1200), 65, 260},
		{"a line of pixels", drawing(t, 4000, 1), 800, 1},
		{"JPEG", encodeJPEG(t, photograph(120, 60)), 120, 60},
		{"grey JPEG", encodeJPEG(t, image.NewGray(image.Rect(0, 0, 30, 30))), 30, 30},
		{"CMYK JPEG", cmykJPEG(true), 8, 8},
		{"JPEG that is to be turned", withOrientation(encodeJPEG(t, photograph(120, 60)), 6), 60, 120},
		{"photograph in a PNG", encodePNG(t, photograph(790, 250)), 790, 250},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, w, h, err := NormaliseLogo(t.Context(), c.upload)
			if err != nil {
				t.Fatal(err)
			}
			if w != c.width || h != c.height {
				t.Errorf("%d x %d pixels, want %d x %d", w, h, c.width, c.height)
			}
			if len(out) > 128<<10 {
				t.Errorf("%d bytes are too many for every invoice", len(out))
			}
			again, _, _, err := NormaliseLogo(t.Context(), c.upload)
			if err != nil || !bytes.Equal(out, again) {
				t.Errorf("other bytes at the second time (%v)", err)
			}
			checkPrintable(t, out, w, h)
		})
	}
}

// checkPrintable reads a normalised logo and puts it on a page.
func checkPrintable(t *testing.T, out []byte, w, h int) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Dx() != w || img.Bounds().Dy() != h {
		t.Errorf("the file has %v, not %d x %d", img.Bounds(), w, h)
	}
	if o, ok := img.(interface{ Opaque() bool }); ok && !o.Opaque() {
		t.Error("the picture is not opaque")
	}
	f := formA(1)
	d, pdf := render(t, f, out)
	if !strings.Contains(d.pages[0], " Do") || !bytes.Contains(pdf, []byte("/Subtype /Image")) {
		t.Error("the page has no picture")
	}
	if bytes.Contains(pdf, []byte("/SMask")) {
		t.Error("the picture has a mask, which is slow for every document")
	}
}

func TestTransparencyLiesOnWhite(t *testing.T) {
	out, _, _, err := NormaliseLogo(t.Context(), drawing(t, 100, 40))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, a := img.At(0, 0).RGBA(); r != 0xffff || g != 0xffff || b != 0xffff || a != 0xffff {
		t.Errorf("a transparent corner became %x %x %x %x", r, g, b, a)
	}
}

func TestAPictureIsTurnedAsItsCameraSays(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 2, 3)) // 0 1 / 2 3 / 4 5
	for i := range 6 {
		img.SetRGBA(i%2, i/2, color.RGBA{uint8(i), 0, 0, 255})
	}
	for orientation, want := range map[int][]uint8{
		1: {0, 1, 2, 3, 4, 5}, 2: {1, 0, 3, 2, 5, 4}, 3: {5, 4, 3, 2, 1, 0}, 4: {4, 5, 2, 3, 0, 1},
		5: {0, 2, 4, 1, 3, 5}, 6: {4, 2, 0, 5, 3, 1}, 7: {5, 3, 1, 4, 2, 0}, 8: {1, 3, 5, 0, 2, 4},
	} {
		turned := upright(img, orientation)
		var got []uint8
		for i := 0; i < len(turned.Pix); i += 4 {
			got = append(got, turned.Pix[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("orientation %d: %v, want %v", orientation, got, want)
		}
	}
}

func TestLogosThatCannotBePrintedAreRefused(t *testing.T) {
	var animated bytes.Buffer
	if err := gif.Encode(&animated, image.NewGray(image.Rect(0, 0, 4, 4)), nil); err != nil {
		t.Fatal(err)
	}
	whole := drawing(t, 200, 80)
	broken := slices.Clone(whole)
	broken[len(broken)/2] ^= 0x55
	photo := encodeJPEG(t, photograph(200, 80))
	for _, c := range []struct {
		name   string
		upload []byte
		code   string
		says   string
	}{
		{"nothing", nil, "REQUIRED", "PNG or JPEG"},
		{"GIF", animated.Bytes(), "LOGO_FORMAT", "a GIF"},
		{"WebP", []byte("RIFF\x24\x00\x00\x00WEBPVP8 "), "LOGO_FORMAT", "a WebP"},
		{"SVG", []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`), "LOGO_FORMAT", "an SVG"},
		{"BMP", []byte("BM\x00\x00\x00\x00"), "LOGO_FORMAT", "a BMP"},
		{"PDF", []byte("%PDF-1.7"), "LOGO_FORMAT", "a PDF"},
		{"text that is called logo.png", []byte("hola"), "LOGO_FORMAT", "not a picture"},
		{"PNG cut off", whole[:len(whole)-40], "LOGO_DAMAGED", "PNG"},
		{"PNG with a wrong byte", broken, "LOGO_DAMAGED", "PNG"},
		{"PNG header alone", whole[:8], "LOGO_DAMAGED", "PNG"},
		{"JPEG cut off", photo[:len(photo)/2], "LOGO_DAMAGED", "JPEG"},
		{"CMYK JPEG that does not say whose CMYK", cmykJPEG(false), "LOGO_DAMAGED", "ordinary PNG or JPEG"},
		{"JPEG start alone", []byte("\xff\xd8\xff\xe0"), "LOGO_DAMAGED", "JPEG"},
		{"PNG that unpacks to a wall", withSize(t, 60000, 60000), "LOGO_DIMENSIONS", "60000 x 60000"},
		{"PNG one pixel too wide", withSize(t, 4001, 10), "LOGO_DIMENSIONS", "4001 x 10"},
		{"PNG of a thousand pixels too many", withSize(t, 3001, 3000), "LOGO_DIMENSIONS", "9 million"},
		{"JPEG of very many scans", append(slices.Clone(photo), bytes.Repeat([]byte{0xff, 0xda}, 100)...), "LOGO_DAMAGED",
			"scans"},
		{"PNG without pixels", withSize(t, 0, 10), "LOGO_DAMAGED", ""},
		{"too many bytes", append(slices.Clone(whole), make([]byte, MaxLogoBytes)...), "LOGO_TOO_LARGE", "512 KiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, _, err := NormaliseLogo(t.Context(), c.upload)
			f := fault.As(err)
			if f == nil || out != nil {
				t.Fatalf("taken, or refused without a fault: %v", err)
			}
			v := f.Violations[0]
			if f.Code != fault.Invalid || v.Path != "logo" || v.Code != c.code || !strings.Contains(v.Message, c.says) {
				t.Errorf("%s %s %s: %s", f.Code, v.Path, v.Code, v.Message)
			}
		})
	}
}
