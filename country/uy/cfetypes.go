package uy

import "encoding/xml"

// The elements of a CFE in the order of the schema (XSD CFEType 1.44.2); empty ones are
// left out, so that xml.Marshal writes what DGI expects. One struct serves the five
// kinds: what a kind does not have stays empty.
type (
	cfeDocument struct {
		XMLName xml.Name `xml:"http://cfe.dgi.gub.uy CFE"`
		Version string   `xml:"version,attr"`

		// One of them.
		Ticket       *cfeBody `xml:"eTck"`
		Invoice      *cfeBody `xml:"eFact"`
		Export       *cfeBody `xml:"eFact_Exp"`
		Remito       *cfeBody `xml:"eRem"`
		ExportRemito *cfeBody `xml:"eRem_Exp"`
	}

	cfeBody struct {
		TmstFirma    string          `xml:"TmstFirma"`
		Encabezado   cfeEncabezado   `xml:"Encabezado"`
		Detalle      []cfeItem       `xml:"Detalle>Item"`
		DscRcgGlobal *cfeDescuentos  `xml:"DscRcgGlobal"`
		MediosPago   *cfeMediosPago  `xml:"MediosPago"`
		Referencia   *cfeReferencias `xml:"Referencia"`
		CAEData      cfeCAEData      `xml:"CAEData"`
	}

	cfeEncabezado struct {
		IdDoc    cfeIdDoc     `xml:"IdDoc"`
		Emisor   cfeEmisor    `xml:"Emisor"`
		Receptor *cfeReceptor `xml:"Receptor"`
		Totales  cfeTotales   `xml:"Totales"`
	}

	cfeIdDoc struct {
		TipoCFE          int    `xml:"TipoCFE"`
		Serie            string `xml:"Serie"`
		Nro              int64  `xml:"Nro"`
		NroInterno       string `xml:"NroInterno,omitempty"`
		FchEmis          string `xml:"FchEmis"`
		PeriodoDesde     string `xml:"PeriodoDesde,omitempty"`
		PeriodoHasta     string `xml:"PeriodoHasta,omitempty"`
		MntBruto         int    `xml:"MntBruto,omitempty"`
		FmaPago          int    `xml:"FmaPago,omitempty"`
		FchVenc          string `xml:"FchVenc,omitempty"`
		TipoTraslado     int    `xml:"TipoTraslado,omitempty"`
		ClauVenta        string `xml:"ClauVenta,omitempty"`
		ModVenta         int    `xml:"ModVenta,omitempty"`
		ViaTransp        int    `xml:"ViaTransp,omitempty"`
		InfoAdicionalDoc string `xml:"InfoAdicionalDoc,omitempty"`
		IVAalDia         int    `xml:"IVAalDia,omitempty"`
	}

	cfeEmisor struct {
		RUCEmisor    string `xml:"RUCEmisor"`
		RznSoc       string `xml:"RznSoc"`
		NomComercial string `xml:"NomComercial,omitempty"`
		GiroEmis     string `xml:"GiroEmis,omitempty"`
		Telefono     string `xml:"Telefono,omitempty"`
		CorreoEmisor string `xml:"CorreoEmisor,omitempty"`
		CdgDGISucur  string `xml:"CdgDGISucur"`
		DomFiscal    string `xml:"DomFiscal"`
		Ciudad       string `xml:"Ciudad"`
		Departamento string `xml:"Departamento"`
	}

	cfeReceptor struct {
		TipoDocRecep  string `xml:"TipoDocRecep,omitempty"`
		CodPaisRecep  string `xml:"CodPaisRecep,omitempty"`
		DocRecep      string `xml:"DocRecep,omitempty"`
		DocRecepExt   string `xml:"DocRecepExt,omitempty"`
		RznSocRecep   string `xml:"RznSocRecep,omitempty"`
		DirRecep      string `xml:"DirRecep,omitempty"`
		CiudadRecep   string `xml:"CiudadRecep,omitempty"`
		DeptoRecep    string `xml:"DeptoRecep,omitempty"`
		PaisRecep     string `xml:"PaisRecep,omitempty"`
		CP            string `xml:"CP,omitempty"`
		InfoAdicional string `xml:"InfoAdicional,omitempty"`
		LugarDestEnt  string `xml:"LugarDestEnt,omitempty"`
		CompraID      string `xml:"CompraID,omitempty"`
	}

	cfeTotales struct {
		TpoMoneda            string `xml:"TpoMoneda,omitempty"`
		TpoCambio            string `xml:"TpoCambio,omitempty"`
		MntNoGrv             string `xml:"MntNoGrv,omitempty"`
		MntExpoyAsim         string `xml:"MntExpoyAsim,omitempty"`
		MntImpuestoPerc      string `xml:"MntImpuestoPerc,omitempty"`
		MntIVaenSusp         string `xml:"MntIVaenSusp,omitempty"`
		MntNetoIvaTasaMin    string `xml:"MntNetoIvaTasaMin,omitempty"`
		MntNetoIVATasaBasica string `xml:"MntNetoIVATasaBasica,omitempty"`
		MntNetoIVAOtra       string `xml:"MntNetoIVAOtra,omitempty"`
		IVATasaMin           string `xml:"IVATasaMin,omitempty"`
		IVATasaBasica        string `xml:"IVATasaBasica,omitempty"`
		MntIVATasaMin        string `xml:"MntIVATasaMin,omitempty"`
		MntIVATasaBasica     string `xml:"MntIVATasaBasica,omitempty"`
		MntIVAOtra           string `xml:"MntIVAOtra,omitempty"`
		MntTotal             string `xml:"MntTotal,omitempty"`
		CantLinDet           int    `xml:"CantLinDet"`
		MontoNF              string `xml:"MontoNF,omitempty"`
		MntPagar             string `xml:"MntPagar,omitempty"`
	}

	cfeItem struct {
		NroLinDet      int          `xml:"NroLinDet"`
		CodItem        []cfeCodItem `xml:"CodItem"`
		IndFact        int          `xml:"IndFact,omitempty"`
		NomItem        string       `xml:"NomItem"`
		DscItem        string       `xml:"DscItem,omitempty"`
		Cantidad       string       `xml:"Cantidad"`
		UniMed         string       `xml:"UniMed"`
		PrecioUnitario string       `xml:"PrecioUnitario,omitempty"`
		DescuentoMonto string       `xml:"DescuentoMonto,omitempty"`
		MontoItem      string       `xml:"MontoItem,omitempty"`
	}

	cfeCodItem struct {
		TpoCod string `xml:"TpoCod"`
		Cod    string `xml:"Cod"`
	}

	cfeDescuentos struct {
		List []cfeDescuento `xml:"DRG_Item"`
	}

	cfeDescuento struct {
		NroLinDR  int    `xml:"NroLinDR"`
		TpoMovDR  string `xml:"TpoMovDR"`
		TpoDR     int    `xml:"TpoDR"`
		GlosaDR   string `xml:"GlosaDR"`
		ValorDR   string `xml:"ValorDR"`
		IndFactDR int    `xml:"IndFactDR"`
	}

	cfeMediosPago struct {
		List []cfeMedioPago `xml:"MedioPago"`
	}

	cfeMedioPago struct {
		NroLinMP  int    `xml:"NroLinMP"`
		GlosaMP   string `xml:"GlosaMP"`
		ValorPago string `xml:"ValorPago"`
	}

	cfeReferencias struct {
		List []cfeReferencia `xml:"Referencia"`
	}

	cfeReferencia struct {
		NroLinRef    int    `xml:"NroLinRef"`
		IndGlobal    int    `xml:"IndGlobal,omitempty"`
		TpoDocRef    int    `xml:"TpoDocRef,omitempty"`
		Serie        string `xml:"Serie,omitempty"`
		NroCFERef    int64  `xml:"NroCFERef,omitempty"`
		RazonRef     string `xml:"RazonRef,omitempty"`
		FechaCFEref  string `xml:"FechaCFEref,omitempty"`
		MntCFEref    string `xml:"MntCFEref,omitempty"`
		TpoMonedaRef string `xml:"TpoMonedaRef,omitempty"`
		TpoCambioRef string `xml:"TpoCambioRef,omitempty"`
	}

	cfeCAEData struct {
		CAEID        string `xml:"CAE_ID"`
		DNro         int64  `xml:"DNro"`
		HNro         int64  `xml:"HNro"`
		FecVenc      string `xml:"FecVenc"`
		CAEEspecial  int    `xml:"CAEEspecial,omitempty"`
		CausalCAEEsp int    `xml:"CausalCAEEsp,omitempty"`
	}
)
