package contingency

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"folio/authority"
	"folio/commands/company"
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
	if len(co.Contingencies) > 0 {
		p.wake(ofProbe + "/" + id)
	}
	return lanes.Until(next), nil
}

// ofProbe is the kind of lane that asks while an outage is open: outage.Place.
const ofProbe = "probe"

// probe asks the authority for a last number, about once a minute, while a contingency is open in an outage that
// failing calls opened. All documents move then, and reports may not begin before tomorrow: with no other call that
// documents need, nobody would see that the authority is back, and contingency would become the ordinary way.
func (p *Processor) probe(ctx context.Context, id string) (lanes.Next, error) {
	place, err := outage.ParseID(id)
	if err != nil {
		return lanes.Done(), err
	}
	state, _, err := p.log.Outages.Load(ctx, id)
	if err != nil || state.Cause != outage.ByCalls {
		return lanes.Done(), err
	}
	co, _, contingent, err := p.home(ctx, place.Company)
	if err != nil {
		return lanes.Done(), err
	}
	point, err := p.openPoint(ctx, place, co)
	if err != nil || point == 0 {
		return lanes.Done(), err
	}
	s, err := p.session(ctx, place.Company, place.Environment)
	if err != nil {
		return lanes.Done(), err
	}
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err = s.driver.Last(bounded, s.credential, authority.Series{Company: place.Company,
		Environment: authority.Environment(place.Environment), OfficialCode: contingent.ContingencyTypes()[0],
		BranchOffice: point}, nil)
	if errors.Is(err, authority.ErrRefused) || errors.Is(err, authority.ErrSeries) {
		err = nil // it answers
	}
	return lanes.Done(), err
}

// openPoint is a point of sale of the company whose contingency is open, 0 for none.
func (p *Processor) openPoint(ctx context.Context, at outage.Place, co company.State) (int, error) {
	for _, point := range slices.Sorted(maps.Keys(co.Contingencies)) {
		w := contingency.Window{Company: at.Company, Environment: at.Environment, PointOfSale: point}
		state, _, err := p.log.Contingencies.Load(ctx, w.ID())
		if err != nil || state.Open != nil {
			return point, err
		}
	}
	return 0, nil
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
		Cause: events.Because("the authority has been away for %d minutes", set.AfterMinutes),
		Evidence: []string{events.Because("outage %s, by %s, since %s", o.Outage, o.Cause,
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
		Reason: events.Because("the outage of the authority ended at %s", o.Until.UTC().Format(time.RFC3339))}
	_, err = p.log.Contingencies.Execute(ctx, w.ID(), contingency.Close{Closed: closed},
		p.request(w.ID(), "close", fmt.Sprint(state.Times)))
	return err
}
