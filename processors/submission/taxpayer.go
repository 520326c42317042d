package submission

import (
	"context"
	"fmt"

	"folio/commands/numbering"
	"folio/waiting"
)

// taxpayer is one sequence of numbers as the authority counts it: by tax identifier.
// Two companies of ours may have the same one, so their series share it. One of them at
// a time may have a submission open: otherwise both would take the same numbers, and a
// document of one could be adopted for an equal one of the other.
type taxpayer struct {
	turn    chan struct{} // holds one token: whoever has it speaks to the authority
	entered uint64        // how often it was taken; of whoever has it
	series  map[string]bool
	behind  map[string]bool // series that wait for another's submission
}

// join makes a series known as one of its taxpayer's.
func (p *Processor) join(series string, id numbering.Series, identifier string) *taxpayer {
	key := fmt.Sprintf("%s/%s/%d/%d", identifier, id.Environment, id.OfficialCode, id.BranchOffice)
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.taxpayers[key]
	if t == nil {
		t = &taxpayer{turn: make(chan struct{}, 1), series: map[string]bool{}, behind: map[string]bool{}}
		p.taxpayers[key] = t
	}
	t.series[series] = true
	return t
}

// joinAll makes every series with work known, before any of them starts: one may have
// left a submission open in an earlier life.
func (p *Processor) joinAll(ctx context.Context, groups []string) error {
	for _, g := range groups {
		id, err := numbering.ParseSeries(g)
		if err != nil {
			continue // a waiting room
		}
		co, _, err := p.log.Companies.Load(ctx, id.Company)
		switch {
		case !troubled(err) && err != nil:
			return err
		case err != nil && co.TaxIdentifier == "":
			continue // nobody can know whose numbers it shares; its own turn is told why
		}
		p.join(g, id, co.TaxIdentifier)
	}
	return nil
}

// enter waits for the taxpayer's turn; leave gives it to the next and wakes who waited
// for this one's submission.
func (t *turn) enter(ctx context.Context, x *taxpayer) (leave func(), err error) {
	select {
	case x.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	x.entered++
	return func() {
		<-x.turn
		for _, series := range t.following(x) {
			t.lanes.Wake(series)
		}
	}, nil
}

// following are the other series that wait for this one's submission; they do no more.
func (t *turn) following(x *taxpayer) (out []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for series := range x.behind {
		if series != t.series {
			delete(x.behind, series)
			out = append(out, series)
		}
	}
	return out
}

// occupied says that another company with the same tax identifier has a submission open
// under this sequence of numbers; its own turn will finish it.
func (t *turn) occupied(ctx context.Context, x *taxpayer) (*verdict, error) {
	t.mu.Lock()
	var others []string
	for series := range x.series {
		if series != t.series {
			others = append(others, series)
		}
	}
	t.mu.Unlock()
	for _, series := range others {
		s, _, err := t.log.Numbering.Load(ctx, series)
		if err != nil {
			return nil, err
		}
		if len(s.Open) > 0 {
			t.mu.Lock()
			x.behind[t.series] = true
			t.mu.Unlock()
			v := because(waiting.TaxpayerBusy, "Another company with the same tax identifier has documents under way at this "+
				"point of sale; these follow when its answer is known.", false)
			return &v, nil
		}
	}
	return nil, nil
}
