package cl

import (
	"encoding/json"

	"folio/country"
	"folio/fault"
)

// Header is additional_header_info of a Chilean document.
type Header struct {
	TransferType int `json:"transfer_type,omitempty"` // IndTraslado, guías: 1 sale ... 9
	// TipoDespacho: 1 by the buyer, 2 to the buyer, 3 to others
	DispatchType     int           `json:"dispatch_type,omitempty"`
	ServiceIndicator int           `json:"service_indicator,omitempty"` // IndServicio; boletas: 3 when left out
	Seller           string        `json:"seller,omitempty"`            // CdgVendedor
	Recipient        *Receptor     `json:"recipient,omitempty"`
	Transport        *Transport    `json:"transport,omitempty"`
	Origin           *Origin       `json:"origin,omitempty"`
	GeoReference     *GeoReference `json:"geo_reference,omitempty"` // boletas
	// FmaPago beside a means: CON, CRE, GRA; Folio fills it in for facturas
	PaymentForm string `json:"payment_form,omitempty"`

	// Issuer is the company's profile as it was when the document was created. Folio
	// writes it; what a caller writes there is replaced.
	Issuer map[string]string `json:"issuer,omitempty"`
}

// Receptor is what SII wants to know about a recipient beyond name, RUT and address.
type Receptor struct {
	Giro         string `json:"giro,omitempty"`
	Comuna       string `json:"comuna,omitempty"`
	City         string `json:"city,omitempty"`
	Contact      string `json:"contact,omitempty"`
	Email        string `json:"email,omitempty"`
	Phone        string `json:"phone,omitempty"` // boletas
	InternalCode string `json:"internal_code,omitempty"`
}

// Transport is how goods travel.
type Transport struct {
	Plate      string `json:"plate,omitempty"`
	CarrierRUT string `json:"carrier_rut,omitempty"`
	DriverRUT  string `json:"driver_rut,omitempty"`
	DriverName string `json:"driver_name,omitempty"`
	Address    string `json:"address,omitempty"`
	Comuna     string `json:"comuna,omitempty"`
	City       string `json:"city,omitempty"`

	// Since Res. Ex. SII 154/2025 ("Formato DTE" v2.5).
	TrailerPlate   string `json:"trailer_plate,omitempty"`    // PatenteCarro
	PlatesUnknown  bool   `json:"plates_unknown,omitempty"`   // said in words
	DepartureAt    string `json:"departure_at,omitempty"`     // FchSalida, HraSalida: real start, Chilean time
	ArrivalDate    string `json:"arrival_date,omitempty"`     // FchLlegada: estimated or real
	LongMoveReason string `json:"long_move_reason,omitempty"` // why it takes more than a day; said in words
}

// Origin is where the goods start that a document moves, when that is neither the head
// office nor the branch. What is left out is that of the branch or of the profile.
type Origin struct {
	Address string `json:"address,omitempty"` // DirOrigen; the same as issuer.address
	Comuna  string `json:"comuna,omitempty"`  // CmnaOrigen
	City    string `json:"city,omitempty"`    // CiudadOrigen
}

// GeoReference is where a boleta was issued (GeoRefEmision, "Formato boletas" v4.2).
type GeoReference struct {
	Latitude  string `json:"latitude,omitempty"`  // LatitudEmision
	Longitude string `json:"longitude,omitempty"` // LongitudEmision
	System    string `json:"system,omitempty"`    // SistemaReferencia, such as WGS84
}

// Extensions implements country.Extended.
func (Rules) Extensions() (header, export any) { return Header{}, Export{} }

// ParseHeader reads additional_header_info. It refuses unknown members and wrong
// types with their paths; what the values mean for a document, Check decides.
// Recipient, Transport and Origin are never nil.
func ParseHeader(raw json.RawMessage) (Header, []fault.Violation) {
	var v country.Violations
	h := Header{}
	country.ReadMembers(&v, "additional_header_info", "CL-HEADER-01", raw, &h)
	if h.Recipient == nil {
		h.Recipient = &Receptor{}
	}
	if h.Transport == nil {
		h.Transport = &Transport{}
	}
	if h.Origin == nil {
		h.Origin = &Origin{}
	}
	return h, v.All
}
