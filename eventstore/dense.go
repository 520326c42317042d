package eventstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/events"
)

// dense passes the events of one stream on while their revisions follow each other. A
// server says nothing when $maxCount or $tb cut events away, or when a stream was deleted
// and written again: the read simply begins later.
type dense struct {
	stream string
	next   uint64
	over   bool // an error was passed on, or nobody wants more
	yield  func(events.Recorded, error) bool
}

func (d *dense) take(r events.Recorded, err error) bool {
	switch {
	case errors.Is(err, ErrStreamDeleted):
		err = &events.Trouble{Kind: events.Deleted, Stream: d.stream, Revision: d.next, Err: err}
	case err == nil && r.Revision != d.next:
		err = &events.Trouble{Kind: events.Cut, Stream: d.stream, Revision: d.next, Next: r.Revision}
	}
	if err != nil {
		d.yield(events.Recorded{}, err)
		d.over = true
		return false
	}
	d.next++
	d.over = !d.yield(r, nil)
	return !d.over
}

// emptied tells a stream that was deleted, or cut as a whole, from one that never was: its
// metadata stay. A log that does not let us read them is believed.
func (l *Log) emptied(ctx context.Context, stream string) error {
	s := source{open: func(ctx context.Context, c *esdb.Client) (*esdb.ReadStream, error) {
		return c.ReadStream(ctx, "$$"+l.o.Prefix+stream, esdb.ReadStreamOptions{Direction: esdb.Backwards, From: esdb.End{}},
			1)
	}}
	r, found, err := l.one(ctx, s, fmt.Sprintf("read the metadata of %.200s", stream))
	switch {
	case errors.Is(err, ErrStreamDeleted):
		return &events.Trouble{Kind: events.Deleted, Stream: stream, Err: err}
	case errors.Is(err, ErrUnauthenticated) || err == nil && !found:
		return nil
	case err != nil:
		return err
	}
	var meta struct {
		Before json.Number `json:"$tb"`
		MaxAge json.Number `json:"$maxAge"`
	}
	// Metadata that a server cannot read it ignores, so they hide nothing.
	if json.Unmarshal(r.Raw, &meta) != nil || meta.Before == "" && meta.MaxAge == "" {
		return nil
	}
	return &events.Trouble{Kind: events.Deleted, Stream: stream}
}
