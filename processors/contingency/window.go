package contingency

import (
	"context"
	"fmt"
	"time"

	"folio/commands/contingency"
	"folio/commands/numbering"
	"folio/events"
	"folio/processors/lanes"
)

// window looks after an open contingency: its series move what was never sent, and it closes
// when its time is over.
func (p *Processor) window(ctx context.Context, id string) (lanes.Next, error) {
	it, err := p.item(ctx, ofWindow, id)
	if err != nil {
		return lanes.Done(), err
	}
	w, err := contingency.Parse(id)
	if err != nil {
		return lanes.Done(), err
	}
	state, _, err := p.log.Contingencies.Load(ctx, id)
	if err != nil {
		return lanes.Done(), err
	}
	p.mu.Lock()
	delete(p.open, w)
	if state.Open != nil {
		p.open[w] = true
	}
	p.mu.Unlock()
	if state.Open == nil {
		return lanes.Done(), p.finished(ctx, it)
	}
	co, _, contingent, err := p.home(ctx, w.Company)
	if err != nil {
		return lanes.Done(), err
	}
	set := co.ContingencyOf(w.PointOfSale)
	end := state.Since.Add(time.Duration(set.MaxHours) * time.Hour)
	if reason := over(set, p.Clock.Now(), end); reason != "" {
		closed := events.ContingencyClosed{Reason: reason, By: Name}
		_, err := p.log.Contingencies.Execute(ctx, id, contingency.Close{Closed: closed},
			p.request(id, "close", fmt.Sprint(state.Times)))
		return lanes.Again(), err
	}
	for _, code := range contingent.ContingencyTypes() {
		p.wake(ofIssue + "/" + numbering.Series{Company: w.Company, Environment: w.Environment, OfficialCode: code,
			BranchOffice: w.PointOfSale}.ID())
	}
	// Series are looked at each minute, too: an invoice may come to submission's list late.
	if poll := p.Clock.Now().Add(windowPoll); poll.Before(end) {
		return lanes.Until(poll), nil
	}
	return lanes.Until(end), nil
}

// windowPoll is how often the series of an open contingency are looked at whatever happens.
const windowPoll = time.Minute

// over says why a contingency ends by itself, "" while it goes on.
func over(set events.Contingency, now, end time.Time) string {
	switch {
	case set.Mode == events.ContingencyOff:
		return events.Because("the company set the contingency of this point of sale to off")
	case !now.Before(end):
		return events.Because("it was open for %d hours, the most that the company allows", set.MaxHours)
	}
	return ""
}
