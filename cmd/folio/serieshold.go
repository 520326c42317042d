package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/numbering"
	"folio/waiting"
)

type seriesHoldCmd struct {
	dataFlags
	Series string `arg:"" help:"Series as 'folio series list' shows it."`
	Reason string `help:"Why, for everybody who looks." required:"" type:"words"`
}

// Run works beside a running service and without one.
func (c *seriesHoldCmd) Run(ctx context.Context) error {
	return decideSeries(ctx, c.dataFlags, seriesDecision{c.Series, numbering.Hold{Reason: c.Reason}, "held",
		"is held already"})
}

type seriesReleaseCmd struct {
	dataFlags
	authorityFlags
	Series string `arg:"" optional:"" help:"Series as 'folio series list' shows it."`
	All    bool   `help:"Go through all series that are held: where the authority can be asked for its last number (Argentina) that is proposed, elsewhere the first number that nobody has used is asked for."`
	Yes    bool   `help:"With --all: take what the authority says without asking, and leave the others held."`
	Reason string `help:"What you found." required:"" type:"words"`
	Next   int64  `help:"First number that nobody has used (Chile, Uruguay, contingency points): after a restore the log does not know those given out since the backup."`
	Range  string `help:"The id_enumeration of the range that --next is of, where two series letters have the same numbers."`
	Void   string `placeholder:"SUBMISSION" help:"Give up the numbers of this open submission (Chile, Uruguay), in one step, whether the series is held or not: what the authority has of them keeps its verdict, every other invoice is rejected with the reason and its number is void. Only when you saw in the authority's records that they can never be ours. Without it, what is open is shown."`
}

// Validate is called by the parser.
func (c *seriesReleaseCmd) Validate() error {
	if c.Next < 0 || c.Range != "" && c.Next == 0 {
		return errors.New("--next is a number from 1 on, and --range says whose")
	}
	if c.All == (c.Series != "") || c.All && (c.Next != 0 || c.Void != "") || c.Yes && !c.All {
		return errors.New("name one series, or take --all, which goes without --next and --void and alone has --yes")
	}
	return nil
}

// Run works beside a running service and without one.
func (c *seriesReleaseCmd) Run(ctx context.Context) error {
	if c.All {
		all := releaseAll{dataFlags: c.dataFlags, authorityFlags: c.authorityFlags, reason: c.Reason, yes: c.Yes,
			in: bufio.NewScanner(os.Stdin), out: os.Stdout}
		return onStores(ctx, c.dataFlags, func(s *stores) error { return all.run(ctx, s) })
	}
	done := "released"
	if c.Void != "" {
		done = "released, the numbers of submission " + c.Void + " given up unless the authority has them"
	}
	return decideSeries(ctx, c.dataFlags, seriesDecision{c.Series,
		numbering.Release{Reason: c.Reason, Next: c.Next, Range: c.Range, Void: c.Void}, done, "is not held"})
}

// seriesDecision is what an operator decides about a series, and how it is told when it is
// done and when there was nothing to do.
type seriesDecision struct {
	series        string
	command       numbering.Command
	done, nothing string
}

// decideSeries records what an operator decides about a series that exists. It prints what
// came of it, what is open, and the command that ends that; a refusal does so too.
func decideSeries(ctx context.Context, d dataFlags, what seriesDecision) error {
	if _, err := numbering.ParseSeries(what.series); err != nil {
		return fmt.Errorf("%w: 'folio series list' shows them", err)
	}
	s, err := openExisting(ctx, d)
	if err != nil {
		return err
	}
	return errors.Join(decideOn(ctx, s, what), s.close(ctx))
}

func decideOn(ctx context.Context, s *stores, what seriesDecision) error {
	state, err := what.record(ctx, s)
	if state == nil {
		return err
	}
	return errors.Join(err, showOpen(ctx, s, what.series, *state))
}

// record records the decision and says so. It gives the series as it is then, after a refusal, too; nil where there is
// none.
func (what seriesDecision) record(ctx context.Context, s *stores) (*numbering.State, error) {
	x, err := s.guardedExecutor(ctx)
	if err != nil {
		return nil, err
	}
	all, series := commands.Bind(x, numbering.Decider), what.series
	before, found, err := all.Load(ctx, series)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("there is no series %s: 'folio series list' shows them", series)
	}
	if err := confirmed(before.Held, what.command); err != nil {
		return &before, err
	}
	out, err := all.Execute(ctx, series, what.command, commands.Request{
		ID: commands.Derived("folio series", ulid.Make().String()), Actor: "folio series", At: time.Now()})
	if err != nil {
		if now, _, again := all.Load(ctx, series); again == nil {
			before = now
		}
		return &before, err
	}
	if len(out.Events) == 0 {
		what.done = what.nothing
	}
	fmt.Printf("series %s %s\n", series, what.done)
	return &out.State, nil
}

// showOpen prints what is open in a series, why each of it waits, and which command ends it.
func showOpen(ctx context.Context, s *stores, series string, state numbering.State) error {
	if state.Held != "" {
		fmt.Printf("It is held: %s\nTo let it go on: %s\n", state.Held, releasing(series, state.Held))
	}
	if len(state.Open) == 0 {
		fmt.Println("Nothing of it is open.")
		return nil
	}
	notes, err := waiting.Open(ctx, s.tables, time.Now)
	if err != nil {
		return err
	}
	why, err := notes.Get(ctx, series)
	if err != nil {
		return err
	}
	for _, o := range state.Open {
		fmt.Printf("Open: submission %s, %s, invoices %v\n", o.Submission, numbersOf(state, o), o.Invoices)
		if r := why.About(o.Invoices[0]); r != nil {
			fmt.Printf("  waits since %s: %s: %s\n", r.Since.UTC().Format(time.RFC3339), r.Code, r.Text)
		}
		switch {
		case len(state.Ranges) == 0:
		case o.Voids != nil:
			fmt.Printf("  its numbers are given up, unless the authority has them: %s\n", o.Voids.Reason)
		default:
			fmt.Printf("  to give up its numbers, once you saw that they can never be ours: folio series release %s --void "+
				"%s --reason ...\n", series, o.Submission)
		}
	}
	return nil
}

// numbersOf are the numbers of a submission, or its only one.
func numbersOf(state numbering.State, o numbering.Submission) string {
	if o.First == o.End() {
		return fmt.Sprintf("number %s%d", lettered(state, o), o.First)
	}
	return fmt.Sprintf("numbers %s%d to %d", lettered(state, o), o.First, o.End())
}

// lettered is the series letter of a submission's numbers with a blank behind it, Uruguay.
func lettered(state numbering.State, o numbering.Submission) string {
	letter := state.Letter(o.SubmissionOpened)
	if letter == "" {
		return ""
	}
	return letter + " "
}
