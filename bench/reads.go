package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"example.com/folio/client"
)

const (
	perPage     = 100
	wantedReads = 1.3 // page 1000 by page 1
)

// reader starts the service on the past and waits until its read models are current.
func (b *bench) reader(ctx context.Context) (*past, *process, error) {
	s, err := b.seeded(ctx)
	if err != nil {
		return nil, nil, err
	}
	p, err := b.service(ctx, s.data, pure)
	if err != nil {
		return nil, nil, err
	}
	if err := ready(ctx, p); err != nil {
		return nil, nil, errors.Join(err, p.stop())
	}
	s.current = true
	return s, p, nil
}

// ready waits until every feed of the service has caught up: one that still reads the
// log takes processor time that no request asked for.
func ready(ctx context.Context, p *process) error {
	for {
		var state struct {
			Feeds []struct {
				CaughtUp bool `json:"caught_up"`
			} `json:"feeds"`
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address+"/readyz", nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		if err := errors.Join(json.NewDecoder(answer.Body).Decode(&state), answer.Body.Close()); err != nil {
			return err
		}
		waiting := false
		for _, f := range state.Feeds {
			waiting = waiting || !f.CaughtUp
		}
		if !waiting && len(state.Feeds) > 0 {
			return nil
		}
		if err := rest(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// measureReads is one reader's company with the whole past.
func measureReads(ctx context.Context, b *bench) (err error) {
	s, p, err := b.reader(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	last := len(s.invoices) / perPage
	if err := checkPages(ctx, p, s, last); err != nil {
		return err
	}
	get := func(clients int, path func(client, n int) string) func(context.Context, time.Duration) (sample, error) {
		return p.charged(wire{address: p.address, clients: clients, want: http.StatusOK, request: func(client, n int) []byte {
			return message("GET", path(client, n), s.tenant.keys[client%len(s.tenant.keys)], nil)
		}}.run)
	}
	page := func(n int) func(int, int) string {
		path := fmt.Sprintf("/api/invoices?per_page=%d&page=%d", perPage, n)
		return func(int, int) string { return path }
	}
	got, err := b.race(ctx,
		contestant{"floor", get(8, func(int, int) string { return "/healthz" })},
		contestant{"get", get(8, func(client, n int) string {
			return "/api/invoices/" + s.invoices[(client*7919+n*104_729)%len(s.invoices)]
		})},
		contestant{"first", get(2, page(1))}, contestant{"deep", get(2, page(last))})
	if err != nil {
		return err
	}
	b.readRows(got, last, len(s.invoices))
	return nil
}

func (b *bench) readRows(got map[string][]sample, last, invoices int) {
	floor, one, first, deep := got["floor"], got["get"], got["first"], got["deep"]
	b.table.add(row{what: "GET by id, 8 clients", value: perSecond(over(one, sample.rate).mid),
		cpu:    micro(over(one, sample.cost).mid),
		beside: "GET /healthz " + perSecond(over(floor, sample.rate).mid), ratio: ratio(one, floor, sample.rate),
		why: fmt.Sprintf("Ids from all over %s invoices; key checked, record composed. The ceiling answers \"ok\" from "+
			"the same process: %s of CPU.",
			thousands(int64(invoices)), micro(over(floor, sample.cost).mid))})
	b.table.add(row{what: "list, page 1 of 100", value: perSecond(over(first, sample.rate).mid),
		cpu:    micro(over(first, sample.cost).mid),
		beside: "100 x GET by id, in CPU", ratio: spread{ratio(first, one, sample.cost).low / perPage,
			ratio(first, one, sample.cost).mid / perPage, ratio(first, one, sample.cost).high / perPage},
		why: "Full records, 2 clients, with the count over all pages; below 1: a page is cheaper than its invoices one by " +
			"one."})
	depth := ratio(deep, first, sample.cost)
	b.table.add(row{what: fmt.Sprintf("list, page %s", thousands(int64(last))),
		value: perSecond(over(deep, sample.rate).mid), cpu: micro(over(deep, sample.cost).mid),
		beside: "page 1, in CPU", ratio: depth, aim: atMost(depth.mid, wantedReads, "<= 1.30"),
		why: fmt.Sprintf("By time of answer the ratio is %s.", short(ratio(deep, first, sample.latency).mid))})
}

// checkPages makes sure that the pages hold what they should before they are measured.
func checkPages(ctx context.Context, p *process, s *past, last int) error {
	c := client.Client{Base: p.address, Key: s.tenant.keys[0]}
	for _, n := range []int{1, last} {
		var page struct {
			Total int               `json:"total_results"`
			Data  []json.RawMessage `json:"data"`
		}
		if err := c.Do(ctx, http.MethodGet, fmt.Sprintf("/api/invoices?per_page=%d&page=%d", perPage, n), nil,
			&page); err != nil {
			return err
		}
		if page.Total != len(s.invoices) || len(page.Data) != perPage {
			return fmt.Errorf("page %d holds %d of %d invoices, want %d of %d", n, len(page.Data), page.Total, perPage,
				len(s.invoices))
		}
	}
	return nil
}
