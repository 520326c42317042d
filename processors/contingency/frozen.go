package contingency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands/caea"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/processors/credits"
)

// draft is where a document is to be issued.
type draft struct {
	series numbering.Series
	number int64
	move   int
}

// freeze fixes and stores what will be reported of a document, and what its paper says. Why
// says that it has no place in the authority's tables.
func (p *Processor) freeze(ctx context.Context, at place, inv invoice.Full, code caea.State,
	d draft) (issued events.ContingencyIssued, why string, err error) {
	driver, ok := p.c.Driver(at.rules.Authority(), authority.Environment(at.id.Environment))
	if !ok || driver.Can().Contingency == nil {
		return issued, events.Because("this service does not speak to the authority of its environment"), nil
	}
	now := p.Clock.Now().UTC()
	created, granted := inv.Created, code.Granted
	document := authority.Document{Invoice: created.Invoice, Number: d.number, Document: created.Document,
		Taxes: created.Taxes, Profile: created.Profile, Fields: at.company.Profile.Fields}
	frozen, err := driver.Can().Contingency.Freeze(document, granted.Code, now)
	var unfit *authority.Unfit
	switch {
	case errors.As(err, &unfit):
		return issued, unfit.Err.Error(), nil
	case err != nil:
		return issued, "", err
	}
	if _, err := p.c.Files.StoreFile(ctx, frozen.Content); err != nil {
		return issued, "", fmt.Errorf("store what will be reported: %w", err)
	}
	grant := events.Authorization{Type: events.CAEA, Code: granted.Code, ExpiresOn: granted.To,
		Date: created.Document.Date[:len(time.DateOnly)]}
	grant.QR = at.rules.QR(country.Issued{ID: created.Invoice, Document: created.Document, Profile: created.Profile,
		Taxes: created.Taxes, BranchOffice: d.series.BranchOffice, Number: d.number, Authorization: grant,
		Sandbox: granted.Sandbox})
	return events.ContingencyIssued{Number: d.number, Invoice: created.Invoice, Move: d.move,
		Period: fortnightName(granted), Authorization: grant, GeneratedAt: now, SHA256: frozen.SHA256,
		ReportFrom: dayAfter(granted.From), DueBy: granted.ReportUntil, Sandbox: granted.Sandbox}, "", nil
}

// fortnightName is that of a code's: YYYYMM-1 or YYYYMM-2.
func fortnightName(g *events.CAEAGranted) string {
	day, err := time.Parse(time.DateOnly, g.From)
	if err != nil {
		return ""
	}
	return fortnightOf("", "", day).Name()
}

// dayAfter is the next day of the calendar.
func dayAfter(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, 0, 1).Format(time.DateOnly)
}

// copyIssue tells the invoice that it is issued. Doing it again changes nothing.
func (p *Processor) copyIssue(ctx context.Context, series numbering.Series, issued events.ContingencyIssued) error {
	inv, _, err := p.log.Invoices.Load(ctx, issued.Invoice)
	if err != nil {
		return err
	}
	if inv.Report != "" {
		p.end(issued.Invoice)
		return nil
	}
	notes := credits.Teller{Executor: p.Executor, Rules: p.Rules, Clock: p.Clock}
	if err := notes.Tell(ctx, inv, true); err != nil {
		return err
	}
	_, err = p.log.Invoices.Execute(ctx, issued.Invoice,
		invoice.RecordContingency{Point: series.BranchOffice, Issued: issued}, p.request(issued.Invoice, "issued"))
	if err != nil {
		return fmt.Errorf("tell invoice %s that it is issued: %w", issued.Invoice, err)
	}
	p.end(issued.Invoice)
	return nil
}
