package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"example.com/folio/client"

	"folio/clock"
)

const (
	settling   = 5 * time.Second  // of a first start
	atRest     = 60 * time.Second // of a service that nobody calls
	idleMemory = 45e6
)

// measureEverything is a service as it comes: submission to the sandbox works while
// invoices are posted, in the same process.
func measureEverything(ctx context.Context, b *bench) (err error) {
	data := filepath.Join(b.dir, "everything")
	p, err := b.service(ctx, data, all)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	tenants, err := b.setUp(ctx, p, data, loadCompanies, keysOfCompany)
	if err != nil {
		return err
	}
	if err := rest(ctx, settling); err != nil {
		return err
	}
	first, err := memoryOf(p.pid())
	if err != nil {
		return err
	}
	if err := p.stop(); err != nil {
		return err
	}
	if p, err = b.service(ctx, data, all); err != nil {
		return err
	}
	if err := rest(ctx, atRest); err != nil {
		return err
	}
	if err := b.idleRow(ctx, p); err != nil {
		return err
	}
	b.table.add(row{what: "memory after a first start", value: megabytes(first.proportional),
		beside: "of it not file pages " + megabytes(first.anonymous),
		why: fmt.Sprintf("PSS %s after %d keys were made: two hashes of a password took 19 MiB each, which Go gives "+
			"back within minutes.", settling, mostClients)})
	return b.everythingRows(ctx, p, tenants)
}

func rest(ctx context.Context, d time.Duration) error {
	if !clock.Sleep(ctx, d) {
		return ctx.Err()
	}
	return nil
}

func (b *bench) idleRow(ctx context.Context, p *process) error {
	m, err := memoryOf(p.pid())
	if err != nil {
		return err
	}
	before := cpuOf(p.pid())
	if err := rest(ctx, time.Second); err != nil {
		return err
	}
	used := cpuOf(p.pid()) - before
	goroutines, err := metric(ctx, p, "go_goroutines")
	if err != nil {
		return err
	}
	b.table.add(row{what: "memory, idle", value: megabytes(m.proportional),
		beside: "of it not file pages " + megabytes(m.anonymous),
		aim:    atMost(float64(m.proportional), idleMemory, "<= 45 MB"),
		why: fmt.Sprintf("PSS %s after the start of a set-up service (RSS %s); %s goroutines; %s of CPU in a second of rest.",
			atRest, megabytes(m.resident), goroutines, micro(float64(used.Microseconds())))})
	return nil
}

// everythingRows posts for a while, and then waits until all is accepted.
func (b *bench) everythingRows(ctx context.Context, p *process, tenants []tenant) error {
	load := p.charged(postLoad(p, tenants, mostClients).run)
	if _, err := load(ctx, b.slice/2); err != nil {
		return err
	}
	peak, stop := watchMemory(p.pid())
	defer stop()
	started := time.Now()
	s, err := load(ctx, 4*b.slice)
	if err != nil {
		return err
	}
	m := peak()
	before := cpuOf(p.pid())
	n, err := allAccepted(ctx, p, tenants)
	if err != nil {
		return err
	}
	took, cpu := time.Since(started), cpuOf(p.pid())-before+s.cpu
	b.table.add(row{what: "POST, 64 clients, all roles", value: perSecond(s.rate()), cpu: micro(s.cost()),
		why: "Submission, its sandbox and the POSTs share the cores; compare with POST, 64 clients above. p50 " +
			micro(s.latency()) + "."})
	b.table.add(row{what: "from POST to Accepted", value: perSecond(float64(n) / took.Seconds()),
		cpu: micro(float64(cpu.Microseconds()) / float64(n)),
		why: fmt.Sprintf("%s invoices of %d series until the last was accepted, by a sandbox without latency in the same "+
			"process.", thousands(int64(n)), len(tenants))})
	b.table.add(row{what: "memory under that load", value: megabytes(m.resident),
		beside: "of it not file pages " + megabytes(m.anonymous),
		why:    "Highest RSS seen; file pages are the database files mapped into memory, which the kernel takes back at will."})
	return nil
}

// watchMemory looks at a process every tenth of a second for its highest RSS.
func watchMemory(pid int) (peak func() memory, stop func()) {
	var highest memory
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			if m, err := memoryOf(pid); err == nil && m.resident > highest.resident {
				highest = m
			}
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	}()
	once := false
	stop = func() {
		if !once {
			once = true
			close(done)
			<-ended
		}
	}
	return func() memory { stop(); return highest }, stop
}

// allAccepted waits until no invoice is pending or in process, and counts them.
func allAccepted(ctx context.Context, p *process, tenants []tenant) (total int, err error) {
	for _, t := range tenants {
		c := client.Client{Base: p.address, Key: t.keys[0]}
		count := func(status string) (n int, err error) {
			var page struct {
				Total int `json:"total_results"`
			}
			err = c.Do(ctx, http.MethodGet, "/api/invoices?per_page=1&status="+status, nil, &page)
			return page.Total, err
		}
		for waiting := 1; waiting > 0; {
			pending, err1 := count("Pending")
			open, err2 := count("In%20process")
			if err := errors.Join(err1, err2, rest(ctx, 50*time.Millisecond)); err != nil {
				return 0, err
			}
			waiting = pending + open
		}
		n, err := count("Accepted")
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// metric reads one figure of /metrics.
func metric(ctx context.Context, p *process, name string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address+"/metrics", nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value), err
		}
	}
	return "?", err
}
