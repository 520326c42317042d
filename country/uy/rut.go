package uy

import (
	"fmt"
	"strings"

	"folio/country"
	"folio/events"
)

// DGIRUT is DGI's own: the receiver of every envelope.
const DGIRUT = "214844360018"

const rutDigits = 12

// ParseRUT reads a RUT with or without spaces, dots and hyphens and returns its 12
// digits. It refuses a wrong length or check digit and says which. The first two digits
// are a running prefix: 22 was given out where old validators stop at 21, so they have no
// upper bound.
func ParseRUT(text string) (string, error) {
	digits := bare(text)
	if len(digits) != rutDigits || !country.AllDigits(digits) {
		return "", fmt.Errorf("%.20q must be a RUT of %d digits, as in %s", text, rutDigits, DGIRUT)
	}
	if strings.HasPrefix(digits, "00") {
		return "", fmt.Errorf("%s is no RUT: none begins with 00", digits)
	}
	d := (11 - weighed(digits[:rutDigits-1], 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)%11) % 11
	if d == 10 || byte('0'+d) != digits[rutDigits-1] {
		return "", fmt.Errorf("%s has a wrong check digit", digits)
	}
	return digits, nil
}

// ParseCI reads a cédula de identidad with or without dots and hyphen and returns its 8
// digits, the check digit last; one of 7 digits is of somebody older and gets a 0 before.
func ParseCI(text string) (string, error) {
	digits := bare(text)
	if len(digits) < 7 || len(digits) > 8 || !country.AllDigits(digits) {
		return "", fmt.Errorf("%.20q must be a CI of 7 or 8 digits, as in 1.335.321-4", text)
	}
	digits = strings.Repeat("0", 8-len(digits)) + digits
	if strings.HasPrefix(digits, "00") {
		return "", fmt.Errorf("%s is no CI", digits)
	}
	d := (10 - weighed(digits[:7], 2, 9, 8, 7, 6, 3, 4)%10) % 10
	if byte('0'+d) != digits[7] {
		return "", fmt.Errorf("%s has a wrong check digit", PrintCI(digits))
	}
	return digits, nil
}

// PrintCI writes a canonical CI as 1.335.321-4 and any other text as it is.
func PrintCI(ci string) string {
	if len(ci) != 8 || !country.AllDigits(ci) {
		return ci
	}
	if ci[0] == '0' {
		return ci[1:4] + "." + ci[4:7] + "-" + ci[7:]
	}
	return ci[:1] + "." + ci[1:4] + "." + ci[4:7] + "-" + ci[7:]
}

// weighed is Σ digit × weight.
func weighed(digits string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += int(digits[i]-'0') * w
	}
	return sum
}

// bare drops what people write between digits.
func bare(text string) string { return separators.Replace(text) }

var separators = strings.NewReplacer(".", "", "-", "", " ", "")

// IdentifiedByRUT says that a party is known by its RUT (RUC), as companies are.
func IdentifiedByRUT(p events.Party) bool { return p.DocumentType == identifierName }
