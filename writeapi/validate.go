package writeapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/httpapi"
	"folio/resource"
	"folio/waiting"
)

// validateInvoice finds everything that a create would find, by the same code, and stores
// nothing.
func (a api) validateInvoice(w http.ResponseWriter, r *http.Request) error {
	c, err := a.begin(w, r)
	if err != nil {
		return err
	}
	e, err := c.event(r.Context())
	if err != nil {
		return err
	}
	warnings, err := c.warnings(r.Context(), e)
	if err != nil {
		return err
	}
	for i, w := range warnings {
		warnings[i].Message = httpapi.Said(r, w.Code, w.Message)
	}
	e.Invoice = "" // there is none
	return httpapi.JSON(w, http.StatusOK, resource.Validated{Valid: true, Warnings: warnings,
		Invoice: resource.Pending(e, c.at, c.rules)})
}

// previewMemory is what drawing a long document takes; an ordinary one takes a tenth.
const previewMemory = 32 << 20

// previewInvoice draws the document that a create of the body would be accepted for. It has
// neither number nor authorization, says so on each page, and nothing is stored.
func (a api) previewInvoice(w http.ResponseWriter, r *http.Request) error {
	c, err := a.begin(w, r)
	if err != nil {
		return err
	}
	e, err := c.event(r.Context())
	if err != nil {
		return err
	}
	var document []byte
	if err := a.work(r.Context(), previewMemory, func() (err error) {
		document, err = a.Preview(r.Context(), e, c.at)
		return err
	}); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/pdf")
	_, _ = w.Write(document) // the only failure is a client that has gone
	return nil
}

// warnings are why the invoice would stay Pending, as far as the log of the company says.
func (c *creation) warnings(ctx context.Context, e events.InvoiceCreated) ([]resource.PendingReason, error) {
	all := []resource.PendingReason{}
	add := func(code waiting.Code, format string, args ...any) {
		all = append(all, resource.PendingReason{Code: string(code), Message: fmt.Sprintf(format, args...)})
	}
	id := c.company.Company
	if _, ok := c.company.Certificate(e.Environment, c.at); !ok {
		add(waiting.NoCertificate, "The company has no certificate that is valid now: upload one with "+
			"POST /api/companies/%s/certificates.", id)
	}
	if lacks := country.Lacking(c.rules, e); len(lacks) > 0 {
		add(waiting.NoProfile, "The fiscal profile lacks %s: set it with PUT /api/companies/%s/fiscal-profile.",
			strings.Join(lacks, ", "), id)
	}
	if !country.NumbersFromFiles(c.rules) || e.Environment == "" {
		return all, nil
	}
	series := numbering.SeriesOf(e, e.Environment)
	s, _, err := c.log.Numbering.Load(ctx, series.ID())
	if err != nil {
		return nil, fmt.Errorf("look up the numbers of %s: %w", series.ID(), err)
	}
	upload := "POST /api/companies/" + id + "/enumeration/upload"
	_, free := s.Current(c.at.In(country.ZoneOf(c.rules, c.company.Issuer())).Format(time.DateOnly))
	switch {
	case len(s.Ranges) == 0:
		add(waiting.NoRange, "There is no numbering range of this document type: upload one with %s.", upload)
	case !free:
		add(waiting.RangeExhausted, "All numbers of this document type are used up or have expired: upload the next "+
			"numbering file with %s.", upload)
	}
	return all, nil
}
