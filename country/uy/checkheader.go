package uy

import (
	"slices"
	"strings"

	"folio/country"
)

// checkHeader reads additional_header_info and asks what this kind of document may and
// must say there.
func (c *checker) checkHeader() {
	h, wrong := ParseHeader(c.d.HeaderInfo)
	c.header = h
	c.Reading(wrong, func() { c.checkMembers(h) })
}

func (c *checker) checkMembers(h Header) {
	c.text(country.HeaderPath("internal_number"), h.InternalNumber, maxShortText)
	c.text(country.HeaderPath("purchase_order"), h.PurchaseOrder, maxShortText)
	c.text(country.HeaderPath("additional_info"), h.AdditionalInfo, maxInfo)
	c.text(country.HeaderPath("period_reason"), h.PeriodReason, maxPeriodReason)
	c.text(country.HeaderPath("recipient.city"), h.Recipient.City, maxPlace)
	c.text(country.HeaderPath("recipient.department"), h.Recipient.Department, maxPlace)
	c.text(country.HeaderPath("recipient.delivery_place"), h.Recipient.DeliveryPlace, 100)
	c.text(country.HeaderPath("recipient.additional_info"), h.Recipient.AdditionalInfo, maxInfo)
	if code := h.Recipient.PostalCode; code != "" && (!country.AllDigits(code) || len(code) > 5) {
		c.Add(country.HeaderPath("recipient.postal_code"), "UY-HEADER-02", "it must be a number of at most 5 digits (CP)")
	}
	c.checkDepartment(h.Recipient.Department)
	if !c.known {
		return
	}
	remito := IsRemito(c.kind.Code)
	switch {
	case remito && transferTypes[h.TransferType] == "":
		c.Add(country.HeaderPath("transfer_type"), "UY-HEADER-03",
			"a remito says why goods move (TipoTraslado): 1 sale, 2 internal move")
	case !remito && h.TransferType != 0:
		c.Add(country.HeaderPath("transfer_type"), "UY-HEADER-03", "only remitos have a transfer_type")
	}
	if h.PeriodReason != "" && !slices.ContainsFunc(c.d.BillingReference, isGlobal) {
		c.Add(country.HeaderPath("period_reason"), "UY-HEADER-06",
			"it says why the documents of a period cannot be named, and no period is named")
	}
	c.gross = h.GrossPrices && c.kind.taxed() && !c.regime.small()
	if h.GrossPrices && c.regime.small() {
		c.Add(country.HeaderPath("gross_prices"), "UY-HEADER-04",
			"a company whose special_regime is %s states no IVA that prices could have in them: leave it out", c.regime.name)
	} else if h.GrossPrices && !c.gross {
		c.Add(country.HeaderPath("gross_prices"), "UY-HEADER-04", "%s carries no IVA that prices could have in them",
			c.kind.InvoiceType)
	}
}

// checkDepartment: within the country a department is one of the 19.
func (c *checker) checkDepartment(name string) {
	abroad := c.d.Recipient.Address.Country != "" && c.d.Recipient.Address.Country != "UY"
	if name == "" || abroad {
		return
	}
	if _, ok := Department(name); !ok {
		c.Add(country.HeaderPath("recipient.department"), "UY-HEADER-05", "it must be one of %s", country.Codes(departments))
	}
}

// checkExport reads additional_export_info, which exports have and must have.
func (c *checker) checkExport() {
	e, wrong := ParseExport(c.d.ExportInfo)
	c.Reading(wrong, func() { c.checkSale(e) })
}

func (c *checker) checkSale(e Export) {
	if !c.known {
		return
	}
	if !IsExport(c.kind.Code) {
		if !country.IsNull(c.d.ExportInfo) {
			c.Add("additional_export_info", "UY-EXPORT-02", "only export documents (EFX, NCX, NDX, REX) have it")
		}
		return
	}
	switch clause := e.SaleClause; {
	case clause == "" && c.kind.Code != codeExportRemito:
		c.Add(country.ExportPath("sale_clause"), "UY-EXPORT-03", "it is required (ClauVenta): the Incoterm, such as FOB, "+
			"or N/A")
	case clause != "" && clause != "N/A" && !isLetters(clause):
		c.Add(country.ExportPath("sale_clause"), "UY-EXPORT-03", "it must be 1 to 3 letters such as FOB, or N/A")
	}
	// The notes of an export may do without (A-C14 is conditional there).
	if optional := c.kind.IsNote() && e.SaleMode == 0; !optional && saleModes[e.SaleMode] == "" {
		c.Add(country.ExportPath("sale_mode"), "UY-EXPORT-04", "it must be one of these (ModVenta): 1 goods, 2 "+
			"consignment, 3 price to be revised, 4 own goods to customs exclaves, 90 services, 91 through a third party, 99 "+
			"other")
	}
	if transportRoutes[e.TransportRoute] == "" {
		c.Add(country.ExportPath("transport_route"), "UY-EXPORT-05",
			"it must be one of these (ViaTransp): 1 sea, 2 air, 3 land, 8 none, 9 other")
	}
}

// isLetters is the schema's pattern of ClauVenta.
func isLetters(text string) bool {
	return len(text) >= 1 && len(text) <= 3 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
