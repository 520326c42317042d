package cl

// Places implements country.Booker: the peso has no decimals.
func (Rules) Places() int { return 0 }

// Bought implements country.Booker: a factura de compra is issued by the buyer, who keeps the
// IVA back (DL 825, article 3).
func (Rules) Bought(officialCode int) bool { return officialCode == codePurchase }
