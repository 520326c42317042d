package uy

import (
	"strconv"

	"folio/country"
)

// The official codes that rules know by number (CFE25 table A).
const (
	codeTicket        = 101
	codeTicketCredit  = 102
	codeTicketDebit   = 103
	codeInvoice       = 111
	codeInvoiceCredit = 112
	codeInvoiceDebit  = 113
	codeExport        = 121
	codeExportCredit  = 122
	codeExportDebit   = 123
	codeExportRemito  = 124
	codeRemito        = 181
)

// kind is a document type with what the Uruguayan rules need to know about it.
type kind struct {
	country.DocumentType
	title string // as it is printed
}

// kinds are DGI's electronic documents under Folio's names: TIC e-Ticket, EFA e-Factura,
// EFX e-Factura de exportación, with their credit (NC) and debit notes (ND), REX e-Remito
// de exportación and REM e-Remito. Folio's ids are 70 to 80.
//
// Left out are documents on a third party's account (131 to 143), e-Boletas de entrada
// (151 to 153), the e-Resguardo (182), which has withholdings in place of lines, and the
// contingency copies of all of them (2xx), which are paper reported later. Their CAEs are
// refused as of an unknown document type.
var kinds = []kind{
	{title: "e-Ticket", DocumentType: row(70, codeTicket, "TIC", "e-Ticket", country.Receipt)},
	{title: "NOTA DE CRÉDITO DE e-Ticket", DocumentType: row(71, codeTicketCredit, "NCT", "Nota de crédito de e-Ticket",
		country.CreditNote)},
	{title: "NOTA DE DÉBITO DE e-Ticket", DocumentType: row(72, codeTicketDebit, "NDT", "Nota de débito de e-Ticket",
		country.DebitNote)},
	{title: "e-Factura", DocumentType: row(73, codeInvoice, "EFA", "e-Factura", country.Invoice)},
	{title: "NOTA DE CRÉDITO DE e-Factura",
		DocumentType: row(74, codeInvoiceCredit, "NCF", "Nota de crédito de e-Factura", country.CreditNote)},
	{title: "NOTA DE DÉBITO DE e-Factura", DocumentType: row(75, codeInvoiceDebit, "NDF", "Nota de débito de e-Factura",
		country.DebitNote)},
	{title: "e-Factura DE EXPORTACIÓN", DocumentType: row(76, codeExport, "EFX", "e-Factura de exportación",
		country.Export)},
	{title: "NOTA DE CRÉDITO DE e-Factura DE EXPORTACIÓN",
		DocumentType: row(77, codeExportCredit, "NCX", "Nota de crédito de e-Factura de exportación", country.CreditNote)},
	{title: "NOTA DE DÉBITO DE e-Factura DE EXPORTACIÓN",
		DocumentType: row(78, codeExportDebit, "NDX", "Nota de débito de e-Factura de exportación", country.DebitNote)},
	{title: "e-Remito DE EXPORTACIÓN", DocumentType: row(79, codeExportRemito, "REX", "e-Remito de exportación",
		country.DispatchGuide)},
	{title: "e-Remito", DocumentType: row(80, codeRemito, "REM", "e-Remito", country.DispatchGuide)},
}

func row(id, code int, name, official string, class country.Class) country.DocumentType {
	return country.DocumentType{ID: id, Country: "UY", Code: code, InvoiceType: name, Name: official, Class: class}
}

// IsTicket says that documents of this official code are e-Tickets or their notes.
func IsTicket(code int) bool { return code >= codeTicket && code <= codeTicketDebit }

// IsInvoice says that documents of this official code are e-Facturas or their notes,
// which are made out to a RUT.
func IsInvoice(code int) bool { return code >= codeInvoice && code <= codeInvoiceDebit }

// IsExport says that documents of this official code are of exports: e-Factura, notes
// and e-Remito (121 to 124).
func IsExport(code int) bool { return code >= codeExport && code <= codeExportRemito }

// IsRemito says that documents of this official code only accompany goods (124, 181).
func IsRemito(code int) bool { return code == codeExportRemito || code == codeRemito }

// findKind reads an invoice_type ("EFA", any case) or an official code ("111").
func findKind(text string) (kind, bool) { return country.FindKind(kinds, text) }

// kindOf is the kind of an official code.
func kindOf(code int) (kind, bool) { return findKind(strconv.Itoa(code)) }

// taxed says that lines may carry IVA: an export has none.
func (k kind) taxed() bool { return IsTicket(k.Code) || IsInvoice(k.Code) }

// exempt says that its lines have prices without IVA, whether they say so or not.
func (k kind) exempt() bool { return !k.taxed() && k.Code != codeRemito }
