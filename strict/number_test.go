package strict

import (
	"strings"
	"testing"

	"folio/money"

	"pgregory.net/rapid"

	_ "folio/rapidseed"
)

func TestDecimalsAreExactOrRefused(t *testing.T) {
	for _, c := range []struct{ literal, want string }{ // want is the value, or a code
		{"0", "0"}, {"-0", "0"}, {"0.00", "0.00"}, {"121.00", "121.00"}, {"1e2", "100"}, {"1E+2", "100"}, {"12.5e1", "125"},
		{"1.5e-2", "0.015"},
		{"-1.5", "-1.5"}, {"999999999999999", "999999999999999"}, {"999999999999999.9999", "999999999999999.9999"},
		{"1e14", "100000000000000"}, {"0e999999999999999999999", "0"}, {"0.000e5", "0"}, {"100e-2", "1.00"},
		{"1e15", CodeDigits}, {"1e21", CodeDigits}, {"12345678901234567890", CodeDigits}, {"1e400", CodeDigits},
		{"1e99999999999999999999", CodeDigits},
		{strings.Repeat("9", 400), CodeDigits}, {"0.0000001", CodeDecimals}, {"1e-7", CodeDecimals},
		{"1e-99999999999999999999", CodeDecimals},
		{"0." + strings.Repeat("1", 400), CodeDecimals}, {"1." + strings.Repeat("0", 400), CodeDigits},
		{"123456789012345.123456", CodeDigits}, {"1.1234567", CodeDecimals}, {"1.1230000", "1.1230000"}, {"0.000000e-1", "0"},
	} {
		o := object(t, `{"n":`+c.literal+`}`)
		got := o.Decimal("n").String()
		if list := codes(o.Done()); len(list) > 0 {
			got = strings.TrimPrefix(list[0], "n ")
		}
		if got != c.want {
			t.Errorf("%.40s reads as %s, want %s", c.literal, got, c.want)
		}
	}
}

func TestBoundsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		literal string
		rule    Rule
		ok      bool
	}{
		{"1.25", Decimals(2), true}, {"1.250", Decimals(2), true}, {"1.255", Decimals(2), false},
		{"999", WholeDigits(3), true}, {"1000", WholeDigits(3), false},
		{"0", Positive, false}, {"-0.00", Positive, false}, {"0.01", Positive, true}, {"-1", NotNegative, false},
		{"-0", NotNegative, true},
	} {
		o := object(t, `{"n":`+c.literal+`}`)
		o.Decimal("n", c.rule)
		if err := o.Done(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.literal, err)
		}
	}
}

func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		literal string
		want    int64
		code    string
	}{
		{"1", 1, ""}, {"-5", -5, ""}, {"1.0", 1, ""}, {"1e2", 100, ""}, {"0e9", 0, ""}, {"-0", 0, ""},
		{"1.5", 0, CodeInteger}, {"1e-1", 0, CodeInteger}, {"1e19", 0, CodeOutOfRange}, {"1e400", 0, CodeOutOfRange},
		{"123456789012345678901234567890", 0, CodeOutOfRange}, {"9223372036854775807", 9223372036854775807, ""},
		{"9223372036854775808", 0, CodeOutOfRange},
	} {
		o := object(t, `{"n":`+c.literal+`}`)
		got, code := o.Int("n"), ""
		if list := codes(o.Done()); len(list) > 0 {
			code = strings.TrimPrefix(list[0], "n ")
		}
		if got != c.want || code != c.code {
			t.Errorf("%s reads as %d %s, want %d %s", c.literal, got, code, c.want, c.code)
		}
	}
	for literal, ok := range map[string]bool{"1": true, "10": true, "0": false, "11": false, "1e9": false} {
		o := object(t, `{"n":`+literal+`}`)
		o.Int("n", Between(1, 10))
		if err := o.Done(); (err == nil) != ok {
			t.Errorf("%s between 1 and 10: %v", literal, err)
		}
	}
}

// Whatever money writes is read back as the same number.
func TestWhatMoneyWritesIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.StringMatching(`-?(0|[1-9][0-9]{0,12})(\.[0-9]{1,6})?`).Draw(t, "literal")
		r := resolve(nil)
		got, bad := r.decimal(want)
		if bad.code != "" || !got.Equal(money.MustParse(want)) {
			t.Fatalf("%s reads as %s %v", want, got, bad)
		}
	})
}
