package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"folio/events"
	"folio/eventstore"
)

// past is a data folder whose log holds many invoices of one company: two events an
// invoice on average, every third is accepted. Its last ones have many items.
type past struct {
	data     string
	tenant   tenant
	store    string // id of the log
	invoices []string
	accepted int      // of 2 items
	five     []string // accepted ones of 5 items
	hundred  []string // of 100 items
	events   int
	current  bool // the folder's read model holds all of it
}

const (
	withFive    = 400
	withHundred = 100
)

// seeded makes the past once. The company is made over HTTP; its invoices are written
// to the log as the service writes them, many at a time and without HTTP.
func (b *bench) seeded(ctx context.Context) (*past, error) {
	if b.past != nil {
		return b.past, nil
	}
	invoices := 100_000
	if b.quick {
		invoices = 10_000
	}
	s, err := b.seed(ctx, filepath.Join(b.dir, "past"), invoices)
	if err == nil {
		b.past = s
	}
	return s, err
}

// seed makes a past of so many invoices in a new data folder.
func (b *bench) seed(ctx context.Context, data string, invoices int) (*past, error) {
	s := &past{data: data}
	p, err := b.service(ctx, data, all)
	if err != nil {
		return nil, err
	}
	tenants, err := b.setUp(ctx, p, data, 1, 8)
	if err = errors.Join(err, p.stop()); err != nil {
		return nil, err
	}
	s.tenant = tenants[0]
	started := time.Now()
	if err := s.fill(ctx, invoices); err != nil {
		return nil, fmt.Errorf("seed the log: %w", err)
	}
	fmt.Fprintf(b.table.out, "  (seeded %s invoices, %s events, in %s)\n", thousands(int64(len(s.invoices))),
		thousands(int64(s.events)),
		time.Since(started).Round(time.Second))
	return s, nil
}

// shape is what the i-th invoice is like. Those of many items are in the middle, so
// that the first page and the last hold the same.
func shape(i, invoices int) (items int, accepted bool) {
	switch middle := i - invoices/2; {
	case 0 <= middle && middle < withHundred:
		return 100, true
	case withHundred <= middle && middle < withHundred+withFive:
		return 5, true
	}
	return 2, i%3 == 0
}

// story is one invoice to write.
type story struct {
	id     string
	events []events.Event
}

func (s *past) fill(ctx context.Context, invoices int) (err error) {
	j, err := openJournal(ctx, filepath.Join(s.data, "log"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close(ctx)) }()
	if s.store, err = storeID(ctx, j.log); err != nil {
		return err
	}
	stories, err := s.stories(ctx, invoices)
	if err != nil {
		return err
	}
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	for range 256 {
		all.Go(func() {
			for one := range stories {
				if err := write(ctx, j.log, one); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

// stories hands the invoices out in the order of their numbers.
func (s *past) stories(ctx context.Context, invoices int) (<-chan story, error) {
	templates := map[int]template{}
	for _, items := range []int{2, 5, 100} {
		t, err := newTemplate(ctx, s.tenant.id, items)
		if err != nil {
			return nil, err
		}
		templates[items] = t
	}
	out := make(chan story, 256)
	for i := range invoices {
		id := ulid.Make().String()
		s.invoices = append(s.invoices, id)
		switch items, accepted := shape(i, invoices); {
		case items == 100:
			s.hundred = append(s.hundred, id)
		case items == 5:
			s.five = append(s.five, id)
		case accepted:
			s.accepted++
		}
	}
	s.events = invoices + 3*(s.accepted+len(s.five)+len(s.hundred))
	go func() {
		defer close(out)
		for i, id := range s.invoices {
			items, accepted := shape(i, invoices)
			select {
			case out <- story{id, templates[items].history(id, int64(i+1), accepted)}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

func write(ctx context.Context, l *eventstore.Log, one story) error {
	ps := make([]eventstore.Pending, len(one.events))
	for i, e := range one.events {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			return err
		}
		ps[i] = eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema,
			Correlation: one.id, Actor: "key:" + one.id, Request: uuid.NewString(), At: time.Now().UTC()}}
	}
	_, err := l.Append(ctx, "invoice-"+one.id, eventstore.NoStream, ps...)
	return err
}

// storeID is which log this is; the service wrote it.
func storeID(ctx context.Context, l *eventstore.Log) (string, error) {
	r, ok, err := l.ReadLast(ctx, "folio-store")
	if err == nil && ok {
		r, err = events.Open(r)
	}
	if e, is := r.Event.(events.StoreCreated); err == nil && is {
		return e.Store, nil
	}
	return "", errors.Join(err, errors.New("the log does not say which one it is"))
}
