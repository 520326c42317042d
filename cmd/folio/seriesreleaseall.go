package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/company"
	"folio/commands/numbering"
	"folio/countries"
)

// releaseAll goes through the series that are held, proposes where each goes on, and releases what a person
// confirms.
type releaseAll struct {
	dataFlags
	authorityFlags
	reason string
	yes    bool // take what the authority says without asking
	in     *bufio.Scanner
	out    io.Writer
}

// proposal is where a series may go on.
type proposal struct {
	numbering.Series
	next   int64  // 0: nobody knows
	typed  bool   // only a person can name the next number
	source string // who says so, or why nobody does
}

// run answers an error when series stay held.
func (c *releaseAll) run(ctx context.Context, s *stores) error {
	states, order, err := allSeries(ctx, s)
	if err != nil {
		return err
	}
	held, left := 0, 0
	for _, id := range order {
		if states[id].trouble != nil || states[id].Held == "" {
			continue
		}
		held++
		released, err := c.one(ctx, s, id, states[id].State)
		if err != nil {
			return err
		}
		if !released {
			left++
		}
	}
	switch {
	case held == 0:
		fmt.Fprintln(c.out, "no series is held")
	case left > 0:
		return fmt.Errorf("%d of %d series stay held", left, held)
	}
	return nil
}

// one proposes and asks until the answer is taken, or the series is left as it is.
func (c *releaseAll) one(ctx context.Context, s *stores, id string, state numbering.State) (released bool, err error) {
	p, err := c.propose(ctx, s, id, state)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(c.out, "\n%s\n  held: %s\n  %s\n", id, state.Held, p.source)
	for {
		next, ok := c.confirm(p)
		if !ok {
			fmt.Fprintln(c.out, "  it stays held")
			return false, nil
		}
		what := seriesDecision{id, numbering.Release{Reason: c.reason, Next: next}, "released", "is not held"}
		now, err := what.record(ctx, s)
		if err == nil {
			return true, showOpen(ctx, s, id, *now)
		}
		fmt.Fprintf(c.out, "  refused: %s\n", explain(err))
		if c.yes {
			return false, nil
		}
	}
}

// propose asks the authority, where it can be asked.
func (c *releaseAll) propose(ctx context.Context, s *stores, id string, state numbering.State) (proposal, error) {
	series, err := numbering.ParseSeries(id)
	if err != nil {
		return proposal{}, err
	}
	p := proposal{Series: series}
	co, err := c.company(ctx, s, series.Company)
	if err != nil {
		return p, err
	}
	letter, last := state.LastTaken()
	known := fmt.Sprintf("the last number in this log is %s", strings.TrimSpace(fmt.Sprint(letter, " ", last)))
	rules, ok := countries.ByCode(co.Country)
	if !ok {
		p.source = known + "; of its country nothing is known"
		return p, nil
	}
	if state.Contingent.Last > 0 || co.OrdinaryOf(series.BranchOffice) != 0 {
		p.typed = true
		p.source = fmt.Sprintf("the last number of the contingency point in this log is %d. %s does not know documents that "+
			"were not reported yet, so its last number is not offered; look among the papers that were handed out",
			state.LastContingency(), strings.ToUpper(rules.Authority()))
		return p, nil
	}
	if len(state.Ranges) > 0 { // numbers come from files: the authority keeps no last one
		p.typed = true
		p.source = fmt.Sprintf("%s. %s; look among the documents that were sent, and on its pages", known,
			countries.NoLastNumber(co.Country))
		return p, nil
	}
	answer, err := c.ask(ctx, s, co, series, rules.Authority())
	if err != nil {
		p.source = fmt.Sprintf("%s. %s cannot be asked now: %v", known, strings.ToUpper(rules.Authority()), err)
		return p, nil
	}
	p.next = answer.Number + 1
	p.source = fmt.Sprintf("%s; that at %s is %d", known, strings.ToUpper(rules.Authority()), answer.Number)
	return p, nil
}

func (c *releaseAll) company(ctx context.Context, s *stores, id string) (company.State, error) {
	x, err := s.guardedExecutor(ctx)
	if err != nil {
		return company.State{}, err
	}
	co, found, err := commands.Bind(x, company.Decider).Load(ctx, id)
	if err == nil && !found {
		err = fmt.Errorf("there is no company %s", id)
	}
	return co, err
}

// ask is the authority's last number of a series.
func (c *releaseAll) ask(ctx context.Context, s *stores, co company.State, series numbering.Series,
	name string) (authority.Last, error) {
	settings, err := c.settings(s)
	if err != nil {
		return authority.Last{}, err
	}
	credential, err := s.credentials.Open(ctx, co, series.Environment, time.Now())
	if err != nil {
		return authority.Last{}, err
	}
	ctx, stop := context.WithTimeout(ctx, c.AuthorityTimeout)
	defer stop()
	return countries.Drivers(settings)[name].Last(ctx, credential, authority.Series{Company: series.Company,
		Environment: authority.Environment(series.Environment), OfficialCode: series.OfficialCode,
		BranchOffice: series.BranchOffice}, func(authority.Exchange) {})
}

// settings are those that the service has, of the sandbox that runs on the folder if it is that.
func (c *releaseAll) settings(s *stores) (countries.Settings, error) {
	moved, err := readAddresses(c.AuthorityAddresses)
	if err != nil {
		return countries.Settings{}, err
	}
	out := countries.Settings{Base: c.AuthorityURL, Moved: moved, Timeout: c.AuthorityTimeout, Vault: s.vault,
		Log: slog.New(slog.DiscardHandler)}
	if c.Authority == "sandbox" && out.Base == "" {
		address, err := os.ReadFile(sandboxFile(c.sandboxDir()))
		if err != nil {
			return out, errors.New("no sandbox runs on the data folder: start the service, or name it with --authority-url")
		}
		out.Base = strings.TrimSpace(string(address))
	}
	return out, nil
}

// confirm is what to release with: no number where the authority's own one counts.
func (c *releaseAll) confirm(p proposal) (next int64, ok bool) {
	if c.yes {
		return 0, !p.typed && p.next > 0
	}
	for {
		if p.typed {
			fmt.Fprint(c.out, "  first number that nobody has used (empty: leave it held): ")
		} else {
			fmt.Fprintf(c.out, "  let it go on%s? (y, or empty: leave it held): ", withNumber(p.next))
		}
		if !c.in.Scan() {
			fmt.Fprintln(c.out)
			return 0, false
		}
		said := strings.TrimSpace(c.in.Text())
		number, err := strconv.ParseInt(said, 10, 64)
		switch {
		case said == "":
			return 0, false
		case !p.typed && (said == "y" || said == "yes"):
			return 0, true
		case p.typed && err == nil && number > 0:
			return number, true
		}
		fmt.Fprintf(c.out, "  %q is no answer\n", said)
	}
}

func withNumber(next int64) string {
	if next == 0 {
		return ""
	}
	return fmt.Sprintf(" with number %d", next)
}
