package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"
)

// side is one of those that are measured beside each other, with its companies and what was made in the first.
type side struct {
	*process
	name    string
	tenants []tenant

	mu  sync.Mutex
	ids []string // of the first company
}

// note keeps the ids of created invoices.
func (s *side) note(body []byte) {
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(body, &made) == nil {
		s.mu.Lock()
		s.ids = append(s.ids, made.ID)
		s.mu.Unlock()
	}
}

const (
	ours, before, theirs, again = "folio", "before", "peer", "peer again"
	peerInvoices                = 20_000 // of a side before it is read
	aboutPeer                   = "chi + pgx + PostgreSQL"
)

// measurePeer is Folio beside a stranger, which is there twice: what its two series differ by is what the machine
// adds to every other ratio.
func measurePeer(ctx context.Context, b *bench) (err error) {
	pg, err := b.startPostgres(ctx)
	if errors.Is(err, errNoPostgres) {
		fmt.Fprintf(b.table.out, "  (left out: %v)\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pg.stop()) }()
	p, at, err := b.peer(ctx, pg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	them := &side{process: p, name: theirs}
	for i := range loadCompanies {
		t := tenant{cuit: cuit(i)}
		for k := i; k < len(at.Keys); k += loadCompanies {
			t.keys = append(t.keys, at.Keys[k])
		}
		them.tenants = append(them.tenants, t)
	}
	sides := []*side{them, {process: p, name: again, tenants: them.tenants}}
	for name, program := range map[string]string{ours: b.folio, before: b.before} {
		if program == "" {
			continue
		}
		s, err := b.side(ctx, name, program)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		sides = append(sides, s)
	}
	return b.againstPeer(ctx, sides)
}

// side starts a build of Folio with companies.
func (b *bench) side(ctx context.Context, name, program string) (*side, error) {
	data := filepath.Join(b.dir, "peer-"+name)
	p, err := b.serviceOf(ctx, program, data, pure)
	if err != nil {
		return nil, err
	}
	s := &side{process: p, name: name}
	if s.tenants, err = b.setUp(ctx, p, data, loadCompanies, keysOfCompany); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return s, nil
}

func (b *bench) againstPeer(ctx context.Context, sides []*side) error {
	closed := map[string]float64{}
	for _, clients := range callers {
		got, err := b.each(ctx, sides, func(s *side) func(context.Context, time.Duration) (sample, error) {
			return postLoad(s.process, s.tenants, clients).run
		})
		if err != nil {
			return err
		}
		b.peerRow(fmt.Sprintf("POST, %d clients", clients), got)
		for name, samples := range got {
			closed[name] = over(samples, sample.rate).mid
		}
	}
	half := min(closed[ours], closed[theirs]) / 2
	got, err := b.each(ctx, sides, func(s *side) func(context.Context, time.Duration) (sample, error) {
		return postLoad(s.process, s.tenants, mostClients).paced(half)
	})
	if err != nil {
		return err
	}
	b.latencyRow(fmt.Sprintf("POST, %s, open loop", perSecond(half)), got)
	for _, s := range sides {
		if s.name != again {
			if err := s.seed(ctx, b.quick); err != nil {
				return err
			}
		}
	}
	return b.peerReads(ctx, sides)
}

// each races the same load on every side.
func (b *bench) each(ctx context.Context, sides []*side,
	load func(*side) func(context.Context, time.Duration) (sample, error)) (map[string][]sample, error) {
	var contestants []contestant
	for _, s := range sides {
		contestants = append(contestants, contestant{s.name, s.charged(load(s))})
	}
	return b.race(ctx, contestants...)
}

// seed posts the invoices that are read later.
func (s *side) seed(ctx context.Context, quick bool) error {
	want := peerInvoices
	if quick {
		want /= 10
	}
	load := postLoad(s.process, s.tenants, mostClients)
	for made := 0; made < want; {
		got, err := load.run(ctx, time.Second)
		if err != nil {
			return err
		}
		made += got.ops
	}
	one := postLoad(s.process, s.tenants, 1)
	one.read = s.note
	_, err := one.run(ctx, time.Second/4)
	return err
}

func (b *bench) peerReads(ctx context.Context, sides []*side) error {
	byName := map[string]*side{}
	for _, s := range sides {
		byName[s.name] = s
	}
	byName[again].ids = byName[theirs].ids
	total := func(s *side) (n int, err error) {
		var page struct {
			Total int `json:"total_results"`
		}
		w := wire{address: s.address, clients: 1, want: http.StatusOK,
			request: func(int, int) []byte { return message("GET", "/api/invoices?per_page=1", s.tenants[0].keys[0], nil) },
			read:    func(body []byte) { err = json.Unmarshal(body, &page) }}
		_, failed := w.times(ctx, 1)
		return page.Total, errors.Join(err, failed)
	}
	last := 1 << 30
	for _, s := range sides {
		n, err := total(s)
		if err != nil {
			return err
		}
		last = min(last, n/perPage)
	}
	for _, r := range []struct {
		what    string
		clients int
		path    func(s *side, client, n int) string
	}{
		{"GET by id, 16 clients", 16, func(s *side, client, n int) string {
			return "/api/invoices/" + s.ids[(client*7919+n)%len(s.ids)]
		}},
		{"list, page 1 of 100", 4, func(*side, int, int) string { return "/api/invoices?per_page=100&page=1" }},
		{fmt.Sprint("list, page ", last), 4, func(*side, int, int) string {
			return fmt.Sprint("/api/invoices?per_page=100&page=", last)
		}},
	} {
		got, err := b.each(ctx, sides, func(s *side) func(context.Context, time.Duration) (sample, error) {
			return wire{address: s.address, clients: r.clients, want: http.StatusOK, request: func(client, n int) []byte {
				return message("GET", r.path(s, client, n), s.tenants[0].keys[client%len(s.tenants[0].keys)], nil)
			}}.run
		})
		if err != nil {
			return err
		}
		b.peerRow(r.what, got)
	}
	return b.peerMemory(byName)
}
