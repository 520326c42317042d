package past

import (
	"fmt"
	"strings"

	"folio/events"
)

// say is a sentence, or a part of one, with values filled in. Formats are constants, whole ones: people who read
// Spanish find each of them by its English (apidoc).
func say(format string, values ...any) string { return fmt.Sprintf(format, values...) }

// Tell says in a sentence what a fact means to an invoice.
func Tell(e events.Event, invoice string) string {
	switch e := e.(type) {
	case events.InvoiceCreated:
		return tellCreated(e)
	case events.IssuerCompleted:
		return say("What the document lacked of its issuer was filled from the fiscal profile: %s.",
			strings.Join(e.Filled, ", "))
	case events.RateTaken:
		return say("The authority's exchange rate of %s was taken: %s.", e.Date, e.Rate)
	case events.InvoiceRefused:
		return say("It was rejected before it took a number, and no authority has seen it: %s.", reasons(e.Reasons))
	case events.AuthorityAccepted:
		return accepted(e.Authorization, e.Observations)
	case events.AuthorityRejected:
		return say("It is rejected: %s.", reasons(e.Reasons))
	case events.AuthorityReceived:
		return tellReceived(e)
	case events.InvoiceHandedOver:
		return say("It was handed over before the authority's verdict, on the basis: %s.", e.Basis)
	case events.NumberAssigned:
		return say("Its number is final: %s.", lettered(e.Series, e.Number))
	case events.ProcessingRequested:
		return say("Somebody asked for it to be taken up now.")
	case events.CreationAbandoned:
		return say("An attempt to create a document under this id was given up.")
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
		return say("The authority has it, and has not decided.")
	}
	return say("The authority has it, under its own number %s, and has not decided.", e.Receipt)
}

// reasons are what an authority or the country's rules said, in the middle of a sentence: the
// full stop of the last one gives way to the sentence's own.
func reasons(ms []events.AuthorityMessage) string { return strings.TrimSuffix(events.Words(ms), ".") }

func tellCreated(e events.InvoiceCreated) string {
	if e.Environment == "" {
		return say("%s was created without an environment, which the first certificate gives it. What the request and the "+
			"company said then was frozen.", e.Document.Type)
	}
	return say("%s was created for the environment %s. What the request and the company said then was frozen.",
		e.Document.Type, e.Environment)
}

// coded names an authorization. Of one in Chile whose answer was lost there is no code.
func coded(a events.Authorization) string { return strings.TrimSpace(a.Type + " " + a.Code) }

func accepted(a events.Authorization, remarks []events.AuthorityMessage) string {
	code := coded(a)
	switch {
	case a.Type == events.CAEA && a.ExpiresOn != "":
		return say("It was issued by contingency, by a code that the authority gave ahead: %s, good until %s.", code,
			a.ExpiresOn)
	case a.Type == events.CAEA:
		return say("It was issued by contingency, by a code that the authority gave ahead: %s.", code)
	case a.ExpiresOn != "" && len(remarks) > 0:
		return say("The authority accepted it: %s, good until %s; it remarks: %s.", code, a.ExpiresOn, reasons(remarks))
	case a.ExpiresOn != "":
		return say("The authority accepted it: %s, good until %s.", code, a.ExpiresOn)
	case len(remarks) > 0:
		return say("The authority accepted it: %s; it remarks: %s.", code, reasons(remarks))
	}
	return say("The authority accepted it: %s.", code)
}

// tellNote tells what notes do to the invoice, "" for anything else.
func tellNote(e events.Event) string {
	switch e := e.(type) {
	case events.NoteReserved:
		return say("The note %s (%s) reserved what it will change.", e.Note, e.Type)
	case events.NoteCounted:
		return say("The note %s (%s) was accepted, and what it changes counts.", e.Note, e.Type)
	case events.NoteReleased:
		return say("The note %s was rejected or never created, and what it had reserved is free again.", e.Note)
	case events.InvoiceCancelled:
		return say("With the credit note %s of %s nothing of it is left.", e.CreditNote, e.Date)
	}
	return ""
}

// tellContingency tells how an invoice was issued without asking, and reported; "" for anything else.
func tellContingency(e events.Event) string {
	switch e := e.(type) {
	case events.InvoiceWithdrawn:
		return say("It left its series, where its number was never sent, for the contingency point %d.", e.Point)
	case events.InvoiceReturned:
		return say("It is in its series again: %s.", strings.TrimSuffix(e.Reason, "."))
	case events.ContingencyIssued:
		return say("It is issued under the number %d by the %s %s, and is to be reported from %s to %s.", e.Number,
			e.Authorization.Type, e.Authorization.Code, e.ReportFrom, e.DueBy)
	case events.ContingencyReportOpened:
		if len(e.Invoices) == 1 {
			return say("Its report is about to be sent.")
		}
		return say("Its report is about to be sent, with those of the numbers %d to %d.", e.First,
			e.First+int64(len(e.Invoices))-1)
	case events.ContingencyReportSettled:
		return say("It is known what became of the report.")
	case events.AuthorityReportChanged:
		return tellReport(e)
	}
	return ""
}

func tellReport(e events.AuthorityReportChanged) string {
	why := reasons(e.Messages)
	switch {
	case e.State == events.ReportDue:
		return say("It is to be reported until %s.", e.DueBy)
	case e.State == events.ReportRefused && why == "":
		return say("The authority refused its report.")
	case e.State == events.ReportRefused:
		return say("The authority refused its report: %s.", why)
	case why != "":
		return say("It is reported: %s.", why)
	}
	return say("It is reported.")
}

// tellEmail tells what became of a message with the invoice, "" for anything else.
func tellEmail(e events.Event) string {
	switch e := e.(type) {
	case events.EmailRequested:
		return say("Somebody asked for it to be sent to %s.", e.To)
	case events.EmailDelayed:
		return say("It was not sent by e-mail in try %d, and is tried again: %s.", e.Try, strings.TrimSuffix(e.Reason, "."))
	case events.EmailSent:
		return say("The mail server took the message with it: %s.", strings.Join(e.Files, ", "))
	case events.EmailFailed:
		return say("It will not be sent by e-mail: %s.", strings.TrimSuffix(e.Reason, "."))
	}
	return ""
}

// tellSeries tells what happened to the series while the invoice was in it.
func tellSeries(e events.Event, invoice string) string {
	switch e := e.(type) {
	case events.SubmissionOpened:
		return tellOpened(e, invoice)
	case events.SubmissionStarted:
		return say("It is about to be sent in the submission %s under the number %d.", e.Submission, e.Number)
	case events.SubmissionSplit:
		return say("The authority refused the submission as a whole (%s). From here on each of its documents goes alone.",
			reasons(e.Messages))
	case events.EnvelopeRenewed:
		return say("The authority had the envelope and denied its documents (%s). The same signed documents go out in a new "+
			"envelope.", reasons(e.Messages))
	case events.SubmissionSettled:
		for _, o := range e.Outcomes {
			if o.Invoice == invoice {
				return tellOutcome(o)
			}
		}
		return say("The submission %s was settled.", e.Submission)
	case events.NumberVoided:
		return say("The number %s will never be a document: %s.", lettered(e.Series, e.Number), reasons(e.Reasons))
	case events.ForeignNumbersNoticed:
		if e.From == e.To {
			return say("Another system, or another company with this tax identifier, used the number %d of the series.", e.From)
		}
		return say("Another system, or another company with this tax identifier, used the numbers %d to %d of the series.",
			e.From, e.To)
	case events.SeriesHeld:
		return say("The series was held: %s.", strings.TrimSuffix(e.Reason, "."))
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
	many := len(e.Invoices) > 1
	switch {
	case e.Range != "" && many:
		return say("It took the number %d, in a submission of the numbers %d to %d: the next free ones of the range %s.",
			number, e.First, last, e.Range)
	case e.Range != "":
		return say("It took the number %d: the next free one of the range %s.", number, e.Range)
	case many:
		return say("It took the number %d, in a submission of the numbers %d to %d: the authority's last number was %d.",
			number, e.First, last, e.AuthorityLast)
	}
	return say("It took the number %d: the authority's last number was %d.", number, e.AuthorityLast)
}

func tellOutcome(o events.Outcome) (text string) {
	switch o.Result {
	case events.Accepted:
		text = say("The authority accepted it.")
		if o.Authorization != nil {
			text = accepted(*o.Authorization, o.Messages)
		}
	case events.Rejected:
		text = say("The authority rejected it under the number %d: %s.", o.Number, reasons(o.Messages))
	default:
		return say("The authority did not process it: the number %d is free again, and the invoice is sent anew.", o.Number)
	}
	if o.Found {
		return say("%s This was learnt by asking: the answer itself was lost.", text)
	}
	return text
}

func tellReleased(e events.SeriesReleased) string {
	text := say("An operator let the series go on.")
	if e.Reason != "" {
		text = say("An operator let the series go on: %s.", strings.TrimSuffix(e.Reason, "."))
	}
	switch {
	case e.Next != 0 && e.Range != "":
		text = say("%s The next number that it gives out is %d of the range %s.", text, e.Next, e.Range)
	case e.Next != 0:
		text = say("%s The next number that it gives out is %d.", text, e.Next)
	case e.Range != "":
		text = say("%s From here on its numbers are those of the range %s.", text, e.Range)
	}
	if e.Voids != "" {
		text = say("%s The numbers of the submission %s are given up, unless the authority has them.", text, e.Voids)
	}
	return text
}

// lettered is a number with the letter of its series, where it has one.
func lettered(letter string, number int64) string {
	return strings.TrimSpace(fmt.Sprint(letter, " ", number))
}
