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

// Free says whether the series will give a number that no document has yet, and which one comes next. A series that
// knows no number of its own yet says no: what came before Folio may have any.
func (s State) Free(letter string, number int64) (next int64, free bool) {
	if len(s.Ranges) == 0 {
		last := s.Known
		for _, o := range s.Open {
			last = max(last, o.End())
		}
		known := last > 0 || s.Settled != nil
		return last + 1, known && number > last
	}
	for _, r := range s.Ranges {
		if r.Series == letter && r.Next <= number && number <= r.To {
			return r.Next, true
		}
	}
	return 0, false
}
