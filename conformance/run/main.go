// Command run holds the embedded event store node against the tests that EventStoreDB's own clients are
// released with, and prints one table of what passed, failed and does not apply.
//
// The Go clients' tests come from their released modules (conformance/modules pins and verifies them) and run
// in a copy outside this repository, where one file of ours takes the place of their container set-up. The
// Node clients come from npm (conformance/node) and run scripts of ours. Every suite gets nodes of its own.
//
// Nothing of this needs Docker. It needs the Go and npm registries, and the ports 2114 and 2115 of this
// machine, which the newer Go client's tests are fixed to.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// run is one conformance run with its places.
type run struct {
	here     string // conformance/
	work     string // a temporary folder
	material *material
	nodes    *nodes
	verbose  bool
}

func main() {
	only := flag.String("only", "", "run only the suites whose name contains this")
	verbose := flag.Bool("v", false, "show what the suites print")
	keep := flag.Bool("keep", false, "keep the temporary folder")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := conform(ctx, *only, *verbose, *keep)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func conform(ctx context.Context, only string, verbose, keep bool) (ok bool, err error) {
	r := &run{here: "conformance", verbose: verbose}
	if _, err := os.Stat(r.here); err != nil {
		return false, fmt.Errorf("run this from the top of the repository: %w", err)
	}
	if r.work, err = os.MkdirTemp("", "folio-conformance-"); err != nil {
		return false, err
	}
	if keep {
		fmt.Println("working in", r.work)
	} else {
		defer func() { _ = os.RemoveAll(r.work) }()
	}
	if r.material, err = makeMaterial(r.work); err != nil {
		return false, err
	}
	if r.nodes, err = serveNodes(ctx, r.work, r.material); err != nil {
		return false, err
	}
	defer r.nodes.close()
	var t table
	for _, s := range suites() {
		if !strings.Contains(s.name, only) {
			continue
		}
		fmt.Println("==", s.name)
		rows, err := s.run(ctx, r)
		if err != nil {
			rows = append(rows, row{suite: s.name, failed: 1, notes: []string{"could not run: " + err.Error()}})
		}
		t = append(t, rows...)
	}
	t.print(os.Stdout)
	return t.ok(), ctx.Err()
}

// suite is what one line or several of the table come from.
type suite struct {
	name string
	run  func(context.Context, *run) ([]row, error)
}

func suites() []suite {
	return []suite{
		{"EventStore-Client-Go plain", func(ctx context.Context, r *run) ([]row, error) {
			return r.eventStoreGo(ctx, false)
		}},
		{"EventStore-Client-Go TLS", func(ctx context.Context, r *run) ([]row, error) { return r.eventStoreGo(ctx, true) }},
		{"KurrentDB-Client-Go", func(ctx context.Context, r *run) ([]row, error) { return r.kurrentGo(ctx) }},
		{"npm @eventstore/db-client", func(ctx context.Context, r *run) ([]row, error) {
			return r.npm(ctx, "eventstore.js")
		}},
		{"npm @kurrent/kurrentdb-client", func(ctx context.Context, r *run) ([]row, error) {
			return r.npm(ctx, "kurrent.js")
		}},
		{"never applicable", func(context.Context, *run) ([]row, error) { return notApplicable(), nil }},
	}
}

// notApplicable are the released tests that ask for what the node is not.
func notApplicable() []row {
	return []row{
		{suite: "EventStore-Client-Go", test: "TestProjections", skipped: 8, notes: []string{"JavaScript projections"}},
		{suite: "EventStore-Client-Go", test: "TestPlugins", skipped: 8,
			notes: []string{"the licensed plug-in for user certificates"}},
		{suite: "EventStore-Client-Go", test: "ClusterTests", skipped: 1, notes: []string{"a cluster of three nodes"}},
		{suite: "KurrentDB-Client-Go", test: "TestProjectionSuite", skipped: 1, notes: []string{"JavaScript projections"}},
		{suite: "KurrentDB-Client-Go", test: "TestOAuthAuthenticationSuite", skipped: 1,
			notes: []string{"the licensed plug-in for OAuth"}},
		{suite: "KurrentDB-Client-Go", test: "TestClusterSuite, TestTLS", skipped: 2,
			notes: []string{"a cluster of three nodes"}},
	}
}
