package apidoc

// Code is an error code that the service can answer with.
type Code struct {
	Code string `json:"code"`
	// Fault says that the code can be that of a whole answer, its "message"; others stand in
	// "errors" only.
	Fault bool     `json:"fault,omitempty"`
	Kinds []string `json:"kinds,omitempty"` // of package fault, which map to statuses
	Says  []Text   `json:"says,omitempty"`  // the program's own words
	Fills []Text   `json:"fills,omitempty"` // words that fill gaps of them
}

// Text is one text in both languages, with … for each value that is filled in, in the same
// order. The English one comes from the program; people write the Spanish one beside it.
type Text struct {
	English string `json:"en"`
	Spanish string `json:"es"`
}

// In is the text in one of the languages.
func (t Text) In(spanish bool) string {
	if spanish {
		return t.Spanish
	}
	return t.English
}
