package money

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// Exact is an exact decimal number without a bound on its digits, for sums over many
// documents. Its text has no needless zeros: "0", "-12.5". The zero value is 0.
type Exact struct {
	digits string // the text, "" for 0: values can be compared and copied
}

// exactText is plain decimal text.
var exactText = regexp.MustCompile(`^-?[0-9]{1,96}(\.[0-9]{1,64})?$`)

// ParseExact reads plain decimal text of at most 96 digits before the point and 64 after it.
func ParseExact(s string) (Exact, error) {
	if !exactText.MatchString(s) {
		return Exact{}, fmt.Errorf("%.20q is not a decimal number", s)
	}
	sign, s := "", s
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	switch {
	case whole == "" && fraction == "":
		return Exact{}, nil
	case whole == "":
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return Exact{sign + whole}, nil
}

// Exact is the same number.
func (a Decimal) Exact() Exact {
	e, err := ParseExact(a.String())
	if err != nil {
		panic(err) // a Decimal has 19 digits
	}
	return e
}

// String is the plain decimal text.
func (a Exact) String() string {
	if a.digits == "" {
		return "0"
	}
	return a.digits
}

// IsZero says whether a is 0.
func (a Exact) IsZero() bool { return a.digits == "" }

// Sign is -1, 0 or 1.
func (a Exact) Sign() int {
	switch {
	case a.digits == "":
		return 0
	case a.digits[0] == '-':
		return -1
	}
	return 1
}

// unscaled is a times ten to the power of scale.
func (a Exact) unscaled() (n *big.Int, scale int) {
	whole, fraction, _ := strings.Cut(a.String(), ".")
	n, _ = new(big.Int).SetString(whole+fraction, 10) // it is digits
	return n, len(fraction)
}

// Unscaled is a times ten to the power of decimals; false when a has more decimals.
func (a Exact) Unscaled(decimals int) (*big.Int, bool) {
	n, scale := a.unscaled()
	if scale > decimals {
		return nil, false
	}
	return n.Mul(n, power(decimals-scale)), true
}

func fromUnscaled(n *big.Int, scale int) Exact {
	text := new(big.Int).Abs(n).String()
	if len(text) <= scale {
		text = strings.Repeat("0", scale-len(text)+1) + text
	}
	whole, fraction := text[:len(text)-scale], strings.TrimRight(text[len(text)-scale:], "0")
	if fraction != "" {
		whole += "." + fraction
	}
	if n.Sign() == 0 {
		return Exact{}
	}
	if n.Sign() < 0 {
		whole = "-" + whole
	}
	return Exact{whole}
}

func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// Add is a + b.
func (a Exact) Add(b Exact) Exact {
	if a.IsZero() {
		return b
	}
	if b.IsZero() {
		return a
	}
	x, m := a.unscaled()
	y, n := b.unscaled()
	if m < n {
		x, m = x.Mul(x, power(n-m)), n
	} else if n < m {
		y.Mul(y, power(m-n))
	}
	return fromUnscaled(x.Add(x, y), m)
}

// Neg is -a.
func (a Exact) Neg() Exact {
	switch a.Sign() {
	case 0:
		return a
	case -1:
		return Exact{a.digits[1:]}
	}
	return Exact{"-" + a.digits}
}

// Times is a times n.
func (a Exact) Times(n int) Exact {
	x, scale := a.unscaled()
	return fromUnscaled(x.Mul(x, big.NewInt(int64(n))), scale)
}

// Mul is a * b.
func (a Exact) Mul(b Exact) Exact {
	x, m := a.unscaled()
	y, n := b.unscaled()
	return fromUnscaled(x.Mul(x, y), m+n)
}

// Round rounds to n decimals, half away from zero, as Decimal.Round does.
func (a Exact) Round(n int) Exact {
	x, scale := a.unscaled()
	if scale <= n {
		return a
	}
	unit := power(scale - n)
	half := new(big.Int).Quo(unit, big.NewInt(2))
	if x.Sign() < 0 {
		half.Neg(half)
	}
	return fromUnscaled(x.Quo(x.Add(x, half), unit), n)
}

// Cmp is -1, 0 or 1.
func (a Exact) Cmp(b Exact) int { return a.Add(b.Neg()).Sign() }

// Fixed is the text with n decimals at least: "12.50".
func (a Exact) Fixed(n int) string {
	s := a.String()
	if n == 0 {
		return s
	}
	_, fraction, _ := strings.Cut(s, ".")
	if fraction == "" {
		s += "."
	}
	return s + strings.Repeat("0", max(n-len(fraction), 0))
}

// MarshalText writes the plain decimal text.
func (a Exact) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads it.
func (a *Exact) UnmarshalText(b []byte) (err error) {
	*a, err = ParseExact(string(b))
	return err
}
