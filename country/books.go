package country

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
