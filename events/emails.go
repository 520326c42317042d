package events

import "time"

// EmailRequested: the accepted document is to be sent to an address, with the files that its buyer wants. Sending it is
// the business of the mail processor.
type EmailRequested struct {
	Fact    `json:"-"`
	Email   string `json:"email"`   // id of the message
	Company string `json:"company"` // whose document it is
	To      string `json:"to"`      // the address
}

var _ = define[EmailRequested]("invoice", "EmailRequested")

// EmailDelayed: the mail server could not be reached, or did not take the message for now. It is tried again.
type EmailDelayed struct {
	Fact   `json:"-"`
	Email  string    `json:"email"`
	Try    int       `json:"try"`    // from 1
	Reason string    `json:"reason"` // what the server said, or why it was not reached
	Next   time.Time `json:"next"`   // UTC
}

var _ = define[EmailDelayed]("invoice", "EmailDelayed")

// EmailSent: the operator's mail server took the message over. Whether the recipient got it is not known.
type EmailSent struct {
	Fact      `json:"-"`
	Email     string   `json:"email"`
	Try       int      `json:"try"`
	MessageID string   `json:"message_id"` // of its header, without angle brackets; the same in each try
	Files     []string `json:"files"`      // names of what was attached
}

var _ = define[EmailSent]("invoice", "EmailSent")

// EmailFailed: the message will not be sent. Either the mail server refused it for good, or it was tried as often as
// it is.
type EmailFailed struct {
	Fact   `json:"-"`
	Email  string `json:"email"`
	Try    int    `json:"try"`
	Reason string `json:"reason"`
}

var _ = define[EmailFailed]("invoice", "EmailFailed")
