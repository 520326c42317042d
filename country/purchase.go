package country

import (
	"errors"

	"folio/events"
	"folio/fault"
	"folio/money"
)

// Purchaser is implemented by the rules of countries whose purchase documents can be
// taken in: documents that a supplier issued to one of our companies.
type Purchaser interface {
	// CheckPurchase says what contradicts itself in a purchase whose fields were typed;
	// paths are those of the request's JSON.
	CheckPurchase(p Purchase) []fault.Violation
	// ReadQR reads the text of the code that is printed on a document. Its fault has the
	// path "qr".
	ReadQR(text string) (Purchase, error)
	// ReadPurchaseXML reads an electronic document and verifies its signature. Its fault
	// has the path "xml".
	ReadPurchaseXML(document []byte, trust Trust) (Purchase, error)
}

// How far a purchase was verified, from least to most.
const (
	Refused        = "authority_refused"   // the authority was asked and does not confirm it
	Consistent     = "consistent"          // its own figures agree; nobody else has answered
	SignatureValid = "signature_valid"     // signed by the certificate inside, unaltered
	Confirmed      = "authority_confirmed" // the authority was asked and knows it so
)

// Purchase is what a supplier's document says.
type Purchase struct {
	OfficialCode  int
	BranchOffice  int
	Series        string // Uruguay
	Number        int64
	Date          string // YYYY-MM-DD
	Supplier      events.Party
	Recipient     string // document number it was issued to; "" when it does not say
	Currency      string // ISO 4217
	Total         money.Decimal
	Authorization string // CAE, CAF ...
	Verification  string // Consistent ...
	Verified      string // in words
	// Taxes as the document says, nil when it does not.
	Taxes *events.PurchaseTaxes `json:",omitempty"`
	// RecipientType is the authority's code of the recipient's document, 0 when the
	// document does not say; AuthorizationType what kind of authorization it bears, ""
	// for the usual one.
	RecipientType     int    `json:",omitempty"`
	AuthorizationType string `json:",omitempty"`
}

// SignedTaxes are the taxes of a signed document from the texts of its amounts: each of net, exempt
// and tax is the sum of those that are there. Nil when none is, or one is no amount.
func SignedTaxes(net, exempt, tax []string) *events.PurchaseTaxes {
	told := false
	sum := func(texts []string) (string, bool) {
		total := money.Zero
		for _, text := range texts {
			if text == "" {
				continue
			}
			amount, err := money.Parse(text)
			if err != nil || !Bounded(amount) || !Bounded(total.Add(amount)) {
				return "", false
			}
			told, total = true, total.Add(amount)
		}
		return total.String(), true
	}
	var out events.PurchaseTaxes
	var ok1, ok2, ok3 bool
	out.Net, ok1 = sum(net)
	out.Exempt, ok2 = sum(exempt)
	out.Tax, ok3 = sum(tax)
	if !told || !ok1 || !ok2 || !ok3 {
		return nil
	}
	return &out
}

// PurchaseRead is a purchase as it was read from the field of a request at path, or the
// fault of that field: err when reading failed, else the first thing that CheckPurchase has
// against it.
func PurchaseRead(rules Purchaser, path, code string, p Purchase, err error) (Purchase, error) {
	if err == nil {
		if wrong := rules.CheckPurchase(p); len(wrong) > 0 {
			err = errors.New(wrong[0].Message)
		}
	}
	if err != nil {
		return Purchase{}, fault.Field(path, code, err.Error())
	}
	return p, nil
}
