package submission_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sync"

	"folio/events"
	"folio/processors/processortest"
)

// memoryLog is the event log of a world.
type memoryLog struct{ *processortest.Log }

func newMemoryLog() *memoryLog { return &memoryLog{processortest.NewLog()} }

// facts are the events of a stream.
func (l *memoryLog) facts(stream string) []events.Event {
	held := l.Stream(stream)
	out := make([]events.Event, len(held))
	for i, r := range held {
		opened, err := events.Open(r)
		if err != nil {
			panic(err)
		}
		out[i] = opened.Event
	}
	return out
}

// named are the streams of a category, sorted.
func (l *memoryLog) named(category string) []string { return l.Streams(category + "-") }

// memoryFiles are files by content.
type memoryFiles struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (f *memoryFiles) StoreFile(_ context.Context, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.m[name] = slices.Clone(content)
	return name, nil
}

func (f *memoryFiles) File(_ context.Context, name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.m[name]
	if !ok {
		return nil, errors.New("no such file: " + name)
	}
	return slices.Clone(content), nil
}

// memoryTickets outlive a process, as the vault's do.
type memoryTickets struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (v *memoryTickets) Open(_ context.Context, ref string) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.m[ref]), nil
}

func (v *memoryTickets) Seal(_ context.Context, ref string, blob []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.m[ref] = slices.Clone(blob)
	return nil
}
