package ar

import (
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
)

// checkDates verifies the concept, the window of the date and, for services, the
// period and the day of payment. The day is Argentina's, not the server's.
func (c *checker) checkDates() {
	concept, ok := country.Find(concepts, c.d.Concept)
	if !ok { // 10030
		c.Add("concept", "AR-DATE-01", "the concept is 1 (products), 2 (services) or 3 (both)")
	} else {
		c.d.Concept = concept.Code
	}
	c.date, ok = c.readDate("invoice_date", c.d.Date, time.DateTime)
	if ok {
		c.checkWindow()
	}
	start, _ := c.readDate("service_start_date", c.d.ServiceStart, time.DateTime)
	end, _ := c.readDate("service_end_date", c.d.ServiceEnd, time.DateTime)
	due, _ := c.readDate("payment_due_date", c.d.PaymentDueDate, time.DateOnly)
	c.checkService(start, end)
	c.checkDue(due)
}

// readDate reads an optional date; one that is required is missed by its own rule.
func (c *checker) readDate(path, text, layout string) (time.Time, bool) {
	if text == "" && path != "invoice_date" {
		return time.Time{}, false
	}
	return c.Date("AR-DATE-02", path, text, layout)
}

// checkWindow compares the date with today, N: products N-5 to N+5 within N's month
// (10016, 10152), services N-10 to N+10, an FCE N-5 to N+1, its notes N-5 to N.
func (c *checker) checkWindow() {
	before, after, what := 5, 5, fault.Words("for products")
	switch {
	case c.kind.isExport(): // 1500
		what = fault.Words("for exports")
	case c.kind.fce && c.kind.IsNote():
		after, what = 0, fault.Words("for FCE notes")
	case c.kind.fce:
		after, what = 1, fault.Words("for FCE")
	case c.d.Concept == services || c.d.Concept == both:
		before, after, what = 10, 10, fault.Words("for services")
	}
	first, last := c.today.AddDate(0, 0, -before), c.today.AddDate(0, 0, after)
	if c.date.Before(first) || c.date.After(last) {
		c.Add("invoice_date", "AR-DATE-03", "%s the date must be from %s to %s: ARCA refuses any other, and a later "+
			"date would block every earlier one of the same series",
			what, first.Format(time.DateOnly), last.Format(time.DateOnly))
		return
	}
	// 10152 is about products; that it spares FCE of services is not said anywhere. 1500 is
	// about exports of services.
	bound := c.d.Concept == products || c.kind.fce
	if c.kind.isExport() {
		bound = !bound
	}
	if bound && c.date.After(c.today) && c.date.Month() != c.today.Month() {
		c.Add("invoice_date", "AR-DATE-04", "a date after today must be in the same month as today, %s",
			c.today.Format(time.DateOnly))
	}
}

// checkService wants the period and the day of payment of services (10049, 10031,
// 10033, 10035), in order (10032). For products they are not told to ARCA.
func (c *checker) checkService(start, end time.Time) {
	if !c.kind.isExport() && (c.d.Concept == services || c.d.Concept == both) {
		c.require("service_start_date", c.d.ServiceStart)
		c.require("service_end_date", c.d.ServiceEnd)
		if !c.kind.fce {
			c.require("payment_due_date", c.d.PaymentDueDate)
		}
	}
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.Add("service_end_date", "AR-DATE-06", "the service ends before it starts on %s", start.Format(time.DateOnly))
	}
}

func (c *checker) require(path, value string) {
	if value == "" {
		c.Add(path, "AR-DATE-05", "it is required for concept 2 and 3")
	}
}

// checkDue wants the day of payment not before the document (10036) and, for an FCE
// invoice, not before today either (10163). It counts only where ARCA is told it.
func (c *checker) checkDue(due time.Time) {
	fceInvoice := c.kind.fce && !c.kind.IsNote()
	if fceInvoice && c.d.PaymentDueDate == "" {
		c.Add("payment_due_date", "AR-DATE-07", "an FCE invoice needs its payment_due_date")
	}
	told := fceInvoice || !c.kind.fce && !c.kind.isExport() && c.d.Concept != products
	if due.IsZero() || c.date.IsZero() || !told {
		return
	}
	earliest := c.date
	if fceInvoice && c.today.After(earliest) {
		earliest = c.today
	}
	if due.Before(earliest) {
		c.Add("payment_due_date", "AR-DATE-08", "it must not be before %s", earliest.Format(time.DateOnly))
	}
}

// Dates are those that ARCA is told beside the date of the document, as YYYYMMDD,
// empty for those that it must not be told: products have none, FCE notes a day of
// payment only when they cancel (10175).
func Dates(d events.Document) (serviceStart, serviceEnd, paymentDue string) {
	k, _ := findKind(d.Type)
	if d.Concept != products {
		serviceStart, serviceEnd = compact(d.ServiceStart), compact(d.ServiceEnd)
	}
	switch {
	case k.fce && k.IsNote():
		if h, _ := ParseHeader(d.HeaderInfo); h.Cancellation == "S" {
			paymentDue = compact(d.PaymentDueDate)
		}
	case k.fce && k.Class == country.Invoice, d.Concept != products:
		paymentDue = compact(d.PaymentDueDate)
	}
	return serviceStart, serviceEnd, paymentDue
}

// compact is YYYYMMDD of a date that may have a time behind it.
func compact(date string) string {
	if len(date) < len(time.DateOnly) {
		return ""
	}
	return strings.ReplaceAll(date[:len(time.DateOnly)], "-", "")
}
