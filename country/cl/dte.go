package cl

import "encoding/xml"

// DTE is the Documento or Exportaciones element of a document. Its fields are in the
// order of the schemas (DTE_v10 and EnvioBOLETA_v11) and empty ones are left out, so
// that xml.Marshal writes what SII expects; texts are UTF-8 and cut to their lengths.
// The driver adds the namespace around it and the signature behind it.
type DTE struct {
	XMLName       xml.Name       // Documento or Exportaciones
	ID            string         `xml:"ID,attr"`
	Encabezado    Encabezado     `xml:"Encabezado"`
	Detalle       []Detalle      `xml:"Detalle"`
	DscRcgGlobal  []Descuento    `xml:"DscRcgGlobal"`
	Referencia    []Referencia   `xml:"Referencia"`
	GeoRefEmision *GeoRefEmision `xml:"GeoRefEmision"` // boletas
	TED           string         `xml:",innerxml"`     // the stamp as UTF-8 text, with its tags
	TmstFirma     string         `xml:"TmstFirma,omitempty"`
}

// GeoRefEmision is where a boleta was issued.
type GeoRefEmision struct {
	LatitudEmision    string `xml:"LatitudEmision"`
	LongitudEmision   string `xml:"LongitudEmision"`
	SistemaReferencia string `xml:"SistemaReferencia,omitempty"`
}

// Encabezado is the head of a DTE.
type Encabezado struct {
	IdDoc      IdDoc       `xml:"IdDoc"`
	Emisor     Emisor      `xml:"Emisor"`
	Receptor   DTEReceptor `xml:"Receptor"`
	RUTProvSW  string      `xml:"RUTProvSW,omitempty"` // boletas
	Transporte *Transporte `xml:"Transporte"`
	Totales    Totales     `xml:"Totales"`
	OtraMoneda *OtraMoneda `xml:"OtraMoneda"`
}

// IdDoc identifies the document.
type IdDoc struct {
	TipoDTE        int            `xml:"TipoDTE"`
	Folio          int64          `xml:"Folio"`
	FchEmis        string         `xml:"FchEmis"`
	TipoDespacho   int            `xml:"TipoDespacho,omitempty"`
	IndTraslado    int            `xml:"IndTraslado,omitempty"`
	IndServicio    int            `xml:"IndServicio,omitempty"`
	FmaPago        string         `xml:"FmaPago,omitempty"`
	FmaPagExp      int            `xml:"FmaPagExp,omitempty"`
	PeriodoDesde   string         `xml:"PeriodoDesde,omitempty"`
	PeriodoHasta   string         `xml:"PeriodoHasta,omitempty"`
	MedioPago      string         `xml:"MedioPago,omitempty"`
	FchVenc        string         `xml:"FchVenc,omitempty"`
	ReceiptPayment ReceiptPayment `xml:"ReceiptPayment"`
}

// ReceiptPayment is MedioPago of a boleta: a digit, and behind FchVenc, where the other
// documents have it before. "" is left out.
type ReceiptPayment string

// MarshalXML writes it under its own name, which a struct can use once only.
func (p ReceiptPayment) MarshalXML(e *xml.Encoder, _ xml.StartElement) error {
	if p == "" {
		return nil
	}
	return e.EncodeElement(string(p), xml.StartElement{Name: xml.Name{Local: "MedioPago"}})
}

// Emisor is the issuer. Boletas have RznSocEmisor and GiroEmisor, the others RznSoc and
// GiroEmis.
type Emisor struct {
	RUTEmisor    string `xml:"RUTEmisor"`
	RznSoc       string `xml:"RznSoc,omitempty"`
	RznSocEmisor string `xml:"RznSocEmisor,omitempty"`
	GiroEmis     string `xml:"GiroEmis,omitempty"`
	GiroEmisor   string `xml:"GiroEmisor,omitempty"`
	Telefono     string `xml:"Telefono,omitempty"`
	CorreoEmisor string `xml:"CorreoEmisor,omitempty"`
	Acteco       []int  `xml:"Acteco"`
	Sucursal     string `xml:"Sucursal,omitempty"`
	CdgSIISucur  string `xml:"CdgSIISucur,omitempty"`
	DirOrigen    string `xml:"DirOrigen,omitempty"`
	CmnaOrigen   string `xml:"CmnaOrigen,omitempty"`
	CiudadOrigen string `xml:"CiudadOrigen,omitempty"`
	CdgVendedor  string `xml:"CdgVendedor,omitempty"`
}

// DTEReceptor is the recipient.
type DTEReceptor struct {
	RUTRecep      string      `xml:"RUTRecep"`
	CdgIntRecep   string      `xml:"CdgIntRecep,omitempty"`
	RznSocRecep   string      `xml:"RznSocRecep,omitempty"`
	Extranjero    *Extranjero `xml:"Extranjero"`
	GiroRecep     string      `xml:"GiroRecep,omitempty"`
	Contacto      string      `xml:"Contacto,omitempty"`
	CorreoRecep   string      `xml:"CorreoRecep,omitempty"`
	TelefonoRecep string      `xml:"TelefonoRecep,omitempty"` // boletas
	DirRecep      string      `xml:"DirRecep,omitempty"`
	CmnaRecep     string      `xml:"CmnaRecep,omitempty"`
	CiudadRecep   string      `xml:"CiudadRecep,omitempty"`
}

// Extranjero identifies a foreign buyer.
type Extranjero struct {
	NumId        string `xml:"NumId,omitempty"`
	Nacionalidad string `xml:"Nacionalidad,omitempty"`
}

// Transporte is how goods travel, with the customs block of exports.
type Transporte struct {
	Patente      string  `xml:"Patente,omitempty"`
	PatenteCarro string  `xml:"PatenteCarro,omitempty"`
	RUTTrans     string  `xml:"RUTTrans,omitempty"`
	Chofer       *Chofer `xml:"Chofer"`
	DirDest      string  `xml:"DirDest,omitempty"`
	CmnaDest     string  `xml:"CmnaDest,omitempty"`
	CiudadDest   string  `xml:"CiudadDest,omitempty"`
	Aduana       *Aduana `xml:"Aduana"`
	FchSalida    string  `xml:"FchSalida,omitempty"`
	HraSalida    string  `xml:"HraSalida,omitempty"`
	FchLlegada   string  `xml:"FchLlegada,omitempty"`
}

// Chofer is the driver of a vehicle.
type Chofer struct {
	RUTChofer    string `xml:"RUTChofer"`
	NombreChofer string `xml:"NombreChofer"`
}

// Aduana is the customs block of exports.
type Aduana struct {
	CodModVenta      int          `xml:"CodModVenta,omitempty"`
	CodClauVenta     int          `xml:"CodClauVenta,omitempty"`
	TotClauVenta     string       `xml:"TotClauVenta,omitempty"`
	CodViaTransp     int          `xml:"CodViaTransp,omitempty"`
	NombreTransp     string       `xml:"NombreTransp,omitempty"`
	RUTCiaTransp     string       `xml:"RUTCiaTransp,omitempty"`
	NomCiaTransp     string       `xml:"NomCiaTransp,omitempty"`
	Booking          string       `xml:"Booking,omitempty"`
	Operador         string       `xml:"Operador,omitempty"`
	CodPtoEmbarque   int          `xml:"CodPtoEmbarque,omitempty"`
	CodPtoDesemb     int          `xml:"CodPtoDesemb,omitempty"`
	Tara             int64        `xml:"Tara,omitempty"`
	CodUnidMedTara   int          `xml:"CodUnidMedTara,omitempty"`
	PesoBruto        string       `xml:"PesoBruto,omitempty"`
	CodUnidPesoBruto int          `xml:"CodUnidPesoBruto,omitempty"`
	PesoNeto         string       `xml:"PesoNeto,omitempty"`
	CodUnidPesoNeto  int          `xml:"CodUnidPesoNeto,omitempty"`
	TotItems         int64        `xml:"TotItems,omitempty"`
	TotBultos        int64        `xml:"TotBultos,omitempty"`
	TipoBultos       []TipoBultos `xml:"TipoBultos"`
	MntFlete         string       `xml:"MntFlete,omitempty"`
	MntSeguro        string       `xml:"MntSeguro,omitempty"`
	CodPaisRecep     int          `xml:"CodPaisRecep,omitempty"`
	CodPaisDestin    int          `xml:"CodPaisDestin,omitempty"`
}

// TipoBultos is one kind of package.
type TipoBultos struct {
	CodTpoBultos int    `xml:"CodTpoBultos,omitempty"`
	CantBultos   int64  `xml:"CantBultos,omitempty"`
	Marcas       string `xml:"Marcas,omitempty"`
	IdContainer  string `xml:"IdContainer,omitempty"`
	Sello        string `xml:"Sello,omitempty"`
	EmisorSello  string `xml:"EmisorSello,omitempty"`
}

// Totales are the sums that SII is told.
type Totales struct {
	TpoMoneda    string     `xml:"TpoMoneda,omitempty"`
	MntNeto      string     `xml:"MntNeto,omitempty"`
	MntExe       string     `xml:"MntExe,omitempty"`
	TasaIVA      string     `xml:"TasaIVA,omitempty"`
	IVA          string     `xml:"IVA,omitempty"`
	ImptoReten   []Impuesto `xml:"ImptoReten"`
	IVANoRet     string     `xml:"IVANoRet,omitempty"`
	MntTotal     string     `xml:"MntTotal"`
	MontoNF      string     `xml:"MontoNF,omitempty"`
	TotalPeriodo string     `xml:"TotalPeriodo,omitempty"` // boletas
	MontoPeriodo string     `xml:"MontoPeriodo,omitempty"` // the others
	VlrPagar     string     `xml:"VlrPagar,omitempty"`
}

// Impuesto is one additional or retained tax.
type Impuesto struct {
	TipoImp  string `xml:"TipoImp"`
	TasaImp  string `xml:"TasaImp,omitempty"`
	MontoImp string `xml:"MontoImp"`
}

// OtraMoneda repeats the totals of an export in pesos.
type OtraMoneda struct {
	TpoMoneda     string `xml:"TpoMoneda"`
	TpoCambio     string `xml:"TpoCambio,omitempty"`
	MntExeOtrMnda string `xml:"MntExeOtrMnda,omitempty"`
	MntTotOtrMnda string `xml:"MntTotOtrMnda"`
}

// Detalle is one line.
type Detalle struct {
	NroLinDet      int       `xml:"NroLinDet"`
	CdgItem        []CdgItem `xml:"CdgItem"`
	IndExe         int       `xml:"IndExe,omitempty"`
	NmbItem        string    `xml:"NmbItem"`
	DscItem        string    `xml:"DscItem,omitempty"`
	QtyItem        string    `xml:"QtyItem,omitempty"`
	UnmdItem       string    `xml:"UnmdItem,omitempty"`
	PrcItem        string    `xml:"PrcItem,omitempty"`
	DescuentoMonto string    `xml:"DescuentoMonto,omitempty"`
	CodImpAdic     []string  `xml:"CodImpAdic"`
	MontoItem      string    `xml:"MontoItem"`
}

// CdgItem is a code of a product.
type CdgItem struct {
	TpoCodigo string `xml:"TpoCodigo"`
	VlrCodigo string `xml:"VlrCodigo"`
}

// Descuento is a discount on the whole document (TpoMov D), in the document's currency.
type Descuento struct {
	NroLinDR int    `xml:"NroLinDR"`
	TpoMov   string `xml:"TpoMov"`
	GlosaDR  string `xml:"GlosaDR,omitempty"`
	TpoValor string `xml:"TpoValor"`
	ValorDR  string `xml:"ValorDR"`
	IndExeDR int    `xml:"IndExeDR,omitempty"`
}

// Referencia names another document. Boletas have no FchRef.
type Referencia struct {
	NroLinRef int    `xml:"NroLinRef"`
	TpoDocRef string `xml:"TpoDocRef"`
	FolioRef  string `xml:"FolioRef,omitempty"`
	RUTOtr    string `xml:"RUTOtr,omitempty"`
	FchRef    string `xml:"FchRef,omitempty"`
	CodRef    string `xml:"CodRef,omitempty"`
	RazonRef  string `xml:"RazonRef,omitempty"`
}
