package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/caea"
	"folio/commands/company"
	"folio/commands/contingency"
	"folio/commands/numbering"
	"folio/countries"
	"folio/country"
	"folio/events"
)

type contingencyCmd struct {
	List  contingencyListCmd  `cmd:"" help:"List the points of sale that have, or had, a contingency open."`
	Open  contingencyOpenCmd  `cmd:"" help:"Have documents of a point of sale issued by contingency from now on."`
	Close contingencyCloseCmd `cmd:"" help:"Have documents of a point of sale wait for the authority again."`
}

type contingencyListCmd struct{ dataFlags }

// Run works beside a running service and without one.
func (c *contingencyListCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		states, order, err := foldAll(ctx, s.log, contingency.Decider)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "POINT OF SALE\tTIMES\tSTATE")
		for _, id := range order {
			state := "closed " + states[id].Closed.UTC().Format(time.RFC3339)
			if open := states[id].Open; open != nil {
				state = fmt.Sprintf("OPEN since %s at point %d: %s", states[id].Since.UTC().Format(time.RFC3339), open.Point,
					open.Cause)
			}
			fmt.Fprintf(w, "%s\t%d\t%s\n", id, states[id].Times, state)
		}
		return w.Flush()
	})
}

// contingencyStep is what both steps need.
type contingencyStep struct {
	dataFlags
	Company     string `arg:"" help:"Company id as 'folio company list' shows it."`
	Environment string `arg:"" help:"Production or Testing." enum:"Production,Testing"`
	PointOfSale int    `arg:"" name:"point-of-sale" help:"The point of sale in ordinary times."`
	Reason      string `help:"Why, for everybody who looks: it is the evidence of the outage." required:"" type:"words"`
}

type contingencyOpenCmd struct{ contingencyStep }

// Run works beside a running service and without one.
func (c *contingencyOpenCmd) Run(ctx context.Context) error {
	return c.decide(ctx, "open", func(co company.State) contingency.Command {
		set := co.ContingencyOf(c.PointOfSale)
		return contingency.Open{Mode: set.Mode, Opened: events.ContingencyOpened{Company: c.Company,
			Environment: c.Environment, PointOfSale: c.PointOfSale, Point: set.PointOfSale, Cause: c.Reason,
			By: "folio contingency"}}
	})
}

type contingencyCloseCmd struct{ contingencyStep }

// Run works beside a running service and without one.
func (c *contingencyCloseCmd) Run(ctx context.Context) error {
	return c.decide(ctx, "closed", func(co company.State) contingency.Command {
		return contingency.Close{Unset: co.ContingencyOf(c.PointOfSale).PointOfSale == 0,
			Closed: events.ContingencyClosed{Reason: c.Reason, By: "folio contingency"}}
	})
}

func (c *contingencyStep) decide(ctx context.Context, done string, step func(company.State) contingency.Command) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		x := commands.NewExecutor(s.log, time.Now)
		co, found, err := commands.Bind(x, company.Decider).Load(ctx, c.Company)
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("there is no company %s: 'folio company list' shows them", c.Company)
		}
		w := contingency.Window{Company: c.Company, Environment: c.Environment, PointOfSale: c.PointOfSale}
		out, err := commands.Bind(x, contingency.Decider).Execute(ctx, w.ID(), step(co), commands.Request{
			ID: commands.Derived("folio contingency", ulid.Make().String()), Actor: "folio contingency", At: time.Now()})
		if err != nil {
			return err
		}
		if len(out.Events) == 0 {
			done += " already"
		}
		fmt.Printf("the contingency of point of sale %d is %s\n", c.PointOfSale, done)
		return nil
	})
}

type caeaCmd struct {
	List caeaListCmd `cmd:"" help:"List the codes of each fortnight, with what was issued, reported and is due by each."`
}

type caeaListCmd struct{ dataFlags }

// Run works beside a running service and without one.
func (c *caeaListCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		codes, order, err := foldAll(ctx, s.log, caea.Decider)
		if err != nil {
			return err
		}
		companies, err := allCompanies(ctx, s.log)
		if err != nil {
			return err
		}
		x := commands.NewExecutor(s.log, time.Now)
		w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "FORTNIGHT\tCODE\tFROM\tTO\tISSUED\tREPORTED\tREPORT UNTIL\tSTATE")
		for _, id := range order {
			state := codes[id]
			if state.Granted == nil {
				fmt.Fprintf(w, "%s\t-\t\t\t\t\t\t%s\n", id, withoutCode(state))
				continue
			}
			issued, reported, held, err := movement(ctx, x, companies[state.Company], id)
			if err != nil {
				return err
			}
			g := state.Granted
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", id, g.Code, g.From, g.To, issued, reported, g.ReportUntil,
				withCode(state, held))
		}
		return w.Flush()
	})
}

func withoutCode(s caea.State) string {
	if s.Refused != nil {
		return "REFUSED: " + events.Words(s.Refused.Reasons)
	}
	return "asked for"
}

func withCode(s caea.State, held []string) string {
	var out []string
	for _, point := range slices.Sorted(maps.Keys(s.Doubted)) {
		out = append(out, fmt.Sprintf("POINT %d IS USED BY SOMEBODY ELSE: %s", point, s.Doubted[point]))
	}
	for _, series := range held {
		out = append(out, "HELD: "+series)
	}
	switch {
	case s.Closed:
		return "closed"
	case len(out) == 0:
		return "held"
	}
	return strings.Join(out, "; ")
}

// movement counts what the company's contingency points, those of earlier settings too, issued and reported by a code,
// and names their series that are held.
func movement(ctx context.Context, x *commands.Executor, co company.State, id string) (issued, reported int64,
	held []string, err error) {
	f, err := caea.Parse(id)
	rules, known := countries.ByCode(co.Country)
	may, contingent := rules.(country.Contingent)
	if err != nil || !known || !contingent {
		return 0, 0, nil, err
	}
	for _, point := range co.ContingencyPoints {
		for _, kind := range may.ContingencyTypes() {
			series := numbering.Series{Company: f.Company, Environment: f.Environment, OfficialCode: kind,
				BranchOffice: point}.ID()
			s, _, err := commands.Bind(x, numbering.Decider).Load(ctx, series)
			if err != nil {
				return 0, 0, nil, err
			}
			issued, reported = issued+s.Contingent.Issued[f.Name()], reported+s.Contingent.Reported[f.Name()]
			if s.Held != "" {
				held = append(held, series)
			}
		}
	}
	return issued, reported, held, nil
}
