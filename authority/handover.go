package authority

import "time"

// Exchanger puts a signed document in the envelope in which it goes to its buyer. Sent is what went to the authority;
// the document in it stays as it was signed. It does no I/O and gives the same bytes for the same moment.
type Exchanger interface {
	// Exchange gives nil where the buyer receives no file: consumers, buyers abroad.
	Exchange(c Credential, d Document, sent []byte, at time.Time) (*File, error)
}

// File is what a buyer receives.
type File struct {
	Name    string // without a folder: letters, digits, '-', '_' and one '.'
	Type    string // content type
	Content []byte
}
