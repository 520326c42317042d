package dailyreport_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/company"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/processors/dailyreport"
	"folio/processors/processortest"
	"folio/tables"
	"folio/tables/sqlite"
)

// reportingRules are Argentina's, with a report of each day due at two o'clock.
type reportingRules struct{ ar.Rules }

func (r reportingRules) ReportDue(day string) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, day, r.Location())
	if err != nil {
		return tables.Never
	}
	return t.AddDate(0, 0, 1).Add(2 * time.Hour)
}

func (reportingRules) NewDailyReport(h country.ReportHead) country.DailyReport {
	return &lines{head: h.TaxIdentifier + " " + h.Day}
}

// lines is a report as text: what it says of each number.
type lines struct {
	head     string
	all      []string
	annulled int64
}

func (l *lines) Issued(i country.Issued) error {
	l.all = append(l.all, fmt.Sprintf("%s%d", i.Series, i.Number))
	return nil
}

func (l *lines) Refused(_ int, series string, number int64, reasons []events.AuthorityMessage) {
	l.all, l.annulled = append(l.all, fmt.Sprintf("%s%d!%s", series, number, reasons[0].Code)), l.annulled+1
}

func (l *lines) Content(sequence int, at time.Time) ([]byte, error) {
	slices.Sort(l.all)
	return fmt.Appendf(nil, "%s #%d %s", l.head, sequence, strings.Join(l.all, " ")), nil
}

func (l *lines) Counts() (used, annulled int64) { return int64(len(l.all)), l.annulled }

// office is the authority: it takes each report once. It outlives the processors.
type office struct {
	mu    sync.Mutex
	taken []string // contents, in the order of their arrival
	calls int
	away  bool
	lose  bool                    // the next answer, after the report is in
	wrong map[string]string       // code for reports whose content holds a text
	seen  map[string]bool         // by signed bytes
	only  []authority.Environment // that it serves; nil: both
}

type driver struct {
	authority.Driver
	*office
	life *life
}

func (driver) Name() string { return "arca" }

func (d driver) Can() authority.Capabilities { return authority.Capabilities{Reporter: d} }

func (d driver) SignReport(_ context.Context, _ authority.Credential, content []byte) (authority.Prepared, error) {
	return authority.Prepare(fmt.Appendf(nil, "%s signed %d", content, d.life.n)), nil
}

func (d driver) SendReport(_ context.Context, _ authority.Credential, p authority.Prepared,
	rec authority.Recorder) (r authority.Reported, err error) {
	err = d.life.step("call", func() error {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.calls++; d.away {
			return authority.ErrNotSent
		}
		rec(authority.Exchange{Operation: "REPORTE", Request: p.Content, Answer: []byte("AR")})
		content := string(p.Content)
		for text, code := range d.wrong {
			if strings.Contains(content, text) {
				r.Reasons = []events.AuthorityMessage{{Code: code, Text: "No"}}
				return nil
			}
		}
		r.Accepted, r.Receipt, r.Repeated = true, "4711", d.seen[content]
		if !r.Repeated {
			said, _, _ := strings.Cut(content, " signed")
			d.seen[content], d.taken = true, append(d.taken, said)
		}
		if d.lose {
			d.lose = false
			return errors.New("the line broke")
		}
		return nil
	})
	return r, err
}

func (o *office) change(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f()
}

// has is what the office has taken.
func (o *office) has() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.taken)
}

// life is one process; everything it does to the world is a step at which it can die.
type life struct {
	n      int
	mu     sync.Mutex
	steps  int
	dies   int // at this step; 0: never
	after  bool
	dead   bool
	cancel context.CancelFunc
}

var errDead = errors.New("the process is dead")

func (l *life) step(_ string, do func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return errDead
	}
	l.steps++
	if l.dead = l.steps == l.dies; l.dead {
		defer l.cancel()
		if !l.after {
			return errDead
		}
	}
	err := do()
	if l.dead {
		return errDead
	}
	return err
}

func (l *life) isDead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

type world struct {
	p      *dailyreport.Processor
	outage *processortest.Outage // of the log; nil: none
	*office
	t      *testing.T
	log    *processortest.Log
	clock  *processortest.Clock
	tables *sqlite.Store
	files  map[string][]byte
	life   *life
	lives  int
	ended  chan error
	skip   bool
	count  int                  // submissions
	signed map[string]time.Time // when their documents were
}

func newWorld(t *testing.T, now time.Time) *world {
	t.Helper()
	w := &world{office: &office{wrong: map[string]string{}, seen: map[string]bool{}}, t: t, log: processortest.NewLog(),
		clock: processortest.At(now), files: map[string][]byte{}, signed: map[string]time.Time{}}
	w.loseTables()
	t.Cleanup(func() { w.tables.Close() })
	w.record("company-C1", events.CompanyRegistered{Company: "C1", Account: "A", Country: "AR",
		TaxIdentifier: "217111220014"})
	for _, letter := range []string{"Testing", "Production"} {
		w.record("numbering-C1-"+letter+"-111-0",
			events.NumberingRangeUploaded{Range: "R", Company: "C1", Environment: letter, OfficialCode: 111,
				Series: letter[:1], From: 1, To: 1000, Fingerprint: letter})
	}
	return w
}

func (w *world) loseTables() {
	w.t.Helper()
	if w.tables != nil {
		w.tables.Close()
	}
	var err error
	if w.tables, err = sqlite.Open(context.Background(), filepath.Join(w.t.TempDir(), "tables.db")); err != nil {
		w.t.Fatal(err)
	}
}

// StoreFile and File make the world keep files for its process.
func (w *world) StoreFile(_ context.Context, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:])
	return name, w.life.step("file", func() error { w.files[name] = content; return nil })
}

func (w *world) File(_ context.Context, name string) (content []byte, err error) {
	err = w.life.step("file", func() error {
		var ok bool
		if content, ok = w.files[name]; !ok {
			return errors.New("no such file")
		}
		return nil
	})
	return content, err
}

// Open makes every certificate a good one.
func (w *world) Open(_ context.Context, c company.State, e string, _ time.Time) (authority.Credential, error) {
	return authority.Credential{TaxIdentifier: c.TaxIdentifier, Environment: authority.Environment(e)}, nil
}

// start runs a processor until stop; dies is the step at which it is killed.
func (w *world) start(dies int, after bool) {
	w.t.Helper()
	w.lives++
	ctx, cancel := context.WithCancel(context.Background())
	life := &life{n: w.lives, dies: dies, after: after, cancel: cancel}
	w.life, w.ended = life, make(chan error, 1)
	log := processortest.Step(life.step).Log(w.log)
	if w.outage != nil {
		log = processortest.Step(w.outage.Step).Log(log)
	}
	base := w.log.Base(commands.NewExecutor(log, w.clock.Now), w.tables, w.clock)
	base.Rules = country.Registry{reportingRules{}}.ByCode
	p := dailyreport.New(base, dailyreport.Config{Files: w, Credentials: w,
		Driver: func(_ string, e authority.Environment) (authority.Driver, bool) {
			return driver{office: w.office, life: life}, w.only == nil || slices.Contains(w.only, e)
		},
		SkipEmpty: w.skip, RetryBase: 5 * time.Second})
	w.p = p
	go func() { w.ended <- p.Run(ctx) }()
}

func (w *world) stop() {
	w.t.Helper()
	w.life.cancel()
	if err := <-w.ended; err != nil {
		w.t.Error(err)
	}
}

func (w *world) record(stream string, facts ...events.Event) {
	w.t.Helper()
	w.log.Record(w.t, w.clock.Now(), stream, facts...)
}

// open takes the next numbers of Production or Testing for n invoices, and settle tells
// what came of them: "ok", or the code of a refusal.
func (w *world) open(environment string, first int64, n int) (submission string) {
	w.t.Helper()
	w.count++
	submission = fmt.Sprintf("S%d", w.count)
	w.signed[submission] = w.clock.Now()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s-%d", submission, i)
		w.record("invoice-"+ids[i], events.InvoiceCreated{Invoice: ids[i], Company: "C1", Country: "AR",
			Environment: environment})
	}
	w.record("numbering-C1-"+environment+"-111-0",
		events.SubmissionOpened{Submission: submission, Range: "R", First: first, Invoices: ids})
	return submission
}

func (w *world) settle(environment, submission string, first int64, came ...string) {
	w.t.Helper()
	w.record("numbering-C1-"+environment+"-111-0", w.outcomes(submission, first, came...))
}

func (w *world) outcomes(submission string, first int64, came ...string) events.SubmissionSettled {
	e := events.SubmissionSettled{Submission: submission}
	for i, c := range came {
		o := events.Outcome{Invoice: fmt.Sprintf("%s-%d", submission, i), Number: first + int64(i), Result: events.Accepted,
			Authorization: &events.Authorization{Type: "CAE",
				Extra: map[string]string{country.ExtraSignedAt: w.signed[submission].Format(time.RFC3339)}}}
		if c != "ok" {
			o.Result, o.Authorization, o.Messages = events.Rejected, nil, []events.AuthorityMessage{{Code: c, Text: "No"}}
		}
		e.Outcomes = append(e.Outcomes, o)
	}
	return e
}

// issue is a submission that is settled at once.
func (w *world) issue(environment string, first int64, came ...string) {
	w.t.Helper()
	w.settle(environment, w.open(environment, first, len(came)), first, came...)
}

// accepted waits until n reports were accepted since the beginning.
func (w *world) accepted(n int) []events.DailyReportAccepted {
	w.t.Helper()
	return processortest.Await[events.DailyReportAccepted](w.t, w.log, n)
}

// wants compares what the office has with the reports of a company.
func (w *world) wants(want ...string) {
	w.t.Helper()
	got := w.has()
	for i := range got {
		got[i] = strings.TrimSpace(strings.TrimPrefix(got[i], "217111220014 "))
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("the office has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
