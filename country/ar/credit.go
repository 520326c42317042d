package ar

import (
	"encoding/json"
	"slices"

	"folio/country"
	"folio/events"
)

// CreditForm implements country.Rules: the note has the letter of the document, and an FCE's is
// an FCE's (10040). Of the header a note keeps the issuer's activities and the buyers; an FCE
// note says N, it cancels no invoice that its recipient refused (Opcional 22).
func (Rules) CreditForm(original events.Document, _ bool) (country.NoteForm, bool) {
	from, ok := findKind(original.Type)
	i := slices.IndexFunc(kinds, func(k kind) bool {
		return k.Class == country.CreditNote && k.letter == from.letter && k.fce == from.fce &&
			k.retention == from.retention
	})
	if !ok || i < 0 || from.Class == country.CreditNote {
		return country.NoteForm{}, false
	}
	h, _ := ParseHeader(original.HeaderInfo)
	kept := Header{Activities: h.Activities, Buyers: h.Buyers}
	if from.fce {
		kept.Cancellation = "N"
	}
	note := events.Document{Type: kinds[i].InvoiceType, Concept: original.Concept,
		PaymentDueDate: original.PaymentDueDate, ServiceStart: original.ServiceStart, ServiceEnd: original.ServiceEnd,
		PaymentMethod: original.PaymentMethod}
	note.HeaderInfo, _ = json.Marshal(kept) // texts and numbers always can be
	if from.isExport() {
		e, _ := ParseExport(original.ExportInfo)
		note.ExportInfo, _ = json.Marshal(Export{Kind: e.Kind, Destination: e.Destination, ClientTaxID: e.ClientTaxID,
			Language: e.Language})
	}
	return country.NoteForm{Note: note}, true
}
