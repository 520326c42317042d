package main

import (
	"context"
	"strings"
	"testing"

	"folio/events"
	"folio/eventstore"

	"github.com/google/uuid"
)

func TestALogOfANewerFormatIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	last, ok, err := s.log.ReadLast(context.Background(), eventstore.StoreStream)
	if err != nil || !ok {
		t.Fatal(err)
	}
	name, schema, data, err := events.Encode(events.StoreCreated{Store: s.id, Format: events.LogFormat + 1,
		Version: "v9.1.0"})
	if err != nil {
		t.Fatal(err)
	}
	request := uuid.New()
	if _, err := s.log.Append(context.Background(), eventstore.StoreStream, int64(last.Revision), eventstore.Pending{
		ID: request, Type: name, Data: data, Meta: events.Meta{Schema: schema, Actor: "folio", Request: request.String(),
			At: last.Meta.At}}); err != nil {
		t.Fatal(err)
	}
	shut(t, s)
	_, err = run(t, "series", "list", "--data", dir)
	if err == nil || !strings.Contains(err.Error(), "v9.1.0") || !strings.Contains(err.Error(), "run that version") {
		t.Errorf("a log of a newer format is opened: %v", err)
	}
}

func TestTheFormatOfALogIsRaisedOnce(t *testing.T) {
	s := open(t, t.TempDir())
	defer shut(t, s)
	s.format = events.LogFormat - 1 // as the first release left it
	other := *s
	for _, x := range []*stores{s, &other, s} { // two processes at once, and one that starts again
		if err := x.raiseFormat(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	last, _, err := s.log.ReadLast(context.Background(), eventstore.StoreStream)
	if err != nil || last.Revision != 1 {
		t.Errorf("the format was raised to revision %d: %v", last.Revision, err)
	}
}
