package uy

import (
	"slices"
	"strconv"
	"strings"

	"folio/country"
	"folio/events"
)

// The other files of this package tell DGI what these functions say of a checked
// document, so that what is accepted is what is told.

// recipientDocument is TipoDocRecep, CodPaisRecep and the number of a checked recipient;
// all empty for nobody. Foreign says that the number is DocRecepExt, not DocRecep (CFE25
// A-C60 to A-C62.1).
func recipientDocument(p events.Party) (kind, nation, number string, foreign bool) {
	found, ok := country.Find(identityDocuments, p.DocumentType)
	if !ok || p.DocumentNumber == "" {
		return "", "", "", false
	}
	if isUruguayan(found.Code) {
		return found.OfficialCode, "UY", p.DocumentNumber, false
	}
	return found.OfficialCode, p.Address.Country, p.DocumentNumber, true
}

// isUruguayan says that a document is one that Uruguay gives out (DocRecep).
func isUruguayan(document string) bool {
	return slices.Contains([]string{identifierName, docCI, docNIE}, document)
}

// recipientDepartment is DeptoRecep: what the caller wrote, or the department of the
// address's region.
func recipientDepartment(h Header, p events.Party) string {
	if name, ok := Department(h.Recipient.Department); ok {
		return name
	}
	if h.Recipient.Department != "" {
		return country.Line(h.Recipient.Department)
	}
	name, _ := Department(p.Address.Region)
	return name
}

// fmaPago is FmaPago of a checked document: 1 cash, 2 credit.
func fmaPago(d events.Document) int {
	if d.PaymentMethod == nil {
		return 1
	}
	found, _ := country.Find(paymentMethods, d.PaymentMethod.Code)
	if found.OfficialCode == "2" {
		return 2
	}
	return 1
}

// ivaAlDia is IVAalDia: 1 for an issuer without the certificate, 0 to leave it out, as who
// pays monotributo always does (CFE25 A-C17).
func ivaAlDia(h Header) int {
	if h.Issuer[FieldIVAAlDia] == "false" && !regimeOf(h.Issuer).silent() {
		return 1
	}
	return 0
}

// tpoCod is TpoCod of an item's code; a gtin is named by its length.
func tpoCod(code events.ItemCode) string {
	found, _ := country.Find(itemCodes, code.Type)
	if found.Code == "gtin" {
		return found.OfficialCode + strconv.Itoa(len(code.Value))
	}
	return found.OfficialCode
}

// validGTIN verifies length and check digit of a GTIN, as DGI does (CFE25 B-C3): weights
// 3 and 1 in turns from the right.
func validGTIN(kind, value string) bool {
	length, err := strconv.Atoi(strings.TrimPrefix(kind, "GTIN"))
	if err != nil || len(value) != length || !country.AllDigits(value) || !slices.Contains([]int{8, 12, 13, 14}, length) {
		return false
	}
	sum := 0
	for i := range length - 1 {
		sum += int(value[length-2-i]-'0') * (3 - 2*(i%2))
	}
	return byte('0'+(10-sum%10)%10) == value[length-1]
}
