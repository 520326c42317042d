package uy

import "encoding/xml"

// reportBlocks are the elements of the types in the order of the schema.
var reportBlocks = []struct {
	name string
	code int
}{
	{"Rsmn_Tck", codeTicket}, {"Rsmn_Tck_Nota_Credito", codeTicketCredit}, {"Rsmn_Tck_Nota_Debito", codeTicketDebit},
	{"Rsmn_Fac", codeInvoice}, {"Rsmn_Fac_Nota_Credito", codeInvoiceCredit}, {"Rsmn_Fac_Nota_Debito", codeInvoiceDebit},
	{"Rsmn_Fac_Exp", codeExport}, {"Rsmn_Fac_Exp_Nota_Credito", codeExportCredit},
	{"Rsmn_Fac_Exp_Nota_Debito", codeExportDebit},
	{"Rsmn_Rem", codeRemito}, {"Rsmn_Rem_Exp", codeExportRemito},
}

// reportItem is the name of an amount in the report of a type, and how many there may be.
func reportItem(code int) (name string, most int) {
	switch {
	case code == codeExportRemito:
		return "Mnts_Rem_Exp_Item", 1_000
	case IsExport(code):
		return "Mnts_FExp_Item", 1_000
	}
	return "Mnts_FyT_Item", 2_000
}

// reportDocument and what it is made of are the schema's types, in its order
// (ReporteDiarioCFE).
type (
	reportDocument struct {
		XMLName   xml.Name    `xml:"Reporte"`
		Namespace string      `xml:"xmlns,attr"`
		Caratula  reportCover `xml:"Caratula"`
		Blocks    []reportBlock
	}

	reportCover struct {
		Version          string `xml:"version,attr"`
		RUCEmisor        string `xml:"RUCEmisor"`
		FechaResumen     string `xml:"FechaResumen"`
		SecEnvio         int    `xml:"SecEnvio"`
		TmstFirmaEnv     string `xml:"TmstFirmaEnv"`
		CantComprobantes int64  `xml:"CantComprobantes"`
	}

	reportBlock struct {
		XMLName  xml.Name
		TipoComp int        `xml:"TipoComp"`
		Data     reportData `xml:"RsmnData"`
	}

	reportData struct {
		Amounts           *reportAmounts  `xml:"Montos"`
		CantDocsUtil      int             `xml:"CantDocsUtil"`
		CantDocsMayTopeUI string          `xml:"CantDocsMay_topeUI,omitempty"`
		CantDocsAnulados  int             `xml:"CantDocsAnulados"`
		CantDocsEmi       int             `xml:"CantDocsEmi"`
		Used              reportUsed      `xml:"RngDocsUtil"`
		Annulled          *reportAnnulled `xml:"RngDocsAnulados"`
	}

	reportAmounts struct {
		Items []reportAmount
	}

	reportAmount struct {
		XMLName          xml.Name
		Fecha            string `xml:"Fecha"`
		CodSuc           string `xml:"CodSuc"`
		TotMntNoGrv      string `xml:"TotMntNoGrv,omitempty"`
		TotMntExpyAsim   string `xml:"TotMntExpyAsim,omitempty"`
		TotMntIVATasaMin string `xml:"TotMntIVATasaMin,omitempty"`
		TotMntIVATasaBas string `xml:"TotMntIVATasaBas,omitempty"`
		MntIVATasaMin    string `xml:"MntIVATasaMin,omitempty"`
		MntIVATasaBas    string `xml:"MntIVATasaBas,omitempty"`
		IVATasaMin       string `xml:"IVATasaMin,omitempty"`
		IVATasaBas       string `xml:"IVATasaBas,omitempty"`
		TotMntTotal      string `xml:"TotMntTotal"`
	}

	reportUsed struct {
		Items []reportRange `xml:"RDU_Item"`
	}

	reportAnnulled struct {
		Items []reportRange `xml:"RDA_Item"`
	}

	reportRange struct {
		Serie    string `xml:"Serie"`
		NroDesde int64  `xml:"NroDesde"`
		NroHasta int64  `xml:"NroHasta"`
	}
)
