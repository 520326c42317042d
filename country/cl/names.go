package cl

import "folio/country"

// Lengths of the schema, in characters.
const (
	maxItemName    = 80   // NmbItem
	maxDescription = 1000 // DscItem
)

// itemName is NmbItem of a description; what is longer is told in full in DscItem.
func itemName(description string) string { return country.ShortName(Written(description), maxItemName) }
