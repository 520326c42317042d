package country

import "folio/money"

// Booker is implemented by the rules of countries whose books differ from the common way.
type Booker interface {
	// Places is how many decimals an amount in local currency has.
	Places() int
	// Bought says that the issuer of a document type is the buyer, so that it belongs into
	// the issuer's book of purchases.
	Bought(officialCode int) bool
}

// Places is that of the rules; 2 where they do not say.
func Places(r Rules) int {
	if b, ok := r.(Booker); ok {
		return b.Places()
	}
	return 2
}

// Bought is that of the rules; where they do not say, the issuer sells.
func Bought(r Rules, officialCode int) bool {
	b, ok := r.(Booker)
	return ok && b.Bought(officialCode)
}

// BookLine is one sale as the file of a book needs it. Amounts have no sign. They are what the
// authority was told, in the document's currency, or that in local currency.
type BookLine struct {
	OfficialCode    int
	BranchOffice    int
	Number          int64
	Date, Due       string // YYYY-MM-DD; Due may be empty
	RecipientName   string
	RecipientType   string
	RecipientNumber string
	Currency        string      // ISO 4217
	Rate            money.Exact // local currency for one unit
	Net, Exempt     money.Exact
	Untaxed, Tax    money.Exact
	Other, Total    money.Exact
	Rates           []BookRate
	Others          map[string]money.Exact // taxes on the whole document, by type
}

// BookRate is one rate of VAT of a BookLine.
type BookRate struct {
	Code         string // the authority's
	Base, Amount money.Exact
}

// BookFiler is implemented by the rules of countries whose authority takes the book of sales
// as files.
type BookFiler interface {
	// BookFiles are their names.
	BookFiles() []string
	// BookLines are the bytes that one sale has in a file, line ends included. An error says
	// what of the sale does not fit.
	BookLines(file string, l BookLine) ([]byte, error)
}
