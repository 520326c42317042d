package arca

import (
	"encoding/xml"
	"fmt"

	"folio/money"
)

const namespaceWSFE = "http://ar.gov.afip.dif.FEV1/"

// Request asks for the authorization of vouchers of one point of sale and type, with
// consecutive numbers (FECAESolicitar). The service takes as many as Session.Limit
// says, of the FCE types one.
type Request struct {
	PtoVta   int
	CbteTipo int
	Vouchers []Voucher
}

// XML is the element FeCAEReq as it goes over the line, without credentials: it can be
// kept and sent later, see Session.Authorize.
func (r Request) XML() ([]byte, error) {
	out, err := xml.Marshal(struct {
		XMLName  xml.Name  `xml:"FeCAEReq"`
		CantReg  int       `xml:"FeCabReq>CantReg"`
		PtoVta   int       `xml:"FeCabReq>PtoVta"`
		CbteTipo int       `xml:"FeCabReq>CbteTipo"`
		Vouchers []Voucher `xml:"FeDetReq>FECAEDetRequest"`
	}{CantReg: len(r.Vouchers), PtoVta: r.PtoVta, CbteTipo: r.CbteTipo, Vouchers: r.Vouchers})
	if err != nil {
		return nil, fmt.Errorf("write vouchers: %w", err)
	}
	return out, nil
}

// Voucher is FECAEDetRequest: names, order and meaning are those of the WSDL and of the
// manual's table (section "FECAESolicitar"). The service silently drops an element that
// is misspelt, and reads an absent number as 0: what must be absent is a nil pointer or
// an empty text here.
type Voucher struct {
	// Concepto is 1 goods, 2 services, 3 both.
	Concepto int `xml:"Concepto"`
	// DocTipo and DocNro identify the recipient; 99 and 0 is nobody.
	DocTipo int   `xml:"DocTipo"`
	DocNro  int64 `xml:"DocNro"`
	// CbteDesde and CbteHasta are equal but for daily batches of class B.
	CbteDesde int64 `xml:"CbteDesde"`
	CbteHasta int64 `xml:"CbteHasta"`
	// CbteFch may be empty: then the service puts the day of processing.
	CbteFch    string        `xml:"CbteFch,omitempty"`
	ImpTotal   money.Decimal `xml:"ImpTotal"`
	ImpTotConc money.Decimal `xml:"ImpTotConc"` // untaxed
	ImpNeto    money.Decimal `xml:"ImpNeto"`    // taxed; class C: the subtotal
	ImpOpEx    money.Decimal `xml:"ImpOpEx"`    // exempt
	ImpTrib    money.Decimal `xml:"ImpTrib"`
	ImpIVA     money.Decimal `xml:"ImpIVA"`
	// The three dates are all set for services and all empty for goods (FCE: FchVtoPago).
	FchServDesde string `xml:"FchServDesde,omitempty"`
	FchServHasta string `xml:"FchServHasta,omitempty"`
	FchVtoPago   string `xml:"FchVtoPago,omitempty"`
	// MonId is ARCA's own code (PES, DOL, 060); MonCotiz is pesos per unit, 1 for PES.
	MonId    string         `xml:"MonId,omitempty"`
	MonCotiz *money.Decimal `xml:"MonCotiz,omitempty"`
	// CanMisMonExt is S when it is paid in the same foreign currency, N or empty otherwise.
	CanMisMonExt string `xml:"CanMisMonExt,omitempty"`
	// CondicionIVAReceptorId is refused when absent since 2026-12-01 (RG 5616, code 10246).
	CondicionIVAReceptorId *int         `xml:"CondicionIVAReceptorId,omitempty"`
	CbtesAsoc              []CbteAsoc   `xml:"-"`
	Tributos               []Tributo    `xml:"-"`
	Iva                    []AlicIva    `xml:"-"`
	Opcionales             []Opcional   `xml:"-"`
	Compradores            []Comprador  `xml:"-"`
	PeriodoAsoc            *PeriodoAsoc `xml:"-"`
	Actividades            []Actividad  `xml:"-"`
}

// written is how a voucher is written. Arrays that are empty must not appear at all (an
// empty CbtesAsoc is code 10062), which encoding/xml does only for nil pointers.
type written struct {
	bare
	CbtesAsoc   *[]CbteAsoc  `xml:"CbtesAsoc>CbteAsoc"`
	Tributos    *[]Tributo   `xml:"Tributos>Tributo"`
	Iva         *[]AlicIva   `xml:"Iva>AlicIva"`
	Opcionales  *[]Opcional  `xml:"Opcionales>Opcional"`
	Compradores *[]Comprador `xml:"Compradores>Comprador"`
	PeriodoAsoc *PeriodoAsoc `xml:"PeriodoAsoc"`
	Actividades *[]Actividad `xml:"Actividades>Actividad"`
}

// bare is a Voucher without MarshalXML.
type bare Voucher

// MarshalXML writes the voucher in the order of the WSDL.
func (v Voucher) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return e.EncodeElement(v.written(), start)
}

func (v Voucher) written() written {
	return written{bare(v), filled(v.CbtesAsoc), filled(v.Tributos), filled(v.Iva), filled(v.Opcionales),
		filled(v.Compradores), v.PeriodoAsoc, filled(v.Actividades)}
}

// voucher is what was written.
func (w written) voucher() Voucher {
	v := Voucher(w.bare)
	v.CbtesAsoc, v.Tributos, v.Iva, v.Opcionales = listed(w.CbtesAsoc), listed(w.Tributos), listed(w.Iva),
		listed(w.Opcionales)
	v.Compradores, v.PeriodoAsoc, v.Actividades = listed(w.Compradores), w.PeriodoAsoc, listed(w.Actividades)
	return v
}

// filled is nil for an empty list.
func filled[T any](list []T) *[]T {
	if len(list) == 0 {
		return nil
	}
	return &list
}

// CbteAsoc is a voucher that a note corrects or an invoice refers to.
type CbteAsoc struct {
	Tipo    int    `xml:"Tipo"`
	PtoVta  int    `xml:"PtoVta"`
	Nro     int64  `xml:"Nro"`
	Cuit    string `xml:"Cuit,omitempty"`
	CbteFch string `xml:"CbteFch,omitempty"`
}

// Tributo is a tax other than IVA; Alic is in percent.
type Tributo struct {
	Id      int           `xml:"Id"`
	Desc    string        `xml:"Desc,omitempty"`
	BaseImp money.Decimal `xml:"BaseImp"`
	Alic    money.Decimal `xml:"Alic"`
	Importe money.Decimal `xml:"Importe"`
}

// AlicIva is the sum of one rate; an Id appears once.
type AlicIva struct {
	Id      int           `xml:"Id"`
	BaseImp money.Decimal `xml:"BaseImp"`
	Importe money.Decimal `xml:"Importe"`
}

// Opcional is an extra datum that some regime asks for.
type Opcional struct {
	Id    string `xml:"Id"`
	Valor string `xml:"Valor"`
}

// Comprador is one of several buyers; Porcentaje is in percent.
type Comprador struct {
	DocTipo    int           `xml:"DocTipo"`
	DocNro     int64         `xml:"DocNro"`
	Porcentaje money.Decimal `xml:"Porcentaje"`
}

// PeriodoAsoc is the period that a note corrects, instead of single vouchers.
type PeriodoAsoc struct {
	FchDesde string `xml:"FchDesde"`
	FchHasta string `xml:"FchHasta"`
}

// Actividad is one activity code of the issuer.
type Actividad struct {
	Id int64 `xml:"Id"`
}
