package cl

import (
	"slices"
	"strconv"

	"folio/country"
)

// The official codes that rules know by number (SII, "Formato DTE" v2.2).
const (
	codeInvoice       = 33
	codeExemptInvoice = 34
	codeReceipt       = 39
	codeExemptReceipt = 41
	codePurchase      = 46
	codeDispatch      = 52
	codeDebit         = 56
	codeCredit        = 61
	codeExport        = 110
	codeExportDebit   = 111
	codeExportCredit  = 112
)

// kind is a document type with what the Chilean rules need to know about it.
type kind struct {
	country.DocumentType
	title string // in the red box, in capitals
	taxed bool   // lines may carry IVA
	gross bool   // unit prices have IVA in them (boleta afecta)
}

// kinds are SII's electronic documents under Folio's names: FAC factura, FEX factura
// exenta, BOL boleta, BEX boleta exenta, FCO factura de compra, GUI guía de despacho,
// NDE and NCE nota de débito and de crédito, and with X behind them those of exports.
// Folio's ids are 55 to 65; 55 is the factura electrónica (design page, section 5).
//
// Liquidaciones-factura (43) are not among them: they are another XML document.
var kinds = []kind{
	{title: "FACTURA ELECTRÓNICA", taxed: true,
		DocumentType: row(55, codeInvoice, "FAC", "Factura electrónica", country.Invoice)},
	{title: "FACTURA NO AFECTA O EXENTA ELECTRÓNICA",
		DocumentType: row(56, codeExemptInvoice, "FEX", "Factura no afecta o exenta electrónica", country.Invoice)},
	{title: "BOLETA ELECTRÓNICA", taxed: true, gross: true,
		DocumentType: row(57, codeReceipt, "BOL", "Boleta electrónica", country.Receipt)},
	{title: "BOLETA NO AFECTA O EXENTA ELECTRÓNICA",
		DocumentType: row(58, codeExemptReceipt, "BEX", "Boleta no afecta o exenta electrónica", country.Receipt)},
	{title: "FACTURA DE COMPRA ELECTRÓNICA", taxed: true,
		DocumentType: row(59, codePurchase, "FCO", "Factura de compra electrónica", country.Invoice)},
	{title: "GUÍA DE DESPACHO ELECTRÓNICA", taxed: true,
		DocumentType: row(60, codeDispatch, "GUI", "Guía de despacho electrónica", country.DispatchGuide)},
	{title: "NOTA DE DÉBITO ELECTRÓNICA", taxed: true,
		DocumentType: row(61, codeDebit, "NDE", "Nota de débito electrónica", country.DebitNote)},
	{title: "NOTA DE CRÉDITO ELECTRÓNICA", taxed: true,
		DocumentType: row(62, codeCredit, "NCE", "Nota de crédito electrónica", country.CreditNote)},
	{title: "FACTURA DE EXPORTACIÓN ELECTRÓNICA", DocumentType: row(63, codeExport, "FXE", "Factura de exportación "+
		"electrónica", country.Export)},
	{title: "NOTA DE DÉBITO DE EXPORTACIÓN ELECTRÓNICA",
		DocumentType: row(64, codeExportDebit, "NDX", "Nota de débito de exportación electrónica", country.DebitNote)},
	{title: "NOTA DE CRÉDITO DE EXPORTACIÓN ELECTRÓNICA",
		DocumentType: row(65, codeExportCredit, "NCX", "Nota de crédito de exportación electrónica", country.CreditNote)},
}

// row has one document per call: SII judges an envelope as a whole, and with one
// document in it the verdict is that document's.
func row(id, code int, name, official string, class country.Class) country.DocumentType {
	return country.DocumentType{ID: id, Country: "CL", Code: code, InvoiceType: name, Name: official, Class: class,
		BatchLimit: 1}
}

// isExport says that the document is an "Exportaciones" of the schema, in the currency
// of the sale.
func (k kind) isExport() bool { return IsExport(k.Code) }

// isReceipt says that the document is a boleta.
func (k kind) isReceipt() bool { return IsReceipt(k.Code) }

// IsReceipt says that documents of this official code are boletas: they go in an
// EnvioBOLETA through SII's REST interface.
func IsReceipt(code int) bool { return code == codeReceipt || code == codeExemptReceipt }

// IsExport says that documents of this official code are the "Exportaciones" of the
// schema (110, 111, 112).
func IsExport(code int) bool { return code >= codeExport && code <= codeExportCredit }

// expires says that numbers of this official code have a last day: Res. Ex. SII
// 58/2017 limits those that give a right to fiscal credit (33, 43, 46, 56, 61).
func expires(code int) bool {
	return slices.Contains([]int{codeInvoice, 43, codePurchase, codeDebit, codeCredit}, code)
}

// isTransferable says that a copy with the acknowledgement of receipt of Law 19.983
// is printed (33, 34, 46, 52).
func (k kind) isTransferable() bool {
	return slices.Contains([]int{codeInvoice, codeExemptInvoice, codePurchase, codeDispatch}, k.Code)
}

// findKind reads an invoice_type ("FAC", any case) or an official code ("33", "033").
func findKind(text string) (kind, bool) { return country.FindKind(kinds, text) }

// kindOf is the kind of an official code.
func kindOf(code int) (kind, bool) { return findKind(strconv.Itoa(code)) }
