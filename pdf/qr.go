package pdf

import (
	"strconv"

	"rsc.io/qr"
)

// quiet is the white margin of a QR code in modules (ISO/IEC 18004, section 9.1).
const quiet = 4

// qrCode is a code as one path: a rectangle for each run of dark modules, in a space
// where a module is 1 wide and y grows upwards. One path has no seams between rows.
type qrCode struct {
	size int // modules to a side, margins included; 0 for no code
	path string
}

// encodeQR encodes the text with error correction level M, or L where it would not
// fit otherwise.
func encodeQR(text string) (qrCode, error) {
	if text == "" {
		return qrCode{}, nil
	}
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		code, err = qr.Encode(text, qr.L)
	}
	if err != nil {
		return qrCode{}, err
	}
	path := make([]byte, 0, 16<<10)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			if !code.Black(x, y) {
				continue
			}
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			path = strconv.AppendInt(path, int64(quiet+from), 10)
			path = append(path, ' ')
			path = strconv.AppendInt(path, int64(quiet+code.Size-1-y), 10)
			path = append(path, ' ')
			path = strconv.AppendInt(path, int64(x-from), 10)
			path = append(path, " 1 re\n"...)
		}
	}
	return qrCode{size: code.Size + 2*quiet, path: string(path)}, nil
}
