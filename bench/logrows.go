package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"folio/events"
	"folio/eventstore"
)

var callers = []int{1, 16, 64}

// mostClients is the highest of callers.
const mostClients = 64

// measureLog is the log alone, through its client.
func measureLog(ctx context.Context, b *bench) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	like, err := invoiceEvent(ctx, 2)
	if err != nil {
		return err
	}
	j, err := openJournal(ctx, filepath.Join(b.dir, "journal"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close(ctx)) }()
	contestants := []contestant{
		{"sync", syncs(b.dir, len(like.Data))},
		{"again", j.appends(mostClients, like)},
		{"live", j.delays(ctx, like)},
		{"all", j.reads()},
	}
	for _, n := range callers {
		contestants = append(contestants, contestant{fmt.Sprint(n), j.appends(n, like)})
	}
	got, err := b.race(ctx, contestants...)
	if err != nil {
		return err
	}
	b.logRows(got, len(like.Data))
	return nil
}

func (b *bench) logRows(got map[string][]sample, size int) {
	floor := over(got["sync"], sample.rate).mid
	b.table.add(row{what: "write + " + syncMode, value: perSecond(floor), cpu: micro(over(got["sync"], sample.cost).mid),
		why: fmt.Sprintf("A block of %d bytes and one sync, one after the other: what the disk allows a single writer.",
			size)})
	for _, n := range callers {
		s := got[fmt.Sprint(n)]
		b.table.add(row{what: fmt.Sprintf("durable appends, %d callers", n), value: perSecond(over(s, sample.rate).mid),
			cpu: micro(over(s, sample.cost).mid), beside: syncMode + " " + perSecond(floor),
			ratio: ratio(s, got["sync"], sample.rate),
			why: fmt.Sprintf("InvoiceCreated of 2 items (%d bytes) to a stream of its own, client and node in one process; "+
				"p50 %s. Above 1: commits are shared.",
				size, micro(over(s, sample.latency).mid))})
	}
	b.table.add(row{what: "the same again, 64 callers", value: perSecond(over(got["again"], sample.rate).mid),
		cpu:    micro(over(got["again"], sample.cost).mid),
		beside: "itself", ratio: ratio(got["again"], got["64"], sample.rate),
		why: "A/A control: as far as this ratio is from 1, so far may any other of this run be by chance."})
	b.table.add(row{what: "reading $all", value: perSecond(over(got["all"], sample.rate).mid),
		cpu:    micro(over(got["all"], sample.cost).mid),
		beside: "appends, 64 callers", ratio: ratio(got["all"], got["64"], sample.rate),
		why: "Events read through the client for each that can be appended: how much faster catching up is than falling " +
			"behind."})
	b.table.add(row{what: "append until a follower has it", value: micro(over(got["live"], sample.latency).mid),
		cpu:    micro(over(got["live"], sample.cost).mid),
		beside: "append, 1 caller " + micro(over(got["1"], sample.latency).mid),
		ratio:  ratio(got["live"], got["1"], sample.latency),
		why: "Median from the start of an append until its event is in a live subscription: near 1, since both come " +
			"after the sync."})
}

// reads is a contestant: the whole log from its beginning, as far as the time goes.
func (j *journal) reads() func(context.Context, time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (s sample, err error) {
		before, started := ownCPU(), time.Now()
		for time.Since(started) < d {
			for _, err := range j.log.All(ctx, events.Position{}, eventstore.Filter{}) {
				if err != nil {
					return s, err
				}
				if s.ops++; s.ops%256 == 0 && time.Since(started) >= d {
					break
				}
			}
		}
		s.wall, s.cpu = time.Since(started), ownCPU()-before
		return s, nil
	}
}
