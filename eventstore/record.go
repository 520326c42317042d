package eventstore

import (
	"errors"
	"slices"
	"strings"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/go-json-experiment/json"

	"folio/events"
)

// record is the event as it was read, links unresolved. Metadata that is not ours
// (another application's, in a shared log) is left zero: it has schema 0, which
// events.Decode refuses, while a reader that does not list the type passes over it.
func (l *Log) record(r *esdb.ResolvedEvent) (events.Recorded, error) {
	var e *esdb.RecordedEvent
	if r != nil {
		e = r.OriginalEvent()
	}
	if e == nil {
		return events.Recorded{}, &failure{kind: errServer, cause: errors.New("message without event")}
	}
	var meta events.Meta
	if json.Unmarshal(e.UserMetadata, &meta) != nil {
		meta = events.Meta{}
	}
	return events.Recorded{
		ID:       e.EventID.String(),
		Stream:   l.local(e.StreamID),
		Revision: e.EventNumber,
		Position: position(e.Position),
		Type:     e.EventType,
		Meta:     meta,
		Logged:   e.CreatedDate.UTC(),
		RawMeta:  e.UserMetadata,
		Raw:      e.Data,
	}, nil
}

// local is the name of a stream as our callers know it. Streams without our prefix have
// none that could be mistaken for one of ours: it starts with $, which no Filter selects.
func (l *Log) local(stream string) string {
	if of, metadata := strings.CutPrefix(stream, "$$"); metadata {
		return "$$" + l.local(of)
	}
	if name, ours := strings.CutPrefix(stream, l.o.Prefix); ours {
		return name
	}
	return "$foreign-" + stream
}

func position(p esdb.Position) events.Position {
	return events.Position{Commit: p.Commit, Prepare: p.Prepare}
}

func (f Filter) check() error {
	if len(f.Types) > 0 && len(f.Streams) > 0 || f.Touched && len(f.Types)+len(f.Streams) > 0 {
		return invalid("filter by types, by streams or by what was touched, not by two of them")
	}
	for _, name := range append(append([]string{}, f.Types...), f.Streams...) {
		if name == "" || strings.HasPrefix(name, "$") {
			return invalid("filter %q: a name is needed that does not start with $", name)
		}
	}
	return nil
}

// Matcher is the exact filter; what the server was asked for may be wider. ErrInvalid for a
// wrong one.
func (f Filter) Matcher() (func(events.Recorded) bool, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	types := make(map[string]bool, len(f.Types))
	for _, t := range f.Types {
		types[t] = true
	}
	return func(r events.Recorded) bool {
		if f.Touched {
			return r.Type == metadataSet || r.Type == streamDeleted
		}
		if strings.HasPrefix(r.Type, "$") || strings.HasPrefix(r.Stream, "$") {
			return false
		}
		if len(types) > 0 {
			return types[r.Type]
		}
		return len(f.Streams) == 0 ||
			slices.ContainsFunc(f.Streams, func(p string) bool { return strings.HasPrefix(r.Stream, p) })
	}, nil
}

// server is the filter that the server applies. Prefixes, not a regular expression
// for types: servers disagree on dialects, and prefixes need no escaping.
func (f Filter) server(prefix string) *esdb.SubscriptionFilter {
	switch {
	case f.Touched:
		return &esdb.SubscriptionFilter{Type: esdb.EventFilterType, Prefixes: []string{metadataSet, streamDeleted}}
	case len(f.Types) > 0:
		return &esdb.SubscriptionFilter{Type: esdb.EventFilterType, Prefixes: f.Types}
	case len(f.Streams) > 0:
		names := make([]string, len(f.Streams))
		for i, s := range f.Streams {
			names[i] = prefix + s
		}
		return &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: names}
	case prefix != "":
		return &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{prefix}}
	default:
		return esdb.ExcludeSystemEventsFilter()
	}
}
