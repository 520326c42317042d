package uy

import (
	"strconv"

	"folio/country"
)

// Lengths in characters: those of the schema for what DGI is told, Folio's for what is
// only printed.
const (
	maxName         = 150  // RznSoc, RznSocRecep
	maxAddress      = 70   // DomFiscal, DirRecep
	maxPlace        = 30   // Ciudad, Departamento, PaisRecep
	maxItemName     = 80   // NomItem
	maxDescription  = 1000 // DscItem
	maxItemCode     = 35   // Cod
	maxShortText    = 50   // NroInterno, CompraID
	maxInfo         = 150  // InfoAdicionalDoc, InfoAdicional
	maxObservations = 2000
	maxPrinted      = 255
)

// checkTexts bounds every free text.
func (c *checker) checkTexts() {
	c.text("observations", c.d.Observations, maxObservations)
	c.text("external_reference", c.d.ExternalReference, maxPrinted)
	c.text("recipient.legal_name", c.d.Recipient.LegalName, maxName)
	c.text("recipient.address.address", c.d.Recipient.Address.Address, maxAddress)
	c.text("recipient.address.phone", c.d.Recipient.Address.Phone, maxPrinted)
	if c.d.PaymentMethod != nil {
		c.text("payment_method.description", c.d.PaymentMethod.Description, 100) // GlosaMP
	}
	for i := range c.d.GlobalTaxes {
		c.Add("global_taxes["+strconv.Itoa(i)+"]", "UY-GLOBAL-01",
			"Uruguay has no taxes on a whole document that Folio issues: withholdings and perceptions are left out")
		if i == 9 {
			break
		}
	}
}

func (c *checker) text(path, text string, limit int) { c.Text("UY-LIMIT", path, text, limit) }

// require refuses a text that DGI must be told and that says nothing.
func (c *checker) require(path, text string) {
	if country.Blank(text) {
		c.Add(path, "UY-RECIPIENT-02", "DGI requires it of the recipient of %s", c.kind.InvoiceType)
	}
}
