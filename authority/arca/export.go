package arca

import (
	"encoding/xml"
	"fmt"

	"folio/money"
)

const namespaceWSFEX = "http://ar.gov.afip.dif.fexv1/"

// ExportVoucher is Cmp of FEXAuthorize (WSFEXv1 manual 3.1.1): names, capitals and order
// are those of the WSDL. The service takes one at a time.
type ExportVoucher struct {
	// Id is chosen by the client, 15 digits at most. Sending one again that was approved
	// returns what was given then, whatever else the request says.
	Id               int64         `xml:"Id"`
	FechaCbte        string        `xml:"Fecha_cbte,omitempty"`
	CbteTipo         int           `xml:"Cbte_Tipo"`
	PuntoVta         int           `xml:"Punto_vta"`
	CbteNro          int64         `xml:"Cbte_nro"`
	TipoExpo         int           `xml:"Tipo_expo"` // 1 goods, 2 services, 4 other
	PermisoExistente string        `xml:"Permiso_existente"`
	Permisos         *[]Permiso    `xml:"Permisos>Permiso"`
	DstCmp           int           `xml:"Dst_cmp"`
	Cliente          string        `xml:"Cliente"`
	CuitPaisCliente  int64         `xml:"Cuit_pais_cliente"`
	DomicilioCliente string        `xml:"Domicilio_cliente"`
	IdImpositivo     string        `xml:"Id_impositivo,omitempty"`
	MonedaId         string        `xml:"Moneda_Id"`
	MonedaCtz        money.Decimal `xml:"Moneda_ctz"`
	CanMisMonExt     string        `xml:"CanMisMonExt,omitempty"`
	ObsComerciales   string        `xml:"Obs_comerciales,omitempty"`
	ImpTotal         money.Decimal `xml:"Imp_total"`
	CmpsAsoc         *[]CmpAsoc    `xml:"Cmps_asoc>Cmp_asoc"`
	FormaPago        string        `xml:"Forma_pago,omitempty"`
	Incoterms        string        `xml:"Incoterms,omitempty"`
	IncotermsDs      string        `xml:"Incoterms_Ds,omitempty"`
	IdiomaCbte       int           `xml:"Idioma_cbte"`
	Items            []ExportItem  `xml:"Items>Item"`
	Opcionales       *[]Opcional   `xml:"Opcionales>Opcional"`
	FechaPago        string        `xml:"Fecha_pago,omitempty"`
	Actividades      *[]Actividad  `xml:"Actividades>Actividad"`
}

// Permiso is a permiso de embarque with the country of its goods.
type Permiso struct {
	IdPermiso string `xml:"Id_permiso"`
	DstMerc   int    `xml:"Dst_merc"`
}

// CmpAsoc is a voucher that a note corrects, or a remito.
type CmpAsoc struct {
	CbteTipo     int    `xml:"Cbte_tipo"`
	CbtePuntoVta int    `xml:"Cbte_punto_vta"`
	CbteNro      int64  `xml:"Cbte_nro"`
	CbteCuit     string `xml:"Cbte_cuit"`
}

// ExportItem is one line. Pro_total_item is its price times its quantity less its
// discount, in cents (1815).
type ExportItem struct {
	ProCodigo       string        `xml:"Pro_codigo,omitempty"`
	ProDs           string        `xml:"Pro_ds"`
	ProQty          money.Decimal `xml:"Pro_qty"`
	ProUmed         int           `xml:"Pro_umed"`
	ProPrecioUni    money.Decimal `xml:"Pro_precio_uni"`
	ProBonificacion money.Decimal `xml:"Pro_bonificacion"`
	ProTotalItem    money.Decimal `xml:"Pro_total_item"`
}

// XML is the element Cmp as it goes over the line, without credentials.
func (v ExportVoucher) XML() ([]byte, error) {
	out, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"Cmp"`
		ExportVoucher
	}{ExportVoucher: v})
	if err != nil {
		return nil, fmt.Errorf("write export voucher: %w", err)
	}
	return out, nil
}
