package httpapi

import (
	"net/http"
	"strconv"
	"strings"
)

// TakesGzip says whether a caller takes an answer in gzip, and does not like it plain better (Accept-Encoding, RFC 9110
// 12.5.3). A quality of 0 refuses; what is no quality is 0, too, as everybody reads what is plain.
func TakesGzip(r *http.Request) bool {
	gzip, any, plain := -1.0, -1.0, 0.0
	for one := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(one, ";")
		switch quality := qualityOf(parameters); strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			gzip = max(gzip, quality)
		case "*":
			any = quality
		case "identity":
			plain = quality
		}
	}
	if gzip < 0 {
		gzip = any
	}
	return gzip > 0 && gzip >= plain
}

// qualityOf is the weight among the parameters of an element of a list, 1 without one.
func qualityOf(parameters string) float64 {
	for one := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(one, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}
