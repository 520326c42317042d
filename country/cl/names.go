package cl

import "strings"

// Lengths of the schema, in characters.
const (
	maxItemName    = 80   // NmbItem
	maxDescription = 1000 // DscItem
)

// itemName is NmbItem of a description: all of it, or as many whole words as 80
// characters hold. What is longer is told in full in DscItem.
func itemName(description string) string {
	text := line(description)
	short := cut(text, maxItemName)
	if short == text {
		return text
	}
	if space := strings.LastIndexByte(short, ' '); space > maxItemName/2 {
		short = short[:space]
	}
	return strings.TrimSpace(short)
}
