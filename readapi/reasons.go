package readapi

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/waiting"
)

// about is what of an invoice says whose it is, where it stands and why it waits.
type about struct {
	engine.Place
	id, company, country, environment, status string

	code, pointOfSale int    // with company and environment, its series
	room              string // that series; empty without an environment
}

func aboutOf(i projections.Invoice) about {
	out := about{Place: i.Place, id: i.ID, company: i.Company, country: i.Country, environment: i.Environment,
		status: i.Status, code: i.Document.OfficialCode, pointOfSale: i.Document.BranchOffice}
	if out.environment != "" {
		out.room = out.series(out.environment)
	}
	return out
}

// series is the one that the invoice is in, or would be in, in an environment.
func (i *about) series(environment string) string {
	return projections.SeriesID(i.company, environment, i.code, i.pointOfSale)
}

func (i *about) waits() bool {
	return i.status == projections.StatusPending || i.status == projections.StatusInProcess
}

// reasonOf is why an invoice waits, nil for one that does not.
func reasonOf(i *about, why reasonFor) (*resource.PendingReason, error) {
	if !i.waits() {
		return nil, nil
	}
	return why(i)
}

// reasonFor tells why an invoice waits; nil for what is not known.
type reasonFor func(*about) (*resource.PendingReason, error)

// reasonsNow is for one request, in its language: each series is looked at once.
func (a api) reasonsNow(r *http.Request) reasonFor {
	ctx := r.Context()
	var reasons []seriesReason
	known, open := false, []projections.Outage(nil)
	return func(i *about) (*resource.PendingReason, error) {
		out, err := a.reason(ctx, i, &reasons)
		if err != nil || out == nil {
			return out, err
		}
		out.Message = httpapi.Said(r, out.Code, out.Message)
		if out.Code != string(waiting.AuthorityDown) && out.Code != string(waiting.ContingencyAvailable) {
			return out, nil
		}
		if !known {
			if open, err = a.openOutages(ctx, i.company); err != nil {
				return nil, err
			}
			known = true
		}
		out.Outage = during(open, "", i.environment)
		return out, nil
	}
}

// seriesReason is why a series waits.
type seriesReason struct {
	series string
	why    *waiting.Reason
}

func (a api) reason(ctx context.Context, i *about, known *[]seriesReason) (*resource.PendingReason, error) {
	series, err := a.waitingRoom(ctx, i)
	if err != nil {
		return nil, err
	}
	n := slices.IndexFunc(*known, func(r seriesReason) bool { return r.series == series })
	if n < 0 {
		why, err := a.Notes.Get(ctx, series)
		if err != nil {
			return nil, err
		}
		n, *known = len(*known), append(*known, seriesReason{series, why})
	}
	why := (*known)[n].why.About(i.id)
	if why == nil {
		return nil, nil
	}
	return &resource.PendingReason{Code: string(why.Code), Message: why.Text, NextTry: why.NextTry}, nil
}

// waitingRoom is where an invoice waits: in its series, or, while no certificate has
// given it an environment, with its company.
func (a api) waitingRoom(ctx context.Context, i *about) (string, error) {
	if i.room != "" {
		return i.room, nil
	}
	c, err := a.Documents.GetCompany(ctx, i.company)
	if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return "", err
	}
	environment := c.FirstEnvironment()
	if environment == "" {
		return waiting.Unassigned(i.company), nil
	}
	return i.series(environment), nil
}
