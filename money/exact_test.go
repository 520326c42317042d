package money_test

import (
	"math/big"
	"testing"

	"folio/money"
)

func exact(t *testing.T, s string) money.Exact {
	t.Helper()
	e, err := money.ParseExact(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestExactKeepsEveryDigit(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{exact(t, "007.50").String(), "7.5"},
		{exact(t, "-0.00").String(), "0"},
		{exact(t, "9999999999999999999999.99").Add(exact(t, "0.01")).String(), "10000000000000000000000"},
		{exact(t, "-5").Add(exact(t, "4.25")).String(), "-0.75"},
		{exact(t, "9999999999999.99").Mul(exact(t, "1234.567891")).String(), "12345678909999987.65432109"},
		{exact(t, "2.345").Round(2).String(), "2.35"},
		{exact(t, "-2.345").Round(2).String(), "-2.35"},
		{exact(t, "-0.004").Round(2).String(), "0"},
		{exact(t, "12.5").Times(-1).String(), "-12.5"},
		{exact(t, "12.5").Fixed(2), "12.50"},
		{exact(t, "12").Fixed(2), "12.00"},
		{exact(t, "12").Fixed(0), "12"},
		{money.MustParse("121.00").Exact().String(), "121"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	for _, bad := range []string{"", ".5", "1e3", "+1", "1.", "--1", "NaN"} {
		if _, err := money.ParseExact(bad); err == nil {
			t.Errorf("%q is no number", bad)
		}
	}
}

func FuzzExact(f *testing.F) {
	f.Add("1.5", "-0.25")
	f.Add("99999999999999999999", "0.0000001")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := money.ParseExact(a)
		if err != nil {
			return
		}
		y, err := money.ParseExact(b)
		if err != nil {
			return
		}
		p, _ := new(big.Rat).SetString(x.String())
		q, _ := new(big.Rat).SetString(y.String())
		for what, c := range map[string]struct {
			got  money.Exact
			want *big.Rat
		}{"sum": {x.Add(y), new(big.Rat).Add(p, q)}, "product": {x.Mul(y), new(big.Rat).Mul(p, q)},
			"negation": {x.Neg(), new(big.Rat).Neg(p)}} {
			if got, _ := new(big.Rat).SetString(c.got.String()); got.Cmp(c.want) != 0 {
				t.Errorf("%s of %s and %s is %s", what, a, b, c.got)
			}
		}
	})
}
