package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"folio/events"
	"folio/events/schema"
	"folio/eventstore"
	"folio/eventstore/node"
)

// watched are the data folders whose events will be looked at when their test is over.
var watched sync.Map

// holdsForeign says that a test writes to the log by itself, in the form of Folio's events:
// they are not held against the schemas.
func holdsForeign(t testing.TB, dir string) { watched.Store(t.Name()+" "+dir, true) }

// keepsToSchemas holds every event that a test had stored against its schema, once the
// processes of the test are gone. It is asked for by whoever starts a service.
func keepsToSchemas(t testing.TB, dir string) {
	t.Helper()
	if _, again := watched.LoadOrStore(t.Name()+" "+dir, true); again {
		return
	}
	t.Cleanup(func() {
		home := filepath.Join(dir, "log")
		if _, err := os.Stat(filepath.Join(home, "events.db")); err != nil || t.Failed() {
			return // its log is another one's, or there is more to say
		}
		if err := eachStored(t, home, func(r events.Recorded) error {
			if events.KinshipOf(r) != events.Known {
				return nil
			}
			if _, err := events.Open(r); err != nil {
				return nil // what the test put there for nobody to read
			}
			return valid(r)
		}); err != nil {
			t.Error(err)
		}
	})
}

// eachStored hands over the events of an embedded log that no process has. One that a test
// has damaged cannot be opened, and has none.
func eachStored(t testing.TB, home string, look func(events.Recorded) error) error {
	ctx := context.WithoutCancel(t.Context()) // the test is over
	n, err := node.Open(ctx, node.Options{Dir: home})
	if err != nil {
		t.Logf("the log is not looked at: %v", err)
		return nil
	}
	defer func() { _ = n.Close(ctx) }()
	log, err := eventstore.Open(ctx, eventstore.Options{Address: n.Address()})
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	for r, err := range log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err == nil {
			err = look(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// schemas are those that were compiled, by type and version.
var schemas sync.Map

func valid(r events.Recorded) error {
	name := fmt.Sprintf("%s v%d", r.Type, r.Meta.Schema)
	compiled, ok := schemas.Load(name)
	if !ok {
		one, err := compile(r.Type, r.Meta.Schema)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		compiled, _ = schemas.LoadOrStore(name, one)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Raw))
	if err == nil {
		err = compiled.(*jsonschema.Schema).Validate(v)
	}
	if err != nil {
		return fmt.Errorf("%s of %s at %s: %w", name, r.Stream, r.Position, err)
	}
	return nil
}

func compile(name string, version int) (*jsonschema.Schema, error) {
	text, ok := schema.Get(name, version)
	if !ok {
		return nil, errors.New("there is no such schema")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}
