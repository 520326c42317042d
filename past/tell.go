package past

import (
	"fmt"
	"strings"

	"folio/events"
)

// Tell says in a sentence what a fact means to an invoice.
func Tell(e events.Event, invoice string) string {
	switch e := e.(type) {
	case events.InvoiceCreated:
		return tellCreated(e)
	case events.IssuerCompleted:
		return "What the document lacked of its issuer was filled from the fiscal profile: " + strings.Join(
			e.Filled,
			", ",
		) + "."
	case events.RateTaken:
		return fmt.Sprintf("The authority's exchange rate of %s was taken: %s.", e.Date, e.Rate)
	case events.InvoiceRefused:
		return "It was rejected before it took a number, and no authority has seen it: " + reasons(e.Reasons) + "."
	case events.AuthorityAccepted:
		return accepted(e.Authorization, e.Observations)
	case events.AuthorityRejected:
		return "It is rejected: " + reasons(e.Reasons) + "."
	case events.AuthorityReceived:
		return tellReceived(e)
	case events.InvoiceHandedOver:
		return "It was handed over before the authority's verdict, on the basis: " + e.Basis + "."
	case events.NumberAssigned:
		return fmt.Sprintf("Its number is final: %s.", lettered(e.Series, e.Number))
	case events.ProcessingRequested:
		return "Somebody asked for it to be taken up now."
	case events.CreationAbandoned:
		return "An attempt to create a document under this id was given up."
	}
	if text := tellNote(e) + tellEmail(e); text != "" {
		return text
	}
	if text := tellContingency(e); text != "" {
		return text
	}
	return tellSeries(e, invoice)
}

func tellReceived(e events.AuthorityReceived) string {
	if e.Receipt == "" {
		return "The authority has it, and has not decided."
	}
	return "The authority has it, under its own number " + e.Receipt + ", and has not decided."
}

// reasons are what an authority or the country's rules said, in the middle of a sentence: the
// full stop of the last one gives way to the sentence's own.
func reasons(ms []events.AuthorityMessage) string { return strings.TrimSuffix(events.Words(ms), ".") }

func tellCreated(e events.InvoiceCreated) string {
	where := "for the environment " + e.Environment
	if e.Environment == "" {
		where = "without an environment, which the first certificate gives it"
	}
	return fmt.Sprintf("%s was created %s. What the request and the company said then was frozen.", e.Document.Type, where)
}

func accepted(a events.Authorization, remarks []events.AuthorityMessage) string {
	text := "The authority accepted it: " + a.Type
	if a.Type == events.CAEA {
		text = "It was issued by contingency, by a code that the authority gave ahead: " + a.Type
	}
	if a.Code != "" {
		text += " " + a.Code
	}
	if a.ExpiresOn != "" {
		text += ", good until " + a.ExpiresOn
	}
	if len(remarks) > 0 {
		text += "; it remarks: " + reasons(remarks)
	}
	return text + "."
}

// tellNote tells what notes do to the invoice, "" for anything else.
func tellNote(e events.Event) string {
	switch e := e.(type) {
	case events.NoteReserved:
		return fmt.Sprintf("The note %s (%s) reserved what it will change.", e.Note, e.Type)
	case events.NoteCounted:
		return fmt.Sprintf("The note %s (%s) was accepted, and what it changes counts.", e.Note, e.Type)
	case events.NoteReleased:
		return fmt.Sprintf("The note %s was rejected or never created, and what it had reserved is free again.", e.Note)
	case events.InvoiceCancelled:
		return fmt.Sprintf("With the credit note %s of %s nothing of it is left.", e.CreditNote, e.Date)
	}
	return ""
}

// tellContingency tells how an invoice was issued without asking, and reported; "" for anything else.
func tellContingency(e events.Event) string {
	switch e := e.(type) {
	case events.InvoiceWithdrawn:
		return fmt.Sprintf("It left its series, where its number was never sent, for the contingency point %d.", e.Point)
	case events.InvoiceReturned:
		return "It is in its series again: " + strings.TrimSuffix(e.Reason, ".") + "."
	case events.AuthorityReportChanged:
		text := map[events.ReportState]string{events.ReportDue: "It is to be reported until " + e.DueBy,
			events.ReportDone: "It is reported", events.ReportObserved: "It is reported",
			events.ReportRefused: "The authority refused its report"}[e.State]
		if len(e.Messages) > 0 {
			text += ": " + reasons(e.Messages)
		}
		return text + "."
	}
	return ""
}

// tellEmail tells what became of a message with the invoice, "" for anything else.
func tellEmail(e events.Event) string {
	switch e := e.(type) {
	case events.EmailRequested:
		return fmt.Sprintf("Somebody asked for it to be sent to %s.", e.To)
	case events.EmailDelayed:
		return fmt.Sprintf("It was not sent by e-mail in try %d, and is tried again: %s.", e.Try,
			strings.TrimSuffix(e.Reason, "."))
	case events.EmailSent:
		return fmt.Sprintf("The mail server took the message with it: %s.", strings.Join(e.Files, ", "))
	case events.EmailFailed:
		return fmt.Sprintf("It will not be sent by e-mail: %s.", strings.TrimSuffix(e.Reason, "."))
	}
	return ""
}

// tellSeries tells what happened to the series while the invoice was in it.
func tellSeries(e events.Event, invoice string) string {
	switch e := e.(type) {
	case events.SubmissionOpened:
		return tellOpened(e, invoice)
	case events.SubmissionStarted:
		return fmt.Sprintf("It is about to be sent in the submission %s under the number %d.", e.Submission, e.Number)
	case events.SubmissionSplit:
		return "The authority refused the submission as a whole (" + reasons(e.Messages) +
			"). From here on each of its documents goes alone."
	case events.EnvelopeRenewed:
		return "The authority had the envelope and denied its documents (" + reasons(e.Messages) +
			"). The same signed documents go out in a new envelope."
	case events.SubmissionSettled:
		for _, o := range e.Outcomes {
			if o.Invoice == invoice {
				return tellOutcome(o)
			}
		}
		return "The submission " + e.Submission + " was settled."
	case events.NumberVoided:
		return fmt.Sprintf(
			"The number %s will never be a document: %s.",
			lettered(e.Series, e.Number),
			reasons(e.Reasons),
		)
	case events.ForeignNumbersNoticed:
		return fmt.Sprintf("Another system used the numbers %d to %d of the series.", e.From, e.To)
	case events.SeriesHeld:
		return "The series was held: " + strings.TrimSuffix(e.Reason, ".") + "."
	case events.SeriesReleased:
		return tellReleased(e)
	}
	return ""
}

func tellOpened(e events.SubmissionOpened, invoice string) string {
	number, last := e.First, e.First+int64(len(e.Invoices))-1
	for i, id := range e.Invoices {
		if id == invoice {
			number += int64(i)
		}
	}
	text, free := fmt.Sprintf("It took the number %d", number), "the next free one"
	if len(e.Invoices) > 1 {
		text, free = text+fmt.Sprintf(", in a submission of the numbers %d to %d", e.First, last), "the next free ones"
	}
	if e.Range != "" {
		return text + ": " + free + " of the range " + e.Range + "."
	}
	return text + fmt.Sprintf(": the authority's last number was %d.", e.AuthorityLast)
}

func tellOutcome(o events.Outcome) string {
	learnt := ""
	if o.Found {
		learnt = " This was learnt by asking: the answer itself was lost."
	}
	switch o.Result {
	case events.Accepted:
		if o.Authorization != nil {
			return accepted(*o.Authorization, o.Messages) + learnt
		}
		return "The authority accepted it." + learnt
	case events.Rejected:
		return fmt.Sprintf("The authority rejected it under the number %d: %s.%s", o.Number, reasons(o.Messages), learnt)
	default:
		return fmt.Sprintf(
			"The authority did not process it: the number %d is free again, and the invoice is sent anew.",
			o.Number,
		)
	}
}

func tellReleased(e events.SeriesReleased) string {
	text := "An operator let the series go on"
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Next != 0 {
		text += fmt.Sprintf("; the next number is %d", e.Next)
	}
	if e.Range != "" {
		text += " of the range " + e.Range
	}
	if e.Voids != "" {
		text += "; the numbers of the submission " + e.Voids + " are given up, unless the authority has them"
	}
	return strings.TrimSuffix(text, ".") + "."
}

// lettered is a number with the letter of its series, where it has one.
func lettered(letter string, number int64) string {
	return strings.TrimSpace(fmt.Sprint(letter, " ", number))
}
