package sandbox

import (
	"fmt"
	"strconv"
	"strings"
)

// weights are those of the CUIT's check digit (domain rule of ARCA, modulo 11).
var weights = [10]int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}

// ParseCUIT reads an Argentine tax identifier with or without hyphens and
// verifies its length and check digit.
func ParseCUIT(text string) (int64, error) {
	digits := strings.ReplaceAll(strings.TrimSpace(text), "-", "")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) != 11 || n < 0 {
		return 0, fmt.Errorf("CUIT %.20q must have 11 digits", text)
	}
	if !ValidCUIT(n) {
		return 0, fmt.Errorf("CUIT %s has a wrong check digit", digits)
	}
	return n, nil
}

// ValidCUIT says whether n has 11 digits and the right check digit. A number whose
// check digit would be 10 does not exist.
func ValidCUIT(n int64) bool {
	if n < 10_000_000_000 || n > 99_999_999_999 {
		return false
	}
	sum, rest := 0, n/10
	for i := 9; i >= 0; i-- {
		sum += weights[i] * int(rest%10)
		rest /= 10
	}
	digit := (11 - sum%11) % 11
	return digit != 10 && int64(digit) == n%10
}

// ParseRUT reads a Chilean RUT with or without dots and hyphen, verifies its check digit
// and returns it as 76192083-9.
func ParseRUT(text string) (string, error) {
	plain := strings.ToUpper(strings.NewReplacer(".", "", "-", "", " ", "").Replace(text))
	if len(plain) < 4 || len(plain) > 9 {
		return "", fmt.Errorf("RUT %.20q must have up to 8 digits and its check digit", text)
	}
	digits, sum := strings.TrimLeft(plain[:len(plain)-1], "0"), 0
	for i := range len(digits) {
		d := digits[len(digits)-1-i]
		if d < '0' || d > '9' {
			return "", fmt.Errorf("RUT %.20q must have up to 8 digits and its check digit", text)
		}
		sum += int(d-'0') * (2 + i%6)
	}
	if check := "0K987654321"[sum%11]; plain[len(plain)-1] != check {
		return "", fmt.Errorf("RUT %.20q has a wrong check digit", text)
	}
	return digits + "-" + plain[len(plain)-1:], nil
}
