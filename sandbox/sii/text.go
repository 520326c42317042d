package sii

import (
	"fmt"
	"time"
)

// zone is Chilean time where the machine knows it.
var zone = loadZone()

func loadZone() *time.Location {
	if l, err := time.LoadLocation("America/Santiago"); err == nil {
		return l
	}
	return time.FixedZone("-04", -4*60*60)
}

// latin1 encodes a text as ISO-8859-1.
func latin1(text string) ([]byte, error) {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return nil, fmt.Errorf("%q is not in ISO-8859-1", r)
		}
		out = append(out, byte(r))
	}
	return out, nil
}

func fromLatin1(raw []byte) string {
	out := make([]rune, len(raw))
	for i, b := range raw {
		out[i] = rune(b)
	}
	return string(out)
}

func cut(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(n, len(runes))])
}
