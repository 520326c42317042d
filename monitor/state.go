package monitor

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"folio/waiting"
)

// State shows what is in the tables. It reads them at most once in Every, whoever scrapes and how often, and shows
// what it read before when they cannot be read.
type State struct {
	Sources
	// Every is how long what was read is shown. What runs out is read less often: see suppliesEvery.
	Every time.Duration
	Now   func() time.Time
	Log   *slog.Logger

	mu       sync.Mutex
	read     time.Time // when last was read
	next     time.Time // when it is read again
	stocked  time.Time // when supplies were read
	last     picture
	supplies supplies
	failed   bool
}

const (
	// suppliesEvery is how many times less often certificates and ranges are read, which change by the day.
	suppliesEvery = 20
	// costs bounds the share of the time that reading takes: a reading that took a second is shown for 20.
	costs = 20
	// within bounds one reading.
	within = 2 * time.Second
)

// picture is the state as it was read.
type picture struct {
	backlog     backlog
	reasons     map[waiting.Code]int64
	held        int64
	deliveryDue time.Duration
	reportDue   time.Duration
	emailDue    time.Duration
	contingencies
}

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("folio_"+name, help, labels, nil)
}

var (
	invoicesOpen = gauge("invoices_open", "Invoices without a final answer, by country, environment, state (Pending, "+
		"In process) and what they wait for: service (Folio or the authority) or company (its certificate, profile or "+
		"numbers). Of a backlog above 20,000 the oldest 20,000.", "country", "environment", "state", "waits_for")
	invoicesBacklog = gauge("invoices_backlog", "All invoices without a final answer, however many.")
	invoicesOldest  = gauge("invoices_oldest_seconds", "Age of the oldest invoice without a final answer, from its "+
		"creation, by the labels of folio_invoices_open.", "country", "environment", "state", "waits_for")
	seriesWaiting = gauge("series_waiting", "Numbering series that wait, by the reason that their invoices show. Of "+
		"more than 1,000 the others are under the code OTHERS.", "code")
	seriesHeld = gauge("series_held", "Numbering series that wait for an operator: folio series list names them.")
	certDays   = gauge("certificate_days_left", "Days until the first certificate in force expires, over all "+
		"companies: the newest one of each.", "country", "environment")
	certExpired = gauge("certificates_expired", "Companies whose newest certificate has expired.", "country",
		"environment")
	numbersLeft = gauge("numbers_left", "Fewest numbers left in a series that has any, over all companies: Chile and "+
		"Uruguay, by the authority's code of the document type.", "country", "environment", "official_code")
	seriesSpent = gauge("series_without_numbers", "Series with numbering ranges of which no number is left.",
		"country", "environment", "official_code")
	rangeDays = gauge("range_days_left", "Fewest days for which a series with numbers left may still use any of them, "+
		"over all companies.",
		"country", "environment", "official_code")
	deliveryDue = gauge("webhook_oldest_due_seconds", "For how long the longest waiting delivery has been due in the "+
		"process that owns them; 0: none waits.")
	reportDue = gauge("daily_report_oldest_due_seconds", "For how long the first day that is over has waited for its "+
		"report; 0: none does.")
	emailDue          = gauge("email_oldest_due_seconds", "For how long the longest waiting e-mail has been due; 0: none waits.")
	contingenciesOpen = gauge("contingency_open", "Points of sale whose documents are issued by contingency now "+
		"(Argentina, CAEA).", "environment")
	contingencyUnreported = gauge("contingency_unreported", "Documents issued by contingency that the authority does "+
		"not have yet.", "environment")
	contingencyDaysLeft = gauge("contingency_days_left", "Fewest days until the last day on which documents of a code "+
		"of contingency, or points without any, may be reported, of those that are not; below 0: late.", "environment")
	codesMissing = gauge("caea_missing", "Companies that have set a contingency and hold no code for today, or for the "+
		"day after tomorrow.", "environment")
	stateAge = gauge("state_age_seconds", "How old the figures are that are read from the tables; it grows while the "+
		"tables are away.")
)

// Describe implements prometheus.Collector.
func (s *State) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{invoicesOpen, invoicesBacklog, invoicesOldest, seriesWaiting, seriesHeld,
		certDays,
		certExpired, numbersLeft, seriesSpent, rangeDays, deliveryDue, reportDue, emailDue, contingenciesOpen,
		contingencyUnreported, contingencyDaysLeft, codesMissing, stateAge} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s *State) Collect(out chan<- prometheus.Metric) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	if s.read.IsZero() {
		return // never read: no figure is better than a wrong one
	}
	now := s.Now()
	send := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	send(stateAge, now.Sub(s.read).Seconds())
	send(invoicesBacklog, float64(s.last.backlog.all))
	for g, n := range s.last.backlog.count {
		send(invoicesOpen, float64(n), g.country, g.environment, g.state, g.waitsFor)
	}
	for g, at := range s.last.backlog.oldest {
		send(invoicesOldest, max(0, now.Sub(at).Seconds()), g.country, g.environment, g.state, g.waitsFor)
	}
	for code, n := range s.last.reasons {
		send(seriesWaiting, float64(n), string(code))
	}
	send(seriesHeld, float64(s.last.held))
	send(deliveryDue, s.last.deliveryDue.Seconds())
	send(reportDue, s.last.reportDue.Seconds())
	send(emailDue, s.last.emailDue.Seconds())
	for _, of := range []struct {
		what *prometheus.Desc
		by   map[string]int64
	}{{contingenciesOpen, s.last.open}, {contingencyUnreported, s.last.unreported}, {codesMissing, s.last.codeless}} {
		for environment, n := range of.by {
			send(of.what, float64(n), environment)
		}
	}
	for environment, days := range s.last.daysLeft {
		send(contingencyDaysLeft, days, environment)
	}
	for p, days := range s.supplies.certificateDays {
		send(certDays, days, p.country, p.environment)
	}
	for p, n := range s.supplies.expired {
		send(certExpired, float64(n), p.country, p.environment)
	}
	for k, n := range s.supplies.numbers {
		send(numbersLeft, float64(n), k.country, k.environment, k.officialCode)
	}
	for k, n := range s.supplies.spent {
		send(seriesSpent, float64(n), k.country, k.environment, k.officialCode)
	}
	for k, days := range s.supplies.rangeDays {
		send(rangeDays, days, k.country, k.environment, k.officialCode)
	}
}

// refresh reads the tables when what was read is too old.
func (s *State) refresh() {
	began := s.Now()
	if began.Before(s.next) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	p, err := s.look(ctx, began)
	if err == nil && began.Sub(s.stocked) >= suppliesEvery*s.Every {
		if s.supplies, err = s.Sources.supplies(ctx, began); err == nil {
			s.stocked = began
		}
	}
	if (err != nil) != s.failed && s.Log != nil {
		s.failed = err != nil
		if s.failed {
			s.Log.Warn("the state for metrics cannot be read", "error", err)
		} else {
			s.Log.Info("the state for metrics can be read again")
		}
	}
	if err != nil {
		return
	}
	s.last, s.read = p, began
	s.next = began.Add(max(s.Every, s.Now().Sub(began)*costs)) // a large backlog is looked at less often
}

func (s *State) look(ctx context.Context, now time.Time) (p picture, err error) {
	codes, all, held, err := s.waits(ctx)
	if err != nil {
		return p, err
	}
	p.held, p.reasons = held, map[waiting.Code]int64{}
	for _, code := range codes {
		p.reasons[code]++
	}
	if more := all - int64(len(codes)); more > 0 {
		p.reasons["OTHERS"] = more
	}
	if p.backlog, err = s.invoices(ctx, codes); err != nil {
		return p, err
	}
	if p.reportDue, err = s.overdue(ctx, s.DailyReports, now); err != nil {
		return p, err
	}
	if p.emailDue, err = s.overdue(ctx, s.Mail, now); err != nil {
		return p, err
	}
	if p.contingencies, err = s.contingencies(ctx, now); err != nil {
		return p, err
	}
	due, some, err := s.Delivery(ctx)
	if some {
		p.deliveryDue = max(0, now.Sub(due))
	}
	return p, err
}
