package uy

import (
	"encoding/json"

	"folio/country"
	"folio/events"
	"folio/fault"
)

// Header is additional_header_info of a Uruguayan document.
type Header struct {
	GrossPrices    bool      `json:"gross_prices,omitempty"`    // MntBruto 1: unit prices have IVA in them
	InternalNumber string    `json:"internal_number,omitempty"` // NroInterno
	PurchaseOrder  string    `json:"purchase_order,omitempty"`  // CompraID
	AdditionalInfo string    `json:"additional_info,omitempty"` // InfoAdicionalDoc
	TransferType   int       `json:"transfer_type,omitempty"`   // TipoTraslado of remitos: 1 sale, 2 internal
	PeriodReason   string    `json:"period_reason,omitempty"`   // RazonRef of a period: why its documents cannot be named
	Recipient      *Receptor `json:"recipient,omitempty"`

	// DailyReportOnly is written by Check: DGI hears of this e-Ticket in the daily report
	// only. BelowThreshold is that of a company that sends every one. Issuer is the company's profile as it was when the
	// document was created.
	// Series is the CAE's, known once there is a number. What a caller writes into
	// these is replaced.
	DailyReportOnly bool              `json:"daily_report_only,omitempty"`
	BelowThreshold  bool              `json:"below_threshold,omitempty"` // it is sent all the same: FieldAllTickets
	Issuer          map[string]string `json:"issuer,omitempty"`
	Series          string            `json:"series,omitempty"`
}

// transferTypes are the codes of TipoTraslado (CFE25 A-C6), as they are printed.
var transferTypes = map[int]string{1: "Venta", 2: "Traslado interno"}

// Receptor is what DGI wants to know about a recipient beyond name, document and address.
type Receptor struct {
	City           string `json:"city,omitempty"`            // CiudadRecep
	Department     string `json:"department,omitempty"`      // DeptoRecep; left out, that of address.region
	PostalCode     string `json:"postal_code,omitempty"`     // CP
	DeliveryPlace  string `json:"delivery_place,omitempty"`  // LugarDestEnt
	AdditionalInfo string `json:"additional_info,omitempty"` // InfoAdicional
}

// Extensions implements country.Extended.
func (Rules) Extensions() (header, export any) { return Header{}, Export{} }

// ParseHeader reads additional_header_info. It refuses unknown members and wrong types
// with their paths; what the values mean for a document, Check decides. Recipient is
// never nil.
func ParseHeader(raw json.RawMessage) (Header, []fault.Violation) {
	var v country.Violations
	h := Header{}
	country.ReadMembers(&v, "additional_header_info", "UY-HEADER-01", raw, &h)
	if h.Recipient == nil {
		h.Recipient = &Receptor{}
	}
	return h, v.All
}

// ReportOnly says that DGI hears of a checked document in the daily report only: it is
// accepted once it is signed and stored, and is never sent by itself.
func ReportOnly(d events.Document) bool {
	h, _ := ParseHeader(d.HeaderInfo)
	return h.DailyReportOnly
}

// frozen is additional_header_info with what Folio writes there; the other members of the
// caller stay as they were written.
func frozen(raw json.RawMessage, fields map[string]string, below bool) json.RawMessage {
	raw = country.FreezeIssuer(raw, profileFields, fields)
	raw = country.SetMember(raw, "series", nil)
	raw = country.SetMember(raw, "daily_report_only", nil)
	raw = country.SetMember(raw, "below_threshold", nil)
	switch {
	case !below:
		return raw
	case fields[FieldAllTickets] == "true":
		return country.SetMember(raw, "below_threshold", true)
	}
	return country.SetMember(raw, "daily_report_only", true)
}
