package cl

import (
	"encoding/json"

	"folio/country"
	"folio/fault"
	"folio/money"
)

// Export is additional_export_info: the Aduana block, with the codes of the tables of
// Chile's customs service (Compendio de Normas Aduaneras, annex 51).
type Export struct {
	// Extranjero/Nacionalidad: customs' country code
	Nationality string `json:"nationality,omitempty"`
	PaymentForm int    `json:"payment_form,omitempty"` // FmaPagExp
	SaleMode    int    `json:"sale_mode,omitempty"`    // CodModVenta: 1 a firme ...
	// CodClauVenta: 1 CIF, 2 CFR, 3 EXW, 4 FAS, 5 FOB ...
	SaleClause         int           `json:"sale_clause,omitempty"`
	ClauseTotal        money.Decimal `json:"clause_total,omitzero"`         // TotClauVenta
	TransportRoute     int           `json:"transport_route,omitempty"`     // CodViaTransp
	Vessel             string        `json:"vessel,omitempty"`              // NombreTransp
	CarrierRUT         string        `json:"carrier_rut,omitempty"`         // RUTCiaTransp
	CarrierName        string        `json:"carrier_name,omitempty"`        // NomCiaTransp
	Booking            string        `json:"booking,omitempty"`             // Booking
	Operator           string        `json:"operator,omitempty"`            // Operador
	PortOfLoading      int           `json:"port_of_loading,omitempty"`     // CodPtoEmbarque
	PortOfDischarge    int           `json:"port_of_discharge,omitempty"`   // CodPtoDesemb
	Tare               int64         `json:"tare,omitempty"`                // Tara
	TareUnit           int           `json:"tare_unit,omitempty"`           // CodUnidMedTara
	GrossWeight        money.Decimal `json:"gross_weight,omitzero"`         // PesoBruto
	GrossWeightUnit    int           `json:"gross_weight_unit,omitempty"`   // CodUnidPesoBruto
	NetWeight          money.Decimal `json:"net_weight,omitzero"`           // PesoNeto
	NetWeightUnit      int           `json:"net_weight_unit,omitempty"`     // CodUnidPesoNeto
	TotalItems         int64         `json:"total_items,omitempty"`         // TotItems
	TotalPackages      int64         `json:"total_packages,omitempty"`      // TotBultos
	Packages           []Package     `json:"packages,omitempty"`            // TipoBultos, up to 10
	Freight            money.Decimal `json:"freight,omitzero"`              // MntFlete
	Insurance          money.Decimal `json:"insurance,omitzero"`            // MntSeguro
	RecipientCountry   int           `json:"recipient_country,omitempty"`   // CodPaisRecep
	DestinationCountry int           `json:"destination_country,omitempty"` // CodPaisDestin
}

// Package is one kind of package.
type Package struct {
	Type       int    `json:"type,omitempty"`        // CodTpoBultos
	Count      int64  `json:"count,omitempty"`       // CantBultos
	Marks      string `json:"marks,omitempty"`       // Marcas
	Container  string `json:"container,omitempty"`   // IdContainer
	Seal       string `json:"seal,omitempty"`        // Sello
	SealIssuer string `json:"seal_issuer,omitempty"` // EmisorSello
}

// ParseExport reads additional_export_info. It refuses unknown members and wrong
// types with their paths; the lengths of the schema are checked by Check.
func ParseExport(raw json.RawMessage) (Export, []fault.Violation) {
	var v country.Violations
	e := Export{}
	country.ReadMembers(&v, "additional_export_info", "CL-EXPORT-01", raw, &e)
	return e, v.All
}
