package verify

import (
	"fmt"
	"reflect"

	"folio/commands"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/commands/webhook"
	"folio/events"
)

// decided says what is wrong with an event that a command should have made of a state: the decider is asked again. What
// it decides before the event must be in the state already.
func decided[S, C any](d commands.Decider[S, C], s S, c C, e events.Event) string {
	facts, err := d.Decide(c, s)
	if err != nil {
		return fmt.Sprintf("it may not happen here: %v", err)
	}
	if len(facts) > 0 && reflect.DeepEqual(facts[0], e) {
		return ""
	}
	return "it may not happen here: its stream decides otherwise"
}

// invoiceLife is an invoice, with its document.
type invoiceLife struct{ invoice.Full }

func (l *invoiceLife) next(r events.Recorded) string {
	wrong := l.wrong(r.Event)
	l.Full = invoice.FullDecider.Next(l.Full, r.Event, r.Meta.At)
	if wrong == "" && l.Notes.Balance(l.Total).Sign() < 0 && l.Left("").Sign() < 0 {
		wrong = fmt.Sprintf("notes take more from the document than there is: %s of %s is left", l.Notes.Balance(l.Total),
			l.Total)
	}
	return wrong
}

func (l *invoiceLife) wrong(e events.Event) string {
	s := l.State
	if _, created := e.(events.InvoiceCreated); !created && s.Status == invoice.None {
		if _, abandoned := e.(events.CreationAbandoned); !abandoned {
			return "it happens to an invoice that was never created"
		}
	}
	switch e := e.(type) {
	case events.InvoiceCreated:
		return decided(invoice.Decider, s, invoice.Command(invoice.Create{Invoice: e, Attempt: s.Abandoned}), e)
	case events.SubmissionStarted:
		return decided(invoice.Decider, s, invoice.Command(invoice.StartSubmission{Submission: e.Submission,
			Environment: e.Environment, Number: e.Number}), e)
	case events.AuthorityReceived:
		return decided(invoice.Decider, s, invoice.Command(invoice.RecordReceipt{Submission: e.Submission,
			Receipt: e.Receipt}), e)
	case events.InvoiceHandedOver:
		return decided(invoice.Decider, s, invoice.Command(invoice.HandOver{Company: s.Company, Basis: e.Basis}), e)
	case events.NumberAssigned:
		// A document that was issued by contingency has its number without having been sent.
		if s.Number != 0 || s.Status != invoice.InProcess && s.Status != invoice.Pending {
			return fmt.Sprintf("a number is assigned to an invoice that is %s and has the number %d", s.Status, s.Number)
		}
	case events.AuthorityAccepted:
		return l.accepted(e)
	case events.AuthorityReportChanged:
		if s.Report == "" && (s.Status != invoice.Accepted || e.State != events.ReportDue) {
			return "an invoice is reported that was not issued by contingency"
		}
	case events.AuthorityRejected:
		return decided(invoice.Decider, s, invoice.Command(invoice.RecordRejection{Submission: e.Submission,
			Reasons: e.Reasons}), e)
	case events.InvoiceRefused:
		if s.Status != invoice.Pending {
			return fmt.Sprintf("an invoice is refused that is %s", s.Status)
		}
	}
	return ""
}

// seriesLife is a numbering series: which number comes next, and what became of those before.
type seriesLife struct {
	numbering.State
	given []given // by the event that was folded last
}

func (l *seriesLife) next(r events.Recorded) string {
	wrong := l.wrong(r.Event)
	l.given = gives(l.State, r.Event)
	l.State = numbering.Decider.Next(l.State, r.Event, r.Meta.At)
	return wrong
}

func (l *seriesLife) wrong(e events.Event) string {
	s := l.State
	settled := ""
	if s.Settled != nil {
		settled = s.Settled.Submission
	}
	switch e := e.(type) {
	case events.SubmissionOpened:
		if len(s.Ranges) > 0 {
			return l.ranged(e)
		}
		return decided(numbering.Decider, s, numbering.Command(numbering.OpenSubmission{Submission: e.Submission,
			Invoices: e.Invoices,
			SHA256:   e.SHA256, AuthorityLast: e.AuthorityLast, After: settled}), e)
	case events.ForeignNumbersNoticed:
		if e.From != s.Known+1 || e.To < e.From {
			return fmt.Sprintf("%s another system's, and the last one known is %d", areNumbers(e.From, e.To), s.Known)
		}
	case events.SubmissionSettled:
		return decided(numbering.Decider, s, numbering.Command(numbering.SettleSubmission{Submission: e.Submission,
			After:    settled,
			Outcomes: e.Outcomes, Calls: e.Calls}), e)
	case events.SubmissionSplit:
		return decided(numbering.Decider, s, numbering.Command(numbering.SplitSubmission{Submission: e.Submission,
			Messages: e.Messages, Calls: e.Calls}), e)
	case events.EnvelopeRenewed:
		o, _ := s.Find(e.Submission)
		return decided(numbering.Decider, s, numbering.Command(numbering.RenewEnvelope{Submission: e.Submission,
			Was: o.SHA256, SHA256: e.SHA256,
			Messages: e.Messages, Calls: e.Calls}), e)
	case events.NumberingRangeUploaded:
		return decided(numbering.Decider, s, numbering.Command(numbering.UploadRange{Range: e}), e)
	}
	return l.contingent(e)
}

// areNumbers begins what is said of numbers, or of the only one.
func areNumbers(first, last int64) string {
	if first == last {
		return fmt.Sprintf("number %d is", first)
	}
	return fmt.Sprintf("numbers %d to %d are", first, last)
}

// ranged says what is wrong with the numbers that a submission takes of an uploaded range.
func (l *seriesLife) ranged(e events.SubmissionOpened) string {
	r, ok := l.RangeOf(e, e.First)
	last := e.First + int64(len(e.Invoices)) - 1
	switch {
	case !ok || last > r.To:
		return areNumbers(e.First, last) + " in no uploaded range"
	case e.First != r.Next:
		return fmt.Sprintf("number %d is taken, and the next one of the range is %d: nothing explains the gap", e.First,
			r.Next)
	case len(e.Invoices) == 0:
		return "a submission without an invoice"
	}
	return ""
}

// webhookLife is a company's callback URL: one at a time.
type webhookLife struct{ webhook.State }

func (l *webhookLife) next(r events.Recorded) (wrong string) {
	switch e := r.Event.(type) {
	case events.WebhookSubscribed:
		wrong = decided(webhook.Decider, l.State, webhook.Command(webhook.Subscribe{Webhook: e}), e)
	case events.WebhookChanged, events.WebhookSecretRotated, events.WebhookRemoved:
		if !l.Exists() {
			wrong = "the company has no callback URL that this could happen to"
		}
	}
	l.State = webhook.Decider.Next(l.State, r.Event, r.Meta.At)
	return wrong
}

// companyLife is a company, whose settings went into what was sent.
type companyLife struct{ company.State }

func (l *companyLife) next(r events.Recorded) string {
	l.State = company.Decider.Next(l.State, r.Event, r.Meta.At)
	return ""
}
