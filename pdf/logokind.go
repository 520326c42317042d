package pdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"folio/fault"
)

// decoder is how one kind of picture is read.
type decoder struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var decoders = map[string]decoder{
	"PNG":  {png.DecodeConfig, png.Decode},
	"JPEG": {jpeg.DecodeConfig, jpeg.Decode},
}

// sniff names the kind of a file by its first bytes, for a person to read.
func sniff(b []byte) string {
	start := func(magic string) bool { return bytes.HasPrefix(b, []byte(magic)) }
	switch {
	case start("\x89PNG\r\n\x1a\n"):
		return "PNG"
	case start("\xff\xd8\xff"):
		return "JPEG"
	case start("GIF8"):
		return fault.Words("a GIF")
	case start("RIFF") && len(b) >= 12 && string(b[8:12]) == "WEBP":
		return fault.Words("a WebP")
	case start("BM"):
		return fault.Words("a BMP")
	case start("II*\x00"), start("MM\x00*"):
		return fault.Words("a TIFF")
	case start("%PDF"):
		return fault.Words("a PDF")
	case len(b) >= 12 && string(b[4:8]) == "ftyp":
		return fault.Words("a HEIC, AVIF or film")
	}
	head := bytes.ToLower(b[:min(len(b), 512)])
	if bytes.Contains(head, []byte("<svg")) || bytes.Contains(head, []byte("<?xml")) {
		return fault.Words("an SVG")
	}
	return fault.Words("not a picture that is known here")
}

// orientation reads the EXIF orientation, 1 to 8, of a JPEG; 1 where there is none.
func orientation(b []byte) int {
	for i := 2; i+4 <= len(b) && b[i] == 0xff; {
		size := int(binary.BigEndian.Uint16(b[i+2:]))
		// Behind the start of the scan come pixels, no more segments.
		if b[i+1] == 0xda || size < 2 || i+2+size > len(b) {
			break
		}
		if segment := b[i+4 : i+2+size]; b[i+1] == 0xe1 && bytes.HasPrefix(segment, []byte("Exif\x00\x00")) {
			return exifOrientation(segment[6:])
		}
		i += 2 + size
	}
	return 1
}

// exifOrientation looks for tag 0x0112 in the first directory of a TIFF structure.
func exifOrientation(tiff []byte) int {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	entries := int64(order.Uint16(tiff[at:]))
	for i := range entries {
		entry := at + 2 + 12*i
		if entry+12 > int64(len(tiff)) {
			break
		}
		if order.Uint16(tiff[entry:]) == 0x0112 {
			if o := int(order.Uint16(tiff[entry+8:])); o >= 1 && o <= 8 {
				return o
			}
		}
	}
	return 1
}

// upright turns a picture as its EXIF orientation says.
func upright(picture *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return picture
	}
	b := picture.Bounds()
	w, h := b.Dx(), b.Dy()
	if orientation >= 5 {
		w, h = h, w
	}
	turned := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := source(orientation, x, y, w, h)
			turned.SetRGBA(x, y, picture.RGBAAt(sx, sy))
		}
	}
	return turned
}

// source is where the pixel x, y of the upright picture of w x h stands in the file.
func source(orientation, x, y, w, h int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, w - 1 - x
	case 7:
		return h - 1 - y, w - 1 - x
	default:
		return h - 1 - y, x
	}
}

// logo is a picture that can go into a PDF as it is.
type logo struct {
	data          []byte
	format        string // as the PDF library calls it, empty for no logo
	width, height int
}

// readLogo looks at the header of a normalised logo.
func readLogo(data []byte) (logo, error) {
	if len(data) == 0 {
		return logo{}, nil
	}
	format := sniff(data)
	d, ok := decoders[format]
	if !ok {
		return logo{}, errors.New("it is " + format + ", not the PNG or JPEG that NormaliseLogo makes")
	}
	config, err := d.config(bytes.NewReader(data))
	if err != nil {
		return logo{}, err
	}
	if config.Width < 1 || config.Height < 1 {
		return logo{}, errors.New("it is empty")
	}
	return logo{data: data, format: format, width: config.Width, height: config.Height}, nil
}

// size is the logo's width and height in millimetres, within what a logo may take; a small
// picture is not blown up beyond 96 dots per inch.
func (l logo) size() (w, h float64) {
	const perPixel = 25.4 / 96
	scale := min(logoWidth/float64(l.width), logoHeight/float64(l.height), perPixel)
	return float64(l.width) * scale, float64(l.height) * scale
}
