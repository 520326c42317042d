package events

// AuthorityReceived: the authority has the document and has not decided about it. It is
// recorded where documents may be handed over before the verdict.
type AuthorityReceived struct {
	Fact       `json:"-"`
	Submission string `json:"submission"`
	// the authority's own name of what it received: Chile's track id, Uruguay's IdReceptor
	Receipt string `json:"receipt,omitempty"`
}

var _ = define[AuthorityReceived]("invoice", "AuthorityReceived")

// InvoiceHandedOver: the printed document was given out before the authority's verdict. It
// is recorded before the first of these prints is answered.
type InvoiceHandedOver struct {
	Fact  `json:"-"`
	Basis string `json:"basis"` // why it was allowed: sent, contingency or report_only
}

var _ = define[InvoiceHandedOver]("invoice", "InvoiceHandedOver")
