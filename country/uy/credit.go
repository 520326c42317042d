package uy

import (
	"encoding/json"

	"folio/country"
	"folio/events"
)

// CreditForm implements country.Rules: the credit note of the document's family (CFE25 table
// A). It keeps the recipient's members and whether prices have IVA in them.
func (Rules) CreditForm(original events.Document, _ bool) (country.NoteForm, bool) {
	from, ok := findKind(original.Type)
	if !ok || from.Class == country.CreditNote || from.Class == country.DispatchGuide {
		return country.NoteForm{}, false
	}
	k, ok := kindOf(from.Code/10*10 + 2)
	if !ok {
		return country.NoteForm{}, false
	}
	h, _ := ParseHeader(original.HeaderInfo)
	note := events.Document{Type: k.InvoiceType, ExportInfo: original.ExportInfo, PaymentMethod: original.PaymentMethod}
	note.HeaderInfo, _ = json.Marshal(Header{GrossPrices: h.GrossPrices, Recipient: h.Recipient})
	return country.NoteForm{Note: note, Reasoned: true}, true
}
