package events

import (
	"slices"

	"folio/money"
)

// Ledger are the notes that correct one document, or that are being created to, oldest
// first. It is folded from the document's stream; earlier values keep their own.
type Ledger []LedgerNote

// LedgerNote is one note.
type LedgerNote struct {
	Note     string    `json:"note"`              // its invoice id
	Type     string    `json:"type,omitzero"`     // its invoice_type; of old ones it is not known
	Date     string    `json:"date,omitzero"`     // YYYY-MM-DD, once it counts
	Attempt  int       `json:"attempt,omitzero"`  // of creating it
	Portions []Portion `json:"portions,omitzero"` // what it changes here
	Counted  bool      `json:"counted,omitzero"`  // it is accepted
}

// Change is what the note takes from the document's balance, below 0 for what it adds.
func (n LedgerNote) Change() money.Decimal {
	sum := money.Zero
	for _, p := range n.Portions {
		switch {
		case p.AtMost:
		case p.Takes:
			sum = sum.Add(p.Amount)
		default:
			sum = sum.Sub(p.Amount)
		}
	}
	return sum
}

// Unsure is what the note may have taken besides: see Portion.AtMost.
func (n LedgerNote) Unsure() money.Decimal {
	sum := money.Zero
	for _, p := range n.Portions {
		if p.AtMost {
			sum = sum.Add(p.Amount)
		}
	}
	return sum
}

func (n LedgerNote) takes() bool {
	return slices.ContainsFunc(n.Portions, func(p Portion) bool { return p.Takes })
}

// Evolve folds one event of the document, whose total it is; others change nothing.
func (l Ledger) Evolve(e Event, total money.Decimal) Ledger {
	switch e := e.(type) {
	case NoteReserved:
		return l.with(LedgerNote{Note: e.Note, Type: e.Type, Attempt: e.Attempt, Portions: e.Portions})
	case NoteCounted:
		return l.with(LedgerNote{Note: e.Note, Type: e.Type, Date: e.Date, Portions: e.Portions, Counted: true})
	case NoteReleased:
		l = slices.DeleteFunc(slices.Clone(l), func(n LedgerNote) bool { return n.Note == e.Note && !n.Counted })
		if len(l) == 0 {
			return nil // as before there were notes
		}
	case InvoiceCancelled:
		if l.Find(e.CreditNote) == nil { // of before notes were counted: it named the document alone, and had its total
			return l.with(LedgerNote{Note: e.CreditNote, Date: e.Date, Portions: []Portion{{Takes: true, Amount: total}},
				Counted: true})
		}
	}
	return l
}

func (l Ledger) with(n LedgerNote) Ledger {
	l = slices.Clone(l)
	if i := slices.IndexFunc(l, func(o LedgerNote) bool { return o.Note == n.Note }); i >= 0 {
		l[i] = n
		return l
	}
	return append(l, n)
}

// Find is the note with an invoice id, nil for none.
func (l Ledger) Find(note string) *LedgerNote {
	if i := slices.IndexFunc(l, func(n LedgerNote) bool { return n.Note == note }); i >= 0 {
		return &l[i]
	}
	return nil
}

// Balance is the total with what accepted notes added and without what they took.
func (l Ledger) Balance(total money.Decimal) money.Decimal {
	for _, n := range l {
		if n.Counted {
			total = total.Sub(n.Change())
		}
	}
	return total
}

// Left is the balance without what notes that have no answer yet reserve, but for the
// note except, and without what old notes may have taken. It is never below 0 for the
// latter alone.
func (l Ledger) Left(total money.Decimal, except string) money.Decimal {
	left, unsure := l.Balance(total), money.Zero
	for _, n := range l {
		unsure = unsure.Add(n.Unsure())
		for _, p := range n.Portions {
			if !n.Counted && p.Takes && n.Note != except {
				left = left.Sub(p.Amount)
			}
		}
	}
	if unsure.Sign() > 0 && left.Sign() > 0 {
		if left = left.Sub(unsure); left.Sign() < 0 {
			return money.Zero
		}
	}
	return left
}

// Ceiling is the most that notes together could take: the total with what accepted notes added.
func (l Ledger) Ceiling(total money.Decimal) money.Decimal {
	for _, n := range l {
		for _, p := range n.Portions {
			if n.Counted && !p.Takes {
				total = total.Add(p.Amount)
			}
		}
	}
	return total
}

// Credited is what accepted notes took, without what debit notes that name them gave back.
func (l Ledger) Credited() money.Decimal {
	sum := money.Zero
	for _, n := range l {
		for _, p := range n.Portions {
			switch {
			case !n.Counted, p.AtMost:
			case p.Takes:
				sum = sum.Add(p.Amount)
			default:
				if via := l.Find(p.Via); via != nil && via.takes() {
					sum = sum.Sub(p.Amount)
				}
			}
		}
	}
	return sum
}

// Reach is how much of want a note changes here that names the note via: no more than via
// changed the other way and other notes have not undone. Nothing where via does not count.
// Except is the note itself.
func (l Ledger) Reach(via, except string, takes bool, want money.Decimal) money.Decimal {
	i := slices.IndexFunc(l, func(n LedgerNote) bool { return n.Note == via })
	switch {
	case i < 0 || !l[i].Counted:
		return money.Zero
	case !slices.ContainsFunc(l[i].Portions, func(p Portion) bool { return p.Takes != takes }):
		return want
	}
	return least(l.standing(except)[i], want)
}

// standing is how much each note still changes when those that name it are done, whether
// open ones are accepted or not: the least of it. Who names a note comes after it here.
func (l Ledger) standing(except string) []money.Decimal {
	low, high := make([]money.Decimal, len(l)), make([]money.Decimal, len(l))
	for i, n := range slices.Backward(l) {
		for _, p := range n.Portions {
			if !p.AtMost {
				low[i], high[i] = low[i].Add(p.Amount), high[i].Add(p.Amount)
			}
		}
		for _, p := range n.Portions {
			via := slices.IndexFunc(l[:i], func(o LedgerNote) bool { return o.Note == p.Via })
			if via < 0 || n.Note == except {
				continue
			}
			if p.Takes == l[via].takes() { // it adds to what via changes
				high[via] = high[via].Add(least(high[i], p.Amount))
				if n.Counted {
					low[via] = low[via].Add(least(low[i], p.Amount))
				}
				continue
			}
			low[via] = low[via].Sub(least(high[i], p.Amount))
			if n.Counted {
				high[via] = high[via].Sub(least(low[i], p.Amount))
			}
		}
	}
	return low
}

func least(a, b money.Decimal) money.Decimal {
	if a.Less(b) {
		return a
	}
	return b
}
