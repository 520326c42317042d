package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/folio/client"
	"golang.org/x/sync/errgroup"
)

// The authority of this part takes its time for every call, as the real one does.
const (
	slowCall     = 400 * time.Millisecond
	seriesAtOnce = 50
	perSeries    = 4 // invoices
)

// measureAuthority is submission against an authority that takes 400 ms a call: a
// backlog in one series goes in batches, and a series that is stuck slows no other.
func measureAuthority(ctx context.Context, b *bench) (err error) {
	if err := b.oneSeries(ctx); err != nil {
		return err
	}
	data := filepath.Join(b.dir, "authority")
	p, err := b.service(ctx, data, all, "--sandbox-latency", slowCall.String(), "--retry-base", "1s")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	tenants, err := b.setUp(ctx, p, data, 2, 1)
	if err != nil {
		return err
	}
	return b.manySeries(ctx, p, data, tenants[0], tenants[1])
}

// oneSeries lays a backlog into one series while nobody submits, and then waits for the last acceptance: what is
// measured is submission, not the POSTs.
func (b *bench) oneSeries(ctx context.Context) (err error) {
	count := 2000
	if b.quick {
		count = 500
	}
	data := filepath.Join(b.dir, "authority-backlog")
	p, err := b.service(ctx, data, pure)
	if err != nil {
		return err
	}
	tenants, err := b.setUp(ctx, p, data, 1, 1)
	if err == nil {
		err = postAll(ctx, p, tenants[0], count, func(int) int { return 1 })
	}
	if err := errors.Join(err, p.stop()); err != nil {
		return err
	}
	if p, err = b.service(ctx, data, all, "--sandbox-latency", slowCall.String()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	started, before := time.Now(), p.cpu()
	n, err := allAccepted(ctx, p, tenants)
	if err != nil {
		return err
	}
	rate := float64(n) / time.Since(started).Seconds()
	b.table.add(row{what: "one series, 400 ms a call", value: perSecond(rate),
		cpu:    micro(float64((p.cpu() - before).Microseconds()) / float64(n)),
		beside: "one by one " + perSecond(1/slowCall.Seconds()),
		aim:    atLeast(rate, 200, ">= 200/s"),
		why: fmt.Sprintf("A backlog of %s invoices of one series, from the start of a service that submits to the last "+
			"acceptance, in batches of up to 250. Two calls a batch bound it to %s.", thousands(int64(n)),
			perSecond(250/(2*slowCall.Seconds())))})
	return nil
}

// manySeries drains fifty series at once, alone and beside a company whose every call
// hangs.
func (b *bench) manySeries(ctx context.Context, p *process, data string, healthy, sick tenant) error {
	drain := func(base int) (time.Duration, error) {
		started := time.Now()
		if err := postAll(ctx, p, healthy, seriesAtOnce*perSeries,
			func(n int) int { return base + n%seriesAtOnce }); err != nil {
			return 0, err
		}
		_, err := allAccepted(ctx, p, []tenant{healthy})
		return time.Since(started), err
	}
	alone, err := drain(100)
	if err != nil {
		return err
	}
	if err := hang(ctx, data, sick.cuit); err != nil {
		return err
	}
	if err := postAll(ctx, p, sick, 5, func(int) int { return 1 }); err != nil {
		return err
	}
	beside, err := drain(200)
	if err != nil {
		return err
	}
	slower := beside.Seconds() / alone.Seconds()
	b.table.add(row{what: "50 series, one more stuck", value: micro(float64(beside.Microseconds())),
		beside: "without it " + micro(float64(alone.Microseconds())),
		aim:    atMost(slower, 1.3, "<= 1.3x"),
		why: fmt.Sprintf("%d invoices of 50 series until all are accepted, while every call of another company hangs: "+
			"%.2fx.", seriesAtOnce*perSeries, slower)})
	return nil
}

// postAll posts n invoices from eight clients, each to the point of sale that branch says.
func postAll(ctx context.Context, p *process, t tenant, n int, branch func(int) int) error {
	body := invoiceBody(t.cuit, 2)
	c := client.Client{Base: p.address, Key: t.keys[0]}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i := range n {
		g.Go(func() error {
			mine := bytes.Replace(body, []byte(`"branch_office":1`), fmt.Appendf(nil, `"branch_office":%d`, branch(i)), 1)
			return c.Do(ctx, http.MethodPost, "/api/invoices", mine, nil)
		})
	}
	return g.Wait()
}

// hang makes the sandbox answer no call of a company.
func hang(ctx context.Context, data, cuit string) error {
	address, err := os.ReadFile(filepath.Join(data, "sandbox", "address"))
	if err != nil {
		return err
	}
	c := client.Client{Base: strings.TrimSpace(string(address))}
	return c.Do(ctx, http.MethodPost, "/admin/arca/faults",
		fmt.Appendf(nil, `{"effect":"hang","cuit":%s,"delay":"30s"}`, cuit), nil)
}
