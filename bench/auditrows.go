package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"folio/clock"
	"folio/events"
	"folio/eventstore"
	"folio/processors/notary"
	"folio/tables/sqlite"
)

const (
	wantedWithNotary = 0.97                   // POST with a notary by POST without
	wantedLag        = float64(time.Second)   // of the tree behind the log
	wantedVerify     = 0.3                    // verifying by reading alone
	verifyMemory     = 200e6                  // most of it
	probeEvery       = 200 * time.Millisecond // how often the lag is looked at
	longestLag       = time.Minute            // then the notary stands
)

// measureNotary is POST with the notary beside POST without, in slices of one run. How far its tree is behind the
// log is looked at afterwards: who looks posts and reads, too.
func measureNotary(ctx context.Context, b *bench) (err error) {
	loads, lags := map[string]contestant{}, []time.Duration{}
	var watched contestant
	for name, transparency := range map[string]string{"with": "public", "without": "off"} {
		data := filepath.Join(b.dir, "notary-"+name)
		p, err := b.service(ctx, data, all, "--transparency", transparency)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, p.stop()) }()
		tenants, err := b.setUp(ctx, p, data, loadCompanies, keysOfCompany)
		if err != nil {
			return err
		}
		run := p.charged(postLoad(p, tenants, mostClients).run)
		if name == "with" {
			watched = contestant{"watched", watchingLag(run, p, data, tenants[0], &lags)}
		}
		loads[name] = contestant{name, run}
	}
	got, err := b.race(ctx, loads["with"], loads["without"])
	if err != nil {
		return err
	}
	if _, err := b.race(ctx, watched); err != nil {
		return err
	}
	share := ratio(got["with"], got["without"], sample.rate)
	b.table.add(row{what: "POST, 64 clients, with the notary", value: perSecond(over(got["with"], sample.rate).mid),
		cpu: micro(over(got["with"], sample.cost).mid), beside: "without " + perSecond(over(got["without"], sample.rate).mid),
		ratio: share, aim: atLeast(share.mid, wantedWithNotary, ">= 0.97"),
		why: fmt.Sprintf("Two services, a slice each in turn. By CPU of an invoice, from POST to Accepted, the share is %s.",
			short(ratio(got["without"], got["with"], sample.cost).mid))})
	slices.Sort(lags)
	if len(lags) == 0 {
		return errors.New("nobody looked how far the tree is behind")
	}
	worst := lags[len(lags)-1]
	b.table.add(row{what: "tree behind the log, at most", value: micro(float64(worst.Microseconds())),
		beside: "median " + micro(float64(lags[len(lags)/2].Microseconds())),
		aim:    atMost(float64(worst), wantedLag, "<= 1 s"),
		why: fmt.Sprintf("From the answer of a POST until its leaf is in the tables, %d times under that load.",
			len(lags))})
	return nil
}

// watchingLag posts an invoice now and then while a load runs, and awaits it in the tree.
func watchingLag(run func(context.Context, time.Duration) (sample, error), p *process, data string, t tenant,
	lags *[]time.Duration) func(context.Context, time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (s sample, err error) {
		store, err := sqlite.Open(ctx, filepath.Join(data, "tables.db"))
		if err != nil {
			return s, err
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		var over atomic.Bool
		looked := make(chan error, 1)
		go func() {
			for !over.Load() {
				lag, err := lagOf(ctx, p, store, t)
				if err != nil {
					looked <- err
					return
				}
				*lags = append(*lags, lag)
				clock.Sleep(ctx, probeEvery)
			}
			looked <- nil
		}()
		s, err = run(ctx, d)
		over.Store(true)
		return s, errors.Join(err, <-looked)
	}
}

// lagOf posts an invoice and measures how long after the answer the notary's tree has it.
func lagOf(ctx context.Context, p *process, store *sqlite.Store, t tenant) (time.Duration, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.address+"/api/invoices",
		strings.NewReader(string(invoiceBody(t.cuit, 2))))
	if err != nil {
		return 0, err
	}
	r.Header.Set("X-Api-Key", t.keys[0])
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	answered := time.Now()
	if err := answer.Body.Close(); err != nil {
		return 0, err
	}
	at, err := events.ParsePosition(answer.Header.Get("Folio-Position"))
	if err != nil {
		return 0, fmt.Errorf("answered %s: %w", answer.Status, err)
	}
	for ctx.Err() == nil {
		c, err := store.Checkpoint(ctx, notary.Name)
		switch {
		case err == nil && !c.At.Before(at):
			return time.Since(answered), nil
		case time.Since(answered) > longestLag:
			return 0, fmt.Errorf("the tree does not come to %s, it stands at %s (%v)", at, c.At, err)
		}
		clock.Sleep(ctx, 5*time.Millisecond)
	}
	return 0, ctx.Err()
}

// measureVerify is "folio verify" of a long log beside reading that log alone.
func measureVerify(ctx context.Context, b *bench) error {
	long, err := b.longLog(ctx, b.events)
	if err != nil {
		return fmt.Errorf("seed the log: %w", err)
	}
	data := long.data
	for _, c := range []struct {
		what, flag string
	}{{"verify, without read models", "--no-models"}, {"verify, whole", ""}} {
		if c.flag == "" {
			if err := b.foldLong(ctx, data); err != nil {
				return err
			}
		}
		read, err := readLong(ctx, data)
		if err != nil {
			return err
		}
		verified, peak, err := b.verify(ctx, data, c.flag)
		if err != nil {
			return err
		}
		share := ratio([]sample{verified}, []sample{read}, sample.rate)
		b.table.add(row{what: c.what, value: perSecond(verified.rate()), cpu: micro(verified.cost()),
			beside: "reading " + perSecond(read.rate()), ratio: share, aim: atLeast(share.mid, wantedVerify, ">= 0.30"),
			why: fmt.Sprintf("%s events in %s; read alone in %s, with %s of CPU an event. By CPU the share is %.2f.",
				thousands(int64(verified.ops)), verified.wall.Round(time.Second), read.wall.Round(time.Second),
				micro(read.cost()), read.cost()/verified.cost())})
		b.table.add(row{what: "memory of it, at most", value: megabytes(peak),
			aim: atMost(float64(peak), verifyMemory, "< 200 MB"), why: "Highest RSS, with the file pages of the log in it."})
	}
	return nil
}

// foldLong has a service make the read models of the log and its tree.
func (b *bench) foldLong(ctx context.Context, data string) error {
	p, err := b.service(ctx, data, all)
	if err != nil {
		return err
	}
	return errors.Join(ready(ctx, p), p.stop())
}

// readLong reads every event of the log, as a verifier does, and does nothing with it.
func readLong(ctx context.Context, data string) (s sample, err error) {
	j, err := openJournal(ctx, filepath.Join(data, "log"))
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, j.close(ctx)) }()
	before, started := ownCPU(), time.Now()
	for _, err := range j.log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err != nil {
			return s, err
		}
		s.ops++
	}
	s.wall, s.cpu = time.Since(started), ownCPU()-before
	return s, nil
}

// verify runs the program and says what it took.
func (b *bench) verify(ctx context.Context, data, flag string) (s sample, peak int64, err error) {
	args := []string{"verify", "--data", data, "--json"}
	if flag != "" {
		args = append(args, flag)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, b.folio, args...)
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return s, 0, err
	}
	// Not the kernel's account of a child that ended: that begins with what its parent had.
	highest, stop := watchMemory(cmd.Process.Pid)
	defer stop()
	if err := cmd.Wait(); err != nil {
		return s, 0, fmt.Errorf("folio verify: %w", err)
	}
	s.wall, s.cpu = time.Since(started), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	var report struct {
		Events int
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return s, 0, err
	}
	s.ops = report.Events
	return s, highest().resident, nil
}
