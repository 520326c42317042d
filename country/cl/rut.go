package cl

import (
	"fmt"
	"strings"

	"folio/country"
)

// Identifiers that SII reserves: one for the buyer of a boleta who is not named, one
// for a foreign buyer of an export.
const (
	UnnamedRUT   = "66666666-6"
	ForeignRUT   = "55555555-5"
	SIIRUT       = "60803000-K" // receiver of every envelope
	minRUTDigits = 6            // below a million no RUT was ever given out
	maxRUTDigits = 8
)

var separators = strings.NewReplacer(".", "", "-", "", " ", "")

// ParseRUT reads a RUT with or without dots and hyphen, with k in either case, and
// returns it as 76192083-9. It refuses a wrong length or check digit and says which.
// Uruguay's RUT of 12 digits is refused.
func ParseRUT(text string) (string, error) {
	plain := strings.ToUpper(separators.Replace(text))
	if len(plain) < 2 {
		return "", fmt.Errorf("%.20q must be a RUT as 76.192.083-9", text)
	}
	digits, check := strings.TrimLeft(plain[:len(plain)-1], "0"), plain[len(plain)-1]
	if !country.AllDigits(digits) || len(digits) < minRUTDigits || len(digits) > maxRUTDigits ||
		check != 'K' && (check < '0' || check > '9') {
		return "", fmt.Errorf("%.20q must be a RUT of %d to %d digits and its check digit, as in 76.192.083-9", text,
			minRUTDigits, maxRUTDigits)
	}
	if checkDigit(digits) != check {
		return "", fmt.Errorf("%s-%c has a wrong check digit", digits, check)
	}
	return digits + "-" + string(check), nil
}

// checkDigit is modulo 11 with the weights 2 to 7 from the right; 10 is written K and
// 11 is written 0.
func checkDigit(digits string) byte {
	sum := 0
	for i := range len(digits) {
		sum += int(digits[len(digits)-1-i]-'0') * (2 + i%6)
	}
	return "0K987654321"[sum%11]
}

// PrintRUT writes a canonical RUT as 76.192.083-9 and any other text as it is.
func PrintRUT(rut string) string {
	digits, check, ok := strings.Cut(rut, "-")
	if !ok || !country.AllDigits(digits) {
		return rut
	}
	return country.Grouped(digits) + "-" + check
}

// SplitRUT is the number and the check digit of a canonical RUT, as SII's forms and
// queries take them.
func SplitRUT(rut string) (number, check string) {
	number, check, _ = strings.Cut(rut, "-")
	return number, check
}
