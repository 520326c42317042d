package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"folio/eventstore/node/storage"

	"github.com/google/uuid"
)

// populate makes the database that the older Go client's tests read: the events of its own fixtures at their
// places, and made-up ones between them. It proves the wire and the rules of reading, not that data files
// of the server can be read.
func populate(folder string) iter.Seq2[storage.Imported, error] {
	return func(yield func(storage.Imported, error) bool) {
		p := &population{events: map[uint64]storage.Imported{}}
		if err := p.fill(folder); err != nil {
			yield(storage.Imported{}, err)
			return
		}
		positions := make([]uint64, 0, len(p.events))
		for at := range p.events {
			positions = append(positions, at)
		}
		slices.Sort(positions)
		for _, at := range positions {
			if !yield(p.events[at], nil) {
				return
			}
		}
	}
}

type population struct{ events map[uint64]storage.Imported }

// fixture is one event as the tests' files have it.
type fixture struct {
	Event struct {
		StreamID       string                         `json:"streamId"`
		StreamRevision struct{ Value uint64 }         `json:"streamRevision"`
		EventID        uuid.UUID                      `json:"eventId"`
		EventType      string                         `json:"eventType"`
		EventData      []int                          `json:"eventData"`
		UserMetadata   []int                          `json:"userMetadata"`
		ContentType    string                         `json:"contentType"`
		Position       struct{ Commit uint64 }        `json:"position"`
		Created        struct{ Seconds, Nanos int64 } `json:"created"`
	} `json:"event"`
}

func (p *population) fill(folder string) error {
	for _, name := range []string{"all-e0-e10", "all-c1788-p1788", "all-back-c3386-p3386", "all-back-e0-e10",
		"dataset20M-1800-e0-e10", "dataset20M-1800-e1999-e1990"} {
		var list []fixture
		if err := readJSON(filepath.Join(folder, name+".json"), &list); err != nil {
			return err
		}
		for _, f := range list {
			e := f.Event
			p.events[e.Position.Commit] = storage.Imported{Position: e.Position.Commit, Stream: e.StreamID,
				Revision: e.StreamRevision.Value,
				ID:       e.EventID, Type: e.EventType, JSON: e.ContentType == "application/json", Data: octets(e.EventData),
				Metadata: octets(e.UserMetadata),
				Created:  time.Unix(e.Created.Seconds, e.Created.Nanos)}
		}
	}
	var positions []struct{ Commit uint64 }
	var revisions []uint64
	if err := readJSON(filepath.Join(folder, "all-positions-filtered-stream-194-e0-e30.json"), &positions); err != nil {
		return err
	}
	if err := readJSON(filepath.Join(folder, "all-versions-filtered-stream-194-e0-e30.json"), &revisions); err != nil {
		return err
	}
	for i, r := range revisions {
		stream, first := "dataset20M-0", uint64(0)
		if i >= 10 { // the filter's prefix fits types of two streams
			stream, first = "dataset20M-1800", 1800
		}
		p.add(positions[i].Commit, stream, r, fmt.Sprintf("eventType-%d", first+r%200))
	}
	p.between("dataset20M-0", 0, 2000)
	p.between("dataset20M-1800", 1800, 2000)
	for r := uint64(2000); r < 6000; r++ {
		p.add(13_000_000+100*r, "dataset20M-0", r, fmt.Sprintf("eventType-%d", r%200))
	}
	for r := uint64(4); r < 317; r++ {
		p.add(20_300_000+100*r, "$projections-$master", r, "$statistics-report")
	}
	for r := range uint64(6) {
		p.add(20_380_000+100*r, "$stats-0.0.0.0:2113", r, "$statsCollected")
	}
	return nil
}

func (p *population) add(at uint64, stream string, revision uint64, kind string) {
	p.events[at] = storage.Imported{Position: at, Stream: stream, Revision: revision, Type: kind, JSON: true,
		Data: []byte("{}"),
		ID:   uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s/%d", stream, revision)), Created: time.Unix(1578852900, 0)}
}

// between fills a stream up to count events, evenly between those whose places are known.
func (p *population) between(stream string, first, count uint64) {
	var known []storage.Imported
	for _, e := range p.events {
		if e.Stream == stream && e.Revision < count {
			known = append(known, e)
		}
	}
	sort.Slice(known, func(i, j int) bool { return known[i].Revision < known[j].Revision })
	const step = 100
	at, next := known[0].Position-step*(known[0].Revision+1), 0
	for r := range count {
		if next < len(known) && known[next].Revision == r {
			at = known[next].Position
			next++
			continue
		}
		if gap := uint64(step); next < len(known) {
			gap = min(gap, (known[next].Position-at)/(known[next].Revision-r+1))
			at += gap
		} else {
			at += gap
		}
		p.add(at, stream, r, fmt.Sprintf("eventType-%d", first+r%200))
	}
}

func readJSON(file string, into any) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the tests' own events: %w", err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(file), err)
	}
	return nil
}

func octets(numbers []int) []byte {
	out := make([]byte, len(numbers))
	for i, n := range numbers {
		out[i] = byte(n)
	}
	return out
}
