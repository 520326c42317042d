package tables

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"folio/money"
)

// Kind is what the text of an attribute stands for. It decides which texts are refused,
// and in which order filters and sorting see them.
type Kind string

// The kinds. An attribute of any of them may be empty: then no comparison but Equal with
// "" finds it, and it sorts first.
const (
	Text    Kind = ""        // in the order of its bytes
	Decimal Kind = "decimal" // plain decimal text such as -12.50, as a number; read back without needless zeros
	Date    Kind = "date"    // YYYY-MM-DD
	Month   Kind = "month"   // YYYY-MM
	Time    Kind = "time"    // RFC 3339 with any offset, as a moment; read back in UTC with nine decimals
)

// timeText is how moments are kept: texts of one length, in the order of time.
const timeText = "2006-01-02T15:04:05.000000000Z"

// Stored is how a store keeps a value of the attribute: text whose order of bytes is the
// order of the values. It refuses what is no value of the kind.
func (a Attribute) Stored(value string) (string, error) {
	if value == "" {
		return "", nil
	}
	switch a.Kind {
	case Text:
		return value, nil
	case Decimal:
		n, err := money.ParseExact(value)
		if err != nil {
			return "", fmt.Errorf("attribute %s: %w: %w", a.Name, err, ErrInvalid)
		}
		return sortable(n), nil
	case Date:
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			return "", fmt.Errorf("attribute %s: %q is not a date: %w", a.Name, clip(value), ErrInvalid)
		}
		return value, nil
	case Month:
		if _, err := time.Parse("2006-01", value); err != nil {
			return "", fmt.Errorf("attribute %s: %q is not a month: %w", a.Name, clip(value), ErrInvalid)
		}
		return value, nil
	case Time:
		t, err := time.Parse(time.RFC3339Nano, value)
		if err != nil || t.UTC().Year() < 0 || t.UTC().Year() > 9999 {
			return "", fmt.Errorf("attribute %s: %q is not a time: %w", a.Name, clip(value), ErrInvalid)
		}
		return t.UTC().Format(timeText), nil
	}
	return "", fmt.Errorf("attribute %s is of unknown kind %q: %w", a.Name, clip(string(a.Kind)), ErrInvalid)
}

// Shown is the value that Stored made a text of.
func (a Attribute) Shown(stored string) string {
	if a.Kind != Decimal || stored == "" {
		return stored
	}
	return unsortable(stored)
}

// sortable writes a number as text in the order of numbers: a sign, how many digits come
// before the point, and all digits. Those of negative numbers are turned around, and a
// final mark puts -1.5 before -1.
func sortable(n money.Exact) string {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(n.String(), "-"), ".")
	whole = strings.TrimLeft(whole, "0")
	text := fmt.Sprintf("%02d%s%s", len(whole), whole, fraction)
	if n.Sign() < 0 {
		return "n" + turned(text) + "~"
	}
	return "p" + text
}

func unsortable(text string) string {
	sign, digits := "", text[1:]
	if text[0] == 'n' {
		sign, digits = "-", turned(strings.TrimSuffix(digits, "~"))
	}
	n, err := strconv.Atoi(digits[:2])
	if err != nil || len(digits) < 2+n {
		return text // nothing that sortable wrote
	}
	whole, fraction := digits[2:2+n], digits[2+n:]
	whole = cmp.Or(whole, "0")
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}

// turned takes each digit from nine.
func turned(digits string) string {
	out := []byte(digits)
	for i, c := range out {
		out[i] = '9' - (c - '0')
	}
	return string(out)
}
