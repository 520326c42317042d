package bus

import (
	"fmt"
	"slices"
	"strings"

	"folio/eventstore"
)

// All is the topic of every event, the server's own excepted.
const All = "all"

const (
	categoryTopic = "category:"
	typesTopic    = "types:"
)

// Category is the topic of the streams whose names begin with a category and a dash, as
// EventStoreDB divides streams: Category("invoice") has invoice-1, invoice-2 and so on.
func Category(name string) string { return categoryTopic + name }

// Types is the topic of the events of some types, in whatever streams they are.
func Types(types ...string) string {
	types = slices.Clone(types)
	slices.Sort(types)
	return typesTopic + strings.Join(slices.Compact(types), ",")
}

// Filter is what a topic selects. A topic that is neither All nor made by Category or Types
// is refused.
func Filter(topic string) (eventstore.Filter, error) {
	if topic == All {
		return eventstore.Filter{}, nil
	}
	if name, ok := strings.CutPrefix(topic, categoryTopic); ok && name != "" {
		return eventstore.Filter{Streams: []string{name + "-"}}, nil
	}
	if types, ok := strings.CutPrefix(topic, typesTopic); ok && types != "" {
		return eventstore.Filter{Types: strings.Split(types, ",")}, nil
	}
	return eventstore.Filter{}, fmt.Errorf("topic %.100q is none: use bus.All, bus.Category or bus.Types", topic)
}
