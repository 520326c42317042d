package resource

// Enumeration is a numbering range as the API shows it.
type Enumeration struct {
	ID           string  `json:"id"`
	Enumeration  string  `json:"id_enumeration"` // equal to ID
	DocumentType int     `json:"id_document_type"`
	Name         string  `json:"document_type"`
	Environment  string  `json:"environment"`
	Series       *string `json:"series"`
	From         int64   `json:"from"`
	To           int64   `json:"to"`
	Next         *int64  `json:"next"` // null when none is left
	Remaining    int64   `json:"remaining"`
	ExpiresOn    *string `json:"expires_on"` // its last day
	Expired      bool    `json:"expired"`
}

// Range fills in what depends on how far the range is used up, and on the day.
func (e Enumeration) Range(next int64, day string) Enumeration {
	e.Expired = e.ExpiresOn != nil && day > *e.ExpiresOn
	if next <= e.To {
		e.Next = &next
		if !e.Expired {
			e.Remaining = e.To - next + 1
		}
	}
	return e
}
