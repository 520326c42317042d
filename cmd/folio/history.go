package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands/purchase"
	"folio/events"
	"folio/eventstore"
	"folio/past"
)

type historyCmd struct {
	dataFlags
	Invoice string `arg:"" optional:"" help:"Id of the invoice, as the API shows it."`
	historyOf
	period
	JSON  bool `help:"One JSON object a line, with stored bytes and lifted view."`
	Calls bool `help:"Print what was sent to the authority and what it answered."`
}

// historyOf names whose history it is where that is not the invoice of an id.
type historyOf struct {
	Number    string `help:"Invoices with this number: 0001-00000007, or 7 of any point of sale." placeholder:"NUMBER" xor:"of"`
	Reference string `help:"Invoices with this external reference." placeholder:"TEXT" xor:"of"`
	Series    string `help:"A numbering series as 'folio series list' shows it." placeholder:"ID" xor:"of"`
	Purchase  string `help:"A supplier's document, by its id." placeholder:"ID" xor:"of"`
	Request   string `help:"What a request led to: the request_id of an answer, a problem or a log line." placeholder:"ID" xor:"of"`
	Company   string `help:"Everything of this company; with --number or --reference, its invoices only." placeholder:"ID"`
}

// period is a part of the log.
type period struct {
	From string `help:"Facts from this day, time or position on." placeholder:"POSITION|TIME"`
	To   string `help:"Facts up to this day, time or position, itself included." placeholder:"POSITION|TIME"`
}

// window is a period that was read.
type window struct{ from, to events.Moment }

func (p period) window() (w window, err error) {
	if w.from, err = bound(p.From, 0); err != nil {
		return w, fmt.Errorf("--from: %w", err)
	}
	if w.to, err = bound(p.To, 24*time.Hour-time.Nanosecond); err != nil {
		return w, fmt.Errorf("--to: %w", err)
	}
	// Where one of the two is a time and the other a position, only the log knows which comes first.
	times := !w.from.Time.IsZero() && w.to.Time.Before(w.from.Time) && !w.to.Time.IsZero()
	positions := !w.to.Position.IsZero() && w.to.Position.Before(w.from.Position)
	if times || positions {
		return w, errors.New("--to is before --from: nothing can lie between the two")
	}
	return w, nil
}

// bound reads a moment, or a day in UTC, of which it takes so much.
func bound(text string, of time.Duration) (events.Moment, error) {
	if text == "" {
		return events.Moment{}, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return events.Moment{Time: day.Add(of)}, nil
	}
	m, err := events.ParseMoment(text)
	if err != nil && !strings.HasPrefix(text, "C:") {
		return m, fmt.Errorf("%w, nor a day like 2026-03-02", err)
	}
	return m, err
}

// come refuses a period that begins or ends when the log has not come to yet. A day that has begun ends now.
func (p period) come(ctx context.Context, log *eventstore.Log) error {
	for flag, text := range map[string]string{"--from": p.From, "--to": p.To} {
		m, err := bound(text, 0)
		if err != nil {
			return err
		}
		if err := come(ctx, log, flag, m); err != nil {
			return err
		}
	}
	return nil
}

// has says that a fact is in the period. A from that is a time or a position is in it.
func (w window) has(r events.Recorded) bool {
	switch {
	case !w.to.Holds(r):
		return false
	case w.from.IsZero():
		return true
	case w.from.Time.IsZero():
		return !r.Position.Before(w.from.Position)
	}
	return !r.When().Before(w.from.Time)
}

// Validate is called by the parser.
func (c *historyCmd) Validate() error {
	named := c.Number != "" || c.Reference != "" || c.Series != "" || c.Purchase != "" || c.Request != ""
	switch {
	case c.Invoice != "" && (named || c.Company != ""):
		return errors.New("give the id of an invoice, or say otherwise whose history it is")
	case c.Request != "" && c.Company != "":
		return errors.New("--request names its company itself")
	case c.Company != "" && (c.Series != "" || c.Purchase != ""):
		return errors.New("--series and --purchase name their company themselves")
	case c.Invoice == "" && !named && c.Company == "" && c.From == "" && c.To == "":
		return errors.New(
			"say whose history it is: the id of an invoice, --number, --reference, --series, --purchase, --request, " +
				"--company, or a " +
				"period with --from and --to",
		)
	case c.Calls && c.Invoice == "" && c.Number == "" && c.Reference == "":
		return errors.New("--calls is for invoices")
	}
	if _, err := ulid.ParseStrict(c.Company); c.Company != "" && err != nil {
		return fmt.Errorf("%q is no company id: 'folio company list' shows them", c.Company)
	}
	if _, err := ulid.ParseStrict(c.Request); c.Request != "" && err != nil {
		return fmt.Errorf("%.40q is no request_id: it has 26 letters and digits", c.Request)
	}
	_, err := c.window()
	return err
}

// Run works beside a running service and without one.
func (c *historyCmd) Run(ctx context.Context) error {
	w, err := c.window()
	if err != nil {
		return err
	}
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		if err := c.period.come(ctx, s.log); err != nil {
			return err
		}
		log := storedLog{s.log}
		switch {
		case c.Series != "":
			return c.list(w, past.Series(ctx, log, c.Series, events.Position{}), "series "+c.Series)
		case c.Purchase != "":
			return c.purchase(ctx, s, w)
		case c.Request != "":
			return c.list(w, requestFacts(ctx, s.log, c.Request), "fact of request "+c.Request)
		case c.Invoice != "":
			return c.invoice(ctx, s, w, c.Invoice)
		case c.Number != "" || c.Reference != "":
			return c.invoices(ctx, s, w)
		}
		return c.list(w, factsOf(ctx, s.log, c.Company, w), "fact of the period")
	})
}

// storedLog is the log as it is stored: what cannot be read is shown all the same.
type storedLog struct{ *eventstore.Log }

// Read yields every event of a stream, opened if it can be.
func (l storedLog) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		for r, err := range l.Log.Read(ctx, stream, from) {
			if opened, e := events.Open(r); err == nil && e == nil {
				r = opened
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// invoice shows the invoice's own events and those of its series that speak of it, in the
// order of the log.
func (c *historyCmd) invoice(ctx context.Context, s *stores, w window, id string) error {
	var all []events.Recorded
	whole, err := past.Collect(past.Invoice(ctx, storedLog{s.log}, id, events.Position{}, events.Moment{}))
	if err != nil {
		return err
	}
	if len(whole) == 0 {
		return fmt.Errorf("there is no invoice %s in this log: compare the id, and --data with the service's", id)
	}
	for _, r := range whole {
		if w.has(r) {
			all = append(all, r)
		}
	}
	if c.JSON {
		return printJSON(all)
	}
	if err := printTable(all); err != nil {
		return err
	}
	for _, r := range all {
		fmt.Printf("\n%s  %s of %s%s\n", r.Position, r.Type, r.Stream, because(r.Meta))
		fmt.Println(indented(r.Raw))
	}
	if c.Calls {
		if err := printCalls(ctx, s, all); err != nil {
			return err
		}
	}
	return c.printWait(ctx, s, id, whole)
}

// list prints facts as they are read: there may be many.
func (c *historyCmd) list(w window, facts past.Facts, what string) error {
	out, found := newFactPrinter(os.Stdout, c.JSON), false
	for r, err := range facts {
		if err != nil {
			return err
		}
		if !w.to.Holds(r) {
			break
		}
		if !w.has(r) {
			continue
		}
		found = true
		if err := out.print(r); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("there is no %s in this log: compare it, and --data with the service's", what)
	}
	return nil
}

// purchase shows a supplier's document, whose stream is named for what identifies it.
func (c *historyCmd) purchase(ctx context.Context, s *stores, w window) error {
	prefix := purchase.Decider.Stream("")
	for r, err := range s.log.All(ctx, events.Position{}, eventstore.Filter{Streams: []string{prefix}}) {
		if err != nil {
			return fmt.Errorf("look for the purchase: %w", err)
		}
		opened, err := events.Open(r)
		if e, ok := opened.Event.(events.PurchaseReceived); err == nil && ok && e.Purchase == c.Purchase {
			return c.list(w, past.Purchase(ctx, storedLog{s.log}, e, events.Position{}), "purchase "+c.Purchase)
		}
	}
	return fmt.Errorf("there is no purchase %s in this log: compare the id, and --data with the service's", c.Purchase)
}
