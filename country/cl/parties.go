package cl

import (
	"maps"
	"slices"
	"strings"

	"folio/country"
	"folio/country/figures"
	"folio/events"
	"folio/fault"
)

// checkIssuer wants the company itself, and texts of its profile that SII can read.
func (c *checker) checkIssuer() {
	p := &c.d.Issuer
	c.checkAddress("issuer", p.Address)
	c.Issuer("CL-ISSUER", identifier, c.issuer.TaxIdentifier, p)
	c.checkOrigin(p)
	c.printed("issuer.address.phone", p.Address.Phone, maxPrinted)
	c.told("issuer.legal_name", country.IssuerName(c.issuer.Profile, c.d), 200)
	c.told("issuer.address.address", p.Address.Address, 300)
}

// refuseBlank refuses a place of the document's own of which nothing is seen. It is as good as none, and no profile
// with an address completes another place: the document would wait without end, and its series behind it.
func (c *checker) refuseBlank(path, text string) {
	if text != "" && country.Blank(text) {
		c.Add(path, "CL-ISSUER-05", "nothing of it can be read: say where the goods start, or leave it out")
	}
}

// movesGoods says that DirOrigen is where goods start: a guía's, and an invoice's that
// itself covers the move (Res. Ex. SII 154/2025). Other documents state the head office or
// the branch that SII has registered.
func (c *checker) movesGoods() bool {
	return c.kind.Code == codeDispatch || (c.kind.Code == codeInvoice || c.kind.Code == codeExemptInvoice) &&
		c.header.DispatchType != 0
}

// checkOrigin finds DirOrigen, CmnaOrigen and CiudadOrigen of the document.
func (c *checker) checkOrigin(p *events.Party) {
	o, own := *c.header.Origin, c.known && c.movesGoods()
	c.told(country.HeaderPath("origin.address"), o.Address, maxAddress)
	c.told(country.HeaderPath("origin.comuna"), o.Comuna, maxPlace)
	c.told(country.HeaderPath("origin.city"), o.City, maxPlace)
	if c.known && !own && o != (Origin{}) {
		c.Add(country.HeaderPath("origin"), "CL-ISSUER-05", "only a guía, and a factura that moves goods (dispatch_type), "+
			"has an origin of its own: name a branch instead")
		o = Origin{}
	}
	c.refuseBlank("issuer.address.address", p.Address.Address)
	c.refuseBlank(country.HeaderPath("origin.address"), o.Address)
	if country.Blank(o.Address) {
		o.Address = "" // told already
	}
	if p.Address.Address == "" {
		p.Address.Address = o.Address
	} else if o.Address != "" && o.Address != p.Address.Address {
		c.Add(country.HeaderPath("origin.address"), "CL-ISSUER-05", "it differs from issuer.address: give the origin once")
	}
	registered := c.issuer.Profile.Address
	if !c.Origin("CL-ISSUER-04", registered, own, &p.Address) && o.Comuna == "" && o.City == "" {
		return
	}
	if r := p.Address.Region; o.Comuna == "" && r != "" && registered.Region != "" && r != registered.Region {
		c.Add(country.HeaderPath("origin.comuna"), "CL-ISSUER-06",
			"the goods start in another region, so SII needs the comuna too")
	}
	c.issuer.Fields = maps.Clone(c.issuer.Fields)
	if c.issuer.Fields == nil {
		c.issuer.Fields = map[string]string{}
	}
	if o.Comuna != "" {
		c.issuer.Fields[FieldComuna] = o.Comuna
		delete(c.issuer.Fields, FieldCity)
	}
	if o.City != "" {
		c.issuer.Fields[FieldCity] = o.City
	}
}

// checkRecipient identifies the recipient. Only boletas and exports may do without a
// RUT; where SII wants the recipient's giro, address and comuna (FMT, marked as
// obligatory) they are required here.
func (c *checker) checkRecipient() {
	p, r := &c.d.Recipient, *c.header.Recipient
	c.checkAddress("recipient", p.Address)
	if p.TaxCondition != "" {
		c.Add("recipient.tax_condition", "CL-RECIPIENT-01", "Chile has no conditions before VAT: leave it out")
	}
	c.told(country.HeaderPath("recipient.giro"), r.Giro, 40)
	c.told(country.HeaderPath("recipient.comuna"), r.Comuna, maxPlace)
	c.told(country.HeaderPath("recipient.city"), r.City, maxPlace)
	c.told(country.HeaderPath("recipient.contact"), r.Contact, 80)
	c.told(country.HeaderPath("recipient.email"), r.Email, 80)
	c.told(country.HeaderPath("recipient.internal_code"), r.InternalCode, 20)
	c.readRecipientDocument(p)
	if !c.known {
		return
	}
	c.told(country.HeaderPath("recipient.phone"), r.Phone, maxPhone)
	if country.Blank(p.LegalName) && (!nobody(*p) || !c.kind.isReceipt()) {
		c.Add("recipient.legal_name", "CL-RECIPIENT-02",
			"a recipient needs a name; only a boleta that gives no document of the buyer may name nobody")
	}
	if c.kind.isReceipt() || c.kind.isExport() {
		return
	}
	for _, x := range []struct{ path, value string }{
		{country.HeaderPath("recipient.giro"), r.Giro}, {"recipient.address.address", p.Address.Address},
		{country.HeaderPath("recipient.comuna"), r.Comuna},
	} {
		if country.Blank(x.value) {
			c.Add(x.path, "CL-RECIPIENT-03", "SII requires it of the recipient of %s", c.kind.InvoiceType)
		}
	}
}

// identified is a recipient without the document of one that stands for nobody.
func identified(p events.Party) events.Party { return identifier.Identified(p) }

// readRecipientDocument brings document_type and document_number to their canonical form.
// What stands for nobody stays as it came.
func (c *checker) readRecipientDocument(p *events.Party) {
	blank := strings.Trim(p.DocumentNumber, "0 .-") == ""
	if identified(*p).DocumentType == "" && blank {
		if c.known && !c.kind.isReceipt() && !c.kind.isExport() {
			c.Add("recipient.document_number", "CL-RECIPIENT-04", "%s is made out to a RUT: give document_type RUT and its "+
				"number", c.kind.InvoiceType)
			return
		}
		return
	}
	found, ok := c.OneOf("recipient.document_type", "CL-RECIPIENT-05", "document type", identityDocuments, &p.DocumentType)
	if !ok {
		return
	}
	if found.Code != identifierName {
		if c.known && c.kind.isReceipt() && !c.figures.Holds("CL", figures.ForeignBuyer, country.Either(c.date, c.today)) {
			c.Add("recipient.document_type", "CL-RECIPIENT-05", "SII knows the buyer of a boleta by RUT, and %s is none: "+
				"leave the document out where nobody must be named, and give it as recipient.internal_code of "+
				"additional_header_info; "+
				"whether SII takes one is unverified, and the operator can allow it (figure CL foreign_buyer)", found.Code)
			return
		}
		if c.known && c.kind.isReceipt() && c.header.Recipient.InternalCode != "" {
			c.Add(country.HeaderPath("recipient.internal_code"), "CL-RECIPIENT-08",
				"the %s of the buyer takes its place in a boleta (CdgIntRecep): leave it out", found.Code)
		}
		c.told("recipient.document_number", p.DocumentNumber, 20) // NumId, CdgIntRecep
		if blank {
			c.Add("recipient.document_number", "CL-RECIPIENT-04", "a number is required with document_type %s", found.Code)
			return
		}
		if c.known && !c.kind.isReceipt() && !c.kind.isExport() {
			c.Add("recipient.document_type", "CL-RECIPIENT-05", "%s is made out to a RUT", c.kind.InvoiceType)
		}
		return
	}
	c.readRecipientRUT(p)
}

// readRecipientRUT brings a RUT to its canonical form. 66666666-6 is that of a boleta whose
// buyer is not named (FMT), and of the notes that correct one: no factura is made out to it.
func (c *checker) readRecipientRUT(p *events.Party) {
	rut, err := ParseRUT(p.DocumentNumber)
	if err != nil {
		c.Add("recipient.document_number", "CL-RECIPIENT-06", "%s", err)
		return
	}
	if rut == UnnamedRUT && slices.Contains([]int{codeInvoice, codeExemptInvoice, codePurchase}, c.kind.Code) {
		c.Add("recipient.document_number", "CL-RECIPIENT-04", "%s is made out to a RUT, and %s stands for a "+
			"buyer who is not named: give the RUT itself, or issue a boleta", c.kind.InvoiceType, rut)
		return
	}
	if rut == UnnamedRUT && c.kind.isReceipt() || rut == ForeignRUT && c.kind.isExport() {
		p.DocumentNumber = rut // stands for nobody, and is read back as it came
		return
	}
	if c.kind.isExport() {
		c.Add("recipient.document_type", "CL-RECIPIENT-05", "the buyer of an export is a foreigner: use EXTRANJERO or "+
			"PASAPORTE, or leave the document out")
		return
	}
	p.DocumentNumber = rut
}

// nobody says that a party names nobody: no number, or one that stands for that.
func nobody(p events.Party) bool { return identified(p).DocumentNumber == "" || unnamedRUT(p) }

// isForeign says that a party is known by a document that is no RUT.
func isForeign(p events.Party) bool {
	p = identified(p)
	return p.DocumentNumber != "" && !strings.EqualFold(p.DocumentType, identifierName)
}

// unnamedRUT says that a party has one of the RUTs that stand for nobody.
func unnamedRUT(p events.Party) bool {
	return p.DocumentType == identifierName && (p.DocumentNumber == UnnamedRUT || p.DocumentNumber == ForeignRUT)
}

// checkIdentification wants who pays a boleta of more than the threshold of its own day
// named: 135 UF by the UF of 31 December before (Res. Ex. SII 44/2025, Código Tributario
// art. 92 ter). RUT, name and means of payment; each line has its description anyway.
func (c *checker) checkIdentification() {
	total := c.d.Totals.Total
	threshold, ok := c.figures.At("CL", figures.ConsumerThreshold, c.date)
	if !ok || c.date.IsZero() || !c.kind.isReceipt() || total.Cmp(threshold.Value) <= 0 {
		return
	}
	p := c.d.Recipient
	if nobody(p) {
		c.Add("recipient.document_number", "CL-RECIPIENT-07", "a boleta above %s pesos names its buyer by RUT, and this "+
			"total is %s", threshold.Value, total)
	}
	if country.Blank(p.LegalName) {
		c.Add("recipient.legal_name", "CL-RECIPIENT-07", "a boleta above %s pesos names its buyer", threshold.Value)
	}
	if m := c.d.PaymentMethod; m == nil || receiptMeans[m.Code] == "" {
		c.Add("payment_method.code", "CL-PAYMENT-03", "a boleta above %s pesos says by what means it was paid: EFE, ELE, "+
			"TCR, PEC, CHE, CHF, LET or OTR", threshold.Value)
	}
}

// regions are Chile's of ISO 3166-2.
var regions = []string{"CL-AI", "CL-AN", "CL-AP", "CL-AR", "CL-AT", "CL-BI", "CL-CO", "CL-LI", "CL-LL", "CL-LR",
	"CL-MA", "CL-ML", "CL-NB", "CL-RM", "CL-TA", "CL-VS"}

// checkAddress verifies the codes of an address; all of its members are optional.
func (c *checker) checkAddress(party string, a events.Address) {
	c.Address("CL-ADDRESS", party, a, "CL-RM", isRegion)
}

// CheckAddress implements country.Rules.
func (Rules) CheckAddress(a events.Address) []fault.Violation {
	return country.OwnAddress("CL-ADDRESS", a, "CL-RM", isRegion)
}

func isRegion(region string) bool {
	return slices.Contains(regions, region)
}
