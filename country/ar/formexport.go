package ar

import (
	"strings"

	"folio/country"
	"folio/events"
)

// buyerLines name the buyer of an export with what customs and its country ask for (RG
// 2758 annex: destination, terms of sale). document is the CUIT of the buyer's country.
func buyerLines(i country.Issued, document country.Label) []country.Label {
	p := i.Document.Recipient
	e, _ := ParseExport(i.Document.ExportInfo)
	if p.DocumentType == "CUIT" {
		document.Caption = "CUIT país"
	} else if p.DocumentNumber == "" || p.DocumentNumber == e.ClientTaxID {
		document = country.Label{}
	}
	return country.Present(
		country.Label{Caption: "Comprador", Value: p.LegalName, Strong: true},
		document,
		country.Label{Caption: "Clave de identificación tributaria", Value: e.ClientTaxID},
		country.Label{Caption: "Domicilio", Value: printAddress(p.Address)},
		country.Label{Caption: "Teléfono", Value: p.Address.Phone},
		country.Label{Caption: "País de destino", Value: country.SpanishName(e.Destination)},
		country.Label{Caption: "Incoterms", Value: strings.TrimSpace(e.Incoterms + " " + e.IncotermsDetails)},
		country.Label{Caption: "Forma de pago", Value: e.PaymentForm},
		country.Label{Caption: "Divisa", Value: divisa(i.Document.Currency)},
	)
}

func divisa(c events.Currency) string {
	name, _ := country.Find(currencies, c.Code)
	return strings.TrimSpace(c.Code + " " + name.Name)
}

// permitsNote names the permisos de embarque of an export.
func permitsNote(d events.Document) string {
	e, _ := ParseExport(d.ExportInfo)
	parts := country.Collect(e.Permits, func(p Permit) string {
		return p.ID + " (" + country.SpanishName(p.Destination) + ")"
	})
	switch {
	case len(parts) > 0:
		return "Permisos de embarque: " + strings.Join(parts, "; ") + "."
	case e.ExistingPermit == "N":
		return "Permiso de embarque: aún no disponible."
	}
	return ""
}
