package cl

import (
	"cmp"
	"strconv"
	"strings"

	"folio/country"
)

// watermark is printed across what the sandbox issued.
const watermark = "SIN VALOR FISCAL"

// Form is the printed document of SII's "Manual de muestras impresas": the frame with
// RUT, type and number, the stamp with its legends, and for documents that can be
// assigned (33, 34, 46, 52) the second copy with the acknowledgement of receipt of Law
// 19.983. It is a pure function of what the log holds.
func (Rules) Form(i country.Issued) country.Form {
	d := i.Document
	k, _ := kindOf(d.OfficialCode)
	h, _ := ParseHeader(d.HeaderInfo)
	e, _ := ParseExport(d.ExportInfo)
	number := decimal(i.Number)
	f := country.Form{
		ID: i.ID, Name: cmp.Or(k.InvoiceType, "DTE") + "-" + number, Title: cmp.Or(k.Name, "Documento") + " N° " + number,
		Created: i.AcceptedAt, IssuerName: country.IssuerName(i.Profile, d), IssuerLines: issuerLines(i, h),
		Heading:   k.title,
		HeadLines: country.Present(country.Label{Caption: "Fecha de emisión", Value: printDay(d.Date), Strong: true}),
		Logo:      i.Profile.Logo, Period: country.BilledPeriod(d, separator), RecipientLines: recipientLines(i, k, h),
		Details: customs(d, e),
		Notes:   notes(i, k, h), Breakdown: breakdown(i), Totals: totalLines(i),
		Box: &country.Box{Green: k.Code == codeDispatch, Below: office(h),
			Lines: []string{"R.U.T.: " + PrintRUT(d.Issuer.DocumentNumber), k.title, "N° " + number}},
		Stamp: i.Authorization.Extra[ExtraStamp], Stamped: stamped(h), Second: second(k),
	}
	f.Columns, f.Rows = country.WithoutEmpty(columns(d, k), rows(d, k), "Código", "Descuento")
	if k.isReceipt() && h.Issuer[FieldReceiptStamp] == "false" { // optional since 2026-01-01: Res. Ex. SII 207/2025
		f.Stamp, f.Stamped = "", f.Stamped[1:] // what it is called goes with it; the resolution has no part in that
	}
	if i.Sandbox {
		f.Watermark = watermark
	}
	return f
}

// office is SII's, as it stands under the frame.
func office(h Header) string {
	name := strings.ToUpper(strings.TrimSpace(h.Issuer[FieldSIIOffice]))
	if name == "" {
		return "S.I.I."
	}
	return "S.I.I. - " + strings.TrimPrefix(strings.TrimPrefix(name, "S.I.I. - "), "SII - ")
}

// stamped are the legends under the stamp.
func stamped(h Header) []string {
	list := []string{"Timbre Electrónico SII"}
	date, number := h.Issuer[FieldResolutionDate], h.Issuer[FieldResolutionNumber]
	verify := "Verifique documento: www.sii.cl"
	if number != "" && len(date) >= 4 {
		return append(list, "Res. "+number+" de "+date[:4]+" - "+verify)
	}
	return append(list, verify)
}

// second is the copy that can be assigned, with the acknowledgement of receipt of Law
// 19.983 as SII words it.
func second(k kind) *country.Copy {
	if !k.isTransferable() {
		return nil
	}
	name := "CEDIBLE"
	if k.Code == codeDispatch {
		name = "CEDIBLE CON SU FACTURA"
	}
	return &country.Copy{
		Name: name,
		Fields: &country.Block{Title: "Acuse de recibo", Lines: []country.Label{
			{Caption: "Nombre:"}, {Caption: "R.U.T.:"}, {Caption: "Fecha:"}, {Caption: "Recinto:"}, {Caption: "Firma:"}}},
		Text: "El acuse de recibo que se declara en este acto, de acuerdo a lo dispuesto en la letra b) del Art. 4°, y la " +
			"letra c) del Art. 5° de la Ley 19.983, acredita que la entrega de mercaderías o servicio(s) prestado(s) ha(n) " +
			"sido recibido(s).",
	}
}

// issuerLines stand on the left, under the name.
func issuerLines(i country.Issued, h Header) []country.Label {
	a := country.IssuerAddress(i.Profile, i.Document)
	office, branch := country.Place(a.Address, h.Issuer[FieldComuna], h.Issuer[FieldCity]), h.Issuer[FieldBranch]
	origin := ""
	switch head := i.Profile.HeadOffice; {
	case head == "":
	case i.Profile.Establishment != "":
		office, branch, origin = head, country.Place(branch, i.Profile.Establishment), office
	case i.Document.Branch != 0:
		office, branch = head, country.Place(branch, office)
	default:
		office, origin = head, office
	}
	return country.Present(
		country.Label{Caption: "Giro", Value: h.Issuer[FieldGiro]},
		country.Label{Caption: "Casa matriz", Value: office},
		country.Label{Caption: "Sucursal", Value: branch},
		country.Label{Caption: "Origen", Value: origin},
		country.Label{Caption: "Teléfono", Value: a.Phone},
		country.Label{Caption: "Correo", Value: h.Issuer[FieldEmail]},
	)
}

// recipientLines name the recipient, and on a guía why and how the goods move.
func recipientLines(i country.Issued, k kind, h Header) []country.Label {
	d := i.Document
	p, r, t := identified(d.Recipient), h.Recipient, *h.Transport
	day, hour := t.departure()
	document := country.Label{Caption: "R.U.T.", Value: PrintRUT(recipientRUT(d))}
	if p.DocumentType != "" && p.DocumentType != identifierName {
		found, _ := country.Find(identityDocuments, p.DocumentType)
		document = country.Label{Caption: found.Name, Value: p.DocumentNumber}
	} else if (k.isReceipt() || k.isExport()) && nobody(p) {
		document = country.Label{}
	}
	foreigner := country.Label{}
	if k.isExport() && p.DocumentNumber != "" || isForeign(p) {
		foreigner = country.Label{Caption: "R.U.T.", Value: PrintRUT(ForeignRUT)} // what SII and the stamp have
	}
	return country.Present(
		country.Label{Caption: "Señor(es)", Value: recipientName(d), Strong: true},
		foreigner,
		document,
		country.Label{Caption: "Giro", Value: r.Giro},
		country.Label{Caption: "Dirección", Value: country.Place(p.Address.Address, r.Comuna, r.City)},
		country.Label{Caption: "País", Value: foreignCountry(p.Address.Country)},
		country.Label{Caption: "Contacto", Value: r.Contact},
		country.Label{Caption: "Correo", Value: r.Email},
		country.Label{Caption: "Teléfono", Value: r.Phone},
		country.Label{Caption: "Código interno", Value: r.InternalCode},
		country.Label{Caption: "Condición de pago", Value: country.PaymentText(paymentMethods, d.PaymentMethod)},
		country.Label{Caption: "Forma de pago", Value: formText(d, h)},
		country.Label{Caption: "Tipo de traslado", Value: transferTexts[h.TransferType]},
		country.Label{Caption: "Despacho", Value: dispatchTexts[h.DispatchType]},
		country.Label{Caption: "Servicio", Value: serviceText(k, h.ServiceIndicator)},
		country.Label{Caption: "Patente", Value: t.Plate},
		country.Label{Caption: "Patente del carro", Value: t.TrailerPlate},
		country.Label{Caption: "Transportista", Value: PrintRUT(canonical(t.CarrierRUT))},
		country.Label{Caption: "Chofer", Value: strings.TrimSpace(t.DriverName + " " + PrintRUT(canonical(t.DriverRUT)))},
		country.Label{Caption: "Destino", Value: country.Place(t.Address, t.Comuna, t.City)},
		country.Label{Caption: "Salida", Value: strings.TrimSpace(printDay(day) + " " + hour)},
		country.Label{Caption: "Llegada", Value: printDay(t.ArrivalDate)},
		country.Label{Caption: "Traslado", Value: transitWords(t)},
	)
}

// transferTexts are the meanings of IndTraslado as a guía prints them; the word for 7 is that
// of "Formato DTE" v2.5.
var transferTexts = map[int]string{
	1: "Operación constituye venta", 2: "Venta por efectuar", 3: "Consignación", 4: "Entrega gratuita",
	5: "Traslado interno",
	6: "Otro traslado que no constituye venta", 7: "Devolución de mercaderías", 8: "Traslado para exportación (no venta)",
	9: "Venta para exportación",
}

// dispatchTexts are the meanings of TipoDespacho (FMT, A-6).
var dispatchTexts = map[int]string{
	1: "Por cuenta del receptor", 2: "Por cuenta del emisor, a instalaciones del cliente",
	3: "Por cuenta del emisor, a otras instalaciones",
}

// serviceText is the meaning of IndServicio (FMT, A-9). What a boleta says there is a
// matter between SII and the issuer.
func serviceText(k kind, code int) string {
	if k.isReceipt() {
		return ""
	}
	return map[int]string{1: "Servicios periódicos domiciliarios", 2: "Otros servicios periódicos", 3: "Servicios",
		4: "Servicios de hotelería", 5: "Transporte terrestre internacional"}[code]
}

func foreignCountry(code string) string {
	if code == "CL" {
		return ""
	}
	return country.SpanishName(code)
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
