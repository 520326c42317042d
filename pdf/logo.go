package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"

	"folio/fault"
)

// Limits of an uploaded logo.
const (
	MaxLogoBytes  = 512 << 10
	MaxLogoSide   = 4000      // pixels
	MaxLogoPixels = 9_000_000 // in all
	maxScans      = 64        // of a progressive JPEG; ordinary ones have about ten
)

// What a page can show of a logo at 300 dots per inch (62 x 19 mm), with some to spare.
const (
	printWidth  = 800
	printHeight = 260
	photoBytes  = 48 << 10 // a PNG above this is tried as a JPEG too
	quality     = 90
)

// LogoMemory is what NormaliseLogo takes of an upload, in bytes and at most: its pixels
// with 16 bits a channel, and what scaling them keeps. The largest logos take 160 MB. It
// refuses what NormaliseLogo refuses before any pixel is unpacked.
func LogoMemory(upload []byte) (int64, error) {
	_, config, err := checkLogo(upload)
	if err != nil {
		return 0, err
	}
	const pixel, scaled = 8, 4 * 8 // bytes
	return int64(config.Width)*int64(config.Height)*pixel +
		min(int64(config.Width), printWidth)*int64(config.Height)*scaled, nil
}

// NormaliseLogo makes of an uploaded picture what Render takes: an opaque PNG or
// JPEG of 8 bits a channel, not interlaced, without metadata, and no larger than a
// page can show. Width and height are those of the result, in pixels.
//
// It takes PNG in all its forms and JPEG (baseline, progressive, grey, CMYK; turned
// as its EXIF orientation says). Transparency is laid on white. The content decides
// what a picture is, not its name. Anything else, a broken or cut-off file, more than
// MaxLogoBytes, a side above MaxLogoSide or more than MaxLogoPixels is a fault with the
// path "logo". The sides are read from the header, before any pixel is unpacked. When ctx
// ends, so does the work, with its error.
func NormaliseLogo(ctx context.Context, upload []byte) (out []byte, width, height int, err error) {
	format, _, err := checkLogo(upload)
	if err != nil {
		return nil, 0, 0, err
	}
	picture, err := decodeLogo(ctx, upload, format)
	if ctx.Err() != nil {
		return nil, 0, 0, ctx.Err()
	}
	if err != nil {
		return nil, 0, 0, damaged(format, err)
	}
	flat := flatten(picture, turn(upload, format))
	out, err = encodeLogo(flat, format)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("encode the logo: %w", err)
	}
	return out, flat.Bounds().Dx(), flat.Bounds().Dy(), nil
}

// checkLogo looks at size, kind and sides of an upload.
func checkLogo(upload []byte) (format string, config image.Config, err error) {
	if len(upload) == 0 {
		return "", config, fault.Field("logo", "REQUIRED", "send a PNG or JPEG file in the part named logo")
	}
	if len(upload) > MaxLogoBytes {
		return "", config, fault.Field("logo", "LOGO_TOO_LARGE", "the file is larger than 512 KiB: scale the picture down")
	}
	format = sniff(upload)
	if format != "PNG" && format != "JPEG" {
		return "", config, fault.Field("logo", "LOGO_FORMAT", "the file is "+format+": send a PNG or a JPEG")
	}
	config, err = decoders[format].config(bytes.NewReader(upload))
	if err == nil && bytes.Count(upload, []byte{0xff, 0xda}) > maxScans && format == "JPEG" {
		// Each scan goes through all pixels: thousands of tiny ones would take minutes.
		err = fmt.Errorf("more than %d scans", maxScans)
	}
	if err != nil {
		return "", config, damaged(format, err)
	}
	w, h := config.Width, config.Height
	if w > MaxLogoSide || h > MaxLogoSide || w*h > MaxLogoPixels || w < 1 || h < 1 {
		return "", config, fault.Field("logo", "LOGO_DIMENSIONS", fmt.Sprintf(
			"the picture is %d x %d pixels: at most %d a side and %d million in all are taken",
			w, h, MaxLogoSide, MaxLogoPixels/1_000_000))
	}
	return format, config, nil
}

// damaged is the fault of a file that says it is a picture and cannot be unpacked.
func damaged(format string, err error) error {
	return fault.Field("logo", "LOGO_DAMAGED",
		"the "+format+" file is damaged or of a rare kind ("+err.Error()+"): save it again as an ordinary PNG or JPEG")
}

// decodeLogo unpacks the pixels.
func decodeLogo(ctx context.Context, upload []byte, format string) (picture image.Image, err error) {
	defer func() {
		// A decoder that trips over foreign bytes must not take the service with it.
		if r := recover(); r != nil {
			err = errors.New("it cannot be decoded")
		}
	}()
	return decoders[format].decode(untilGone{ctx, bytes.NewReader(upload)})
}

// untilGone reads until its context ends: a decoder then stops with the next bytes it
// asks for.
type untilGone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilGone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(b)
}

// turn is the EXIF orientation of an upload.
func turn(upload []byte, format string) int {
	if format != "JPEG" {
		return 1
	}
	return orientation(upload)
}

// flatten lays the picture on white, scales it down to what a page needs and turns it
// upright.
func flatten(picture image.Image, orientation int) *image.RGBA {
	size := picture.Bounds()
	w, h := size.Dx(), size.Dy()
	most, highest := printWidth, printHeight
	if orientation >= 5 {
		most, highest = highest, most
	}
	if w > most {
		w, h = most, max(1, h*most/w)
	}
	if h > highest {
		w, h = max(1, w*highest/h), highest
	}
	flat := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(flat, flat.Bounds(), image.White, image.Point{}, draw.Src)
	if w == size.Dx() && h == size.Dy() {
		draw.Draw(flat, flat.Bounds(), picture, size.Min, draw.Over)
	} else {
		draw.CatmullRom.Scale(flat, flat.Bounds(), picture, size, draw.Over, nil)
	}
	return upright(flat, orientation)
}

// encodeLogo keeps a JPEG a JPEG and a drawing a PNG; a photograph in a PNG becomes
// the smaller of the two.
func encodeLogo(flat *image.RGBA, format string) ([]byte, error) {
	var photo bytes.Buffer
	if format == "JPEG" {
		err := jpeg.Encode(&photo, flat, &jpeg.Options{Quality: quality})
		return photo.Bytes(), err
	}
	var drawing bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&drawing, paletted(flat)); err != nil {
		return nil, err
	}
	if drawing.Len() <= photoBytes {
		return drawing.Bytes(), nil
	}
	if err := jpeg.Encode(&photo, flat, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	if photo.Len() < drawing.Len()/2 {
		return photo.Bytes(), nil
	}
	return drawing.Bytes(), nil
}

// paletted is the picture with a palette if it has 256 colours at most: a PNG of it
// is a third of the size.
func paletted(flat *image.RGBA) image.Image {
	var palette color.Palette
	index := make(map[color.RGBA]uint8, 256)
	small := image.NewPaletted(flat.Bounds(), nil)
	for i := range small.Pix {
		p := flat.Pix[4*i : 4*i+4 : 4*i+4]
		c := color.RGBA{p[0], p[1], p[2], p[3]}
		n, known := index[c]
		if !known {
			if len(palette) == 256 {
				return flat
			}
			n = uint8(len(palette))
			index[c], palette = n, append(palette, c)
		}
		small.Pix[i] = n
	}
	small.Palette = palette
	return small
}
