package cl

import (
	"cmp"
	"encoding/json"

	"folio/country"
	"folio/events"
	"folio/money"
)

// CreditForm implements country.Rules: 61 for what was sold here, 112 for exports. The note of
// a boleta is one without IVA in its prices, and names its recipient as SII wants one named
// (FMT): who was not named is Consumidor final.
func (Rules) CreditForm(original events.Document, whole bool) (country.NoteForm, bool) {
	from, ok := findKind(original.Type)
	if !ok || from.Class == country.CreditNote || from.Class == country.DispatchGuide {
		return country.NoteForm{}, false
	}
	code := codeCredit
	if from.isExport() {
		code = codeExportCredit
	}
	k, _ := kindOf(code)
	h, _ := ParseHeader(original.HeaderInfo)
	kept := Header{Seller: h.Seller, Recipient: h.Recipient}
	if from.isExport() {
		kept.ServiceIndicator = h.ServiceIndicator
	}
	note := events.Document{Type: k.InvoiceType, Recipient: original.Recipient}
	if from.isReceipt() {
		kept.Seller = ""
		r := *h.Recipient
		r.Giro, r.Comuna = cmp.Or(r.Giro, "Particular"), cmp.Or(r.Comuna, h.Issuer[FieldComuna], "Santiago")
		r.Phone, r.InternalCode, kept.Recipient = "", "", &r
		p := &note.Recipient
		if nobody(*p) {
			p.DocumentType, p.DocumentNumber = identifierName, UnnamedRUT
		}
		p.LegalName = cmp.Or(p.LegalName, "Consumidor final")
		p.Address.Address = cmp.Or(p.Address.Address, "Sin domicilio")
	}
	note.HeaderInfo, _ = json.Marshal(kept) // texts and numbers always can be
	if from.isExport() {
		e, _ := ParseExport(original.ExportInfo)
		if !whole { // what they say is of the whole sale
			e.ClauseTotal, e.Freight, e.Insurance = money.Zero, money.Zero, money.Zero
		}
		note.ExportInfo, _ = json.Marshal(e)
	}
	return country.NoteForm{Note: note, Apart: from.gross, Reasoned: true}, true
}
