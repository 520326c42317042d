package cl

import (
	"strconv"

	"folio/country"
)

// Lengths in characters: those of the schema for what SII is told, Folio's for what is
// only printed.
const (
	maxName         = 100 // RznSoc, RznSocRecep
	maxAddress      = 70  // DirOrigen, DirRecep, DirDest
	maxPlace        = 20  // comunas and cities
	maxPhone        = 20
	maxItemCode     = 35 // VlrCodigo
	maxObservations = 2000
	maxPrinted      = 255
)

// checkTexts bounds every free text. What goes into the DTE must be in ISO-8859-1.
func (c *checker) checkTexts() {
	c.printed("observations", c.d.Observations, maxObservations)
	c.printed("external_reference", c.d.ExternalReference, maxPrinted)
	c.told("recipient.legal_name", c.d.Recipient.LegalName, maxName)
	c.told("recipient.address.address", c.d.Recipient.Address.Address, maxAddress)
	c.printed("recipient.address.phone", c.d.Recipient.Address.Phone, maxPrinted)
	c.checkStampSize()
	if c.d.PaymentMethod != nil {
		c.printed("payment_method.description", c.d.PaymentMethod.Description, maxPrinted)
	}
	for i, item := range c.d.Items {
		c.told(country.ItemPath(i, "description"), item.Description, maxDescription)
		if item.Code != nil {
			c.told(country.ItemPath(i, "code.value"), item.Code.Value, maxItemCode)
		}
	}
	for i, t := range c.d.GlobalTaxes {
		c.Add("global_taxes["+strconv.Itoa(i)+"]", "CL-GLOBAL-01",
			"Chile has no taxes on a whole document: give SII's code in items[].taxes")
		if i == 9 || t.Type == "" {
			break
		}
	}
}

// told is a text that SII gets.
func (c *checker) told(path, text string, limit int) {
	text = Written(text)
	c.printed(path, text, limit)
	if r, bad := foreignTo(text); bad {
		c.Add(path, "CL-LIMIT-02", "%q cannot be written in ISO-8859-1, as SII's documents are: use another character "+
			"(docs/chile.md has those that are rewritten)", r)
	}
}

// printed is a text that only people read.
func (c *checker) printed(path, text string, limit int) { c.Text("CL-LIMIT", path, text, limit) }

// stampRoom is what the two names of a stamp may take once they are escaped: the
// barcode holds 1,030 bytes, and the rest of the stamp is at most 780 of them.
const stampRoom = 250

// checkStampSize refuses names that are mostly & or <, whose stamp would not fit its
// barcode.
func (c *checker) checkStampSize() {
	if len(c.d.Items) == 0 {
		return
	}
	name, item := country.Cut(line(recipientName(c.d)), stampName),
		country.Cut(line(itemName(c.d.Items[0].Description)), stampName)
	if len(escape(name))+len(escape(item)) > stampRoom {
		c.Add("items[0].description", "CL-LIMIT-06", "the stamp has no room for so many & and < in the first description "+
			"and the recipient's name")
	}
}
