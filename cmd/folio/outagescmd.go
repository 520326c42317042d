package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/company"
	"folio/commands/outage"
	"folio/countries"
	"folio/events"
	"folio/eventstore"
)

type outagesCmd struct {
	List  outagesListCmd  `cmd:"" help:"List outages, the first one first."`
	Open  outagesOpenCmd  `cmd:"" help:"Say that its authority is away for a company. It stays so until somebody closes it."`
	Close outagesCloseCmd `cmd:"" help:"Say that an outage is over."`
}

type outagesListCmd struct {
	dataFlags
	Company string `help:"Only this company's."`
	Open    bool   `help:"Only those that are open."`
}

// Run works beside a running service and without one.
func (c *outagesListCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		all, err := allOutages(ctx, s)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "OUTAGE\tCOMPANY\tENVIRONMENT\tAUTHORITY\tSINCE\tUNTIL\tOPENED BY\tCLOSED BY")
		for _, o := range all {
			if c.Company != "" && o.opened.Company != c.Company || c.Open && o.closed != nil {
				continue
			}
			until, by := "open", ""
			if o.closed != nil {
				until, by = o.closed.Until.UTC().Format(time.RFC3339), why(o.closed.Cause, o.closed.Reason)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", o.opened.Outage, o.opened.Company, o.opened.Environment,
				o.opened.Authority, o.opened.Since.UTC().Format(time.RFC3339), until, why(o.opened.Cause, o.opened.Reason), by)
		}
		return w.Flush()
	})
}

func why(cause, reason string) string {
	if reason == "" {
		return cause
	}
	return cause + ": " + reason
}

// outageSpan is an outage as the log has it.
type outageSpan struct {
	opened events.AuthorityOutageOpened
	closed *events.AuthorityOutageClosed
}

// allOutages reads every outage in the order of the log.
func allOutages(ctx context.Context, s *stores) (out []outageSpan, err error) {
	at := map[string]int{}
	for r, err := range s.log.All(ctx, events.Position{},
		eventstore.Filter{Streams: []string{outage.Decider.Stream("")}}) {
		if err != nil {
			return nil, fmt.Errorf("read the outages: %w", err)
		}
		if events.KinshipOf(r) == events.Foreign {
			continue
		}
		opened, err := events.Open(r)
		if err != nil {
			return nil, fmt.Errorf("read the outages: %w", err)
		}
		switch e := opened.Event.(type) {
		case events.AuthorityOutageOpened:
			at[e.Outage] = len(out)
			out = append(out, outageSpan{opened: e})
		case events.AuthorityOutageClosed:
			if i, known := at[e.Outage]; known {
				out[i].closed = &e
			}
		}
	}
	return out, nil
}

type outagesOpenCmd struct {
	dataFlags
	Company     string    `arg:"" help:"Id of the company."`
	Reason      string    `help:"Why, for everybody who looks." required:"" type:"words"`
	Environment string    `help:"Production or Testing." enum:"Production,Testing" default:"Production"`
	Since       sinceTime `help:"Since when, such as 2026-11-27T15:04:05Z. Left out: since now." placeholder:"TIME"`
}

// sinceTime is a flag's time.
type sinceTime struct{ time.Time }

// UnmarshalText reads what RFC 3339 says, and tells how it is written.
func (s *sinceTime) UnmarshalText(text []byte) (err error) {
	if s.Time, err = time.Parse(time.RFC3339, string(text)); err != nil {
		return fmt.Errorf("%.40q is no date and time with a zone: write it as 2026-11-27T15:04:05Z, or with an offset as "+
			"2026-11-27T12:04:05-03:00", text)
	}
	return nil
}

// Run works beside a running service and without one.
func (c *outagesOpenCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		x, err := s.guardedExecutor(ctx)
		if err != nil {
			return err
		}
		co, found, err := commands.Bind(x, company.Decider).Load(ctx, c.Company)
		if err != nil {
			return err
		}
		rules, ok := countries.ByCode(co.Country)
		if !found || !ok {
			return fmt.Errorf("there is no company %s: 'folio company list' shows them", c.Company)
		}
		now := time.Now()
		open := outage.Open{Outage: ulid.Make().String(), Reason: c.Reason, Since: c.Since.Time, Place: outage.Place{
			Company: co.Company, Environment: c.Environment, Authority: rules.Authority()}}
		if c.Since.IsZero() {
			open.Since = now
		}
		switch {
		case open.Since.After(now):
			return errors.New("--since: an outage cannot begin in the future")
		case now.Sub(open.Since) > outage.MaxAge:
			return errors.New("--since: an outage cannot have begun more than 30 days ago: name a later time")
		}
		if _, err := commands.Bind(x, outage.Decider).Execute(ctx, open.ID(), open, operated("outages")); err != nil {
			return err
		}
		fmt.Printf("outage %s is open\n", open.Outage)
		return nil
	})
}

type outagesCloseCmd struct {
	dataFlags
	Outage string `arg:"" help:"Outage as 'folio outages list' shows it."`
	Reason string `help:"Why, for everybody who looks." required:"" type:"words"`
}

// Run works beside a running service and without one.
func (c *outagesCloseCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		all, err := allOutages(ctx, s)
		if err != nil {
			return err
		}
		x, err := s.guardedExecutor(ctx)
		if err != nil {
			return err
		}
		for _, o := range all {
			if o.opened.Outage != c.Outage {
				continue
			}
			end := outage.Close{Outage: c.Outage, Reason: c.Reason, At: time.Now(), Place: outage.Place{
				Company: o.opened.Company, Environment: o.opened.Environment, Authority: o.opened.Authority}}
			if _, err := commands.Bind(x, outage.Decider).Execute(ctx, end.ID(), end, operated("outages")); err != nil {
				return err
			}
			fmt.Printf("outage %s is closed\n", c.Outage)
			return nil
		}
		return fmt.Errorf("there is no outage %s: 'folio outages list' shows them", c.Outage)
	})
}
