package ar

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"folio/country"
)

// Lengths in characters. ARCA is told none of these texts but a tributo's
// description: the bounds keep the printed form readable.
const (
	maxDescription  = 4000
	maxObservations = 2000
	maxReference    = 255
	maxName         = 200
	maxAddress      = 300
	maxShort        = 50
	maxTaxText      = 80
)

// checkTexts bounds every free text and refuses characters that are unfit for a
// document.
func (c *checker) checkTexts() {
	c.text("observations", c.d.Observations, maxObservations)
	c.text("external_reference", c.d.ExternalReference, maxReference)
	for name, p := range c.parties() {
		c.text(name+".legal_name", p.LegalName, maxName)
		c.text(name+".address.address", p.Address.Address, maxAddress)
		c.text(name+".address.phone", p.Address.Phone, maxShort)
	}
	if c.d.PaymentMethod != nil {
		c.text("payment_method.description", c.d.PaymentMethod.Description, maxName)
	}
	for i, t := range c.d.GlobalTaxes {
		c.text("global_taxes["+strconv.Itoa(i)+"].description", t.Description, maxTaxText)
	}
	for i, r := range c.d.BillingReference {
		c.text("billing_reference["+strconv.Itoa(i)+"].reason_code", r.ReasonCode, maxShort)
	}
}

func (c *checker) text(path, s string, limit int) {
	if n := utf8.RuneCountInString(s); n > limit {
		c.Add(path, "AR-LIMIT-01", "it has %d characters, at most %d are allowed", n, limit)
	}
	if strings.ContainsFunc(s, country.Unfit) {
		c.Add(path, "AR-LIMIT-02", "control characters and those that turn the direction of text are not allowed")
	}
}
