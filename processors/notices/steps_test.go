package notices_test

import (
	"fmt"
	"time"

	"folio/events"
	"folio/processors/notices"
)

// step does one thing to the companies or the service.
func (m *model) step() {
	c := m.customers[m.r.IntN(len(m.customers))]
	if len(m.ended) == 0 && m.r.IntN(3) > 0 {
		m.revive()
		return
	}
	switch n := m.r.IntN(100); {
	case n < 12:
		m.certify(c)
	case n < 90 && len(c.series) > 0:
		s := c.series[m.r.IntN(len(c.series))]
		switch {
		case len(s.ranges) == 0 || n < 25:
			m.upload(s)
		case n < 30:
			m.skip(s)
		default:
			m.take(s)
		}
	case n > 93:
		m.end()
		return
	}
	m.compare()
}

// revive starts the service again, at once or after up to three weeks, and may have lost
// its tables, so that it hears the whole log again.
func (m *model) revive() {
	m.pass([]time.Duration{0, time.Hour, 36 * time.Hour, 20 * 24 * time.Hour}[m.r.IntN(4)])
	if m.r.IntN(3) == 0 {
		if err := m.tables.Worklist(notices.Name).Clear(m.t.Context()); err != nil {
			m.t.Fatal(err)
		}
		if err := m.tables.ResetCheckpoint(m.t.Context(), notices.Name); err != nil {
			m.t.Fatal(err)
		}
	}
	m.live()
}

func (m *model) certify(c *customer) {
	m.n++
	now := time.Now()
	held := heldCertificate{id: fmt.Sprint("X", m.n), uploaded: now,
		expiry: now.Add(time.Duration(m.r.Int64N(int64(100 * 24 * time.Hour)))).Truncate(time.Second)}
	environment := []string{"Production", "Testing"}[m.r.IntN(2)]
	c.certificates[environment] = held
	m.fact("company-"+c.id, events.CertificateUploaded{Certificate: held.id, Environment: environment,
		Fingerprint: held.id,
		ValidFrom:   now.AddDate(-1, 0, 0).UTC().Format(time.RFC3339), ValidTo: held.expiry.UTC().Format(time.RFC3339)})
}

func (m *model) upload(s *series) {
	m.n++
	first := int64(m.n) * 1000
	e := events.NumberingRangeUploaded{Range: fmt.Sprint("R", m.n), Company: s.id, Environment: "Production",
		OfficialCode: s.code,
		From:         first, To: first + []int64{0, 1, 9, 39, 299}[m.r.IntN(5)], Fingerprint: fmt.Sprint(m.n)}
	if m.r.IntN(4) > 0 {
		e.ExpiresOn = before(s.today(time.Now()), -m.r.IntN(40))
	}
	s.ranges = append(s.ranges, heldRange{e, time.Now(), first})
	m.fact(s.stream, e)
}

// take sends documents, of which the authority rejects some: their numbers are void.
func (m *model) take(s *series) {
	r := s.usable(time.Now())
	if r == nil {
		return
	}
	m.n++
	count := 1 + m.r.Int64N(min(r.To-r.next+1, 100))
	if m.r.IntN(3) == 0 && r.To > r.next {
		count = r.To - r.next // all but one
	}
	e, settled := opened(fmt.Sprint("S", m.n), r.next, int(count)),
		events.SubmissionSettled{Submission: fmt.Sprint("S", m.n)}
	e.Range = r.Range
	for i, id := range e.Invoices {
		settled.Outcomes = append(settled.Outcomes,
			events.Outcome{Invoice: id, Number: r.next + int64(i), Result: events.Rejected})
	}
	void := events.NumberVoided{Number: r.next, Invoice: e.Invoices[0]}
	r.next += count
	m.fact(s.stream, e)
	m.compare()
	m.fact(s.stream, settled, void)
}

// skip passes numbers over: the start is configured, or an operator names the next one.
func (m *model) skip(s *series) {
	r := s.usable(time.Now())
	if r == nil {
		return
	}
	next := r.next + m.r.Int64N(r.To-r.next+1)
	if len(s.ranges) == 1 && r.next == r.From {
		m.fact(s.stream, events.NumberingStartConfigured{Range: r.Range, From: next})
	} else {
		m.fact(s.stream, events.SeriesHeld{Reason: "restored"},
			events.SeriesReleased{Reason: "looked", Range: r.Range, Next: next})
		for i := range s.ranges {
			if &s.ranges[i] == r {
				break
			}
			s.ranges[i].next = s.ranges[i].To + 1
		}
	}
	r.next = next
}
