package projections_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"

	"github.com/go-json-experiment/json"
)

// Read makes the source a reader of single streams, too.
func (s *source) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	s.mu.Lock()
	if s.streams == nil {
		s.streams = map[string][]events.Recorded{}
		for _, r := range s.log {
			s.streams[r.Stream] = append(s.streams[r.Stream], r)
		}
	}
	held := s.streams[stream]
	s.mu.Unlock()
	return func(yield func(events.Recorded, error) bool) {
		for _, r := range held {
			if r.Revision >= from && !yield(r, nil) {
				return
			}
		}
	}
}

// past is a random history, with what reads gave after each of its events.
type past struct {
	t      *testing.T
	r      *rand.Rand
	source *source
	run    *engine.Runner
	reader *projections.Reader
	states []string // of each invoice: how far it is
	// abandoned says that the stream of the next invoice has begun.
	abandoned bool
	reads     []pastRead
}

type pastRead struct {
	query    projections.InvoiceQuery
	id       string // of a read of one
	position events.Position
	at       time.Time
	answer   string
}

func TestTheListOfThePastIsWhatAReadGaveThen(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	p := &past{t: t, r: rand.New(rand.NewPCG(seed, 1)), source: newSource()}
	tables := openTables(t)
	if err := engine.Prepare(t.Context(), tables, projections.Invoices); err != nil {
		t.Fatal(err)
	}
	p.run, _ = start(t, options(tables, p.source, "A", projections.Invoices))
	p.reader = projections.NewReader(tables, p.source)
	for range 80 {
		at := p.source.append(p.next())
		waitFor(t, p.run, projections.Invoices.Name(), at)
		awaitStatus(t, p.run, projections.Invoices.Name(), func(s engine.Status) bool { return s.CaughtUp })
		for range 6 {
			p.read(at)
		}
	}
	for _, x := range p.reads {
		for _, m := range []events.Moment{{Position: x.position}, {Time: x.at}, {Time: x.at.Add(time.Second)}} {
			if got := p.ask(x, m); got != x.answer {
				t.Fatalf("%+v %s at %s:\n%s\na read gave then\n%s", x.query, x.id, m, got, x.answer)
			}
		}
	}
}

// next is a random event that may happen now.
func (p *past) next() given {
	if len(p.states) == 0 || p.r.IntN(3) == 0 {
		id := fmt.Sprint("I", len(p.states)+1)
		if len(p.states) > 0 && !p.abandoned && p.r.IntN(3) == 0 { // an attempt to create it was given up before
			p.abandoned = true
			return given{Stream: "invoice-" + id, Event: events.CreationAbandoned{}}
		}
		p.abandoned = false
		p.states = append(p.states, "Pending")
		return created([]string{"C1", "C2"}[p.r.IntN(2)], id, 1+p.r.IntN(20))
	}
	n := p.r.IntN(len(p.states))
	id, number := fmt.Sprint("I", n+1), int64(n+1)
	switch p.states[n] {
	case "Pending":
		p.states[n] = "Sent"
		return started(id, number)
	case "Sent":
		if p.r.IntN(4) == 0 {
			p.states[n] = "Over"
			return rejected(id)
		}
		p.states[n] = "Numbered"
		return numbered(id, number)
	case "Numbered":
		p.states[n] = "Accepted"
		return accepted(id)
	case "Accepted":
		p.states[n] = "Over"
		note := fmt.Sprint("I", 1+p.r.IntN(len(p.states)))
		return given{Stream: "invoice-" + id, Event: events.InvoiceCancelled{CreditNote: note, Date: "2026-03-05"}}
	}
	return given{Stream: "invoice-" + id, Event: events.ProcessingRequested{}}
}

// read keeps the answer to a random read.
func (p *past) read(at events.Position) {
	pick := func(of ...string) string { return of[p.r.IntN(len(of))] }
	some := fmt.Sprint("I", 1+p.r.IntN(len(p.states)))
	q := projections.InvoiceQuery{Company: pick("C1", "C2")}
	q.Page = engine.Page{Limit: 1 + p.r.IntN(10), Offset: p.r.IntN(4)}
	switch p.r.IntN(7) {
	case 0:
		q.Status = pick("Pending", "in process", "Accepted", "REJECTED")
	case 1:
		q.Number = fmt.Sprintf("0005-%08d", 1+p.r.IntN(len(p.states)))
	case 2:
		q.ExternalReference = "ref-" + some
	case 3:
		q.Page.Before = int64(1 + p.r.IntN(len(p.states)+1))
	case 4:
		q.Status, q.Page.Before = "Accepted", int64(1+p.r.IntN(len(p.states)+1))
	case 5:
		q.References = some
	}
	x := pastRead{
		query:    q,
		position: at,
		at:       time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC).Add(time.Duration(len(p.source.given)-1) * time.Minute),
	}
	if p.r.IntN(3) == 0 {
		x.id = some
	}
	x.answer = p.ask(x, events.Moment{})
	p.reads = append(p.reads, x)
}

// ask is the answer now, or at a moment.
func (p *past) ask(x pastRead, m events.Moment) string {
	p.t.Helper()
	var v any
	var err error
	switch {
	case x.id != "" && m.IsZero():
		v, err = p.reader.GetInvoice(p.t.Context(), x.id)
	case x.id != "":
		v, err = engine.GetAt[projections.Invoice](p.t.Context(), p.reader, projections.Invoices, x.id, m)
	case m.IsZero():
		v, err = p.reader.ListInvoices(p.t.Context(), x.query)
	default:
		v, err = p.reader.ListInvoicesAt(p.t.Context(), x.query, m)
	}
	if err != nil {
		p.t.Fatalf("%+v at %s: %v", x, m, err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func TestWhatDidNotExistThenIsNotThere(t *testing.T) {
	s := newSource(created("C1", "I1", 1), created("C1", "I2", 1))
	reader := projections.NewReader(openTables(t), s)
	before := events.Moment{Position: s.log[0].Position}
	if _, err := engine.GetAt[projections.Invoice](
		t.Context(),
		reader,
		projections.Invoices,
		"I2",
		before,
	); !errors.Is(
		err,
		engine.ErrNotFound,
	) {
		t.Errorf("%v", err)
	}
	if i, err := engine.GetAt[projections.Invoice](
		t.Context(),
		reader,
		projections.Invoices,
		"I1",
		before,
	); err != nil ||
		i.At != s.log[0].Position {
		t.Errorf("%+v, %v", i, err)
	}
}

// A filter that leaves too many candidates is refused; the same list without it is not.
func TestAListOfThePastIsBounded(t *testing.T) {
	var all []given
	for i := range 1100 {
		all = append(all, created("C1", fmt.Sprint("I", i), 1))
	}
	s := newSource(all...)
	tables := openTables(t)
	o := options(tables, s, "A", projections.Invoices)
	o.Lease = 10 * time.Second // a batch of this size may take longer than the one of the other tests
	run, _ := start(t, o)
	waitFor(t, run, projections.Invoices.Name(), s.end())
	awaitStatus(t, run, projections.Invoices.Name(), func(s engine.Status) bool { return s.CaughtUp })
	reader, m := projections.NewReader(tables, s), events.Moment{Position: s.log[1049].Position}
	ask := func(change func(*projections.InvoiceQuery)) (engine.List[projections.Invoice], error) {
		q := projections.InvoiceQuery{Company: "C1", Page: engine.Page{Limit: 5}}
		change(&q)
		return reader.ListInvoicesAt(t.Context(), q, m)
	}
	if l, err := ask(func(*projections.InvoiceQuery) {}); err != nil || l.Total != 1050 || l.Documents[0].ID != "I1049" {
		t.Errorf("%d, %v", l.Total, err)
	}
	if _, err := ask(func(q *projections.InvoiceQuery) { q.Status = "Pending" }); !errors.Is(err, projections.ErrTooWide) {
		t.Errorf("%v", err)
	}
	if l, err := ask(
		func(q *projections.InvoiceQuery) { q.Status, q.ExternalReference = "Pending", "Ref-I7" },
	); err != nil ||
		l.Total != 1 {
		t.Errorf("%d, %v", l.Total, err)
	}
	if found, err := reader.AnyInvoiceAt(
		t.Context(),
		projections.InvoiceQuery{Company: "C1", Status: "Pending"},
		m,
	); err != nil ||
		!found {
		t.Errorf("%v, %v", found, err)
	}
}
