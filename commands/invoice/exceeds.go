package invoice

import (
	"strings"

	"folio/fault"
	"folio/money"
)

// Refusals of a note. They are told with what is left and which notes took it.
var (
	ErrExceeds = fault.New(fault.Conflict, "NOTE_EXCEEDS_ORIGINAL",
		"The note is of more than is left of what it corrects.")
	ErrAlreadyCancelled = fault.New(fault.Conflict, "ALREADY_CANCELLED",
		"Credit notes have cancelled this document as a whole.")
)

func exceeds(s State, note string, left money.Decimal) error {
	text := fault.Words("Of document %s (%s) %s %s are left to correct, of %s.", s.Invoice, s.Type, left.In(s.Currency),
		s.Currency, s.Total.In(s.Currency))
	if took := takers(s, note); took != "" {
		text = fault.Words("Of document %s (%s) %s %s are left to correct, of %s: %s.", s.Invoice, s.Type,
			left.In(s.Currency), s.Currency, s.Total.In(s.Currency), took)
	}
	return fault.New(ErrExceeds.Code, ErrExceeds.Constant, text+" Issue the note over no more than what is left.")
}

// maxNamed is how many notes a refusal names of each kind.
const maxNamed = 20

// takers says which notes but one took something of a document, by how sure that is; "" for none.
func takers(s State, except string) (text string) {
	var accepted, open, unsure []string
	for _, n := range s.Notes {
		if n.Note == except {
			continue
		}
		named := func(sum money.Decimal) string { return n.Note + " (" + sum.In(s.Currency) + ")" }
		switch sum := n.Change(); {
		case sum.Sign() > 0 && n.Counted:
			accepted = append(accepted, named(sum))
		case sum.Sign() > 0:
			open = append(open, named(sum))
		}
		if sum := n.Unsure(); sum.Sign() > 0 {
			unsure = append(unsure, named(sum))
		}
	}
	if len(unsure) > 0 {
		text = fault.Words("notes that name several documents without amounts may take up to %s", few(unsure))
	}
	switch {
	case len(open) > 0 && text != "":
		text = fault.Words("notes that are not answered yet take %s; %s", few(open), text)
	case len(open) > 0:
		text = fault.Words("notes that are not answered yet take %s", few(open))
	}
	switch {
	case len(accepted) > 0 && text != "":
		text = fault.Words("notes that were accepted took %s; %s", few(accepted), text)
	case len(accepted) > 0:
		text = fault.Words("notes that were accepted took %s", few(accepted))
	}
	return text
}

// few are the first of a list.
func few(notes []string) string {
	if more := len(notes) - maxNamed; more > 0 {
		return fault.Words("%s, and %d more notes", strings.Join(notes[:maxNamed], ", "), more)
	}
	return strings.Join(notes, ", ")
}

func cancelled(s State) error {
	text := fault.Words("Document %s is cancelled as a whole since credit note %s was accepted: nothing of it is left "+
		"to credit.", s.Invoice, s.Cancelled)
	if len(s.Notes) > 1 {
		if took := takers(s, ""); took != "" {
			text = fault.Words("Document %s is cancelled as a whole since credit note %s was accepted, and nothing of it is "+
				"left to credit: %s.", s.Invoice, s.Cancelled, took)
		}
	}
	return fault.New(ErrAlreadyCancelled.Code, ErrAlreadyCancelled.Constant,
		text+" A debit note that names the credit note would give it back.")
}
