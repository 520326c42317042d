package numbering

// Holder is the invoice under a number of an open submission, or of the last that was
// settled; "" for none.
func (s State) Holder(letter string, number int64) string {
	held := func(o Submission) string {
		if number < o.First || number > o.End() || s.Letter(o.SubmissionOpened) != letter {
			return ""
		}
		return o.Invoices[number-o.First]
	}
	for _, o := range s.Open {
		if id := held(o); id != "" {
			return id
		}
	}
	if s.Opened == nil {
		return ""
	}
	return held(Submission{SubmissionOpened: *s.Opened})
}

// Fate is what the series knows of a number.
type Fate int

// Fates of a number.
const (
	Elsewhere Fate = iota // the series does not give it, or is past it
	Free                  // the series will give it, and no document has it yet
	Unknown               // the series does not know yet which numbers it will give
)

// Fate says what the series knows of a number that it gave to no invoice of its own, and of
// Free ones which number comes next.
func (s State) Fate(letter string, number int64) (fate Fate, next int64) {
	if len(s.Ranges) == 0 {
		last := s.Known
		for _, o := range s.Open {
			last = max(last, o.End())
		}
		switch {
		case last == 0 && s.Settled == nil:
			return Unknown, 0
		case number <= last:
			return Elsewhere, 0
		}
		return Free, last + 1
	}
	more := false
	for _, r := range s.Ranges {
		if r.Series == letter && r.Next <= number && number <= r.To {
			return Free, r.Next
		}
		more = more || r.Next <= r.To || number <= r.To && r.Series == letter
	}
	if more {
		return Elsewhere, 0
	}
	return Unknown, 0
}
