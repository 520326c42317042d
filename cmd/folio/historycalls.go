package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"folio/commands"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country/xmlsig"
	"folio/events"
	"folio/waiting"
)

// printCalls shows the exchanges with the authority, which the log names by hash.
func printCalls(ctx context.Context, s *stores, all []events.Recorded) error {
	for _, r := range all {
		if err := printExchanges(ctx, s, events.CallsOf(r.Event)); err != nil {
			return err
		}
	}
	return nil
}

func printExchanges(ctx context.Context, s *stores, calls []events.Call) error {
	for _, call := range calls {
		fmt.Printf("\n%s at %s %s\n", call.Operation, call.At.Format(time.RFC3339), call.Fault)
		for _, body := range []struct{ name, sha string }{{"request", call.Request}, {"answer", call.Answer}} {
			if body.sha == "" {
				continue
			}
			content, err := s.vault.File(ctx, body.sha)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", body.name, call.Operation, err)
			}
			fmt.Printf("  %s %s\n  %s\n", body.name, body.sha, xmlsig.Text(content)) // SII writes ISO-8859-1
		}
	}
	return nil
}

// printWait says why an invoice without an end waits. What was tried meanwhile is a note
// beside the worklist, not yet in the log: with --calls its first and last calls.
func (c *historyCmd) printWait(ctx context.Context, s *stores, id string, all []events.Recorded) error {
	var state invoice.Full
	for _, r := range all {
		if r.Stream == invoice.Decider.Stream(id) {
			state = invoice.FullDecider.Evolve(state, r.Event)
		}
	}
	if state.Status == invoice.Accepted || state.Status == invoice.Rejected {
		return nil
	}
	series, err := seriesOfInvoice(ctx, s, state)
	if err != nil {
		return err
	}
	notes, err := waiting.Open(ctx, s.tables, time.Now)
	if err != nil {
		return err
	}
	why, err := notes.Get(ctx, series)
	if why = why.About(state.Invoice); err != nil || why == nil {
		return err
	}
	fmt.Printf("\nIts series waits since %s: %s: %s\n", why.Since.UTC().Format(time.RFC3339), why.Code, why.Text)
	tried := why.Tried
	if tried == nil {
		return nil
	}
	fmt.Printf("The authority was called in %d turns without a definitive answer.\n", tried.Turns)
	if !c.Calls {
		return nil
	}
	for i, try := range []waiting.Try{tried.First, tried.Last} {
		if try.Turn == 0 || i > 0 && try.Turn == tried.First.Turn {
			continue
		}
		fmt.Printf("\nTurn %d:\n", try.Turn)
		if err := printExchanges(ctx, s, try.Calls); err != nil {
			return err
		}
	}
	return nil
}

// seriesOfInvoice is where an invoice waits: its series, or its company's waiting room
// while no certificate has given it an environment.
func seriesOfInvoice(ctx context.Context, s *stores, i invoice.Full) (string, error) {
	environment := cmp.Or(i.Environment, i.Created.Environment)
	if environment == "" {
		co, _, err := commands.Bind(commands.NewExecutor(s.log, time.Now), company.Decider).Load(ctx, i.Company)
		if err != nil {
			return "", err
		}
		environment = co.FirstEnvironment()
	}
	if environment == "" {
		return waiting.Unassigned(i.Company), nil
	}
	return numbering.SeriesOf(*i.Created, environment).ID(), nil
}
