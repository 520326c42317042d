package sii

import (
	"fmt"
	"time"

	"folio/authority"
	"folio/country/cl"
)

// Exchange is the EnvioDTE for the buyer: the set that SII has, addressed to the buyer's RUT and signed anew by whoever
// sends it (Formato DTE, "Intercambio de información entre contribuyentes"). Boletas go to consumers and exports to
// buyers without a RUT, who receive the printed document alone.
func (d *Driver) Exchange(c authority.Credential, doc authority.Document, sent []byte, at time.Time) (
	*authority.File, error,
) {
	rut, err := cl.ParseRUT(doc.Document.Recipient.DocumentNumber)
	code := doc.Document.OfficialCode
	if err != nil || rut == cl.ForeignRUT || rut == cl.UnnamedRUT || cl.IsReceipt(code) || cl.IsExport(code) {
		return nil, nil
	}
	who, err := identify(c)
	if err != nil {
		return nil, err
	}
	sender, err := who.sender(doc)
	if err != nil {
		return nil, err
	}
	signed := documentOf(sent)
	if signed == nil {
		return nil, fmt.Errorf("what was sent of invoice %s holds no DTE", doc.Invoice)
	}
	set, err := who.set(doc, sender, rut, cl.FromLatin1(signed), at)
	if err != nil {
		return nil, err
	}
	content, err := cl.ToLatin1(declaration + set)
	if err != nil {
		return nil, err
	}
	return &authority.File{Name: fmt.Sprintf("EnvioDTE_T%dF%d.xml", code, doc.Number), Type: "application/xml",
		Content: content}, nil
}
