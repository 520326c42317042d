package country_test

import (
	"testing"

	"folio/country"
	"folio/money"
)

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		a, b             string
		bounded, product bool
	}{
		{"1", "1", true, true},
		{"9999999999999.999999", "9", true, true},
		{"9999999999999.999999", "10", true, false},
		{"9999999", "9999999", true, true},
		{"99999999", "9999999", true, false},
		{"10000000000000", "1", false, false},
		{"0.0000001", "1", false, false},
		{"1.0000000", "0.5", true, true}, // zeros behind do not count
	} {
		a, b := money.MustParse(c.a), money.MustParse(c.b)
		if got := country.Bounded(a); got != c.bounded {
			t.Errorf("%s is bounded: %v", c.a, got)
		}
		if got := country.BoundedProduct(a, b); got != c.product {
			t.Errorf("%s × %s is bounded: %v", c.a, c.b, got)
		}
	}
}

func TestViolationsKeepTheirOrder(t *testing.T) {
	var v country.Violations
	if !v.None() {
		t.Error("the zero value has violations")
	}
	v.Add("b", "X-01", "%d is wrong", 1)
	v.Add("a", "X-02", "so is this")
	if v.None() || len(v.All) != 2 || v.All[0].Path != "b" || v.All[0].Message != "1 is wrong" || v.All[1].Code != "X-02" {
		t.Errorf("%+v", v.All)
	}
}
