package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"folio/commands/numbering"
	"folio/commands/taxpayer"
	"folio/events"
)

// taxpayers are the numbers that were given, counted as the authority counts them: by tax identifier. Several companies
// may have one, and each keeps its series in a stream of its own, which knows nothing of the others.
type taxpayers struct {
	// Of is the taxpayer of each company, as taxpayer.ID writes it.
	Of map[string]string `json:"of"`
	// Given are the numbers of accepted documents by sequence, in runs and in order.
	Given map[string][]numbers `json:"given"`
}

// numbers are those from From to To.
type numbers struct{ From, To int64 }

// given is the number of one accepted document.
type given struct {
	number          int64
	letter, invoice string
}

func newTaxpayers() taxpayers { return taxpayers{map[string]string{}, map[string][]numbers{}} }

// sequence is what the authority counts as one.
func (t taxpayers) sequence(id numbering.Series, letter string) string {
	return strings.Join([]string{t.Of[id.Company], id.Environment, fmt.Sprint(id.OfficialCode),
		fmt.Sprint(id.BranchOffice), letter}, "/")
}

// give adds a number of a sequence and says whether it was new.
func (t taxpayers) give(sequence string, n int64) bool {
	all := t.Given[sequence]
	i, _ := slices.BinarySearchFunc(all, n, func(run numbers, n int64) int { return cmp.Compare(run.To, n) })
	switch before, after := i > 0 && all[i-1].To == n-1, i < len(all) && all[i].From == n+1; {
	case i < len(all) && all[i].From <= n:
		return false
	case before && after:
		all[i-1].To = all[i].To
		all = slices.Delete(all, i, i+1)
	case before:
		all[i-1].To = n
	case after:
		all[i].From = n
	default:
		all = slices.Insert(all, i, numbers{n, n})
	}
	t.Given[sequence] = all
	return true
}

// gives are the numbers of the documents that an event of a series says were accepted. The state is the one before it.
func gives(s numbering.State, e events.Event) (out []given) {
	switch e := e.(type) {
	case events.ContingencyIssued:
		return []given{{e.Number, "", e.Invoice}}
	case events.SubmissionSettled:
		o, _ := s.Find(e.Submission)
		letter := s.Letter(o.SubmissionOpened)
		for _, x := range e.Outcomes {
			if x.Result == events.Accepted {
				out = append(out, given{x.Number, letter, x.Invoice})
			}
		}
	}
	return out
}

// once finds a number that two companies of one taxpayer gave to documents of the same kind. Within one company the
// rules of its series find it.
func (r *run) once(ctx context.Context, e events.Recorded, st *stream) error {
	if c, ok := e.Event.(events.CompanyRegistered); ok {
		r.taxpayers.Of[c.Company] = taxpayer.ID(c.Country, c.TaxIdentifier)
	}
	series, ok := st.aggregate.(*seriesLife)
	if !ok || len(series.given) == 0 {
		return nil
	}
	id, err := numbering.ParseSeries(strings.TrimPrefix(e.Stream, numbering.Decider.Category+"-"))
	if err != nil || r.taxpayers.Of[id.Company] == "" {
		return nil // a log that begins after the company was registered
	}
	for _, g := range series.given {
		if r.taxpayers.give(r.taxpayers.sequence(id, g.letter), g.number) {
			continue
		}
		other, err := r.giver(ctx, id, g)
		if err != nil {
			return err
		}
		return differs(e, "number %d is given to invoice %s, and %s has it already: both companies have the tax identifier %s",
			g.number, g.invoice, other, r.taxpayers.Of[id.Company])
	}
	return nil
}

// giver finds which other company of the taxpayer gave the number before.
func (r *run) giver(ctx context.Context, id numbering.Series, g given) (string, error) {
	for company, of := range r.taxpayers.Of {
		if company == id.Company || of != r.taxpayers.Of[id.Company] {
			continue
		}
		other := id
		other.Company = company
		name, found := numbering.Decider.Stream(other.ID()), ""
		err := r.relive(ctx, name, r.at, func(life *seriesLife, at events.Position) bool {
			for _, was := range life.given {
				if was.number == g.number && was.letter == g.letter {
					found = fmt.Sprintf("invoice %s in %s at %s", was.invoice, name, at)
				}
			}
			return found == ""
		})
		if err != nil || found != "" {
			return found, err
		}
	}
	return "another series", nil
}

// relive folds a series once more, up to a position, and shows what it was after each event until nobody wants more.
func (r *run) relive(ctx context.Context, name string, upTo events.Position,
	show func(life *seriesLife, at events.Position) (more bool)) error {
	life := &seriesLife{}
	for e, err := range r.Log.Read(ctx, name, 0) {
		if err != nil {
			return troubled(err, e)
		}
		if upTo.Before(e.Position) {
			return nil
		}
		opened, err := r.open(e)
		if err != nil {
			return err
		}
		life.next(opened)
		if !show(life, e.Position) {
			return nil
		}
	}
	return nil
}

// taxpayerLife is what companies of one tax identifier claimed of it.
type taxpayerLife struct{ taxpayer.State }

func (l *taxpayerLife) next(r events.Recorded) (wrong string) {
	switch e := r.Event.(type) {
	case events.NumberingRangeClaimed:
		wrong = decided(taxpayer.Decider, l.State, taxpayer.Command(taxpayer.Claim{Claim: e}), e)
	case events.ContingencyPointClaimed:
		wrong = decided(taxpayer.Decider, l.State, taxpayer.Command(taxpayer.ClaimPoint{Claim: e}), e)
	}
	l.State = taxpayer.Decider.Next(l.State, r.Event, r.Meta.At)
	return wrong
}
