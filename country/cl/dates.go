package cl

import (
	"strings"
	"time"
)

// firstDay is when electronic documents began (XSD: FchEmis, date from 2002 on).
var firstDay = time.Date(2002, 8, 1, 0, 0, 0, 0, time.UTC)

// checkDates verifies the date of the document, the period of a service and the day of
// payment. The day is Chile's, not the server's. A date after today is refused: SII
// compares FchEmis with the day of arrival.
func (c *checker) checkDates() {
	if c.d.Concept != "" {
		if found, ok := find(concepts, c.d.Concept); ok {
			c.d.Concept = found.Code
		} else {
			c.Add("concept", "CL-DATE-01", "the concept is 1 (products), 2 (services) or 3 (both), or left out")
		}
	}
	var ok bool
	c.date, ok = c.readDate("invoice_date", c.d.Date, timeLayout)
	switch {
	case !ok:
	case c.date.After(c.today):
		c.Add("invoice_date", "CL-DATE-03", "it is after today, %s in Chile", c.today.Format(dateLayout))
	case c.date.Before(firstDay):
		c.Add("invoice_date", "CL-DATE-03", "there were no electronic documents before %s", firstDay.Format(dateLayout))
	}
	start, _ := c.readDate("service_start_date", c.d.ServiceStart, timeLayout)
	end, _ := c.readDate("service_end_date", c.d.ServiceEnd, timeLayout)
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.Add("service_end_date", "CL-DATE-04", "the service ends before it starts on %s", start.Format(dateLayout))
	}
	due, _ := c.readDate("payment_due_date", c.d.PaymentDueDate, dateLayout)
	if !due.IsZero() && !c.date.IsZero() && due.Before(c.date) {
		c.Add("payment_due_date", "CL-DATE-05", "it must not be before the document, %s", c.date.Format(dateLayout))
	}
}

// readDate reads an optional date; that of the document is required.
func (c *checker) readDate(path, text, layout string) (time.Time, bool) {
	if text == "" && path != "invoice_date" {
		return time.Time{}, false
	}
	t, err := time.Parse(layout, text)
	// time.Parse also takes fractions of a second, and commas before them.
	if err != nil || len(text) != len(layout) || t.Year() < 2000 {
		example := strings.NewReplacer("2006-01-02", "YYYY-MM-DD", "15:04:05", "HH:MM:SS").Replace(layout)
		c.Add(path, "CL-DATE-02", "it must be a date as %s", example)
		return time.Time{}, false
	}
	return day(t), true
}
