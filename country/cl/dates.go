package cl

import "time"

// firstDay is when electronic documents began (XSD: FchEmis, date from 2002 on).
var firstDay = time.Date(2002, 8, 1, 0, 0, 0, 0, time.UTC)

// checkDates verifies the date of the document, the period of a service and the day of
// payment. The day is Chile's, not the server's. A date after today is refused: SII
// compares FchEmis with the day of arrival.
func (c *checker) checkDates() {
	c.Concept("CL-DATE-01", &c.d.Concept)
	var ok bool
	c.date, ok = c.readDate("invoice_date", c.d.Date, time.DateTime)
	switch {
	case !ok:
	case c.date.After(c.today):
		c.Add("invoice_date", "CL-DATE-03", "it is after today, %s in Chile", c.today.Format(time.DateOnly))
	case c.date.Before(firstDay):
		c.Add("invoice_date", "CL-DATE-03", "there were no electronic documents before %s", firstDay.Format(time.DateOnly))
	}
	start, _ := c.readDate("service_start_date", c.d.ServiceStart, time.DateTime)
	end, _ := c.readDate("service_end_date", c.d.ServiceEnd, time.DateTime)
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.Add("service_end_date", "CL-DATE-04", "the service ends before it starts on %s", start.Format(time.DateOnly))
	}
	due, _ := c.readDate("payment_due_date", c.d.PaymentDueDate, time.DateOnly)
	if !due.IsZero() && !c.date.IsZero() && due.Before(c.date) {
		c.Add("payment_due_date", "CL-DATE-05", "it must not be before the document, %s", c.date.Format(time.DateOnly))
	}
}

// readDate reads an optional date; that of the document is required.
func (c *checker) readDate(path, text, layout string) (time.Time, bool) {
	if text == "" && path != "invoice_date" {
		return time.Time{}, false
	}
	return c.Date("CL-DATE-02", path, text, layout)
}
