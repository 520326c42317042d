package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"folio/commands/numbering"
	"folio/events"
	"folio/eventstore"
	"folio/past"
)

// untilFlag ends what is read of the log.
type untilFlag struct {
	Until string `help:"Read the log up to this position (C:12/P:12) or time (2026-03-02T15:04:05Z) only." placeholder:"POSITION|TIME"`
}

// moment is what the flag names; the zero moment without it.
func (f untilFlag) moment() (events.Moment, error) {
	if f.Until == "" {
		return events.Moment{}, nil
	}
	m, err := events.ParseMoment(f.Until)
	if err != nil {
		return m, fmt.Errorf("--until: %w", err)
	}
	return m, nil
}

// come refuses a moment, given with a flag, that the log has not come to: what will be there then is not known.
func come(ctx context.Context, log *eventstore.Log, flag string, m events.Moment) error {
	if m.IsZero() {
		return nil
	}
	if !m.Time.IsZero() {
		if m.Time.After(time.Now()) {
			return fmt.Errorf("%s: this time has not come yet", flag)
		}
		return nil
	}
	end, err := log.End(ctx)
	if err == nil && end.Before(m.Position) {
		err = fmt.Errorf("%s: the event log has not come to this position, it ends at %s", flag, end)
	}
	return err
}

// seriesArg names a series.
type seriesArg struct {
	dataFlags
	untilFlag
	Series string `arg:"" help:"Series as 'folio series list' shows it."`
	CSV    bool   `help:"A table for spreadsheets." xor:"form"`
	JSON   bool   `help:"One JSON object a line." xor:"form"`
}

// read opens the log and tells facts of the series, if there are any.
func (c seriesArg) read(ctx context.Context, tell func(past.Facts) error) error {
	if _, err := numbering.ParseSeries(c.Series); err != nil {
		return err
	}
	m, err := c.moment()
	if err != nil {
		return err
	}
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		if err := come(ctx, s.log, "--until", m); err != nil {
			return err
		}
		x, err := s.guardedExecutor(ctx)
		if err != nil {
			return err
		}
		found := false
		for _, err := range x.Read(ctx, numbering.Decider.Stream(c.Series), 0) {
			if err != nil {
				return err
			}
			found = true
			break
		}
		if !found {
			return fmt.Errorf("there is no series %s: 'folio series list' shows them", c.Series)
		}
		return tell(past.Until(past.Series(ctx, pastLog{x, s.log}, c.Series, events.Position{}), m))
	})
}

type seriesLedgerCmd struct {
	seriesArg
	Number *int64 `help:"Tell of this number only." placeholder:"N"`
}

// Validate is called by the parser.
func (c *seriesLedgerCmd) Validate() error {
	if c.Number != nil && *c.Number < 1 {
		return errors.New("--number: numbers run from 1")
	}
	return nil
}

// Run works beside a running service and without one.
func (c *seriesLedgerCmd) Run(ctx context.Context) error {
	return c.read(ctx, func(facts past.Facts) error { return c.tell(os.Stdout, facts) })
}

// tell writes the entries as they are folded: as CSV or JSON a long series takes no memory.
func (c *seriesLedgerCmd) tell(to io.Writer, facts past.Facts) error {
	var l past.Ledger
	row, end := c.rows(to)
	for r, err := range facts {
		if err != nil {
			return err
		}
		for _, e := range l.Fold(r) {
			if c.Number != nil && (*c.Number < e.From || e.To < *c.Number) {
				continue
			}
			if err := row(e); err != nil {
				return err
			}
		}
	}
	return end()
}

// rows is how an entry is written, and how the table ends.
func (c *seriesLedgerCmd) rows(to io.Writer) (row func(past.Entry) error, end func() error) {
	switch {
	case c.JSON:
		out := lines(to)
		return func(e past.Entry) error { return out.Encode(ledgerLine(e)) }, func() error { return nil }
	case c.CSV:
		out := past.NewCSV(to)
		out.Header(past.LedgerColumns)
		return func(e past.Entry) error { out.Row(e.Row()...); return nil }, out.Flush
	}
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "POSITION\tTIME (UTC)\tNUMBER\tWHAT\tINVOICE\tCAUSE")
	return func(e past.Entry) error {
		g := past.Gap{Letter: e.Letter, From: e.From, To: e.To}
		_, err := fmt.Fprintf(
			w,
			"%s\t%s\t%s\t%s\t%s\t%s\n",
			e.Position,
			e.Time.UTC().Format(shownTime),
			g.Numbers(),
			e.What,
			e.Invoice,
			e.Cause,
		)
		return err
	}, w.Flush
}

// shownTime is a time in a table for people.
const shownTime = "2006-01-02 15:04:05.000"

// lines writes JSON, an object a line.
func lines(to io.Writer) *json.Encoder {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	return out
}

// ledgerLine is an entry in JSON, with the members that the API gives it.
func ledgerLine(e past.Entry) any {
	return struct {
		Position    string    `json:"position"`
		Time        time.Time `json:"time"`
		What        string    `json:"what"`
		Series      string    `json:"series,omitempty"`
		From        int64     `json:"from"`
		To          int64     `json:"to"`
		Invoice     string    `json:"invoice_id,omitempty"`
		Submission  string    `json:"submission,omitempty"`
		Enumeration string    `json:"id_enumeration,omitempty"`
		Cause       string    `json:"cause,omitempty"`
	}{e.Position.String(), e.Time.UTC(), e.What, e.Letter, e.From, e.To, e.Invoice, e.Submission, e.Range, e.Cause}
}

type seriesGapsCmd struct{ seriesArg }

// Run works beside a running service and without one.
func (c *seriesGapsCmd) Run(ctx context.Context) error {
	return c.read(ctx, func(facts past.Facts) error {
		report, err := past.GapsIn(facts)
		if errors.Is(err, past.ErrTooManyGaps) {
			return fmt.Errorf("%w: 'folio series ledger --csv %s' tells of each number", err, c.Series)
		}
		if err != nil {
			return err
		}
		return c.tell(os.Stdout, report)
	})
}

func (c *seriesGapsCmd) tell(to io.Writer, r past.Report) error {
	switch {
	case c.CSV:
		return past.WriteGaps(to, r)
	case c.JSON:
		out := lines(to)
		for _, g := range r.Gaps {
			if err := out.Encode(gapLine(g)); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintf(to, "%d numbers are accepted documents, %d are sent or about to be\n", r.Accepted, r.Open)
	if len(r.Gaps) == 0 {
		fmt.Fprintln(to, "no number is missing")
		return nil
	}
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "NUMBERS\tCOUNT\tKIND\tPOSITION\tCAUSE")
	for _, g := range r.Gaps {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", g.Numbers(), g.To-g.From+1, g.Kind, g.Position, g.Cause)
	}
	return w.Flush()
}

// gapLine is a gap in JSON, with the members that the API gives it.
func gapLine(g past.Gap) any {
	return struct {
		Series    string `json:"series,omitempty"`
		From      int64  `json:"from"`
		To        int64  `json:"to"`
		Count     int64  `json:"count"`
		Kind      string `json:"kind"`
		Explained bool   `json:"explained"`
		Cause     string `json:"cause"`
		Position  string `json:"position"`
	}{g.Letter, g.From, g.To, g.To - g.From + 1, g.Kind, g.Explained(), g.Cause, g.Position.String()}
}
