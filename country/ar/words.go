package ar

import "strings"

var (
	upToTwentyNine = strings.Fields(`cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince
		dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco
		veintiséis veintisiete veintiocho veintinueve`)
	tens     = strings.Fields("- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa")
	hundreds = strings.Fields("- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos " +
		"ochocientos novecientos")
)

// Words writes a whole number from 0 to 10^15-1 in Spanish, on the long scale: a
// billón is 10^12. Anything else is empty.
func Words(n int64) string {
	if n < 0 || n >= 1_000_000_000_000_000 {
		return ""
	}
	if n == 0 {
		return upToTwentyNine[0]
	}
	var parts []string
	for _, scale := range []struct {
		unit      int64
		one, many string
	}{{1_000_000_000_000, "billón", "billones"}, {1_000_000, "millón", "millones"}} {
		switch count := n / scale.unit; {
		case count == 1:
			parts = append(parts, "un", scale.one)
		case count > 1:
			parts = append(parts, shortened(thousands(count)), scale.many)
		}
		n %= scale.unit
	}
	if n > 0 {
		parts = append(parts, thousands(n))
	}
	return strings.Join(parts, " ")
}

// thousands writes 1 to 999,999.
func thousands(n int64) string {
	var parts []string
	switch count := n / 1000; {
	case count == 1:
		parts = append(parts, "mil")
	case count > 1:
		parts = append(parts, shortened(below1000(count)), "mil")
	}
	if rest := n % 1000; rest > 0 {
		parts = append(parts, below1000(rest))
	}
	return strings.Join(parts, " ")
}

// below1000 writes 1 to 999.
func below1000(n int64) string {
	if n == 100 {
		return "cien"
	}
	var parts []string
	if n >= 100 {
		parts = append(parts, hundreds[n/100])
	}
	switch rest := n % 100; {
	case rest == 0:
	case rest < 30:
		parts = append(parts, upToTwentyNine[rest])
	case rest%10 == 0:
		parts = append(parts, tens[rest/10])
	default:
		parts = append(parts, tens[rest/10], "y", upToTwentyNine[rest%10])
	}
	return strings.Join(parts, " ")
}

// shortened is the form before mil and millones: veintiún mil, treinta y un mil.
func shortened(words string) string {
	if before, ok := strings.CutSuffix(words, "veintiuno"); ok {
		return before + "veintiún"
	}
	if before, ok := strings.CutSuffix(words, "uno"); ok {
		return before + "un"
	}
	return words
}
