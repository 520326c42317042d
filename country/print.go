package country

import (
	"cmp"
	"strings"
	"time"

	"folio/events"
	"folio/money"
)

// PrintNumber writes the digits that a has as these countries do: dots between
// thousands, a comma before decimals.
func PrintNumber(a money.Decimal) string {
	whole, fraction, _ := strings.Cut(a.Abs().String(), ".")
	out := Grouped(whole)
	if a.Sign() < 0 {
		out = "-" + out
	}
	if fraction != "" {
		out += "," + fraction
	}
	return out
}

// Grouped sets dots between the thousands of a text of digits.
func Grouped(digits string) string {
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte('.')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// PrintMoney is an amount as PrintNumber writes it, with its currency; the sign stands before both: -$ 20,00.
func PrintMoney(symbol string, a money.Decimal) string {
	text, sign := PrintNumber(a), ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		text, sign = rest, "-"
	}
	return sign + symbol + " " + text
}

// PrintPrice writes an amount with at least so many decimals and loses no digit of it.
func PrintPrice(a money.Decimal, places int) string {
	if a = a.Trim(); a.Scale() < places {
		a = a.Round(places)
	}
	return PrintNumber(a)
}

// PaymentText is what a payment method is called: in the caller's words, or by its name
// among those of the country; "" for none.
func PaymentText(known []Catalogued, m *events.PaymentMethod) string {
	if m == nil {
		return ""
	}
	if !Blank(m.Description) {
		return m.Description
	}
	found, _ := Find(known, m.Code)
	return cmp.Or(found.Name, m.Code)
}

// Present leaves out the labels that have nothing to say.
func Present(labels ...Label) []Label {
	var kept []Label
	for _, l := range labels {
		if l.Value != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// PrintDay turns YYYY-MM-DD, with or without a time behind it, into DD/MM/YYYY with the
// separator; any shorter text stays as it is.
func PrintDay(date, separator string) string {
	if len(date) < len(time.DateOnly) {
		return date
	}
	return date[8:10] + separator + date[5:7] + separator + date[:4]
}

// Place joins the parts of an address with commas: those that say nothing, and one that
// the part before it has said, are left out.
func Place(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" && (len(kept) == 0 || !strings.EqualFold(kept[len(kept)-1], p)) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}

// BilledPeriod is when a service was given and when it is to be paid, as the forms of
// Chile and Uruguay say it.
func BilledPeriod(d events.Document, separator string) []Label {
	return Present(
		Label{Caption: "Período desde", Value: PrintDay(d.ServiceStart, separator)},
		Label{Caption: "hasta", Value: PrintDay(d.ServiceEnd, separator)},
		Label{Caption: "Vencimiento", Value: PrintDay(d.PaymentDueDate, separator)},
	)
}
