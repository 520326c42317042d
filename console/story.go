package console

// factNames are the facts of an invoice's story in words; one that is not here shows its own
// name. What happened in detail is the API's sentence below it.
var factNames = map[string]string{
	"InvoiceCreated": "Created", "IssuerCompleted": "Issuer completed", "RateTaken": "Exchange rate taken",
	"InvoiceRefused": "Refused", "SubmissionOpened": "Number taken", "SubmissionStarted": "Goes to the authority",
	"SubmissionSplit": "Sent on its own", "EnvelopeRenewed": "Envelope renewed",
	"SubmissionSettled": "Answered by the authority", "NumberAssigned": "Number final",
	"AuthorityAccepted": "Accepted", "AuthorityRejected": "Rejected", "InvoiceCancelled": "Cancelled by a note",
	"ProcessingRequested": "Asked to be taken up", "NoteReserved": "Note reserved", "NoteCounted": "Note counted",
	"NoteReleased": "Note released", "NumberVoided": "Number voided", "SeriesHeld": "Series held",
	"SeriesReleased": "Series released", "ForeignNumbersNoticed": "Numbers used elsewhere",
	"CreationAbandoned": "Creation abandoned", "AuthorityReceived": "The authority has it",
	"EmailRequested": "E-mail asked for",
	"EmailDelayed":   "E-mail delayed", "EmailSent": "Sent by e-mail", "EmailFailed": "E-mail failed",
	"InvoiceHandedOver": "Handed over before the verdict", "InvoiceWithdrawn": "Goes to the contingency point",
	"InvoiceReturned": "Goes back to its point of sale", "ContingencyIssued": "Number given by contingency",
	"AuthorityReportChanged": "Report to the authority", "ContingencyReportOpened": "Report being sent",
	"ContingencyReportSettled": "Report answered",
}

func factName(t func(string, ...any) string, kind string) string {
	if words, ok := factNames[kind]; ok {
		return t(words)
	}
	return kind
}
