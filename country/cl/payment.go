package cl

import (
	"cmp"

	"folio/country"
	"folio/events"
)

// checkPayment reads how a document is paid: payment_method is a form (FmaPago) or a means
// (MedioPago), and payment_form of the header is the form beside a means. A factura always
// has a form ("Formato DTE" v2.5, where FmaPago is obligatory for 33 and 34; a document
// without it is taken as one on credit): credit where its due date is later than its date,
// else cash.
func (c *checker) checkPayment() {
	form := c.header.PaymentForm
	if form != "" {
		if found, ok := country.Find(paymentMethods, form); !ok || !isForm(found) {
			c.Add(country.HeaderPath("payment_form"), "CL-PAYMENT-02", "it is CON (cash), CRE (credit) or GRA (free of charge)")
			form = ""
		} else if form = found.Code; c.known && c.kind.isReceipt() {
			c.Add(country.HeaderPath("payment_form"), "CL-PAYMENT-02",
				"boletas have a means of payment only: use payment_method")
		}
	}
	if c.d.PaymentMethod != nil {
		found, ok := c.OneOf("payment_method.code", "CL-PAYMENT-01", "payment method", paymentMethods,
			&c.d.PaymentMethod.Code)
		if !ok {
			return
		}
		if isForm(found) && form != "" && form != found.Code {
			c.Add(country.HeaderPath("payment_form"), "CL-PAYMENT-02",
				"it differs from payment_method, which is a form, too: give a means there, such as EFE")
			return
		}
		if isForm(found) {
			form = found.Code
		}
	}
	if c.known && form == "" && (c.kind.Code == codeInvoice || c.kind.Code == codeExemptInvoice) {
		form = "CON"
		if c.d.PaymentDueDate > country.DayOf(c.d.Date) {
			form = "CRE"
		}
	}
	c.header.PaymentForm = form
}

// isForm says that a payment method is a form of FmaPago; its official code is a digit.
func isForm(method country.Catalogued) bool { return country.AllDigits(method.OfficialCode) }

// receiptMeans are MedioPago of a boleta ("Formato boletas" v4.2): digits, unlike the
// letters of the other documents.
var receiptMeans = map[string]string{"EFE": "1", "ELE": "2", "TCR": "2", "PEC": "3", "CHE": "4", "CHF": "4", "LET": "5",
	"OTR": "5"}

// payment is FmaPago and MedioPago of a document.
func payment(d events.Document, k kind, h Header) (form, means string) {
	method := ""
	if d.PaymentMethod != nil {
		found, _ := country.Find(paymentMethods, d.PaymentMethod.Code)
		if k.isReceipt() {
			return "", receiptMeans[found.Code]
		}
		if method = found.OfficialCode; isForm(found) {
			form = method
		} else {
			means = method
		}
	}
	found, _ := country.Find(paymentMethods, h.PaymentForm)
	return cmp.Or(form, found.OfficialCode), means
}

// formText is the printed form of payment where payment_method does not print it.
func formText(d events.Document, h Header) string {
	found, ok := country.Find(paymentMethods, h.PaymentForm)
	if !ok || d.PaymentMethod != nil && d.PaymentMethod.Code == found.Code {
		return ""
	}
	return found.Name
}
