package ar

import (
	"cmp"
	"fmt"
	"strings"

	"folio/country"
	"folio/events"
)

// Form is the printed document: RG 1415 annex II (contents), RG 4291 articles 14 and
// 15, RG 4892 (code), Law 27.743 (VAT contained) and Law 27.440 (FCE).
func (r Rules) Form(i country.Issued) country.Form {
	k, _ := findKind(i.Document.Type)
	number := printNumberOf(i.BranchOffice, i.Number)
	f := country.Form{
		ID: i.ID, Name: i.Document.Type + "-" + number, Title: k.Name + " " + number,
		Created: i.AcceptedAt, Copy: "ORIGINAL",
		Letter: strings.Trim(string(k.letter), "\x00"), LetterCode: fmt.Sprintf("COD. %02d", i.Document.OfficialCode),
		IssuerName: country.IssuerName(i.Profile, i.Document), IssuerLines: issuerLines(i, k),
		Heading: heading(k), HeadLines: headLines(i, number), Logo: i.Profile.Logo,
		Period: period(i.Document), RecipientLines: recipientLines(i),
		Carried: carried(i.Document, k),
		Notes:   notes(i), Transparency: transparency(i, k), Breakdown: breakdown(i, k), Totals: totalLines(i, k),
		Legends: legends(i, k), QR: cmp.Or(i.Authorization.QR, r.QR(i)), Authorization: authorization(i.Authorization),
		Authority: "Comprobante autorizado",
	}
	f.Columns, f.Rows = country.WithoutEmpty(columns(k), rows(i.Document, k), "Código")
	if k.fce {
		f.Words = inWords(i.Document.Totals.Total, i.Document.Currency.Code)
	}
	if i.Sandbox {
		f.Watermark, f.Authority = "SIN VALOR FISCAL", "Comprobante de prueba emitido por un simulador: sin valor fiscal"
		if i.Authorization.Extra[Ambiente] == Homologation {
			f.Authority = "Comprobante de prueba emitido en el ambiente de homologación de ARCA: sin valor fiscal"
		}
	}
	return f
}

// heading is the title of the document without its letter.
func heading(k kind) string {
	words := map[country.Class]string{country.Invoice: "FACTURA", country.Export: "FACTURA DE EXPORTACIÓN",
		country.DebitNote: "NOTA DE DÉBITO", country.CreditNote: "NOTA DE CRÉDITO", country.Receipt: "RECIBO"}
	switch {
	case k.fce && k.Class == country.Invoice:
		return "FACTURA DE CRÉDITO ELECTRÓNICA MiPyMEs (FCE)"
	case k.fce:
		return words[k.Class] + " ELECTRÓNICA MiPyMEs (FCE)"
	case k.isExport() && k.IsNote():
		return words[k.Class] + " POR OPERACIONES CON EL EXTERIOR"
	}
	return words[k.Class]
}

// Ambiente is the member of Authorization.Extra that names the environment of ARCA that
// authorized a document without fiscal value: Homologation, or nothing for a simulator.
const (
	Ambiente     = "ambiente"
	Homologation = "homologacion"
)

// issuerLines stand on the left.
func issuerLines(i country.Issued, k kind) []country.Label {
	address := i.Profile.Address
	if address == (events.Address{}) {
		address = i.Document.Issuer.Address
	}
	c := issuerCondition(k, i.Profile, i.Taxes)
	return country.Present(
		country.Label{Caption: "Domicilio comercial", Value: printAddress(address)},
		country.Label{Caption: "Teléfono", Value: address.Phone},
		country.Label{Caption: "Condición frente al IVA", Value: c.printed},
	)
}

// headLines stand on the right.
func headLines(i country.Issued, number string) []country.Label {
	return country.Present(
		country.Label{Caption: "N.º", Value: number, Strong: true},
		country.Label{Caption: "Fecha de emisión", Value: printDate(cmp.Or(i.Authorization.Date, i.Document.Date)),
			Strong: true},
		country.Label{Caption: "CUIT", Value: PrintCUIT(i.Document.Issuer.DocumentNumber)},
		country.Label{Caption: "Ingresos Brutos", Value: i.Profile.GrossIncomeNumber},
		country.Label{Caption: "Inicio de actividades", Value: printDate(i.Profile.StartActivitiesDate)},
	)
}

// period is required for services (RG 1415 annex II); a due date is shown for all.
func period(d events.Document) []country.Label {
	var from, to string
	if d.Concept != products {
		from, to = d.ServiceStart, d.ServiceEnd
	}
	return country.Present(
		country.Label{Caption: "Período facturado desde", Value: printDate(from)},
		country.Label{Caption: "hasta", Value: printDate(to)},
		country.Label{Caption: "Vencimiento para el pago", Value: printDate(d.PaymentDueDate)},
	)
}

// recipientLines name the recipient, or say that the sale is to a final consumer.
func recipientLines(i country.Issued) []country.Label {
	p := i.Document.Recipient
	name, document := p.LegalName, country.Label{Caption: p.DocumentType, Value: PrintCUIT(p.DocumentNumber)}
	if k, _ := findKind(i.Document.Type); k.isExport() {
		return buyerLines(i, document)
	}
	c, _ := findCondition(i.Taxes.RecipientCondition)
	if unidentified(p) {
		name, document = toConsumer(p.LegalName), country.Label{}
		if c.id == finalConsumer { // the legend has said it
			c.text = ""
		}
	}
	return country.Present(
		country.Label{Caption: "Apellido y nombre / Razón social", Value: name, Strong: true},
		document,
		country.Label{Caption: "Condición frente al IVA", Value: c.text},
		country.Label{Caption: "Domicilio", Value: printAddress(p.Address)},
		country.Label{Caption: "Teléfono", Value: p.Address.Phone},
		country.Label{Caption: "Condición de venta", Value: country.PaymentText(paymentMethods, i.Document.PaymentMethod)},
	)
}

// toConsumer is the legend of a sale to a consumer who is not identified (RG 1415 annex II),
// once, and a name that says more than it.
func toConsumer(name string) string {
	const legend = "A CONSUMIDOR FINAL"
	switch strings.ToUpper(strings.Join(strings.Fields(name), " ")) {
	case "", legend, "CONSUMIDOR FINAL":
		return legend
	}
	return legend + " " + name
}

func printAddress(a events.Address) string {
	parts := []string{a.Address}
	if p, ok := FindProvince(a.Region); ok {
		parts = append(parts, p.Name)
	} else if a.Country != "" && a.Country != "AR" {
		parts = append(parts, country.SpanishName(a.Country))
	}
	return strings.Trim(strings.Join(parts, ", "), ", ")
}

func authorization(a events.Authorization) []country.Label {
	kind := cmp.Or(a.Type, "CAE")
	return country.Present(
		country.Label{Caption: kind + " N.º", Value: a.Code, Strong: true},
		country.Label{Caption: "Fecha de vto. de " + kind, Value: printDate(a.ExpiresOn), Strong: true},
	)
}
