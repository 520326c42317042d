package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"

	"github.com/google/uuid"
)

// companies and keys of a service under load: a key for each client.
const (
	loadCompanies = 4
	keysOfCompany = mostClients / loadCompanies
)

// postLoad posts invoices of two items, each client with a key of its own.
func postLoad(p *process, tenants []tenant, clients int) wire {
	messages := make([][]byte, clients)
	for i := range messages {
		t := tenants[i%len(tenants)]
		messages[i] = message("POST", "/api/invoices", t.keys[i/len(tenants)%len(t.keys)], invoiceBody(t.cuit, 2))
	}
	return wire{address: p.address, clients: clients, want: http.StatusCreated,
		request: func(client, _ int) []byte { return messages[client] }}
}

// keyedLoad is postLoad with another Idempotency-Key for every invoice.
func keyedLoad(p *process, tenants []tenant, clients int) wire {
	run := uuid.NewString()
	w := postLoad(p, tenants, clients)
	w.request = func(client, n int) []byte {
		t := tenants[client%len(tenants)]
		return message("POST", "/api/invoices", t.keys[client/len(tenants)%len(t.keys)], invoiceBody(t.cuit, 2),
			fmt.Sprintf("Idempotency-Key: %s-%d-%d-%s", run, client, n, uuid.NewString()))
	}
	return w
}

// measurePosts is the service beside the log's appends and beside the handler alone.
func measurePosts(ctx context.Context, b *bench) (err error) {
	like, err := invoiceEvent(ctx, 2)
	if err != nil {
		return err
	}
	j, err := openJournal(ctx, filepath.Join(b.dir, "journal-posts"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close(ctx)) }()
	data := filepath.Join(b.dir, "posts")
	p, err := b.service(ctx, data, pure)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	tenants, err := b.setUp(ctx, p, data, loadCompanies, keysOfCompany)
	if err != nil {
		return err
	}
	c, at, err := b.ceiling(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	bare := []tenant{{cuit: cuit(0), keys: at.Keys}}
	contestants := []contestant{{"keyed", p.charged(keyedLoad(p, tenants, mostClients).run)}}
	for _, n := range callers {
		contestants = append(contestants,
			contestant{fmt.Sprint("appends ", n), j.appends(n, like)},
			contestant{fmt.Sprint("service ", n), p.charged(postLoad(p, tenants, n).run)},
			contestant{fmt.Sprint("handler ", n), c.charged(postLoad(c, bare, n).run)})
	}
	got, err := b.race(ctx, contestants...)
	if err != nil {
		return err
	}
	b.postRows(got)
	return nil
}

// wantedShare is the part of the raw append rate that POST should reach.
const wantedShare = 0.3

func (b *bench) postRows(got map[string][]sample) {
	for _, n := range callers {
		s, raw, bare := got[fmt.Sprint("service ", n)], got[fmt.Sprint("appends ", n)], got[fmt.Sprint("handler ", n)]
		share := ratio(s, raw, sample.rate)
		r := row{what: fmt.Sprintf("POST, %d clients", n), value: perSecond(over(s, sample.rate).mid),
			cpu:    micro(over(s, sample.cost).mid),
			beside: "raw appends " + perSecond(over(raw, sample.rate).mid), ratio: share,
			why: fmt.Sprintf("Answered when durable and readable; p50 %s. An append costs %s of CPU, so by CPU the share is %s.",
				micro(over(s, sample.latency).mid), micro(over(raw, sample.cost).mid), short(ratio(raw, s, sample.cost).mid))}
		if n == mostClients {
			r.aim = atLeast(share.mid, wantedShare, ">= 0.30")
		}
		b.table.add(r)
		b.table.add(row{what: "", beside: "without storage " + perSecond(over(bare, sample.rate).mid),
			ratio: ratio(s, bare, sample.rate),
			why: fmt.Sprintf("The same handler with a log that answers at once: %s of CPU, by CPU the share is %s.",
				micro(over(bare, sample.cost).mid), short(ratio(bare, s, sample.cost).mid))})
	}
	s := got["keyed"]
	plain := got[fmt.Sprint("service ", mostClients)]
	b.table.add(row{what: "POST with Idempotency-Key, 64", value: perSecond(over(s, sample.rate).mid),
		cpu:    micro(over(s, sample.cost).mid),
		beside: "POST without", ratio: ratio(s, plain, sample.rate),
		why: "One more stream to read and one more append for each invoice. The load builds every request anew here."})
}
