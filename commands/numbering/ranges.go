package numbering

import (
	"fmt"
	"slices"

	"folio/events"
	"folio/fault"
)

// Range is an uploaded range of numbers (Chile's CAF, Uruguay's CAE).
type Range struct {
	events.NumberingRangeUploaded
	Next int64 // the first number that no submission took; To+1 when none is left
}

// Left is how many numbers are left on a day (YYYY-MM-DD, local): none once the range
// has expired.
func (r Range) Left(day string) int64 {
	if r.ExpiresOn != "" && day > r.ExpiresOn {
		return 0
	}
	return r.To - r.Next + 1
}

// Current is the range that the next number comes from on a day: ranges are used up in
// the order of their upload. False when no number is left.
func (s State) Current(day string) (Range, bool) {
	for _, r := range s.Ranges {
		if r.Left(day) > 0 {
			return r, true
		}
	}
	return Range{}, false
}

// Remaining is how many numbers are left in all ranges on a day, and of how many.
func (s State) Remaining(day string) (left, total int64) {
	for _, r := range s.Ranges {
		if n := r.Left(day); n > 0 {
			left, total = left+n, total+r.To-r.From+1
		}
	}
	return left, total
}

// RangeOf is the range of an open or settled submission's number. Two ranges may hold
// the same numbers under other series letters (Uruguay), so the submission names its
// own; one that was opened before ranges were named goes by the number alone.
func (s State) RangeOf(o events.SubmissionOpened, number int64) (Range, bool) {
	i := s.find(o.Range, number)
	if i < 0 {
		return Range{}, false
	}
	return s.Ranges[i], true
}

// Letter is the series letter of a submission's numbers, "" where there is none.
func (s State) Letter(o events.SubmissionOpened) string {
	r, _ := s.RangeOf(o, o.First)
	return r.Series
}

// LastTaken is the last number of the series and its letter: where numbers come from
// ranges the one that a submission took last, which may be lower than those of a range
// before it and void by now; else the last that the authority accepted, or that a contingency
// point issued. 0 for none.
func (s State) LastTaken() (letter string, number int64) {
	if len(s.Ranges) == 0 {
		return "", max(s.Last, s.Contingent.Last)
	}
	if len(s.Open) > 0 {
		last := s.Open[len(s.Open)-1]
		return s.Letter(last.SubmissionOpened), last.End()
	}
	if s.Opened == nil {
		return "", 0
	}
	return s.Letter(*s.Opened), Submission{SubmissionOpened: *s.Opened}.End()
}

func (s State) find(id string, number int64) int {
	return slices.IndexFunc(s.Ranges, func(r Range) bool {
		return r.From <= number && number <= r.To && (id == "" || r.Range == id)
	})
}

// taken moves the range on past numbers that a submission took.
func (s State) taken(id string, first, count int64) []Range {
	i := s.find(id, first)
	if i < 0 {
		return s.Ranges
	}
	ranges := slices.Clone(s.Ranges)
	ranges[i].Next = max(ranges[i].Next, first+count)
	return ranges
}

// Refusals about ranges.
var (
	ErrOverlap = fault.New(fault.Conflict, "RANGE_OVERLAPS",
		"The range overlaps one that was uploaded before: no number may be used twice.")
	ErrNoRange = fault.New(fault.NotFound, "RANGE_NOT_FOUND",
		"This company has no such numbering range: list them with GET /api/companies/{id_company}/enumeration.")
	ErrStarted = fault.New(fault.Conflict, "START_ALREADY_CONFIGURED",
		"The starting number of this document type was configured before, or numbers were used already: it is set once, "+
			"before the first invoice.")
	ErrTooMany = fault.New(fault.Conflict, "TOO_MANY_RANGES",
		"The document type has as many ranges with numbers left as one may have.")
	ErrExhausted = fault.New(fault.Conflict, "RANGE_EXHAUSTED", "No number is left: upload the next numbering file.")
)

// UploadRange adds a range. The same file or authorisation again is nothing new;
// numbers that another range of the same series letter has are refused. A document type has
// Most ranges at a time with numbers left on Day (YYYY-MM-DD, local); 0 is no bound.
type UploadRange struct {
	Range events.NumberingRangeUploaded
	Most  int
	Day   string
}

func (c UploadRange) decide(s State) ([]events.Event, error) {
	if _, known := s.Uploaded(c.Range); known {
		return nil, nil
	}
	for _, r := range s.Ranges {
		if r.Series == c.Range.Series && r.From <= c.Range.To && c.Range.From <= r.To {
			return nil, overlaps(r)
		}
	}
	if c.Most > 0 && s.unused(c.Day) >= c.Most {
		return nil, tooMany(c.Most)
	}
	return []events.Event{c.Range}, nil
}

// unused counts the ranges that have a number left on a day.
func (s State) unused(day string) (n int) {
	for _, r := range s.Ranges {
		if r.Left(day) > 0 {
			n++
		}
	}
	return n
}

func tooMany(most int) error {
	return fault.New(ErrTooMany.Code, ErrTooMany.Constant, fmt.Sprintf(
		"The document type has %d ranges with numbers left, the most that one may have: use them up, ask the authority "+
			"for larger ones, or the operator for more ranges (--max-ranges).", most))
}

// Uploaded is the range that an upload repeats: the same file, or another copy of it
// that says the same (the authority's number or key, its day, the numbers), such as one
// that was saved with other line ends. No authority gives the same numbers out twice.
func (s State) Uploaded(e events.NumberingRangeUploaded) (Range, bool) {
	for _, r := range s.Ranges {
		if r.Fingerprint == e.Fingerprint ||
			e.Authority != "" && r.Authority == e.Authority && r.IssuedOn == e.IssuedOn && r.Series == e.Series &&
				r.From == e.From && r.To == e.To {
			return r, true
		}
	}
	return Range{}, false
}

// Range is the uploaded range with that id; false when the series has none.
func (s State) Range(id string) (Range, bool) {
	i := slices.IndexFunc(s.Ranges, func(r Range) bool { return r.Range == id })
	if i < 0 {
		return Range{}, false
	}
	return s.Ranges[i], true
}

// overlaps is ErrOverlap that names the range in the way.
func overlaps(r Range) error {
	number := fmt.Sprint(r.From)
	if r.Series != "" {
		number = r.Series + " " + number
	}
	if r.From == r.To {
		return fault.New(ErrOverlap.Code, ErrOverlap.Constant, fmt.Sprintf(
			"The range overlaps range %s, which has the number %s: no number may be used twice. Ask the authority for "+
				"numbers that no range has.", r.Range, number))
	}
	numbers := fmt.Sprintf("%s to %d", number, r.To)
	return fault.New(ErrOverlap.Code, ErrOverlap.Constant, fmt.Sprintf(
		"The range overlaps range %s, which has the numbers %s: no number may be used twice. Ask the authority for "+
			"numbers that no range has.", r.Range, numbers))
}

// ConfigureStart sets the first number to use, once per document type.
type ConfigureStart struct {
	Range string
	From  int64
}

func (c ConfigureStart) decide(s State) ([]events.Event, error) {
	i := slices.IndexFunc(s.Ranges, func(r Range) bool { return r.Range == c.Range })
	switch {
	case i < 0:
		return nil, ErrNoRange
	case s.Started || len(s.Open) > 0 || s.Settled != nil:
		return nil, ErrStarted
	case c.From < s.Ranges[i].From || c.From > s.Ranges[i].To:
		return nil, fault.Field("enumeration_starts_from", "OUTSIDE_RANGE", "Choose a number inside the uploaded range.")
	}
	return []events.Event{events.NumberingStartConfigured{Range: c.Range, From: c.From}}, nil
}

// OpenRanged takes consecutive numbers of the current range for Invoices. Range and
// First are what the documents were signed with, so they must still be the next ones.
// Other submissions of the series may be open: their numbers are taken, and none of them
// holds these up.
type OpenRanged struct {
	Submission string
	Range      string
	First      int64
	Invoices   []string
	SHA256     string
	Day        string // local, YYYY-MM-DD
	After      string // as in OpenSubmission
}

func (c OpenRanged) decide(s State) ([]events.Event, error) {
	switch {
	case s.Held != "":
		return nil, ErrHeld
	case s.at(c.Submission) >= 0:
		return nil, nil
	case s.Full():
		return nil, ErrOpen
	case len(c.Invoices) == 0:
		return nil, errEmpty
	case s.settled() != c.After || slices.ContainsFunc(c.Invoices, s.sends):
		return nil, ErrMoved
	}
	r, ok := s.Current(c.Day)
	switch {
	case !ok:
		return nil, ErrExhausted
	case c.Range != r.Range || c.First != r.Next || c.First+int64(len(c.Invoices))-1 > r.To:
		return nil, ErrMoved
	}
	return []events.Event{events.SubmissionOpened{Submission: c.Submission, First: c.First, Invoices: c.Invoices,
		SHA256: c.SHA256, AuthorityLast: c.First - 1, Range: r.Range}}, nil
}

// Notice records that the company was told about its numbers; each notice once.
type Notice struct{ Notice events.NumberingNoticed }

func (c Notice) decide(s State) ([]events.Event, error) {
	if slices.ContainsFunc(s.Noticed, c.same) {
		return nil, nil
	}
	return []events.Event{c.Notice}, nil
}

func (c Notice) same(n events.NumberingNoticed) bool {
	return n.Kind == c.Notice.Kind && n.Range == c.Notice.Range && n.Notice == c.Notice.Notice && n.Days == c.Notice.Days
}

// voided are the numbers that a settlement ends for good: in a ranged series a number
// never leaves its invoice, so a rejected one is a document that will never be.
func (s State) voided(open Submission, outcomes []events.Outcome) []events.Event {
	var out []events.Event
	for _, o := range outcomes {
		if o.Result != events.Rejected {
			continue
		}
		r, ok := s.RangeOf(open.SubmissionOpened, o.Number)
		if !ok {
			continue
		}
		out = append(out, events.NumberVoided{Number: o.Number, Series: r.Series, Invoice: o.Invoice, Reasons: o.Messages})
	}
	return out
}
