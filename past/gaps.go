package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"folio/events"
)

// Unused is the state of a number that could have been used and was not, although later ones
// were; Unexplained that of one of which no fact says anything.
const (
	Unused      = "unused"
	Unexplained = "unexplained"
)

// Gap is a run of numbers that are no accepted documents, for one reason.
type Gap struct {
	Letter   string // of the series, Uruguay
	From, To int64
	Kind     string // Foreign, PassedOver, Voided, Freed, Unused or Unexplained
	Cause    string
	Position events.Position // of the last fact about the first of them; zero: there is none
}

// Report says of one series what became of its numbers, up to the highest that was used.
type Report struct {
	Accepted, Open int64
	Counts         map[string]int64 // of numbers, by kind of gap
	Gaps           []Gap            // by letter and number
}

// ErrTooManyGaps refuses a report that would not fit into memory.
var ErrTooManyGaps = errors.New("the series has too many gaps for one report")

// maxSpans bounds a report: numbers that stand alone take a span each.
const maxSpans = 200_000

// span is a run of numbers in the same state.
type span struct {
	from, to int64
	what     string
	cause    string
	position events.Position
}

// goes says that two neighbours are one run. That documents were accepted one by one does
// not matter; a gap is one run for one reason.
func (s span) goes(t span) bool {
	return s.to+1 == t.from && s.what == t.what && (s.what == Accepted || s.cause == t.cause)
}

// Tally keeps the state of every number of a series in runs.
type Tally struct {
	letters map[string][]span
	spans   int
}

// Add applies what happened to numbers.
func (t *Tally) Add(entries ...Entry) error {
	if t.letters == nil {
		t.letters = map[string][]span{}
	}
	for _, e := range entries {
		switch e.What {
		case Rejected, Sent:
			continue // what follows from it comes as Freed or Voided
		case Accepted:
			e.Cause = ""
		case Uploaded:
			e.What = Unused
		}
		before := len(t.letters[e.Letter])
		t.letters[e.Letter] = put(t.letters[e.Letter], span{e.From, e.To, e.What, e.Cause, e.Position})
		if t.spans += len(t.letters[e.Letter]) - before; t.spans > maxSpans {
			return ErrTooManyGaps
		}
	}
	return nil
}

// put lays a span over those that are there.
func put(all []span, s span) []span {
	first, _ := slices.BinarySearchFunc(all, s.from, func(t span, from int64) int { return cmp.Compare(t.to, from) })
	last := first
	var around []span
	for ; last < len(all) && all[last].from <= s.to; last++ {
		if t := all[last]; t.from < s.from {
			t.to = s.from - 1
			around = append(around, t)
		}
	}
	around = append(around, s)
	if last > first {
		if t := all[last-1]; t.to > s.to {
			t.from = s.to + 1
			around = append(around, t)
		}
	}
	// Neighbours that go together become one.
	if first > 0 {
		first--
		around = slices.Insert(around, 0, all[first])
	}
	if last < len(all) {
		around = append(around, all[last])
		last++
	}
	joined := around[:1]
	for _, t := range around[1:] {
		if end := &joined[len(joined)-1]; end.goes(t) {
			end.to = t.to
			continue
		}
		joined = append(joined, t)
	}
	return slices.Replace(all, first, last, joined...)
}

// Report is what became of the numbers so far.
func (t *Tally) Report() Report {
	r := Report{Counts: map[string]int64{}, Gaps: []Gap{}}
	for _, letter := range sortedKeys(t.letters) {
		spans := t.letters[letter]
		used := 0 // spans up to the last one that was used
		for i, s := range spans {
			if s.what != Unused && s.what != Freed {
				used = i + 1
			}
		}
		for i, s := range spans[:used] {
			if i > 0 && spans[i-1].to+1 < s.from {
				r.gap(
					Gap{Letter: letter, From: spans[i-1].to + 1, To: s.from - 1, Kind: Unexplained, Cause: "no fact speaks of it"},
				)
			}
			n := s.to - s.from + 1
			switch s.what {
			case Accepted:
				r.Accepted += n
			case Opened:
				r.Open += n
			default:
				r.gap(Gap{letter, s.from, s.to, s.what, gapBecause(s), s.position})
			}
		}
	}
	return r
}

func (r *Report) gap(g Gap) {
	r.Counts[g.Kind] += g.To - g.From + 1
	r.Gaps = append(r.Gaps, g)
}

func gapBecause(s span) string {
	switch s.what {
	case Unused:
		return "it was left over when later numbers were used: " + s.cause
	case Freed:
		return "it was free again and has not been used since: " + s.cause
	}
	return s.cause
}

// Explained says that a fact tells why the numbers are no documents.
func (g Gap) Explained() bool { return g.Kind != Unexplained }

// Numbers is the run to a person: "A 7" or "7 to 9".
func (g Gap) Numbers() string {
	if g.From == g.To {
		return lettered(g.Letter, g.From)
	}
	return fmt.Sprintf("%s to %d", lettered(g.Letter, g.From), g.To)
}

func sortedKeys(m map[string][]span) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Gaps folds a series up to a moment into what became of its numbers.
func Gaps(ctx context.Context, log Log, series string, m events.Moment) (Report, error) {
	return GapsIn(Until(Series(ctx, log, series, events.Position{}), m))
}

// GapsIn folds the facts of a series into what became of its numbers.
func GapsIn(facts Facts) (Report, error) {
	var l Ledger
	var t Tally
	for r, err := range facts {
		if err == nil {
			err = t.Add(l.Fold(r)...)
		}
		if err != nil {
			return Report{}, err
		}
	}
	return t.Report(), nil
}
