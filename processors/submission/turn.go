package submission

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/company"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/tables"
	"folio/waiting"
)

// turn looks at a series, one step after the other: it finishes what is open, or opens the
// next submission. It lives as long as its lane, and remembers what one step learnt for
// the next.
type turn struct {
	*Processor
	series string
	ranged bool // its numbers come from uploaded ranges

	// alone is how many documents are to be sent one by one: the authority refused a call
	// with them without saying which one is at fault.
	alone int
	// most is how many documents may share a call while calls are cut short, 0 for as many as the authority takes.
	most int
	// refusedNumber counts how often the authority refused the open submission's
	// numbers while it says that they are the next ones.
	refusedNumber int
	// lower counts how often in a row the authority's last number was lower than one that it accepted from us.
	lower     int
	entry     uint64             // of the taxpayer's turn, when the series had it last
	ahead     *ahead             // the authority's last number, asked for by the step before; nil: it was not
	learnt    map[string]*learnt // by open submission
	opening   pause              // of taking the next numbers, in a ranged series
	silent    map[*pause]bool    // of open submissions without an answer since the last one
	progress  bool               // a verdict was learnt in this step
	noted     bool               // readers are told why the series waits
	asked     bool               // a person asked for what this turn does
	tried     *waiting.Tried
	heir      *waiting.Reason // what an earlier owner noted
	inherited bool            // that was read
	pauses    backoff
	insisted  atomic.Bool // a person asks for what the next turn does
	down      atomic.Bool // the series waits for the authority
}

// session is what a turn needs to speak to the authority.
type session struct {
	id         numbering.Series
	rules      country.Rules
	company    company.State
	driver     authority.Driver
	credential authority.Credential
	at         time.Time // of the turn: certificate and ranges were found valid then, and what is signed is dated so
	calls      *authority.Calls
}

func (d session) authoritySeries() authority.Series {
	return authority.Series{Company: d.id.Company, Environment: authority.Environment(d.id.Environment),
		OfficialCode: d.id.OfficialCode, BranchOffice: d.id.BranchOffice}
}

// take does one step. It never leaves a fact half told: whatever it cannot finish,
// the next turn finds in the numbering stream.
func (t *turn) take(ctx context.Context) verdict {
	t.progress = false
	co, _, err := t.log.Companies.Load(ctx, companyOf(t.series))
	if err != nil {
		return failure(err)
	}
	if first, err := t.assign(ctx, co); err != nil || t.series == waiting.Unassigned(co.Company) {
		return t.unassigned(first, err)
	}
	id, err := numbering.ParseSeries(t.series)
	if err != nil {
		return failure(err)
	}
	state, _, err := t.log.Numbering.Load(ctx, t.series)
	if err != nil {
		return failure(err)
	}
	t.ranged = len(state.Ranges) > 0
	t.forget(state.Open)
	if err := t.completeCopies(ctx, id, state); err != nil {
		return failure(err)
	}
	if state.Held != "" {
		return because(waiting.SeriesHeld, "The series is held: "+state.Held+
			". An operator of this service must look at the authority's records and release it.", true)
	}
	queued, moving, err := t.queued(ctx, state, 1)
	if err != nil {
		return failure(err)
	}
	if len(state.Open) == 0 && len(queued) == 0 {
		return t.behind(moving)
	}
	if err := t.gap(); err != nil && len(state.Open) == 0 {
		return failure(err)
	}
	d, stop := t.session(ctx, id, co)
	if stop != nil {
		return *stop
	}
	if country.NumbersFromFiles(d.rules) { // each company has numbers of its own
		return t.step(ctx, d, state, len(queued) > 0)
	}
	v := t.speak(ctx, d, state)
	v.calls = d.calls.All()
	return v
}

// behind is a series of which nothing can be sent: it has no invoices, or those that it has wait until an earlier one
// has moved to a contingency point, or came back. A return wakes the series; an issue does not.
func (t *turn) behind(point int) verdict {
	if point == 0 {
		return verdict{empty: true}
	}
	v := because(waiting.ContingencyMove, fmt.Sprintf("An invoice of this point of sale is on its way to the contingency "+
		"point %d. Those behind it wait until it is issued there or came back, so that the authority gets them in the order "+
		"of their dates. It goes on by itself.", point), false)
	now := t.Clock.Now()
	if t.pauses.since.IsZero() {
		t.pauses.since = now
	}
	v.at = now.Add(t.c.RetryBase)
	v.reason.NextTry, v.reason.Since = &v.at, t.pauses.since
	return v
}

// ofContingency says whether the authority must not be asked for documents of the series one by
// one: a single one would make its contingency point an ordinary one for good.
func ofContingency(d session, state numbering.State) bool {
	return state.Contingent.Last > 0 || state.Settled == nil && d.company.OrdinaryOf(d.id.BranchOffice) != 0
}

// speak finishes what is open or opens the next submission, while no other company of
// the same taxpayer does.
func (t *turn) speak(ctx context.Context, d session, state numbering.State) verdict {
	taxpayer := t.join(t.series, d.id, d.company.TaxIdentifier)
	leave, err := t.enter(ctx, taxpayer)
	if err != nil {
		return failure(err)
	}
	defer leave()
	t.enters(taxpayer)
	if len(state.Open) > 0 {
		return t.finish(ctx, d, state, state.Open[0])
	}
	if ofContingency(d, state) {
		return because(waiting.ContingencyPoint, fmt.Sprintf("Point of sale %d is for contingencies: its documents are "+
			"issued by a code that the authority gave ahead, and no other may be. Make the document anew at an "+
			"ordinary point of sale; this one is not sent and uses no number.", d.id.BranchOffice), false)
	}
	if busy, err := t.occupied(ctx, taxpayer); err != nil {
		return failure(err)
	} else if busy != nil {
		return *busy
	}
	return t.open(ctx, d, state)
}

// session gathers rules, driver and certificate, or says what is missing.
func (t *turn) session(ctx context.Context, id numbering.Series, co company.State) (session, *verdict) {
	missing := func(code waiting.Code, text string) (session, *verdict) {
		v := because(code, text, true)
		return session{}, &v
	}
	rules, ok := t.Rules(co.Country)
	if !ok {
		v := failure(fmt.Errorf("company %s: no rules for country %q", co.Company, co.Country))
		return session{}, &v
	}
	driver, ok := t.c.Driver(rules.Authority(), authority.Environment(id.Environment))
	if !ok {
		return missing(waiting.OtherEnvironment, fmt.Sprintf(
			"This service does not speak to the authority of the environment %s; upload a certificate of the one it serves.",
			id.Environment))
	}
	now := t.Clock.Now()
	if _, ok := co.Certificate(id.Environment, now); !ok {
		return missing(waiting.NoCertificate, fmt.Sprintf(
			"The company has no valid %s certificate: upload one with POST /api/companies/%s/certificates.", id.Environment,
			co.Company))
	}
	credential, err := t.c.Credentials.Open(ctx, co, id.Environment, now)
	if err != nil {
		v := failure(fmt.Errorf("open the certificate of company %s: %w", co.Company, err))
		return session{}, &v
	}
	credential.AskAgain = t.asked
	return session{id, rules, co, driver, credential, now, &authority.Calls{}}, nil
}

// assign moves invoices out of the company's waiting room once its first certificate
// says to which environment they belong. They keep their place: order is that of
// creation.
func (t *turn) assign(ctx context.Context, co company.State) (first string, err error) {
	items, err := t.List.InGroup(ctx, waiting.Unassigned(companyOf(t.series)), allSeries)
	if err != nil || len(items) == 0 || co.FirstEnvironment() == "" {
		return co.FirstEnvironment(), err
	}
	t.note(ctx, items[0].Group, nil, nil)
	for _, it := range items {
		inv, err := t.loadFull(ctx, it.Key)
		if err != nil {
			return "", err
		}
		if final(inv.Status) {
			if err := t.List.Remove(ctx, it.Key, it.At); err != nil {
				return "", err
			}
			continue
		}
		// A later guard than that of InvoiceCreated, so that hearing it again does
		// not bring the invoice back into the waiting room.
		it.Group, it.At = seriesOf(*inv.Created, co.FirstEnvironment()),
			events.Position{Commit: it.At.Commit, Prepare: it.At.Prepare + 1}
		if err := t.List.Put(ctx, it); err != nil {
			return "", err
		}
		t.lanes.Wake(it.Group)
	}
	return co.FirstEnvironment(), nil
}

// unassigned is the verdict of a turn of the waiting room itself.
func (t *turn) unassigned(first string, err error) verdict {
	switch {
	case err != nil:
		return failure(err)
	case first == "":
		return because(waiting.NoCertificate, fmt.Sprintf(
			"The company has no certificate: upload one with POST /api/companies/%s/certificates.", companyOf(t.series)), true)
	}
	return verdict{empty: true}
}

func because(code waiting.Code, text string, event bool) verdict {
	return verdict{reason: &waiting.Reason{Code: code, Text: text}, event: event}
}

// failure is a fault of our own house: the log, the tables or the vault. The text for
// readers says no more than that. A log or a database that is away is no fault of the series.
func failure(err error) verdict {
	if troubled(err) {
		return held(err)
	}
	if commands.LogAway(err) {
		v := because(waiting.LogDown, "The service's event log does not answer just now. The invoices keep their place "+
			"and go on when it is back.", false)
		v.cause = err
		return v
	}
	if errors.Is(err, tables.ErrUnavailable) {
		v := because(waiting.StoreDown, "A database of the service is busy or cannot be reached just now. The invoices "+
			"keep their place and go on when it is back.", false)
		v.cause = err
		return v
	}
	v := because(waiting.Internal, "The service has a fault of its own and tries again by itself.", false)
	v.cause = err
	return v
}

// heard is what the authority said, within why the series waits.
func heard(m *authority.Message) string {
	return fmt.Sprintf("It said %s.", strings.TrimSuffix(m.Error(), "."))
}

// away turns a driver's error into why the series waits.
func away(err error) verdict {
	var m *authority.Message
	said := ""
	if errors.As(err, &m) && m.Error() != "" {
		said = " " + heard(m)
	}
	v := because(waiting.AuthorityDown, "The authority cannot be reached or does not answer."+said+
		" The invoices keep their place and are sent when it is back.", false)
	switch {
	case errors.Is(err, authority.ErrCredential):
		v = because(waiting.CertificateFault, "The authority refuses the company's certificate."+said+
			" Upload another one, or authorise this one for the service.", false)
	case errors.Is(err, authority.ErrHidden):
		v = because(waiting.AuthorityDisagree, "The authority does not agree with itself."+said+
			" It is asked again, and nothing is issued twice. If that does not end, tell the operator of this service, who "+
			"can look at the authority's records and give the numbers up.", false)
	case errors.Is(err, authority.ErrRefused), errors.Is(err, authority.ErrSeries):
		v = because(waiting.AuthorityRefuses, "The authority does not serve this series."+said+
			" Put that right with the authority; the invoices keep their place.", false)
	case m != nil && !m.At.IsZero() && m.Code == "":
		v = because(waiting.AuthorityDown, "The authority is not asked just now: "+m.Text+
			". The invoices keep their place and are sent when it is back.", false)
	}
	v.cause = err
	if m != nil {
		v.until = m.At
	}
	return v
}

// callTimeout bounds one turn's calls as a whole, should a driver have no limits.
const callTimeout = 10 * time.Minute
