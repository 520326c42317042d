package country

import (
	"slices"
	"strconv"
	"strings"
)

// Kind is a document type, or one with what its country's rules know of it besides.
type Kind interface{ Type() DocumentType }

// Type is the document type itself, so that whatever embeds one is a Kind.
func (t DocumentType) Type() DocumentType { return t }

// IsNote says that documents of this type correct another one.
func (t DocumentType) IsNote() bool { return t.Class == CreditNote || t.Class == DebitNote }

// FindKind looks a kind up as a caller may write it: by invoice_type in any case ("FCA")
// or by official code in at most three digits ("1", "001").
func FindKind[K Kind](kinds []K, text string) (K, bool) {
	code := -1
	if n, err := strconv.Atoi(text); err == nil && AllDigits(text) && len(text) <= 3 {
		code = n
	}
	i := slices.IndexFunc(kinds, func(k K) bool {
		t := k.Type()
		return t.Code == code || strings.EqualFold(t.InvoiceType, text)
	})
	if i < 0 {
		var none K
		return none, false
	}
	return kinds[i], true
}

// DocumentTypes are the kinds without what only their country knows of them.
func DocumentTypes[K Kind](kinds []K) []DocumentType {
	return Collect(kinds, K.Type)
}

// ClassOf is the class of the document type with an official code; Invoice for one that
// the rules do not know.
func ClassOf(r Rules, officialCode int) Class {
	k, ok := TypeOf(r, officialCode)
	if !ok {
		return Invoice
	}
	return k.Class
}

// TypeOf is the document type with an official code; false for one that the rules do not know.
func TypeOf(r Rules, officialCode int) (DocumentType, bool) {
	all := r.DocumentTypes()
	i := slices.IndexFunc(all, func(k DocumentType) bool { return k.Code == officialCode })
	if i < 0 {
		return DocumentType{}, false
	}
	return all[i], true
}

// Takes says that a note leaves less of a document: a credit note of what was sold, a
// debit note of a credit note. Other notes leave more of it.
func Takes(note, original Class) bool {
	return (note == CreditNote) != (original == CreditNote)
}
