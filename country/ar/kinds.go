package ar

import (
	"folio/country"
)

// kind is a document type with what the Argentine rules need to know about it.
type kind struct {
	country.DocumentType
	letter    byte // printed letter and class of the rules: A, B, C or E
	retention bool // class A "operación sujeta a retención", the former M (RG 5762)
	fce       bool // factura de crédito electrónica MiPyMEs (Law 27.440)
}

// isExport says that the document goes to WSFEXv1, not to WSFEv1.
func (k kind) isExport() bool { return k.letter == 'E' }

// carriesVAT is false for class C, whose issuer owes none, and for exports. A kind
// that nobody knows is checked as if it did.
func (k kind) carriesVAT() bool { return k.letter != 'C' && k.letter != 'E' }

// classes is the word for the letter in ARCA's tables of recipients' conditions.
func (k kind) classes() string {
	if k.retention {
		return "ALEY"
	}
	return string(k.letter)
}

func issued(code int, name, official string, class country.Class, letter byte) kind {
	return kind{letter: letter, DocumentType: country.DocumentType{
		ID: code, Country: "AR", Code: code, InvoiceType: name, Name: official, Class: class}}
}

func withRetention(k kind) kind { k.retention = true; return k }

// alone is for documents that WSFEXv1 takes one at a time.
func alone(k kind) kind { k.BatchLimit = 1; return k }

// fce documents go one per request: WSFEv1 manual, error 10003.
func fce(id int, k kind) kind { k.ID, k.fce, k.BatchLimit = id, true, 1; return k }

// kinds are ARCA's comprobantes (FEParamGetTiposCbte; WSFEv1 manual, error 10007)
// under Folio's names. Folio's ids equal the official code below 55; FCE MiPyME
// documents take 31 to 39, so that Argentina stays within 1..54.
//
// FCE is said of two documents in the trade, so neither has that name here: an
// export invoice is FCX, a factura de crédito electrónica MiPyMEs FMA, FMB or FMC
// with debit notes DMA.. and credit notes CMA...
var kinds = []kind{
	issued(1, "FCA", "Factura A", country.Invoice, 'A'),
	issued(2, "NDA", "Nota de Débito A", country.DebitNote, 'A'),
	issued(3, "NCA", "Nota de Crédito A", country.CreditNote, 'A'),
	issued(4, "RCA", "Recibo A", country.Receipt, 'A'),
	issued(6, "FCB", "Factura B", country.Invoice, 'B'),
	issued(7, "NDB", "Nota de Débito B", country.DebitNote, 'B'),
	issued(8, "NCB", "Nota de Crédito B", country.CreditNote, 'B'),
	issued(9, "RCB", "Recibo B", country.Receipt, 'B'),
	issued(11, "FCC", "Factura C", country.Invoice, 'C'),
	issued(12, "NDC", "Nota de Débito C", country.DebitNote, 'C'),
	issued(13, "NCC", "Nota de Crédito C", country.CreditNote, 'C'),
	issued(15, "RCC", "Recibo C", country.Receipt, 'C'),
	alone(issued(19, "FCX", "Factura de Exportación E", country.Export, 'E')),
	alone(issued(20, "NDX", "Nota de Débito por Operaciones con el Exterior E", country.DebitNote, 'E')),
	alone(issued(21, "NCX", "Nota de Crédito por Operaciones con el Exterior E", country.CreditNote, 'E')),
	fce(31, issued(201, "FMA", "Factura de Crédito Electrónica MiPyMEs (FCE) A", country.Invoice, 'A')),
	fce(32, issued(202, "DMA", "Nota de Débito Electrónica MiPyMEs (FCE) A", country.DebitNote, 'A')),
	fce(33, issued(203, "CMA", "Nota de Crédito Electrónica MiPyMEs (FCE) A", country.CreditNote, 'A')),
	fce(34, issued(206, "FMB", "Factura de Crédito Electrónica MiPyMEs (FCE) B", country.Invoice, 'B')),
	fce(35, issued(207, "DMB", "Nota de Débito Electrónica MiPyMEs (FCE) B", country.DebitNote, 'B')),
	fce(36, issued(208, "CMB", "Nota de Crédito Electrónica MiPyMEs (FCE) B", country.CreditNote, 'B')),
	fce(37, issued(211, "FMC", "Factura de Crédito Electrónica MiPyMEs (FCE) C", country.Invoice, 'C')),
	fce(38, issued(212, "DMC", "Nota de Débito Electrónica MiPyMEs (FCE) C", country.DebitNote, 'C')),
	fce(39, issued(213, "CMC", "Nota de Crédito Electrónica MiPyMEs (FCE) C", country.CreditNote, 'C')),
	withRetention(issued(51, "FCM", `Factura A con leyenda "Operación Sujeta a Retención"`, country.Invoice, 'A')),
	withRetention(issued(52, "NDM", `Nota de Débito A con leyenda "Operación Sujeta a Retención"`, country.DebitNote,
		'A')),
	withRetention(issued(53, "NCM", `Nota de Crédito A con leyenda "Operación Sujeta a Retención"`, country.CreditNote,
		'A')),
	withRetention(issued(54, "RCM", `Recibo A con leyenda "Operación Sujeta a Retención"`, country.Receipt, 'A')),
}

// findKind reads an invoice_type ("FCA", any case) or an official code ("1", "001").
func findKind(text string) (kind, bool) { return country.FindKind(kinds, text) }
