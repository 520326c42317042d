// Command bench measures Folio. Every figure stands beside a ceiling that was measured
// in the same run and in the same rounds, so that what is read is a ratio: the mood of
// the machine moves both sides alike. `make bench` runs all of it in some minutes.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// part is a group of rows that can run alone.
type part struct {
	name, about string
	run         func(context.Context, *bench) error
}

var parts = []part{
	{"log", "fdatasync, durable appends, reading $all, delay of a subscription", measureLog},
	{"post", "POST /api/invoices at 1, 16 and 64 clients", measurePosts},
	{"peer", "beside chi + pgx + PostgreSQL, which a good team would write first", measurePeer},
	{"far", "POST while the log answers each call 2 ms later, as one on another machine does", measureFar},
	{"everything", "POST while submission works; memory idle and under load", measureEverything},
	{"authority", "an authority that takes 400 ms a call: one series, and fifty beside a stuck one", measureAuthority},
	{"webhooks", "deliveries a second beside appends; 1,000 fast companies beside 1,000 slow ones", measureWebhooks},
	{"replay", "200,000 events into the invoice projection", measureReplay},
	{"rebuild", "the invoice projection rebuilt while its list is read", measureRebuild},
	{"reads", "GET by id; list page 1 and page 1000 of 100,000 invoices", measureReads},
	{"scale", "what grows with the number of invoices in one log", measureScale},
	{"notary", "POST with the notary and without; how far its tree is behind the log", measureNotary},
	{"verify", "folio verify of a long log beside reading it", measureVerify},
	{"neighbours", "a company beside another that asks for the most expensive things, both within the default limits",
		measureNeighbours},
	{"pdf", "documents of 5 and 100 items", measurePDFs},
}

// bench is one run.
type bench struct {
	dir    string // thrown away at the end
	folio  string // the program, built from this tree
	before string // another build of it, measured beside; empty for none
	rounds int
	slice  time.Duration // of one contestant in one round
	quick  bool
	events int // of the log that is verified, and rebuilt from
	table  table
	past   *past // the seeded log, once a part asked for it
	long   *longLog
}

func main() {
	only := flag.String("only", "", "run some parts, separated by commas:\n"+describe())
	quick := flag.Bool("quick", false, "fewer and shorter rounds, a tenth of the data: for a look, not for a claim")
	count := flag.Int("events", 100_000, "how many events the log has that is verified, and rebuilt from")
	before := flag.String("before", "", "another build of folio, which the part peer measures in the same rounds")
	report := flag.String("report", "", "write the table to this file of Markdown, too")
	ceiling := flag.Bool(ceilingFlag, false, "for the program itself: serve the handler without storage")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work := func() error {
		b := &bench{quick: *quick, events: *count, before: *before, rounds: 7,
			slice: 800 * time.Millisecond}
		return b.run(ctx, *only, *report)
	}
	if *ceiling {
		work = func() error { return serveCeiling(ctx) }
	}
	if err := work(); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func describe() string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "  %-10s  %s\n", p.name, p.about)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (b *bench) run(ctx context.Context, only, report string) (err error) {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	if b.quick {
		b.rounds, b.slice, b.events = 3, 250*time.Millisecond, b.events/10
	}
	var text bytes.Buffer
	b.table.out = io.MultiWriter(os.Stdout, &text)
	if b.dir, err = os.MkdirTemp("", "folio-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	b.folio = filepath.Join(b.dir, "folio")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.folio, "folio/cmd/folio")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr // as `make build` does
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the service to measure: %w", err)
	}
	printMachine(b)
	for _, p := range chosen {
		started := time.Now()
		b.table.heading(p.about)
		if err := p.run(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(b.table.out, "  (%s took %s, load now %s)\n", p.name, time.Since(started).Round(time.Second), load())
	}
	b.table.summary()
	if report == "" {
		return nil
	}
	return writeReport(report, text.String())
}

func choose(only string) ([]part, error) {
	if only == "" {
		return parts, nil
	}
	var out []part
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("--only %s: there is no such part, use some of\n%s", name, describe())
		}
		out = append(out, parts[i])
	}
	return out, nil
}
