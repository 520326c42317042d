package uy

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"folio/country"
	"folio/events"
)

const (
	// watermark is printed across what the sandbox issued.
	watermark = "SIN VALOR FISCAL"

	// verifyURL is where anybody may verify a document (RG 798, printed copy), of e-Tickets
	// where the company gives no page of its own.
	verifyURL = "www.dgi.gub.uy"
)

// Form is the printed copy that DGI's instructives describe: issuer at the upper left,
// RUC, type, series, number and payment form in a frame at the right, the buyer's frame,
// the QR code with its security code, the CAE with its range, and the frame with its
// last day. Observations are the addenda. It is a pure function of what the log holds.
func (Rules) Form(i country.Issued) country.Form {
	d := i.Document
	k, _ := kindOf(d.OfficialCode)
	h, _ := ParseHeader(d.HeaderInfo)
	e, _ := ParseExport(d.ExportInfo)
	series := cmp.Or(i.Series, i.Authorization.Extra[ExtraSeries])
	number := strings.TrimSpace(series + " " + strconv.FormatInt(i.Number, 10))
	f := country.Form{
		ID: i.ID, Name: cmp.Or(k.InvoiceType, "CFE") + "-" + strings.ReplaceAll(number, " ", "-"),
		Title:   cmp.Or(k.Name, "Documento") + " " + number,
		Created: i.AcceptedAt, IssuerName: country.IssuerName(i.Profile, d), IssuerLines: issuerLines(i, h),
		Heading: k.title, HeadLines: headLines(d, k, h), Logo: i.Profile.Logo,
		Period: country.BilledPeriod(d, separator), RecipientLines: recipientLines(d, k, h, e),
		Notes: notes(d, k, h), Totals: totalLines(i, k),
		QR: i.Authorization.QR, Authorization: authorizationLines(i),
		Box:    &country.Box{Black: true, Lines: []string{"RUC " + d.Issuer.DocumentNumber, k.title, number}},
		Frames: &country.Frames{Buyer: buyerFrame(d), Addenda: addenda(d), Verify: verifyLines(k, h), Regime: regimeLines(h)},
	}
	f.Columns, f.Rows = country.WithoutEmpty(columns(k, h), rows(d, k, h), "Código", "Descuento")
	if code := i.Authorization.Extra[ExtraSecurityCode]; code != "" {
		f.Frames.Below = "Código de seguridad: " + code
	}
	if day := i.Authorization.ExpiresOn; day != "" {
		f.Frames.Expires = []string{"Fecha de vencimiento", printDay(day)}
	}
	if i.Sandbox {
		f.Watermark = watermark
	}
	return f
}

// headLines stand under the frame with RUC, type and number.
func headLines(d events.Document, k kind, h Header) []country.Label {
	name, _ := country.Find(currencies, d.Currency.Code)
	currency, payment := name.Name, "Contado"
	if fmaPago(d) == 2 {
		payment = "Crédito"
	}
	if IsRemito(k.Code) {
		payment = ""
	}
	if k.Code == codeRemito {
		currency = ""
	}
	return country.Present(
		country.Label{Caption: "Fecha", Value: printDay(d.Date), Strong: true},
		country.Label{Caption: "Forma de pago", Value: payment, Strong: true},
		country.Label{Caption: "Moneda", Value: currency},
		country.Label{Caption: "N° interno", Value: h.InternalNumber},
	)
}

// issuerLines stand on the left, under the name.
func issuerLines(i country.Issued, h Header) []country.Label {
	a, own := country.IssuerAddress(i.Profile, i.Document), h.Issuer
	department, _ := Department(own[FieldDepartment])
	return country.Present(
		country.Label{Value: own[FieldTradeName], Strong: true},
		country.Label{Caption: "Giro", Value: own[FieldGiro]},
		country.Label{Caption: "Domicilio fiscal", Value: country.Place(a.Address, own[FieldCity], department)},
		country.Label{Caption: "Teléfono", Value: a.Phone},
		country.Label{Caption: "Correo", Value: own[FieldEmail]},
	)
}

// buyerFrame is the frame beside the recipient. Who has no RUT is a final consumer; any
// other document stands with its name.
func buyerFrame(d events.Document) []string {
	p := identified(d.Recipient)
	switch {
	case p.DocumentType == identifierName:
		return []string{"RUC COMPRADOR", p.DocumentNumber}
	case p.DocumentNumber == "":
		return []string{"CONSUMO FINAL"}
	case IsExport(d.OfficialCode):
		return []string{"COMPRADOR DEL EXTERIOR", p.DocumentNumber}
	}
	return []string{"CONSUMO FINAL", p.DocumentType + " " + printDocument(p)}
}

// printDocument writes a CI with its dots and any other document as it was given: eight
// digits of another country are no CI. Beside the number of another country's stands who
// gave it (CFE25 25-1, printed copy).
func printDocument(p events.Party) string {
	switch p.DocumentType {
	case docCI:
		return PrintCI(p.DocumentNumber)
	case docDNI, docPassport, docNIFE, docOther:
		if nation := country.SpanishName(p.Address.Country); nation != "" {
			return p.DocumentNumber + " (" + nation + ")"
		}
	}
	return p.DocumentNumber
}

// recipientLines name the recipient, and for exports and remitos how the goods move.
func recipientLines(d events.Document, k kind, h Header, e Export) []country.Label {
	p, nation := identified(d.Recipient), ""
	if p.Address.Country != "" && p.Address.Country != "UY" {
		nation = country.SpanishName(p.Address.Country)
	}
	document, _ := country.Find(identityDocuments, p.DocumentType)
	number := country.Label{Caption: document.Name, Value: printDocument(p)}
	switch p.DocumentType {
	case identifierName:
		number.Caption = "RUT"
	case docOther, docNIFE, docNIE, docDNI:
		number.Caption = "Documento"
	}
	name := p.LegalName
	if name == "" && p.DocumentNumber == "" {
		name = "Consumo final"
	}
	lines := country.Present(
		country.Label{Caption: "Nombre", Value: name, Strong: true},
		number,
		country.Label{Caption: "Domicilio", Value: country.Place(p.Address.Address, h.Recipient.City,
			recipientDepartment(h, p), nation)},
		country.Label{Caption: "Código postal", Value: h.Recipient.PostalCode},
		country.Label{Caption: "Lugar de entrega", Value: h.Recipient.DeliveryPlace},
		country.Label{Caption: "Orden de compra", Value: h.PurchaseOrder},
		country.Label{Caption: "Otros datos", Value: h.Recipient.AdditionalInfo},
		country.Label{Caption: "Medio de pago", Value: means(d.PaymentMethod)},
	)
	if IsRemito(k.Code) {
		lines = append(lines, country.Present(country.Label{Caption: "Traslado", Value: transferTypes[h.TransferType]})...)
	}
	if IsExport(k.Code) {
		lines = append(lines, country.Present(
			country.Label{Caption: "Cláusula de venta", Value: e.SaleClause},
			country.Label{Caption: "Modalidad de venta", Value: saleModes[e.SaleMode]},
			country.Label{Caption: "Vía de transporte", Value: transportRoutes[e.TransportRoute]},
		)...)
	}
	return lines
}

// means is what is paid with, where it says more than the payment form does.
func means(m *events.PaymentMethod) string {
	text := country.PaymentText(paymentMethods, m)
	if strings.EqualFold(text, "Contado") || strings.EqualFold(text, "Crédito") {
		return ""
	}
	return text
}

// addenda are the observations, in the zone that has this name (CFE25, printed copy).
func addenda(d events.Document) *country.Block {
	if country.Blank(d.Observations) {
		return nil
	}
	return &country.Block{Title: "ADENDA", Lines: []country.Label{{Value: d.Observations}}}
}

// verifyLines stand beside the QR code. The profile's resolution is its number with the
// year, or the day on which the company became an electronic issuer.
func verifyLines(k kind, h Header) []string {
	var lines []string
	switch resolution := h.Issuer[FieldResolution]; {
	case strings.Contains(resolution, "/"):
		lines = append(lines, "Res. "+resolution)
	case resolution != "":
		lines = append(lines, "Fecha emisor "+printDay(resolution))
	}
	page := verifyURL
	if IsTicket(k.Code) {
		page = cmp.Or(h.Issuer[FieldVerification], verifyURL)
	}
	lines = append(lines, "Puede verificar comprobante en "+page)
	if ivaAlDia(h) == 0 && !regimeOf(h.Issuer).silent() {
		lines = append(lines, "IVA al día")
	}
	return lines
}

// regimeLines are what stands in a frame of at least 4 by 1 cm in letters of at least 3 mm:
// what special CAEs the company has (CFE25, printed copy).
func regimeLines(h Header) []string {
	r := regimeOf(h.Issuer)
	if r.special == 0 {
		return nil
	}
	if norm := h.Issuer[FieldExemptionNorm]; r.name == regimeExempt && norm != "" {
		return []string{r.box, norm}
	}
	return []string{r.box}
}

func authorizationLines(i country.Issued) []country.Label {
	return country.Present(
		country.Label{Caption: "CAE N°", Value: i.Authorization.Code, Strong: true},
		country.Label{Caption: "Rango", Value: i.Authorization.Extra[ExtraRange]},
		country.Label{Caption: "Serie", Value: cmp.Or(i.Series, i.Authorization.Extra[ExtraSeries])},
	)
}

// notes are what the document says besides its lines: what it corrects, the currency,
// and what DGI is told of it as a whole.
func notes(d events.Document, k kind, h Header) []string {
	var list []string
	for n, r := range d.BillingReference {
		text := referenceText(r)
		if isGlobal(r) && h.PeriodReason != "" {
			text += ": " + strings.TrimSuffix(h.PeriodReason, ".")
		}
		list = append(list, fmt.Sprintf("Referencia %d: %s.", n+1, text))
	}
	if cur := d.Currency; cur.Code != localCurrency && cur.Code != "" && k.Code != codeRemito {
		name, _ := country.Find(currencies, cur.Code)
		list = append(list, fmt.Sprintf("Moneda: %s (%s). Tipo de cambio: $ %s.", strings.ToLower(name.Name), cur.Code,
			country.PrintNumber(cur.Rate.Trim())))
	}
	if h.GrossPrices {
		list = append(list, "Los precios unitarios incluyen IVA.")
	}
	if h.AdditionalInfo != "" {
		list = append(list, h.AdditionalInfo)
	}
	return list
}

func referenceText(r events.Reference) string {
	if isGlobal(r) {
		return "comprobantes del " + printDay(r.PeriodFrom) + " al " + printDay(r.PeriodTo)
	}
	_, text, _ := referenceType(r.Type)
	if k, ok := findKind(r.Type); ok {
		text = k.Name
	}
	text = strings.TrimSpace(fmt.Sprintf("%s %s %d", text, r.Series, r.Number))
	if r.Date != "" {
		text += " del " + printDay(r.Date)
	}
	if why := country.ReasonTexts[r.ReasonCode]; why != "" {
		text += ". " + why
	}
	return text
}
