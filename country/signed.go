package country

import (
	"bytes"
	"fmt"
	"slices"
)

// Signed is implemented by the rules of countries whose documents are signed XML files,
// which their issuers hand on: Chile's DTE, Uruguay's CFE.
type Signed interface {
	// SignedDocument is the document with a number, out of the bytes that were signed and
	// sent, alone or with others. It is an error when they do not hold that number.
	SignedDocument(sent []byte, number int64) (SignedFile, error)
}

// SignedFile is one signed document as a file of its own: an XML declaration and the bytes
// that were signed, so that it verifies alone.
type SignedFile struct {
	Content []byte
	Charset string // of Content, as its declaration names it
}

// Inside says how documents are written and found among others: the element that each of
// them is, with attributes, and the first element in it that holds its number.
type Inside struct{ Document, Number, Charset string }

// Cut finds the document with a number. It must have been signed as a document of its
// own: what stands around it is lost, its namespaces too.
func (w Inside) Cut(sent []byte, number int64) (SignedFile, error) {
	opening, closing, tag := []byte("<"+w.Document+" "), []byte("</"+w.Document+">"), []byte("<"+w.Number+">")
	wanted := fmt.Appendf(nil, "%s%d</", tag, number)
	for rest, found := sent, true; found; {
		var body []byte
		_, rest, _ = bytes.Cut(rest, opening)
		body, rest, found = bytes.Cut(rest, closing)
		if at := bytes.Index(body, tag); found && at >= 0 && bytes.HasPrefix(body[at:], wanted) {
			declaration := fmt.Appendf(nil, "<?xml version=\"1.0\" encoding=\"%s\"?>\n", w.Charset)
			return SignedFile{slices.Concat(declaration, opening, body, closing), w.Charset}, nil
		}
	}
	return SignedFile{}, fmt.Errorf("number %d is not among what was signed", number)
}
