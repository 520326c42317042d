package ar

import (
	"testing"

	"folio/country"
	"folio/money"
)

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{
		0: "cero", 1: "uno", 15: "quince", 16: "dieciséis", 20: "veinte", 21: "veintiuno", 22: "veintidós", 23: "veintitrés",
		26: "veintiséis",
		30: "treinta", 31: "treinta y uno", 99: "noventa y nueve", 100: "cien", 101: "ciento uno", 115: "ciento quince",
		500: "quinientos", 700: "setecientos", 999: "novecientos noventa y nueve",
		1000: "mil", 1001: "mil uno", 1100: "mil cien", 2000: "dos mil", 21_000: "veintiún mil", 31_000: "treinta y un mil",
		100_000: "cien mil", 101_000: "ciento un mil", 121_021: "ciento veintiún mil veintiuno",
		1_000_000: "un millón", 1_000_001: "un millón uno", 2_000_000: "dos millones", 21_000_000: "veintiún millones",
		1_234_567:         "un millón doscientos treinta y cuatro mil quinientos sesenta y siete",
		1_000_000_000:     "mil millones",
		1_001_000_000:     "mil un millones",
		1_000_000_000_000: "un billón",
		9_999_999_999_999: "nueve billones novecientos noventa y nueve mil novecientos noventa y nueve millones " +
			"novecientos noventa y nueve mil novecientos noventa y nueve",
		-1:                    "",
		1_000_000_000_000_000: "",
	} {
		if got := Words(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestTotalInWords(t *testing.T) {
	for _, c := range []struct{ amount, currency, want string }{
		{"1234.5", "ARS", "Son: pesos argentinos mil doscientos treinta y cuatro con 50/100."},
		{"0.07", "ARS", "Son: pesos argentinos cero con 07/100."},
		{"21", "USD", "Son: dólares estadounidenses veintiuno con 00/100."},
		{"9999999999999999999", "ARS", ""},
	} {
		if got := inWords(money.MustParse(c.amount), c.currency); got != c.want {
			t.Errorf("%s %s is %q, want %q", c.amount, c.currency, got, c.want)
		}
	}
}

func TestPrintedNumbersAndDates(t *testing.T) {
	for in, want := range map[string]string{
		"1234567.89": "1.234.567,89", "0.5": "0,50", "1000": "1.000,00", "999.9": "999,90", "-1234": "-1.234,00",
		"33.333333": "33,333333", "12.3400": "12,34", "0": "0,00",
	} {
		if got := printAmount(money.MustParse(in)); got != want {
			t.Errorf("%s is printed %s, want %s", in, got, want)
		}
	}
	if got := printCents(money.MustParse("1234.565")); got != "1.234,57" {
		t.Errorf("cents are printed %s", got)
	}
	if got := country.PrintNumber(money.MustParse("1500")); got != "1.500" {
		t.Errorf("a quantity is printed %s", got)
	}
	for in, want := range map[string]string{"2026-11-27": "27/11/2026", "2026-11-27 10:00:00": "27/11/2026", "": "",
		"soon": "soon"} {
		if got := printDate(in); got != want {
			t.Errorf("%q is printed %q", in, got)
		}
	}
	for want, got := range map[string]string{"0001-00000001": printNumberOf(1, 1),
		"9999-99999999": printNumberOf(9999, 99_999_999), "12345-00000042": printNumberOf(12345, 42)} {
		if got != want {
			t.Errorf("printed %s, want %s", got, want)
		}
	}
}
