package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"example.com/folio/client"
)

// The limits of a service as it comes, which both neighbours keep to.
const (
	perSecond50 = 50
	perMinute   = 3000
)

const (
	victimPause     = 60 * time.Millisecond // between two requests of the victim: far below its limit
	victimInvoices  = 100
	attackerRecords = 60
	attackerItems   = 700 // of an invoice: a record of some 190 KB
	neighbourSlice  = 2 * time.Second
	wantedNeighbour = 1.5
	wantedMemory    = 1 << 30
)

// measureNeighbours asks for what a company's requests take while another company, within
// the default limits of one key, asks for the most expensive things there are.
func measureNeighbours(ctx context.Context, b *bench) (err error) {
	data := filepath.Join(b.dir, "neighbours")
	p, err := b.service(ctx, data, all, "--rate-limit-second", fmt.Sprint(perSecond50), "--rate-limit-minute",
		fmt.Sprint(perMinute))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	tenants, err := b.setUp(ctx, p, data, 2, 2)
	if err != nil {
		return err
	}
	victim, attacker := tenants[0], tenants[1]
	if err := fill(ctx, p, victim, victimInvoices, 2); err != nil {
		return err
	}
	if err := fill(ctx, p, attacker, attackerRecords, attackerItems); err != nil {
		return err
	}
	if _, err := allAccepted(ctx, p, []tenant{{keys: victim.keys[1:]}, {keys: attacker.keys[1:]}}); err != nil {
		return err
	}
	attacks, err := b.attacks(ctx, p, data, attacker)
	if err != nil {
		return err
	}
	// A minute's budget was used while setting up; the race begins with a whole one.
	if err := rest(ctx, time.Minute); err != nil {
		return err
	}
	peak, stop := watchMemory(p.pid())
	defer stop()
	if err := b.neighbourRows(ctx, p, victim, attacks); err != nil {
		return err
	}
	m := peak()
	b.table.add(row{what: "memory beside all attacks", value: megabytes(m.resident),
		beside: "of it not file pages " + megabytes(m.anonymous),
		aim:    atMost(float64(m.anonymous), wantedMemory, "< 1 GB"),
		why: "Highest RSS. The gates let in 320 MiB of work and 32 MiB of bodies; GOMEMLIMIT, 1 GiB unless set, bounds " +
			"that with the garbage."})
	return nil
}

// neighbourRows runs each request of the victim alone and beside each attack.
func (b *bench) neighbourRows(ctx context.Context, p *process, victim tenant, attacks []attack) error {
	slow := *b
	slow.slice = max(b.slice, neighbourSlice)
	requests := map[string]func(context.Context) error{
		"list": p.get(victim.keys[0], "/api/invoices?per_page=100"),
		"POST": p.post(victim.keys[0], "/api/invoices", invoiceBody(victim.cuit, 2)),
	}
	var contestants []contestant
	for name, request := range requests {
		contestants = append(contestants, contestant{name, paced(request)})
		for _, a := range attacks {
			contestants = append(contestants, contestant{name + " beside " + a.name, a.beside(paced(request))})
		}
	}
	got, err := slow.race(ctx, contestants...)
	if err != nil {
		return err
	}
	for _, name := range []string{"list", "POST"} {
		alone := got[name]
		for _, a := range attacks {
			beside := got[name+" beside "+a.name]
			r := ratio(beside, alone, sample.latency)
			b.table.add(row{what: name + " beside " + a.name, value: micro(over(beside, sample.latency).mid),
				beside: "alone " + micro(over(alone, sample.latency).mid), ratio: r,
				aim: atMost(r.mid, wantedNeighbour, "<= 1.5"), why: a.about})
		}
	}
	return nil
}

// paced sends a request again and again with a pause between, and takes the median.
func paced(request func(context.Context) error) func(context.Context, time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (s sample, err error) {
		var took []time.Duration
		for started := time.Now(); time.Since(started) < d || len(took) < 3; {
			began := time.Now()
			if err := request(ctx); err != nil {
				return s, err
			}
			took = append(took, time.Since(began))
			if err := rest(ctx, victimPause); err != nil {
				return s, err
			}
			s.wall = time.Since(started)
		}
		slices.Sort(took)
		s.ops, s.median = len(took), took[len(took)/2]
		return s, nil
	}
}

func (p *process) get(key, path string) func(context.Context) error {
	return func(ctx context.Context) error {
		return client.Client{Base: p.address, Key: key}.Do(ctx, http.MethodGet, path, nil, nil)
	}
}

func (p *process) post(key, path string, body []byte) func(context.Context) error {
	return func(ctx context.Context) error {
		return client.Client{Base: p.address, Key: key}.Do(ctx, http.MethodPost, path, body, nil)
	}
}

// fill creates invoices of so many items, as fast as the limit lets it.
func fill(ctx context.Context, p *process, t tenant, invoices, items int) error {
	create := p.post(t.keys[0], "/api/invoices", invoiceBody(t.cuit, items))
	for range invoices {
		if err := errors.Join(create(ctx), rest(ctx, time.Second/perSecond50)); err != nil {
			return err
		}
	}
	return nil
}
