package storage

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Newest is the last event of a stream that readers may see.
func (s *Store) Newest(ctx context.Context, stream string) (r Record, found bool, err error) {
	end, err := s.StreamEnd(ctx, stream)
	if errors.Is(err, ErrStreamDeleted) {
		return r, false, nil
	}
	if err != nil || end.Missing() || end.Last < end.Meta.First(end.Last) {
		return r, false, err
	}
	events, _, err := s.StreamPage(ctx, Span{Stream: stream, Num: end.Num, From: end.Last, To: end.Last, Step: 1,
		Limit: 1})
	if err != nil {
		return r, false, err
	}
	return events[0], true, nil
}

// AppendOwn writes an event of the node's own. It passes exact revisions: appends without one make the
// store keep an index of ids.
func (s *Store) AppendOwn(ctx context.Context, stream string, r Record) error {
	r.ID = uuid.New()
	for {
		var last int64
		err := s.readers.with(ctx, func(db *database) (err error) {
			_, last, err = streamLast(db, stream)
			return err
		})
		if err != nil {
			return err
		}
		out := s.Submit(ctx, &Change{Kind: AppendEvents, Stream: stream, Expected: last, Events: []Record{r}})
		if !out.Wrong {
			return out.Err
		}
	}
}

// Expired compares with the clock at the time of the read, as the server does.
func (s *Store) Expired(meta *StreamMeta, r *Record) bool {
	return meta.maxAge > 0 && r.Created < Ticks(s.Now())-int64(meta.maxAge/100)
}

// Target is the event that a link names, nil when it is gone. It is no link when it names nothing
// that could be there.
func (s *Store) Target(ctx context.Context, link *Record) (target *Record, isLink bool, err error) {
	revision, stream, ok := strings.Cut(string(link.Data), "@")
	rev, err := strconv.ParseInt(revision, 10, 64)
	if !ok || err != nil || rev < 0 || stream == "" {
		return nil, false, nil
	}
	end, err := s.StreamEnd(ctx, stream)
	if errors.Is(err, ErrStreamDeleted) {
		return nil, true, nil
	}
	if err != nil || end.Missing() || rev > end.Last || rev < end.Meta.First(end.Last) {
		return nil, true, err
	}
	events, _, err := s.StreamPage(ctx, Span{Stream: stream, Num: end.Num, From: rev, To: rev, Step: 1, Limit: 1})
	if err != nil || s.Expired(&end.Meta, &events[0]) {
		return nil, true, err
	}
	return &events[0], true, nil
}
