package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"text/tabwriter"

	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	"folio/eventstore"
)

type historyCmd struct {
	dataFlags
	Invoice string `arg:"" help:"Id of the invoice, as the API shows it."`
	JSON    bool   `help:"One JSON object a line, with stored bytes and lifted view."`
	Calls   bool   `help:"Print what was sent to the authority and what it answered."`
}

// Run works beside a running service and without one.
func (c *historyCmd) Run(ctx context.Context) error {
	if err := c.exists(); err != nil {
		return err
	}
	s, err := openStores(ctx, c.dataFlags, false, c.logger())
	if err != nil {
		return err
	}
	err = c.print(ctx, s)
	return errors.Join(err, s.close(ctx))
}

// print shows the invoice's own events and those of its series that speak of it, in
// the order of the log.
func (c *historyCmd) print(ctx context.Context, s *stores) error {
	all, err := history(ctx, s.log, c.Invoice)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("there is no invoice %s in this log: compare the id, and --data with the service's", c.Invoice)
	}
	if c.JSON {
		return printJSON(all)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "POSITION\tTIME (UTC)\tSTREAM\tREV\tEVENT\tACTOR")
	for _, r := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n", r.Position, r.Meta.At.Format("2006-01-02 15:04:05.000"), r.Stream, r.Revision, r.Type, r.Meta.Actor)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range all {
		fmt.Printf("\n%s  %s of %s\n", r.Position, r.Type, r.Stream)
		fmt.Println(indented(r.Raw))
	}
	if c.Calls {
		if err := printCalls(ctx, s, all); err != nil {
			return err
		}
	}
	return c.printWait(ctx, s, all)
}

// history collects the events of the invoice and of the submissions it was part of.
func history(ctx context.Context, log *eventstore.Log, id string) ([]events.Recorded, error) {
	all, err := readAll(ctx, log, invoice.Decider.Stream(id))
	if err != nil || len(all) == 0 {
		return nil, err
	}
	first, ok := all[0].Event.(events.InvoiceCreated)
	if !ok {
		return nil, fmt.Errorf("the stream of invoice %s starts with %s", id, all[0].Type)
	}
	created := lifeOf(first, all)
	submissions, environments := map[string]bool{}, map[string]bool{created.Environment: true}
	for _, r := range all {
		if e, ok := r.Event.(events.SubmissionStarted); ok {
			submissions[e.Submission], environments[e.Environment] = true, true
		}
	}
	for environment := range environments {
		series := numbering.Series{Company: created.Company, Environment: environment,
			OfficialCode: created.Document.OfficialCode, BranchOffice: created.Document.BranchOffice}
		numbers, err := readAll(ctx, log, numbering.Decider.Stream(series.ID()))
		if err != nil {
			return nil, err
		}
		for _, r := range numbers {
			if concerns(r.Event, id, submissions) || explains(r.Event) && created.during(r) {
				all = append(all, r)
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Position.Before(all[j].Position) })
	return all, nil
}

// concerns says whether an event of the series is about the invoice's number or one of
// its submissions.
func concerns(e events.Event, invoice string, submissions map[string]bool) bool {
	switch e := e.(type) {
	case events.NumberVoided:
		return e.Invoice == invoice
	case events.SubmissionOpened:
		return submissions[e.Submission]
	case events.SubmissionSplit:
		return submissions[e.Submission]
	case events.EnvelopeRenewed:
		return submissions[e.Submission]
	case events.SubmissionSettled:
		return submissions[e.Submission]
	}
	return false
}

// explains says whether an event tells why an invoice got its number, or waited for it.
func explains(e events.Event) bool {
	switch e.(type) {
	case events.ForeignNumbersNoticed, events.SeriesHeld, events.SeriesReleased:
		return true
	}
	return false
}

// life is an invoice with the part of the log in which it waited.
type life struct {
	events.InvoiceCreated
	from, to events.Position // to is zero while it waits
}

func lifeOf(e events.InvoiceCreated, all []events.Recorded) life {
	l := life{InvoiceCreated: e, from: all[0].Position}
	for _, r := range all {
		switch r.Event.(type) {
		case events.AuthorityAccepted, events.AuthorityRejected, events.InvoiceRefused:
			l.to = r.Position
		}
	}
	return l
}

// during says whether an event happened while the invoice waited.
func (l life) during(r events.Recorded) bool {
	return l.from.Before(r.Position) && (l.to.IsZero() || r.Position.Before(l.to))
}

func readAll(ctx context.Context, log *eventstore.Log, stream string) ([]events.Recorded, error) {
	var all []events.Recorded
	for r, err := range log.Read(ctx, stream, 0) {
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", stream, err)
		}
		if opened, err := events.Open(r); err == nil {
			r = opened
		} // else it is shown as it is stored
		all = append(all, r)
	}
	return all, nil
}

func printJSON(all []events.Recorded) error {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, r := range all {
		err := out.Encode(struct {
			ID       string          `json:"id"`
			Stream   string          `json:"stream"`
			Revision uint64          `json:"revision"`
			Position events.Position `json:"position"`
			Type     string          `json:"type"`
			Meta     events.Meta     `json:"meta"`
			Stored   json.RawMessage `json:"stored"`
			Lifted   events.Event    `json:"lifted"`
		}{r.ID, r.Stream, r.Revision, r.Position, r.Type, r.Meta, r.Raw, r.Event})
		if err != nil {
			return err
		}
	}
	return nil
}

func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "  ", "  ") != nil {
		return "  " + string(raw)
	}
	return "  " + b.String()
}
