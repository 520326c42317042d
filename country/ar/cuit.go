package ar

import (
	"fmt"
	"strings"

	"folio/country"
)

// cuitPrefixes are those that the registry gives out: persons, entities, and the
// "CUIT país" of foreigners. The CUIL and CDI share them.
var cuitPrefixes = []string{"20", "23", "24", "25", "26", "27", "30", "33", "34", "50", "51", "55"}

// hyphens takes out what may stand between the digits of a CUIT.
var hyphens = strings.NewReplacer("-", "", " ", "")

// ParseCUIT reads a CUIT, CUIL or CDI with or without hyphens and returns its 11
// digits. It refuses a wrong length, prefix or check digit and says which; a number
// whose check digit would be 10 does not exist (the registry changes its prefix).
func ParseCUIT(text string) (string, error) {
	digits := hyphens.Replace(text)
	if len(digits) != 11 || !country.AllDigits(digits) {
		return "", fmt.Errorf("%.20q must have 11 digits, as in 30-50001091-2", text)
	}
	known := false
	for _, p := range cuitPrefixes {
		known = known || strings.HasPrefix(digits, p)
	}
	if !known {
		return "", fmt.Errorf("%s begins with %s, which is no prefix of a CUIT", digits, digits[:2])
	}
	want := checkDigit(digits[:10])
	if want == 10 {
		return "", fmt.Errorf("%s cannot exist: its check digit would be 10", digits)
	}
	if int(digits[10]-'0') != want {
		return "", fmt.Errorf("%s has a wrong check digit", digits)
	}
	return digits, nil
}

// checkDigit is modulo 11 over ten digits; 10 means that there is none.
func checkDigit(ten string) int {
	weights := [10]int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}
	sum := 0
	for i, w := range weights {
		sum += w * int(ten[i]-'0')
	}
	return (11 - sum%11) % 11
}

// PrintCUIT writes 11 digits as NN-NNNNNNNN-N and any other text as it is.
func PrintCUIT(digits string) string {
	if len(digits) != 11 || !country.AllDigits(digits) {
		return digits
	}
	return digits[:2] + "-" + digits[2:10] + "-" + digits[10:]
}
