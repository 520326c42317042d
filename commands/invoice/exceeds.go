package invoice

import (
	"fmt"
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
	text := fmt.Sprintf("Of document %s (%s) %s %s are left to correct, of %s", s.Invoice, s.Type, left.In(s.Currency),
		s.Currency, s.Total.In(s.Currency))
	if took := takers(s, note); len(took) > 0 {
		text += "; these notes took the rest: " + strings.Join(took, ", ")
	}
	return fault.New(ErrExceeds.Code, ErrExceeds.Constant, text+". Issue the note over no more than what is left.")
}

// maxNamed is how many notes a refusal names.
const maxNamed = 20

func takers(s State, except string) []string {
	var out []string
	for _, n := range s.Notes {
		sum, unsure := n.Change(), n.Unsure()
		if n.Note == except || sum.Sign() <= 0 && unsure.Sign() <= 0 {
			continue
		}
		if len(out) == maxNamed {
			return append(out, "and others")
		}
		state := "not answered yet"
		if n.Counted {
			state = "accepted"
		}
		amount := sum.In(s.Currency)
		if unsure.Sign() > 0 {
			amount += " and at most " + unsure.In(s.Currency) + " more, since it names several documents without amounts"
		}
		out = append(out, fmt.Sprintf("%s (%s, %s)", n.Note, amount, state))
	}
	return out
}

func cancelled(s State) error {
	text := fmt.Sprintf("Document %s is cancelled as a whole since credit note %s was accepted: nothing of it is left "+
		"to credit.", s.Invoice, s.Cancelled)
	if took := takers(s, ""); len(took) > 1 {
		text += " The notes are " + strings.Join(took, ", ") + "."
	}
	return fault.New(ErrAlreadyCancelled.Code, ErrAlreadyCancelled.Constant,
		text+" A debit note that names the credit note would give it back.")
}
