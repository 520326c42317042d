package dailyreport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"folio/authority"
	"folio/commands/dailyreport"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
)

// day makes sure that a day is reported as it is now: it finishes the report that is
// under way, and sends another one if the day is not what was reported last. One that is
// not planned has no documents: it is reported unless it was.
func (p *Processor) day(ctx context.Context, w work, day string, planned bool) error {
	state, err := p.state(ctx, w, day)
	if err != nil || !planned && state.Last != nil && state.Open == nil {
		return err
	}
	if state.Open != nil {
		if err := p.send(ctx, w, *state.Open); err != nil {
			return err
		}
		if state, err = p.state(ctx, w, day); err != nil {
			return err
		}
	}
	report, facts, err := p.compile(ctx, w, day)
	if err != nil || !state.Owed(facts) {
		return err
	}
	content, err := report.Content(state.Next(), p.Clock.Now())
	if err != nil {
		return err
	}
	signed, err := w.reporter.SignReport(ctx, w.credential, content)
	if err != nil {
		return fmt.Errorf("sign it: %w", err)
	}
	if _, err := p.c.Files.StoreFile(ctx, signed.Content); err != nil {
		return fmt.Errorf("store what will be sent: %w", err)
	}
	used, annulled := report.Counts()
	sent := events.DailyReportSent{Company: w.company.Company, Environment: w.environment, Date: day,
		Sending:  state.Sendings + 1,
		Sequence: state.Next(), SHA256: signed.SHA256, Facts: facts, Used: used, Annulled: annulled}
	out, err := p.decide(ctx, w, day, dailyreport.Send{Report: sent}, "send", strconv.Itoa(sent.Sending), sent.SHA256)
	if err != nil || out.Open == nil {
		return err
	}
	return p.send(ctx, w, *out.Open)
}

func (p *Processor) state(ctx context.Context, w work, day string) (dailyreport.State, error) {
	s, _, err := p.log.DailyReports.Load(ctx, dailyreport.ID(w.company.Company, w.environment, day))
	return s, err
}

// decide records a step of a day's report. Taken again after a crash it is the same one.
func (p *Processor) decide(ctx context.Context, w work, day string, c dailyreport.Command,
	step ...string) (dailyreport.State, error) {
	id := dailyreport.ID(w.company.Company, w.environment, day)
	out, err := p.log.DailyReports.Execute(ctx, id, c, p.Request(id, step...))
	return out.State, err
}

// callTimeout bounds a call, should a driver have no limits.
const callTimeout = 10 * time.Minute

// send sends the bytes of a report and records the verdict. The authority takes the same
// bytes once, so sending them again is how a lost answer is asked for.
func (p *Processor) send(ctx context.Context, w work, sent events.DailyReportSent) error {
	content, err := p.c.Files.File(ctx, sent.SHA256)
	if err != nil {
		return fmt.Errorf("what report %d sends: %w", sent.Sequence, err)
	}
	var calls authority.Calls
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	said, err := w.reporter.SendReport(bounded, w.credential, authority.Prepared{Content: content, SHA256: sent.SHA256},
		calls.Record)
	if errors.Is(err, authority.ErrRefused) {
		said, err = authority.Reported{Reasons: authority.Reasons(err)}, nil
	}
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // a verdict in hand is recorded, whatever else ends
	kept, err := authority.Keep(ctx, p.c.Files, calls.All())
	if err != nil {
		return err
	}
	step := []string{"verdict", strconv.Itoa(sent.Sending), strconv.FormatBool(said.Accepted), said.Receipt}
	if said.Accepted {
		_, err = p.decide(ctx, w, sent.Date, dailyreport.Accept{Verdict: events.DailyReportAccepted{Sending: sent.Sending,
			Receipt: said.Receipt, Repeated: said.Repeated, Sandbox: said.Sandbox, Calls: kept}}, step...)
		return err
	}
	p.Logger.Warn("the authority refused a daily report", "lane", w.lane, "date", sent.Date, "sequence", sent.Sequence,
		"reasons", said.Reasons)
	_, err = p.decide(ctx, w, sent.Date, dailyreport.Reject{Verdict: events.DailyReportRejected{Sending: sent.Sending,
		Reasons: said.Reasons, Calls: kept}}, step...)
	return err
}

// compile makes the report of a day from what the worklist knows of its documents, and says
// what it says, whatever its sequence and time.
func (p *Processor) compile(ctx context.Context, w work, day string) (country.DailyReport, string, error) {
	report := w.rules.NewDailyReport(country.ReportHead{TaxIdentifier: w.company.TaxIdentifier, Day: day})
	items, err := p.List.InGroup(ctx, documentsOf(w.lane, day), allItems)
	if err != nil {
		return nil, "", err
	}
	for _, it := range items {
		var s sending
		if err := json.Unmarshal(it.Body, &s); err != nil {
			return nil, "", err
		}
		if err := p.add(ctx, report, s, day); err != nil {
			return nil, "", fmt.Errorf("documents of submission %s: %w", s.Opened.Submission, err)
		}
	}
	plain, err := report.Content(0, time.Time{})
	sum := sha256.Sum256(plain)
	return report, hex.EncodeToString(sum[:]), err
}

// parallel is how many invoices are loaded at once.
const parallel = 16

// add tells the report about the documents of a submission that belong to its day. One
// without a verdict yet is a document: its number is used and it is on its way.
func (p *Processor) add(ctx context.Context, report country.DailyReport, s sending, day string) error {
	series, err := numbering.ParseSeries(s.Series)
	if err != nil {
		return err
	}
	state, _, err := p.log.Numbering.Load(ctx, s.Series)
	if err != nil {
		return err
	}
	letter := state.Letter(s.Opened)
	issued := make([]*invoice.Full, len(s.Opened.Invoices))
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for i, id := range s.Opened.Invoices {
		c := s.of(i)
		switch {
		case c.Day != day:
		case c.Result == events.Rejected:
			report.Refused(series.OfficialCode, letter, s.Opened.First+int64(i), c.Reasons)
		default:
			g.Go(func() error {
				inv, found, err := p.log.Documents.Load(within, id)
				if err == nil && (!found || inv.Created == nil) {
					err = fmt.Errorf("invoice %s is not in the log", id)
				}
				issued[i] = &inv
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, inv := range issued {
		if inv == nil {
			continue
		}
		if err := report.Issued(country.Issued{ID: inv.Created.Invoice, Document: inv.Created.Document,
			Profile: inv.Created.Profile, Taxes: inv.Created.Taxes,
			BranchOffice: series.BranchOffice, Series: letter, Number: s.Opened.First + int64(i)}); err != nil {
			return fmt.Errorf("invoice %s: %w", inv.Created.Invoice, err)
		}
	}
	return nil
}

// of is what came of a document: nothing yet, before its submission is settled.
func (s sending) of(i int) came {
	if i < len(s.Documents) {
		return s.Documents[i]
	}
	return came{Day: s.Day}
}
