package ar

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"folio/country"
)

// qrAddress is where the code of every voucher leads (RG 4892).
const qrAddress = "https://www.arca.gob.ar/fe/qr/?p="

// qrData has the members in the order of the official sample. Numbers are written
// from decimal text, never through a float.
type qrData struct {
	Ver        int         `json:"ver"`
	Fecha      string      `json:"fecha"`
	Cuit       json.Number `json:"cuit"`
	PtoVta     int         `json:"ptoVta"`
	TipoCmp    int         `json:"tipoCmp"`
	NroCmp     int64       `json:"nroCmp"`
	Importe    json.Number `json:"importe"`
	Moneda     string      `json:"moneda"`
	Ctz        json.Number `json:"ctz"`
	TipoDocRec int         `json:"tipoDocRec"`
	NroDocRec  int64       `json:"nroDocRec"`
	TipoCodAut string      `json:"tipoCodAut"` // E: CAE, A: CAEA
	CodAut     json.Number `json:"codAut"`
}

// QR is the address that the printed code holds: standard base64 with padding and
// without line breaks (RG 4892, specification version 1). An unidentified consumer
// is 99 and 0. It is empty before there is an authorization.
func (Rules) QR(i country.Issued) string {
	d := i.Document
	date := i.Authorization.Date
	if date == "" && len(d.Date) >= len(time.DateOnly) {
		date = d.Date[:len(time.DateOnly)]
	}
	if !country.AllDigits(i.Authorization.Code) || !country.AllDigits(d.Issuer.DocumentNumber) {
		return ""
	}
	docType, docNumber := DocTipo(d.Recipient.DocumentType, d.Recipient.DocumentNumber)
	currency, _ := MonID(d.Currency.Code)
	kind := "E"
	if i.Authorization.Type == "CAEA" {
		kind = "A"
	}
	text, err := json.Marshal(qrData{
		Ver: 1, Fecha: date, Cuit: number(d.Issuer.DocumentNumber), PtoVta: i.BranchOffice,
		TipoCmp: d.OfficialCode, NroCmp: i.Number, Importe: number(d.Totals.Total.Trim().String()),
		Moneda: currency, Ctz: number(d.Currency.Rate.Trim().String()),
		TipoDocRec: docType, NroDocRec: docNumber, TipoCodAut: kind, CodAut: number(i.Authorization.Code),
	})
	if err != nil {
		return ""
	}
	return qrAddress + base64.StdEncoding.EncodeToString(text)
}

// number drops leading zeros, which JSON numbers may not have.
func number(digits string) json.Number {
	trimmed := strings.TrimLeft(digits, "0")
	if trimmed == "" || trimmed[0] == '.' {
		trimmed = "0" + trimmed
	}
	return json.Number(trimmed)
}
