package uy

import (
	"encoding/json"

	"folio/country"
	"folio/fault"
)

// Export is additional_export_info: what the CFE of an export says of the sale.
type Export struct {
	SaleClause     string `json:"sale_clause,omitempty"`     // ClauVenta: up to 3 letters such as FOB, or N/A
	SaleMode       int    `json:"sale_mode,omitempty"`       // ModVenta: see saleModes
	TransportRoute int    `json:"transport_route,omitempty"` // ViaTransp: see transportRoutes
}

// The codes of ModVenta and ViaTransp that a document may have (CFE25 A-C14, A-C15), as
// they are printed.
var (
	saleModes = map[int]string{1: "Régimen general", 2: "Consignación", 3: "Precio revisable",
		4:  "Bienes propios a exclaves aduaneros",
		90: "Régimen general, exportación de servicios", 91: "Por cuenta de terceros", 99: "Otras transacciones"}
	transportRoutes = map[int]string{1: "Marítimo", 2: "Aéreo", 3: "Terrestre", 8: "N/A", 9: "Otro"}
)

// ParseExport reads additional_export_info. It refuses unknown members and wrong types
// with their paths; the values are checked by Check.
func ParseExport(raw json.RawMessage) (Export, []fault.Violation) {
	var v country.Violations
	e := Export{}
	country.ReadMembers(&v, "additional_export_info", "UY-EXPORT-01", raw, &e)
	return e, v.All
}
