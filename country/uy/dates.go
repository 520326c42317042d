package uy

import "time"

// firstDay is the earliest date that a CFE or what it refers to may have (CFE25 A-C5).
var firstDay = time.Date(2011, 10, 1, 0, 0, 0, 0, time.UTC)

// maxDaysAhead is how far FchEmis may lie after DGI's day (CFE25 A-C5).
const maxDaysAhead = 60

// checkDates verifies the date of the document, the period of a service and the day of
// payment. The day is Uruguay's, not the server's.
func (c *checker) checkDates() {
	c.Concept("UY-DATE-01", &c.d.Concept)
	var ok bool
	c.date, ok = c.Date("UY-DATE-02", "invoice_date", c.d.Date, time.DateTime)
	switch last := c.today.AddDate(0, 0, maxDaysAhead); {
	case !ok:
	case c.date.After(last):
		c.Add("invoice_date", "UY-DATE-03", "it may be at most %d days after today: until %s", maxDaysAhead,
			last.Format(time.DateOnly))
	case c.date.Before(firstDay):
		c.Add("invoice_date", "UY-DATE-03", "there were no electronic documents before %s", firstDay.Format(time.DateOnly))
	}
	start := c.optionalDate("service_start_date", c.d.ServiceStart, time.DateTime)
	end := c.optionalDate("service_end_date", c.d.ServiceEnd, time.DateTime)
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.Add("service_end_date", "UY-DATE-04", "the service ends before it starts on %s", start.Format(time.DateOnly))
	}
	due := c.optionalDate("payment_due_date", c.d.PaymentDueDate, time.DateOnly)
	if !due.IsZero() && !c.date.IsZero() && due.Before(c.date) {
		c.Add("payment_due_date", "UY-DATE-05", "it must not be before the document, %s", c.date.Format(time.DateOnly))
	}
}

// optionalDate reads a date within the bounds of the format; the zero time is none.
func (c *checker) optionalDate(path, text, layout string) time.Time {
	if text == "" {
		return time.Time{}
	}
	t, ok := c.Date("UY-DATE-02", path, text, layout)
	if ok && (t.Before(firstDay) || t.Year() > 2050) {
		c.Add(path, "UY-DATE-06", "it must be from %s to 2050-12-31", firstDay.Format(time.DateOnly))
		return time.Time{}
	}
	return t
}
