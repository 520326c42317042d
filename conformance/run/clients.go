package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

const (
	eventStoreModule = "github.com/EventStore/EventStore-Client-Go/v4"
	kurrentModule    = "github.com/kurrent-io/KurrentDB-Client-Go"
)

// containers takes the place of the file with which the older client's tests start Docker containers.
//
//go:embed testdata/containers_test.go
var containers []byte

// eventStoreGo runs the suites of the older Go client, which start a node for each.
func (r *run) eventStoreGo(ctx context.Context, tls bool) ([]row, error) {
	dir, err := r.copyModule(ctx, eventStoreModule, "eventstore-go")
	if err != nil {
		return nil, err
	}
	r.nodes.events = filepath.Join(dir, "resources", "test")
	if err := os.WriteFile(filepath.Join(dir, "esdb", "containers_test.go"), containers, 0o600); err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(dir, "certs"), os.DirFS(r.material.dir)); err != nil {
		return nil, err
	}
	name := "EventStore-Client-Go plain"
	pattern := "^(TestStreams|TestExpectations|TestPersistentSubscriptions|TestMisc)$"
	if tls {
		name = "EventStore-Client-Go TLS"
	}
	return r.goTest(ctx, goSuite{name, dir, "./esdb", pattern, []string{"FOLIO_CONFORMANCE=" + r.nodes.address,
		"EVENTSTORE_INSECURE=" + strconv.FormatBool(!tls)}})
}

// kurrentGo runs the suites of the newer Go client, which expect one plain node and one with TLS.
func (r *run) kurrentGo(ctx context.Context) ([]row, error) {
	dir, err := r.copyModule(ctx, kurrentModule, "kurrent-go")
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(filepath.Join(dir, "certs")); err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(dir, "certs"), os.DirFS(r.material.dir)); err != nil {
		return nil, err
	}
	for port, tls := range map[int]bool{2114: false, 2115: true} {
		at, err := r.nodes.start(ctx, fmt.Sprintf("localhost:%d", port), tls, false)
		if err != nil {
			return nil, err
		}
		defer func() { _ = r.nodes.stop(at) }()
	}
	pattern := "^Test(AppendEvents|AppendRecords|MultiAppendEvents|ReadStream|ReadAll|Subscription|Delete|Connection|SecureAuthentication|" +
		"InsecureAuthentication|PersistentSubscription|PersistentSubscriptionRead|ConnectionString|PositionParsing|UUIDParsing)Suite$"
	return r.goTest(ctx, goSuite{"KurrentDB-Client-Go", dir, "./test", pattern, nil})
}
