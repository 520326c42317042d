package country_test

import (
	"errors"
	"slices"
	"testing"

	"folio/country"
	"folio/events"
	"folio/money"
)

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		amount           string
		digits, decimals int
		want             string
	}{
		{"123.45", 3, 2, ""}, {"-123.450", 3, 2, ""}, {"1234", 3, 2, "p W"}, {"1.005", 3, 2, "p D"}, {"1.5", 3, 0, "p D"},
		{"1234.567", 3, 2, "p W"},
	} {
		var v country.Violations
		if ok := v.Digits("W", "D", "p", money.MustParse(c.amount),
			country.DigitLimits{c.digits, c.decimals}); ok != (c.want == "") ||
			codesOf(v) != c.want {
			t.Errorf("%s: %v %s", c.amount, ok, codesOf(v))
		}
	}
}

func TestAShareIsOfSomethingAndAtMostTheWhole(t *testing.T) {
	for _, c := range []struct{ whole, net, want string }{
		{"25", "100", "0.25"}, {"100", "100", "1"}, {"101", "100", ""}, {"0", "100", ""}, {"-1", "100", ""}, {"1", "0", ""},
		{"1", "-5", ""},
	} {
		got, ok := country.Share(money.MustParse(c.whole), money.MustParse(c.net))
		if ok != (c.want != "") || ok && !got.Equal(money.MustParse(c.want)) {
			t.Errorf("%s of %s: %s %v", c.whole, c.net, got, ok)
		}
	}
}

func TestADiscountIsSpreadWithoutLosingACent(t *testing.T) {
	for _, c := range []struct {
		name, whole string
		lines       []string
		places      int
		want        []string
	}{
		{"in proportion", "1750", []string{"10000", "5000", "2500"}, 2, []string{"1000", "500", "250"}},
		{"the roundings come to the whole", "0.10", []string{"1", "1", "1"}, 2, []string{"0.03", "0.04", "0.03"}},
		{"a peso that cannot be divided", "1", []string{"1", "1", "1"}, 0, []string{"0", "1", "0"}},
		{"all of it", "3", []string{"1", "2"}, 2, []string{"1", "2"}},
		{"a line of nothing", "1", []string{"0", "5"}, 2, []string{"0", "1"}},
		{"no discount", "0", []string{"1"}, 2, nil},
		{"a negative one", "-1", []string{"1"}, 2, nil},
		{"lines of nothing", "1", []string{"0"}, 2, nil},
		{"no lines", "1", nil, 2, nil},
	} {
		got := country.Spread(money.MustParse(c.whole), country.Collect(c.lines, money.MustParse), c.places)
		same := func(a money.Decimal, b string) bool { return a.Equal(money.MustParse(b)) }
		if !slices.EqualFunc(got, c.want, same) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestWhoseDocumentAReferenceNames(t *testing.T) {
	id := country.Identifier{
		Name: "ID", Print: func(s string) string { return s },
		Parse: func(text string) (string, error) {
			if text == "bad" {
				return "", errors.New("no")
			}
			return "n" + text, nil
		},
	}
	for _, c := range []struct {
		name, given string
		others      bool
		want, codes string
	}{
		{"nothing is the company's own", "", false, "n1", ""},
		{"the company's own is written canonically", "1", false, "n1", ""},
		{"another's is refused", "2", false, "2", "billing_reference[3].document_number X"},
		{"another's is taken where it may be", "2", true, "n2", ""},
		{"what is no identifier is refused", "bad", true, "bad", "billing_reference[3].document_number X"},
	} {
		var v country.Violations
		r := events.Reference{DocumentNumber: c.given}
		v.ReferenceIssuer("X", 3, id, country.Issuers{Own: "n1", Others: c.others}, &r)
		if r.DocumentNumber != c.want || codesOf(v) != c.codes {
			t.Errorf("%s: %q %s", c.name, r.DocumentNumber, codesOf(v))
		}
	}
}
