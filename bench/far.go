package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"folio/eventstore/node"
	"folio/faultproxy"
)

// farAway is how much later each call of the log is answered: half of it passes on the way there.
const farAway = 2 * time.Millisecond

// measureFar is the service on a log of another process: near, and behind a proxy that holds back what passes.
func measureFar(ctx context.Context, b *bench) (err error) {
	var contestants []contestant
	stats := map[string]node.Stats{}
	for name, delay := range map[string]time.Duration{"near": 0, "far": farAway} {
		data := filepath.Join(b.dir, "far-"+name)
		n, err := node.Open(ctx, node.Options{Dir: filepath.Join(data, "log")})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, n.Close(context.WithoutCancel(ctx))) }()
		proxy, err := faultproxy.Start(ctx, "unix", strings.TrimPrefix(n.Address(), "unix://"))
		if err != nil {
			return err
		}
		defer proxy.Close()
		p, err := b.service(ctx, data, "write,read,projections,sandbox", "--eventstore",
			"esdb://"+proxy.Address()+"?tls=false")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, p.stop()) }()
		tenants, err := b.setUp(ctx, p, data, loadCompanies, keysOfCompany)
		if err != nil {
			return err
		}
		if delay > 0 {
			proxy.Delay(delay / 2)
		}
		for _, clients := range callers {
			key := fmt.Sprint(name, " ", clients)
			load := p.charged(postLoad(p, tenants, clients).run)
			contestants = append(contestants, contestant{key, func(ctx context.Context, d time.Duration) (sample, error) {
				before := n.Stats()
				s, err := load(ctx, d)
				after := n.Stats()
				stats[key] = node.Stats{Appends: stats[key].Appends + after.Appends - before.Appends,
					Reads: stats[key].Reads + after.Reads - before.Reads, Events: stats[key].Events + uint64(s.ops)}
				return s, err
			}})
		}
	}
	got, err := b.race(ctx, contestants...)
	if err != nil {
		return err
	}
	b.farRows(got, stats)
	return nil
}

func (b *bench) farRows(got map[string][]sample, stats map[string]node.Stats) {
	for _, clients := range callers {
		near, far := got[fmt.Sprint("near ", clients)], got[fmt.Sprint("far ", clients)]
		calls := stats[fmt.Sprint("far ", clients)]
		invoices := float64(max(calls.Events, 1))
		b.table.add(row{what: fmt.Sprintf("POST, %d clients, log %s away", clients, farAway),
			value: perSecond(over(far, sample.rate).mid), cpu: micro(over(far, sample.cost).mid),
			beside: "the same, log in another process " + perSecond(over(near, sample.rate).mid),
			ratio:  ratio(far, near, sample.rate),
			why: fmt.Sprintf("p50 %s; %s appends and %s reads of the log an invoice.", micro(over(far, sample.latency).mid),
				short(float64(calls.Appends)/invoices), short(float64(calls.Reads)/invoices))})
	}
}
