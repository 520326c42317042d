package notices_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"folio/clock"
	"folio/commands"
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
	"folio/processors/notices"
	"folio/processors/processortest"
)

// model is companies of three countries before a service that is killed, is away for weeks
// and loses its tables. Its time is the bubble's, which moves when everybody waits.
type model struct {
	*world
	r         *rand.Rand
	customers []*customer
	n         int // of certificates, ranges and submissions
	m         *mortal
	ended     []chan error // none: the service is down
	seen      int          // events of the log that were compared
	given     map[string]bool
}

// TestWhateverHappensEachNoticeThatIsDueIsGivenOnce compares the log with the reference at
// every full hour and after every change, over more than a year.
func TestWhateverHappensEachNoticeThatIsDueIsGivenOnce(t *testing.T) {
	for seed := range uint64(modelSeeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newModel(t, rand.New(rand.NewPCG(seed, 11)))
				m.live()
				for end := time.Now().AddDate(1, 1, 0); time.Now().Before(end) && !t.Failed(); {
					m.step()
					m.pass(time.Duration(m.r.Int64N(int64(96 * time.Hour))))
				}
				m.end()
			})
		})
	}
}

// newModel is at a day of the years 2000 to 2027: three countries' summer times, two of
// which ended meanwhile, and seven 29ths of February.
func newModel(t *testing.T, r *rand.Rand) *model {
	time.Sleep(time.Duration(r.IntN(27*365*24)) * time.Hour)
	m := &model{world: newWorld(t, time.Now()), r: r, given: map[string]bool{}}
	for i, rules := range []country.Rules{ar.Rules{}, cl.Rules{}, uy.Rules{}} {
		c := &customer{id: fmt.Sprint("C", i), rules: rules, certificates: map[string]heldCertificate{}}
		for _, code := range slices.Sorted(maps.Keys(firstNotice[rules.Code()])) {
			c.series = append(c.series, &series{customer: c, code: code,
				stream: fmt.Sprintf("numbering-%s-Production-%d-0", c.id, code)})
		}
		m.customers = append(m.customers, c)
		m.fact("company-"+c.id, events.CompanyRegistered{Company: c.id, Account: "A", Country: rules.Code()})
	}
	return m
}

func (m *model) fact(stream string, facts ...events.Event) {
	m.t.Helper()
	m.log.Record(m.t, time.Now(), stream, facts...)
}

// live starts the service, which may die at one of its next effects. A second owner, who
// took the first one for dead, may work beside it.
func (m *model) live() {
	ctx, cancel := context.WithCancel(context.Background())
	m.m = &mortal{cancel: cancel, after: m.r.IntN(2) == 0}
	if m.r.IntN(2) == 0 {
		m.m.left.Store(1 + m.r.Int64N(40))
	}
	life := processortest.Step(m.m.step)
	for range 1 + m.r.IntN(2) {
		base := m.log.Base(commands.NewExecutor(life.Log(m.log), time.Now), life.Tables(m.tables), clock.Real{})
		base.Rules = m.rulesOf
		p := notices.New(base, &forgotten{})
		ended := make(chan error, 1)
		m.ended = append(m.ended, ended)
		go func() { ended <- p.Run(ctx) }()
		if synctest.Wait(); m.m.dead.Load() {
			break
		}
	}
	m.compare()
}

func (m *model) rulesOf(code string) (country.Rules, bool) {
	i := slices.IndexFunc(m.customers, func(c *customer) bool { return c.rules.Code() == code })
	return m.customers[i].rules, true
}

// end is the end of the service, wherever it was.
func (m *model) end() {
	if len(m.ended) > 0 {
		m.m.die()
	}
	for _, ended := range m.ended {
		<-ended
	}
	m.ended = nil
}

// pass lets time pass, from one full hour to the next.
func (m *model) pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour)), time.Until(end)))
		m.compare()
	}
}

// compare wants exactly what the reference says to be in the log by now. Of one that is
// killed at this moment some of it may be missing.
func (m *model) compare() {
	m.t.Helper()
	if len(m.ended) == 0 {
		return
	}
	synctest.Wait()
	due := map[string]bool{}
	for _, c := range m.customers {
		for _, notice := range c.owed(time.Now()) {
			due[notice] = true
		}
	}
	all, _ := m.log.Events()
	for _, r := range all[m.seen:] {
		opened, err := events.Open(r)
		if err != nil {
			m.t.Fatal(err)
		}
		notice := ""
		switch e := opened.Event.(type) {
		case events.CertificateExpiryNoticed:
			notice = fmt.Sprintf("CER %s %d", e.Certificate, e.Days)
		case events.NumberingNoticed:
			notice = fmt.Sprintf("ENU %s %s %d", e.Range, e.Kind, e.Days+e.Notice)
		default:
			continue
		}
		if m.given[notice] || !due[notice] {
			m.t.Errorf("%s: %s was given, and is not due now or was given before", time.Now().Format(time.RFC3339), notice)
		}
		m.given[notice] = true
	}
	m.seen = len(all)
	if m.m.dead.Load() {
		m.end()
		return
	}
	for notice := range due {
		if !m.given[notice] {
			m.t.Errorf("%s: %s is due and was not given", time.Now().Format(time.RFC3339), notice)
			m.given[notice] = true
		}
	}
}
