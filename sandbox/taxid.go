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

// rucWeights are those of the check digit of Uruguay's RUT, modulo 11.
var rucWeights = [11]int{4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}

// ParseRUC reads a Uruguayan RUT (RUC in DGI's schemas) with or without blanks, dots and
// hyphens, verifies its check digit and returns its twelve digits.
func ParseRUC(text string) (string, error) {
	plain := strings.NewReplacer(".", "", "-", "", " ", "").Replace(text)
	if len(plain) != 12 {
		return "", fmt.Errorf("RUT %.20q must have 12 digits", text)
	}
	sum := 0
	for i, d := range []byte(plain) {
		if d < '0' || d > '9' {
			return "", fmt.Errorf("RUT %.20q must have 12 digits", text)
		}
		if i < len(rucWeights) {
			sum += int(d-'0') * rucWeights[i]
		}
	}
	if check := (11 - sum%11) % 11; check != int(plain[11]-'0') {
		return "", fmt.Errorf("RUT %.20q has a wrong check digit", text)
	}
	return plain, nil
}

// ciWeights are those of the check digit of Uruguay's cédula de identidad, modulo 10.
var ciWeights = [7]int{2, 9, 8, 7, 6, 3, 4}

// ValidCI says whether a text is a cédula de identidad of up to eight digits, the last of
// them right; shorter ones have zeros before.
func ValidCI(text string) bool {
	if len(text) < 2 || len(text) > 8 {
		return false
	}
	text = strings.Repeat("0", 8-len(text)) + text
	sum := 0
	for i, d := range []byte(text) {
		if d < '0' || d > '9' {
			return false
		}
		if i < len(ciWeights) {
			sum += int(d-'0') * ciWeights[i]
		}
	}
	return (10-sum%10)%10 == int(text[7]-'0')
}
