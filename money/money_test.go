package money_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/money"
)

func TestParseKeepsEveryDigitOrRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text keeps its scale", "121.00", "121.00"},
		{"an exponent is read as a number", "1e2", "100"},
		{"an upper-case exponent too", "1.5E3", "1500"},
		{"a negative exponent", "125e-2", "1.25"},
		{"leading zeros do not matter", "0007.50", "7.50"},
		{"minus", "-0.01", "-0.01"},
		{"nineteen digits", "9999999999999999999", "9999999999999999999"},
		{"nineteen decimals", "0.0000000000000000001", "0.0000000000000000001"},
		{"1e6 and above stay as they are", "12345678.90", "12345678.90"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := money.Parse(c.in)
			if err != nil || got.String() != c.want {
				t.Errorf("Parse(%q) = %s, %v; want %s", c.in, got, err, c.want)
			}
		})
	}
	for _, c := range []struct{ name, in string }{
		{"twenty digits, which a float would turn into another number", "12345678901234567890"},
		{"1e21", "1e21"},
		{"nineteen digits and a half", "1234567890123456789.5"},
		{"twenty decimals", "0.00000000000000000001"},
		{"digits lost behind an exponent", "1e-30"},
		{"a rounding that keeps the number of digits", "95e-20"},
		{"nothing", ""},
		{"words", "ten"},
		{"two points", "1.2.3"},
		{"a comma", "1,5"},
		{"not a number", "NaN"},
		{"infinity", "Inf"},
		{"hexadecimal", "0x10"},
		{"spaces", " 1"},
		{"a text far too long", "0." + string(make([]byte, 100))},
		{"an endless exponent", "1e999999999999"},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			if got, err := money.Parse(c.in); err == nil {
				t.Errorf("Parse(%q) = %s, want an error", c.in, got)
			}
		})
	}
}

func TestMustParsePanicsOnBadConstants(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a bad constant")
		}
	}()
	money.MustParse("x")
}

func TestRounding(t *testing.T) {
	for _, c := range []struct {
		in         string
		n          int
		away, even string
	}{
		{"1.2474", 2, "1.25", "1.25"},
		{"0.125", 2, "0.13", "0.12"},
		{"0.135", 2, "0.14", "0.14"},
		{"-0.125", 2, "-0.13", "-0.12"},
		{"2.5", 0, "3", "2"},
		{"1", 2, "1.00", "1.00"},
		{"0.0049", 2, "0.00", "0.00"},
		{"99.995", 2, "100.00", "100.00"},
	} {
		a := money.MustParse(c.in)
		if got := a.Round(c.n).String(); got != c.away {
			t.Errorf("%s rounds to %s, want %s", c.in, got, c.away)
		}
		if got := a.RoundEven(c.n).String(); got != c.even {
			t.Errorf("%s rounds to even %s, want %s", c.in, got, c.even)
		}
	}
}

func TestArithmeticOfTheWorkedCases(t *testing.T) {
	line := money.FromInt(16).Mul(money.MustParse("348.35")) // odoo 37896
	if line.String() != "5573.60" {
		t.Errorf("16 × 348.35 = %s", line)
	}
	net := line.Sub(line.Percent(money.FromInt(4)))
	if !net.Equal(money.MustParse("5350.656")) {
		t.Errorf("less 4 %% = %s", net)
	}
	if got := money.MustParse("5.94").Percent(money.FromInt(21)); !got.Equal(money.MustParse("1.2474")) {
		t.Errorf("21 %% of 5.94 = %s", got)
	}
	if got := money.Sum(money.MustParse("0.1"), money.MustParse("0.2")); !got.Equal(money.MustParse("0.3")) {
		t.Errorf("0.1 + 0.2 = %s", got)
	}
	if got := money.FromInt(1).Quo(money.FromInt(3)).Round(4); got.String() != "0.3333" {
		t.Errorf("1 / 3 = %s", got)
	}
}

func TestQuestionsAboutANumber(t *testing.T) {
	a := money.MustParse("-1234.5600")
	if a.Scale() != 4 || a.Decimals() != 2 || a.WholeDigits() != 4 || a.Sign() != -1 || a.IsZero() {
		t.Errorf("scale %d, decimals %d, whole digits %d, sign %d", a.Scale(), a.Decimals(), a.WholeDigits(), a.Sign())
	}
	if a.Trim().String() != "-1234.56" || a.Neg().String() != "1234.5600" || a.Abs().String() != "1234.5600" {
		t.Errorf("trim %s, neg %s, abs %s", a.Trim(), a.Neg(), a.Abs())
	}
	if money.MustParse("0.5").WholeDigits() != 0 || money.MustParse("122.00").Trim().String() != "122" {
		t.Error("0.5 has no whole digits and 122.00 trims to 122")
	}
	if !money.MustParse("1.0").Equal(money.MustParse("1.00")) || !money.Zero.Less(money.FromInt(1)) ||
		money.Zero.Cmp(money.FromInt(0)) != 0 {
		t.Error("comparison must ignore scale")
	}
}

func TestEventsHoldTextNotNumbers(t *testing.T) {
	b, err := json.Marshal(map[string]money.Decimal{"total": money.MustParse("121.00")})
	if err != nil || string(b) != `{"total":"121.00"}` {
		t.Fatalf("%s, %v", b, err)
	}
	var back map[string]money.Decimal
	if err := json.Unmarshal(b, &back); err != nil || back["total"].String() != "121.00" {
		t.Fatalf("%v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"total":"12,1"}`), &back); err == nil {
		t.Fatal("bad text was read")
	}
}

func TestOverflowPanicsInsteadOfLying(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an overflow went unnoticed")
		}
	}()
	money.MustParse("9999999999999999999").Mul(money.FromInt(10))
}

func draw(t *rapid.T, label string) money.Decimal {
	n := rapid.Int64Range(-1_000_000_000_000, 1_000_000_000_000).Draw(t, label)
	return money.FromInt(n).Mul(money.MustParse(rapid.SampledFrom([]string{"1", "0.1", "0.01", "0.001"}).Draw(t,
		label+" unit")))
}

func rat(a money.Decimal) *big.Rat {
	r, ok := new(big.Rat).SetString(a.String())
	if !ok {
		panic("not a number: " + a.String())
	}
	return r
}

func TestArithmeticAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		if rat(a.Add(b)).Cmp(new(big.Rat).Add(rat(a), rat(b))) != 0 {
			t.Fatalf("%s + %s = %s", a, b, a.Add(b))
		}
		if rat(a.Sub(b)).Cmp(new(big.Rat).Sub(rat(a), rat(b))) != 0 {
			t.Fatalf("%s - %s = %s", a, b, a.Sub(b))
		}
		small := money.FromInt(rapid.Int64Range(-99_999, 99_999).Draw(t, "small"))
		if rat(a.Mul(small)).Cmp(new(big.Rat).Mul(rat(a), rat(small))) != 0 {
			t.Fatalf("%s × %s = %s", a, small, a.Mul(small))
		}
		if a.Cmp(b) != rat(a).Cmp(rat(b)) {
			t.Fatalf("%s against %s: %d", a, b, a.Cmp(b))
		}
	})
}

func TestRoundingNeverMovesMoreThanHalfAUnit(t *testing.T) {
	half := big.NewRat(1, 200)
	rapid.Check(t, func(t *rapid.T) {
		a := draw(t, "a")
		for _, r := range []money.Decimal{a.Round(2), a.RoundEven(2)} {
			if r.Scale() != 2 {
				t.Fatalf("%s rounds to %s, not to two decimals", a, r)
			}
			if off := new(big.Rat).Sub(rat(a), rat(r)); off.Abs(off).Cmp(half) > 0 {
				t.Fatalf("%s rounds to %s", a, r)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "-0.50", "1e2", "95e-20", "12345678901234567890", "0.0000001", "", "e5", "+1", "1e-19",
		"00.1e3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := money.Parse(s)
		if err != nil {
			return
		}
		want, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q was read as %s", s, got)
		}
		if rat(got).Cmp(want) != 0 {
			t.Fatalf("%q was read as another number, %s", s, got)
		}
	})
}

func TestAnAmountIsReadWithTheDecimalsOfItsCurrency(t *testing.T) {
	for _, c := range []struct{ amount, currency, want string }{
		{"242", "ARS", "242.00"}, {"121.5", "UYU", "121.50"}, {"1190", "CLP", "1190"}, {"1190.00", "CLP", "1190"},
		{"0", "USD", "0.00"}, {"1.234", "EUR", "1.234"}, {"5", "060", "5.00"}, {"5", "", "5.00"}, {"-5", "ARS", "-5.00"},
	} {
		if got := money.MustParse(c.amount).In(c.currency); got != c.want {
			t.Errorf("%s %s reads %s, want %s", c.amount, c.currency, got, c.want)
		}
	}
}
