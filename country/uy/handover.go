package uy

import (
	"encoding/xml"
	"fmt"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

var _ country.HandsOver = Rules{}

// HandOver follows DGI's format of envelopes (Formato Sobre v05, page 4): a CFE is emitted and
// sent first, and its authorisation is not waited for. E-Tickets up to 5,000 UI are told in
// the daily report only. That a signed CFE may be handed over while the line to DGI is away
// is quoted of Res. 798/2012 num. 17 by third parties alone: it is the operator's to hold.
func (Rules) HandOver(d events.Document, s country.Standing) country.Basis {
	switch {
	case ReportOnly(d):
		return country.ReportOnly
	case s.Received:
		return country.Sent
	case s.Away && s.Offline:
		return country.Contingency
	}
	return ""
}

// Provisional is CAE, QR code and security code of the document as it was signed; DGI's
// number of the envelope is not known.
func (Rules) Provisional(document []byte) (events.Authorization, error) {
	var x struct {
		Body struct {
			At    string        `xml:"TmstFirma"`
			Head  cfeIdDoc      `xml:"Encabezado>IdDoc"`
			RUC   string        `xml:"Encabezado>Emisor>RUCEmisor"`
			Total money.Decimal `xml:"Encabezado>Totales>MntTotal"`
			ToPay string        `xml:"Encabezado>Totales>MntPagar"`
			CAE   cfeCAEData    `xml:"CAEData"`
		} `xml:",any"`
		Hash string `xml:"Signature>SignedInfo>Reference>DigestValue"`
	}
	if err := xml.Unmarshal(document, &x); err != nil {
		return events.Authorization{}, fmt.Errorf("read the signed CFE: %w", err)
	}
	b := x.Body
	s := Signed{RUC: b.RUC, Type: b.Head.TipoCFE, Series: b.Head.Serie, Number: b.Head.Nro, Amount: b.Total, Hash: x.Hash}
	var err error
	if b.ToPay != "" {
		if s.Amount, err = money.Parse(b.ToPay); err != nil {
			return events.Authorization{}, fmt.Errorf("read MntPagar of the signed CFE: %w", err)
		}
	}
	if s.At, err = time.Parse(time.RFC3339, b.At); err != nil || s.Hash == "" {
		return events.Authorization{}, fmt.Errorf("the CFE has no signature, or no time of it: %w", err)
	}
	return Authorization(CAE{Series: s.Series, Authorization: b.CAE.CAEID, From: b.CAE.DNro, To: b.CAE.HNro,
		ExpiresOn: b.CAE.FecVenc}, s), nil
}

// BeforeVerdict is printed on the document. No norm words it.
func (Rules) BeforeVerdict(b country.Basis) string {
	switch b {
	case country.Contingency:
		return "EMITIDO SIN CONEXIÓN CON DGI: este comprobante está firmado y aún no fue enviado. Se enviará al " +
			"restablecerse la conexión."
	case country.ReportOnly:
		return "ESTE COMPROBANTE SE INFORMA A DGI EN EL REPORTE DIARIO."
	}
	return "ENVIADO A DGI, AÚN SIN SU RESPUESTA: este ejemplar se entrega antes de que DGI lo valide."
}

// RefusedAfter follows Formato de Mensaje de Respuesta v19: a rejected number is burnt, and
// what its receiver has is annulled.
func (Rules) RefusedAfter() string {
	return fault.Words("It was handed over before DGI refused it: its number is annulled in the daily report. Send the receiver " +
		"an annulment notice, and issue the document again.")
}
