package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"folio/events"
)

// printTable prints a line a fact, in columns.
func printTable(all []events.Recorded) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "POSITION\tTIME (UTC)\tSTREAM\tREV\tEVENT\tACTOR")
	for _, r := range all {
		fmt.Fprintf(
			w,
			"%s\t%s\t%s\t%d\t%s\t%s\n",
			r.Position,
			r.Meta.At.Format(shownTime),
			r.Stream,
			r.Revision,
			r.Type,
			r.Meta.Actor,
		)
	}
	return w.Flush()
}

// factPrinter prints facts one by one.
type factPrinter struct {
	to   io.Writer
	json *json.Encoder // nil: a line a fact
}

func newFactPrinter(to io.Writer, asJSON bool) factPrinter {
	p := factPrinter{to: to}
	if asJSON {
		p.json = lines(to)
	}
	return p
}

func (p factPrinter) print(r events.Recorded) error {
	if p.json != nil {
		return p.json.Encode(stored(r))
	}
	_, err := fmt.Fprintf(
		p.to,
		"%s  %s  %s@%d  %s  %s\n",
		r.Position,
		r.Meta.At.Format(shownTime),
		r.Stream,
		r.Revision,
		r.Type,
		r.Meta.Actor,
	)
	return err
}

func printJSON(all []events.Recorded) error {
	p := newFactPrinter(os.Stdout, true)
	for _, r := range all {
		if err := p.print(r); err != nil {
			return err
		}
	}
	return nil
}

// stored is a fact in JSON, with its stored bytes and how they are read now.
func stored(r events.Recorded) any {
	return struct {
		ID       string          `json:"id"`
		Stream   string          `json:"stream"`
		Revision uint64          `json:"revision"`
		Position string          `json:"position"`
		Type     string          `json:"type"`
		Meta     events.Meta     `json:"meta"`
		Logged   time.Time       `json:"logged_at"` // by the log's clock
		Stored   json.RawMessage `json:"stored"`
		Lifted   events.Event    `json:"lifted"`
	}{r.ID, r.Stream, r.Revision, r.Position.String(), r.Type, r.Meta, r.When().UTC(), r.Raw, r.Event}
}

func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "  ", "  ") != nil {
		return "  " + string(raw)
	}
	return "  " + b.String()
}
