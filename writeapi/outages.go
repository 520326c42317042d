package writeapi

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"folio/commands/outage"
	"folio/events"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

// openOutage records that somebody of the company says that its authority is away.
func (a api) openOutage(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	o, now := body.Object(), httpapi.Started(r.Context())
	environment, c := readOutage(o, now)
	if environment == "" {
		environment = s.FirstEnvironment()
	}
	if environment == "" && !o.Has("environment") {
		o.Fail("environment", strict.CodeRequired, "The company has no certificate yet: say Production or Testing.")
	}
	if err := o.Done(); err != nil {
		return err
	}
	c.Place = outage.Place{Company: s.Company, Environment: environment, Authority: rules.Authority()}
	c.Outage = newID(r)
	out, err := a.log.Outages.Execute(r.Context(), c.ID(), c, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "outages", out.Position)
	w.Header().Set("Location", r.URL.Path+"/"+c.Outage)
	return httpapi.JSON(w, http.StatusCreated, resource.OutageOpened(out.Events[0].(events.AuthorityOutageOpened)))
}

// readOutage reads why the authority counts as away, where, and since when: since now unless it
// is said.
func readOutage(o strict.Object, now time.Time) (environment string, c outage.Open) {
	given := o.String("environment", strict.MaxLen(20))
	if environment = environments[strings.ToLower(given)]; given != "" && environment == "" {
		o.Fail("environment", strict.CodeNotAllowed, "Write Production or Testing.")
	}
	c = outage.Open{Reason: o.String("reason", strict.Required, strict.MaxLen(maxOutageReason)), Since: now.UTC()}
	if since := readInstant(o, "since"); since != nil {
		c.Since = *since
		switch {
		case since.After(now):
			o.Fail("since", strict.CodeNotAllowed, "An outage cannot begin in the future.")
		case now.Sub(*since) > outage.MaxAge:
			o.Fail("since", strict.CodeNotAllowed, "An outage cannot have begun more than 30 days ago: name a later time.")
		}
	}
	return environment, c
}

// maxOutageReason bounds what is said about an outage.
const maxOutageReason = 500

func readOutageEnd(o strict.Object) string {
	return o.String("reason", strict.Required, strict.MaxLen(maxOutageReason))
}

// closeOutage records that somebody of the company says that the outage is over.
func (a api) closeOutage(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	o := body.Object()
	reason := readOutageEnd(o)
	if err := o.Done(); err != nil {
		return err
	}
	id := chi.URLParam(r, "id_outage")
	for _, environment := range []string{environments["production"], environments["testing"]} {
		c := outage.Close{Outage: id, Reason: reason, At: httpapi.Started(r.Context()), Place: outage.Place{
			Company: s.Company, Environment: environment, Authority: rules.Authority()}}
		out, err := a.log.Outages.Execute(r.Context(), c.ID(), c, request(r))
		if errors.Is(err, outage.ErrNotOpen) {
			continue
		}
		if err != nil {
			return err
		}
		a.shown(w, r, "outages", out.Position)
		return httpapi.JSON(w, http.StatusOK, resource.OutageEndOf(out.Events[0].(events.AuthorityOutageClosed)))
	}
	return outage.ErrNotOpen
}
