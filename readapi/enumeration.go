package readapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"folio/country"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
)

// listEnumerations lists the company's numbering ranges with what is left of each.
func (a api) listEnumerations(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	rules, ok := a.Countries.ByCode(c.Country)
	if !ok {
		return fmt.Errorf("company %s: no rules for country %q: %w", c.ID, c.Country, errHeld)
	}
	today := a.Clock().In(rules.Location()).Format(time.DateOnly)
	return answerList(a, w, r, strict.ReadQuery(r),
		listed(projections.Enumerations, func(ctx context.Context,
			p engine.Page) (engine.List[projections.Enumeration], error) {
			return a.Documents.ListEnumerations(ctx, c.ID, p)
		}, func(e projections.Enumeration) (resource.Enumeration, error) {
			next, err := a.nextOf(r, e)
			return resource.Enumeration{ID: e.ID, Enumeration: e.ID, DocumentType: e.DocumentType,
				Name:        nameOf(rules, e.DocumentType),
				Environment: e.Environment, Series: pointer(e.Series), From: e.From, To: e.To,
				ExpiresOn: pointer(e.ExpiresOn)}.Range(next, today), err
		}))
}

// nextOf is the first free number of a range, as its series knows it.
func (a api) nextOf(r *http.Request, e projections.Enumeration) (int64, error) {
	s, err := a.Documents.GetSeries(r.Context(), e.SeriesID)
	if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return 0, err
	}
	for _, known := range s.Ranges {
		if known.ID == e.ID {
			return known.Next, nil
		}
	}
	return e.From, nil
}

func nameOf(rules country.Rules, id int) string {
	for _, k := range rules.DocumentTypes() {
		if k.ID == id {
			return k.Name
		}
	}
	return ""
}
