package contingency

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"folio/commands/contingency"
	"folio/commands/outage"
	"folio/events"
	"folio/processors/lanes"
)

// ofOutage is the kind of lane of an open outage: outage.Place.
const ofOutage = "outage"

func (p *Processor) outageOpened(ctx context.Context, r events.Recorded) error {
	return p.put(ctx, r, ofOutage, events.Aggregate(r.Stream))
}

func (p *Processor) outageClosed(_ context.Context, r events.Recorded) error {
	p.wake(ofOutage + "/" + events.Aggregate(r.Stream))
	return nil
}

// outage opens the contingencies that the company set to automatic, once its authority has
// been away for as long as it set, and closes what it opened when the outage ends.
func (p *Processor) outage(ctx context.Context, id string) (lanes.Next, error) {
	it, err := p.item(ctx, ofOutage, id)
	if err != nil || it == nil {
		return lanes.Done(), err
	}
	place, err := outage.ParseID(id)
	if err != nil {
		return lanes.Done(), err
	}
	co, found, err := p.log.Companies.Load(ctx, place.Company)
	rules, known := p.Rules(co.Country)
	if err != nil || !found || !known || rules.Authority() != place.Authority {
		return lanes.Done(), err
	}
	state, _, err := p.log.Outages.Load(ctx, id)
	if err != nil {
		return lanes.Done(), err
	}
	next := p.Clock.Now().Add(windowPoll) // the company may set a contingency meanwhile
	for _, point := range slices.Sorted(maps.Keys(co.Contingencies)) {
		set := co.Contingencies[point]
		w := contingency.Window{Company: place.Company, Environment: place.Environment, PointOfSale: point}
		at := state.Since.Add(time.Duration(set.AfterMinutes) * time.Minute)
		switch {
		case !state.Open():
			err = p.outageOver(ctx, w, state)
		case set.Mode != events.ContingencyAutomatic:
		case p.Clock.Now().Before(at):
			next = earlier(next, at)
		default:
			err = p.outageLasts(ctx, w, set, state)
		}
		if err != nil {
			return lanes.Done(), err
		}
	}
	if !state.Open() {
		return lanes.Done(), p.finished(ctx, it)
	}
	return lanes.Until(next), nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// outageLasts opens a contingency, once for an outage: what was closed since it began, by hand
// or because its hours were over, stays closed.
func (p *Processor) outageLasts(ctx context.Context, w contingency.Window, set events.Contingency,
	o outage.State) error {
	state, _, err := p.log.Contingencies.Load(ctx, w.ID())
	if err != nil || state.Open != nil || state.Closed.After(o.Since) {
		return err
	}
	opened := events.ContingencyOpened{Company: w.Company, Environment: w.Environment, PointOfSale: w.PointOfSale,
		Point: set.PointOfSale, By: Name,
		Cause: fmt.Sprintf("the authority has been away for %d minutes", set.AfterMinutes),
		Evidence: []string{fmt.Sprintf("outage %s, by %s, since %s", o.Outage, o.Cause,
			o.Since.UTC().Format(time.RFC3339))}}
	_, err = p.log.Contingencies.Execute(ctx, w.ID(), contingency.Open{Opened: opened, Mode: set.Mode},
		p.request(w.ID(), "open", o.Outage))
	return err
}

// outageOver closes a contingency that this processor opened.
func (p *Processor) outageOver(ctx context.Context, w contingency.Window, o outage.State) error {
	state, _, err := p.log.Contingencies.Load(ctx, w.ID())
	if err != nil || state.Open == nil || state.Open.By != Name {
		return err
	}
	closed := events.ContingencyClosed{By: Name,
		Reason: "the outage of the authority ended at " + o.Until.UTC().Format(time.RFC3339)}
	_, err = p.log.Contingencies.Execute(ctx, w.ID(), contingency.Close{Closed: closed},
		p.request(w.ID(), "close", fmt.Sprint(state.Times)))
	return err
}
