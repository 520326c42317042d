package writeapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"folio/commands/company"
	"folio/commands/contingency"
	"folio/commands/numbering"
	"folio/commands/taxpayer"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

var errNoContingency = fault.New(fault.NotFound, "CONTINGENCY_NOT_FOUND",
	"Documents of this company's country are not issued by a code that was given ahead: they are signed and numbered as "+
		"ever while the authority is away.")

var errUncertified = fault.New(fault.Conflict, "CONTINGENCY_WITHOUT_CERTIFICATE",
	"The company has no certificate yet, so no code was ever asked for: upload one with POST "+
		"/api/companies/{id_company}/certificates.")

// contingent is the company of a request with the point of sale that it names.
func (a api) contingent(r *http.Request) (company.State, country.Contingent, int, error) {
	s, rules, err := a.company(r.Context())
	if err != nil {
		return s, nil, 0, err
	}
	may, ok := rules.(country.Contingent)
	text := chi.URLParam(r, "point_of_sale")
	if !ok {
		return s, nil, 0, errNoContingency
	}
	point, err := strconv.Atoi(text)
	if most := rules.Branches().Max; err != nil || point < 1 || point > most || strconv.Itoa(point) != text {
		return s, nil, 0, fault.New(fault.NotFound, errNoContingency.Constant, fmt.Sprintf("A point of sale is a number "+
			"from 1 to %d in the address, without zeros before it: name the one whose documents these are in ordinary times.",
			most))
	}
	return s, may, point, nil
}

// pointField names the contingency point in a request.
const pointField = "contingency_point_of_sale"

// The defaults of a contingency: half an hour without an answer, half a day of contingency.
const (
	afterMinutes = 30
	maxHours     = 12
)

// readContingency reads how a point of sale goes on. What is switched off may leave the contingency point out. A
// record as it was read may be sent back: its point of sale is that of the address, and what is open stays open.
func readContingency(o strict.Object, address int) events.Contingency {
	if n := int(o.Int("point_of_sale", strict.Between(1, 99_998))); n != 0 && n != address {
		o.Fail("point_of_sale", strict.CodeNotAllowed, "The address names another point of sale: leave it out.")
	}
	o.Raw("open")
	c := events.Contingency{
		PointOfSale: int(o.Int(pointField, strict.Between(1, 99_998))),
		Mode: o.String("mode", strict.Required, strict.OneOf(events.ContingencyOff, events.ContingencyManual,
			events.ContingencyAutomatic)),
		AfterMinutes: afterMinutes, MaxHours: maxHours,
	}
	if c.Mode != events.ContingencyOff && !o.Has(pointField) {
		o.Fail(pointField, strict.CodeRequired, "is required unless mode is off")
	}
	if n := o.Int("after_minutes", strict.Between(1, 24*60)); o.Has("after_minutes") {
		c.AfterMinutes = int(n)
	}
	if n := o.Int("max_hours", strict.Between(1, 15*24)); o.Has("max_hours") {
		c.MaxHours = int(n)
	}
	return c
}

// configureContingency says how a point of sale goes on while the authority is away.
func (a api) configureContingency(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, may, point, err := a.contingent(r)
	if err != nil {
		return err
	}
	o := body.Object()
	c := readContingency(o, point)
	if err := o.Done(); err != nil {
		return err
	}
	set := company.ConfigureContingency{PointOfSale: point, Contingency: c}
	if err := a.takePoint(r, s, may, set); err != nil {
		return err
	}
	out, err := a.log.Companies.Execute(r.Context(), s.Company, set, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "companies", out.Position)
	record := resource.ContingencyOf(point, out.State.ContingencyOf(point))
	if record.Open, err = a.openWindow(r, s, point); err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, record)
}

// openWindow is what is open at a point of sale, in the company's present environment or another; nil for nothing.
func (a api) openWindow(r *http.Request, s company.State, point int) (*resource.Window, error) {
	for _, environment := range inTurn(s.Environment()) {
		state, _, err := a.log.Contingencies.Load(r.Context(),
			contingency.Window{Company: s.Company, Environment: environment,
				PointOfSale: point}.ID())
		if err != nil {
			return nil, err
		}
		if open := windowOf(r, state); open != nil {
			return open, nil
		}
	}
	return nil, nil
}

// inTurn are the environments, the present one first.
func inTurn(present string) []string {
	all := []string{environments["production"], environments["testing"]}
	if present == all[1] {
		slices.Reverse(all)
	}
	return all
}

// windowOf is the record of what is open, told in the caller's language; nil for nothing.
func windowOf(r *http.Request, s contingency.State) *resource.Window {
	if s.Open == nil {
		return nil
	}
	evidence := country.Collect(s.Open.Evidence, func(text string) string { return httpapi.Said(r, httpapi.Story, text) })
	return &resource.Window{PointOfSale: s.Open.PointOfSale, ContingencyPoint: s.Open.Point,
		Environment: s.Open.Environment, Cause: httpapi.Said(r, httpapi.Story, s.Open.Cause), Evidence: evidence,
		OpenedAt: s.Since.UTC(), OpenedBy: s.Open.By}
}

// takePoint has the contingency point checked and claimed. What the company itself would refuse asks and claims
// nothing, nor does what is off.
func (a api) takePoint(r *http.Request, s company.State, may country.Contingent,
	set company.ConfigureContingency) error {
	if _, err := company.Decider.Decide(set, s); err != nil || set.Contingency.Mode == events.ContingencyOff {
		return err
	}
	if s.ContingencyOf(set.PointOfSale) != set.Contingency {
		if err := a.checkPoint(r.Context(), s, may, set.Contingency.PointOfSale); err != nil {
			return err
		}
	}
	return a.claimPoint(r, s, set)
}

// claimPoint takes the contingency point for this company among those with its tax identifier.
func (a api) claimPoint(r *http.Request, s company.State, set company.ConfigureContingency) error {
	claim := events.ContingencyPointClaimed{Company: s.Company, Environment: s.Environment(),
		PointOfSale: set.Contingency.PointOfSale}
	_, err := a.log.Taxpayers.Execute(r.Context(), taxpayer.ID(s.Country, s.TaxIdentifier),
		taxpayer.ClaimPoint{Claim: claim}, step(r, "claim"))
	if errors.Is(err, taxpayer.ErrPointClaimed) {
		return taxpayer.ErrPointClaimed.About(pointField)
	}
	return err
}

// checkPoint refuses a contingency point that had documents authorized one by one, and one
// that the authority does not call one.
func (a api) checkPoint(ctx context.Context, s company.State, may country.Contingent, point int) error {
	const code = "NOT_A_CONTINGENCY_POINT"
	environment := s.Environment()
	for _, kind := range may.ContingencyTypes() {
		series := numbering.Series{Company: s.Company, Environment: environment, OfficialCode: kind, BranchOffice: point}
		state, _, err := a.log.Numbering.Load(ctx, series.ID())
		if err != nil {
			return err
		}
		if state.Settled != nil || len(state.Open) > 0 {
			return fault.Field(pointField, code, "Documents of this point of sale were authorized one by one: name one "+
				"that the authority's registry has for contingencies (CAEA).")
		}
	}
	rules, ok := a.Countries.ByCode(s.Country)
	if !ok || a.Points == nil {
		return nil
	}
	emission, err := a.Points.Contingency(ctx, s, rules.Authority(), point, httpapi.Started(ctx))
	if err == nil && !may.TakesPoint(emission, s.Profile.TaxCondition) {
		return fault.Field(pointField, code, fmt.Sprintf(
			"The authority's registry has this point of sale as %q, which takes "+
				"no documents of an issuer that is %s (1444): name one of the company's own condition.", emission,
			s.Profile.TaxCondition))
	}
	return err
}

// readWhy reads the reason of a step that a person takes.
func readWhy(o strict.Object) string { return o.String("reason", strict.Required, strict.MaxLen(500)) }

// openContingency has documents of the point of sale issued by contingency from now on.
func (a api) openContingency(w http.ResponseWriter, r *http.Request) error {
	return a.contingencyStep(w, r, func(s company.State, point int, why string) contingency.Command {
		set := s.ContingencyOf(point)
		return contingency.Open{Mode: set.Mode, Opened: events.ContingencyOpened{Company: s.Company,
			Environment: s.Environment(), PointOfSale: point, Point: set.PointOfSale, Cause: why,
			By: httpapi.Caller(r.Context()).Actor()}}
	})
}

// closeContingency has documents of the point of sale wait for the authority again, in every environment: one may have
// been opened before the company went to Production.
func (a api) closeContingency(w http.ResponseWriter, r *http.Request) error {
	return a.contingencyStep(w, r, func(s company.State, point int, why string) contingency.Command {
		return contingency.Close{Unset: s.ContingencyOf(point).PointOfSale == 0,
			Closed: events.ContingencyClosed{Reason: why, By: httpapi.Caller(r.Context()).Actor()}}
	})
}

func (a api) contingencyStep(w http.ResponseWriter, r *http.Request,
	decision func(s company.State, point int, why string) contingency.Command) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, _, point, err := a.contingent(r)
	if err != nil {
		return err
	}
	o := body.Object()
	why := readWhy(o)
	if err := o.Done(); err != nil {
		return err
	}
	if s.Environment() == "" {
		return errUncertified
	}
	window := contingency.Window{Company: s.Company, Environment: s.Environment(), PointOfSale: point}
	decided := decision(s, point, why)
	out, err := a.log.Contingencies.Execute(r.Context(), window.ID(), decided, request(r))
	if err != nil {
		return err
	}
	at := out.Position
	if end, closes := decided.(contingency.Close); closes {
		if at, err = a.closeOthers(r, window, end, at); err != nil {
			return err
		}
	}
	a.shown(w, r, "contingency_windows", at)
	record := resource.ContingencyOf(point, s.ContingencyOf(point))
	record.Open = windowOf(r, out.State)
	return httpapi.JSON(w, http.StatusOK, record)
}

// closeOthers closes what is open at the point of sale in other environments than the present one. It answers the last
// position that was written, at if none was.
func (a api) closeOthers(r *http.Request, present contingency.Window, end contingency.Close,
	at events.Position) (events.Position, error) {
	for _, environment := range inTurn(present.Environment) {
		other := present
		if other.Environment = environment; other == present {
			continue
		}
		out, err := a.log.Contingencies.Execute(r.Context(), other.ID(), end, step(r, "close "+environment))
		if err != nil {
			return at, err
		}
		if len(out.Events) > 0 {
			at = out.Position
		}
	}
	return at, nil
}
