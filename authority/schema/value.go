package schema

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"folio/fault"
)

var (
	longest   = regexp.MustCompile(`len≤(\d+)`)
	shortest  = regexp.MustCompile(`minLen=(\d+)`)
	digits    = regexp.MustCompile(`≤(\d+)dig`)
	largest   = regexp.MustCompile(`maxInc=(\d+)`)
	choices   = regexp.MustCompile(`\{([^}]*)\}`)
	fractions = regexp.MustCompile(`(?:dec|decimal|pct) (\d+)\.(\d+)`)
	integer   = regexp.MustCompile(`^-?\d{1,18}$`)
	number    = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
)

// value checks a text against a type.
func value(kind, text string) error {
	if !strings.HasPrefix(strings.Trim(kind, "()"), "string") {
		text = strings.TrimSpace(text) // as XML Schema reads everything but texts
	}
	if text == "" {
		return errors.New(fault.Words("it is empty"))
	}
	if n, ok := limit(longest, kind); ok && utf8.RuneCountInString(text) > n {
		return errors.New(fault.Words("it has more than %d characters", n))
	}
	if n, ok := limit(shortest, kind); ok && utf8.RuneCountInString(text) < n {
		return errors.New(fault.Words("it has less than %d characters", n))
	}
	if n, ok := limit(digits, kind); ok && len(strings.TrimPrefix(text, "-")) > n {
		return errors.New(fault.Words("it has more than %d digits", n))
	}
	if n, ok := limit(largest, kind); ok {
		if v, err := strconv.Atoi(text); err == nil && v > n {
			return errors.New(fault.Words("it is more than %d", n))
		}
	}
	if m := choices.FindStringSubmatch(kind); m != nil && !strings.HasSuffix(m[1], "…") &&
		!oneOf(text, strings.Split(m[1], ",")) {
		return errors.New(fault.Words("it is %.20q, which is none of %s", text, m[1]))
	}
	return form(kind, text)
}

func limit(form *regexp.Regexp, kind string) (int, bool) {
	m := form.FindStringSubmatch(kind)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

// oneOf compares texts; rates, which are written with decimals, as numbers.
func oneOf(text string, list []string) bool {
	given, isNumber := new(big.Rat).SetString(text)
	isNumber = isNumber && number.MatchString(text)
	for _, one := range list {
		if one == text {
			return true
		}
		if held, ok := new(big.Rat).SetString(one); ok && isNumber && strings.Contains(one, ".") && held.Cmp(given) == 0 {
			return true
		}
	}
	return false
}

// forms are patterns by the first word of a type.
var forms = map[string]struct {
	pattern *regexp.Regexp
	what    string
}{
	"RUT":      {regexp.MustCompile(`^\d{3,8}-[\dK]$`), fault.Words("a RUT")},
	"RUC":      {regexp.MustCompile(`^\d{12}$`), fault.Words("twelve digits")},
	"series":   {regexp.MustCompile(`^([A-Z]|[A-Z][A-Z]|[1-9][A-Z])$`), fault.Words("a series")},
	"currency": {regexp.MustCompile(`^[A-Z]{3}$`), fault.Words("the code of a currency")},
	"country":  {regexp.MustCompile(`^[A-Z]{2}$`), fault.Words("the code of a country")},
}

// layouts are those of times, by the first word of a type.
var layouts = map[string][2]string{
	"date":          {time.DateOnly, fault.Words("a date")},
	"time":          {time.TimeOnly, fault.Words("a time")},
	"dateTime":      {"2006-01-02T15:04:05", fault.Words("a date and time without zone")},
	"dateTimeZoned": {time.RFC3339, fault.Words("a date and time with its zone")},
}

// form checks numbers, dates and identifiers.
func form(kind, text string) error {
	bad := func(what string) error { return errors.New(fault.Words("it is %.30q, which is not %s", text, what)) }
	if m := fractions.FindStringSubmatch(kind); m != nil {
		_, after, _ := strings.Cut(text, ".")
		places, _ := strconv.Atoi(m[2])
		whole, _ := strconv.Atoi(m[1])
		v, ok := new(big.Rat).SetString(text)
		if !ok || !number.MatchString(text) || len(after) > places || len(text) > whole+2 ||
			strings.Contains(kind, ">0") && v.Sign() <= 0 || strings.Contains(kind, "≥0") && v.Sign() < 0 {
			return bad(fault.Words("a number of its range with at most %s decimals", m[2]))
		}
		return nil
	}
	word, _, _ := strings.Cut(strings.Trim(kind, "()"), " ")
	switch word {
	case "int>0", "int≥0", "int±", "integer", "long", "unsignedLong":
		if !integer.MatchString(text) || text[0] == '-' && word != "int±" && word != "integer" ||
			word == "int>0" && strings.Trim(text, "0") == "" {
			return bad(fault.Words("an integer of its range"))
		}
	}
	if f, ok := forms[word]; ok && !f.pattern.MatchString(text) {
		return bad(f.what)
	}
	if l, ok := layouts[word]; ok {
		if _, err := time.Parse(l[0], text); err != nil {
			return bad(l[1])
		}
	}
	return nil
}
