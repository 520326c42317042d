package ferret_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/event"
)

// planned hears every command of a store and says which of them MongoDB would answer by reading a whole collection.
// FerretDB reads whole collections for all but one kind of filter, so that here nobody would notice a missing index.
type planned struct {
	mu      sync.Mutex
	indexes map[string][]string // the first fields of those that a collection has
	heard   map[string]int      // filters, by their command
	reads   map[string]bool     // commands that no index helps, with what they filter
}

func newPlanned() *planned {
	return &planned{indexes: map[string][]string{}, heard: map[string]int{}, reads: map[string]bool{}}
}

func (p *planned) monitor() *event.CommandMonitor {
	return &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) { p.hear(e) }}
}

func (p *planned) hear(e *event.CommandStartedEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	collection := e.Command.Lookup(e.CommandName).StringValue
	name := func() string { return strings.Clone(collection()) }
	switch e.CommandName {
	case "createIndexes":
		for _, d := range documents(e.Command, "indexes") {
			if keys, err := d.Lookup("key").Document().Elements(); err == nil && len(keys) > 0 {
				p.indexes[name()] = append(p.indexes[name()], strings.Clone(keys[0].Key()))
			}
		}
	case "find":
		p.filter(name(), e.CommandName, e.Command.Lookup("filter"))
	case "findAndModify":
		p.filter(name(), e.CommandName, e.Command.Lookup("query"))
	case "aggregate":
		for _, stage := range documents(e.Command, "pipeline") {
			if match, err := stage.LookupErr("$match"); err == nil {
				p.filter(name(), e.CommandName, match)
			}
		}
	case "update", "delete":
		for _, d := range documents(e.Command, e.CommandName+"s") {
			p.filter(name(), e.CommandName, d.Lookup("q"))
		}
	}
}

// filter notes a command that no index of its collection begins with. One without conditions wants all there is.
func (p *planned) filter(collection, command string, filter bson.RawValue) {
	d, ok := filter.DocumentOK()
	if !ok {
		return
	}
	p.heard[command]++
	fields := fieldsOf(d)
	if len(fields) == 0 || slices.Contains(fields, "_id") ||
		slices.ContainsFunc(p.indexes[collection], func(first string) bool { return slices.Contains(fields, first) }) {
		return
	}
	slices.Sort(fields)
	p.reads[command+" of "+collection+" by "+strings.Join(fields, ", ")] = true
}

// fieldsOf are those that every document found has to have something in.
func fieldsOf(filter bson.Raw) (out []string) {
	elements, err := filter.Elements()
	if err != nil {
		return nil
	}
	for _, e := range elements {
		if e.Key() == "$and" {
			for _, d := range documents(filter, "$and") {
				out = append(out, fieldsOf(d)...)
			}
			continue
		}
		out = append(out, strings.Clone(e.Key()))
	}
	return out
}

// documents are those of an array.
func documents(d bson.Raw, name string) (out []bson.Raw) {
	array, ok := d.Lookup(name).ArrayOK()
	if !ok {
		return nil
	}
	values, err := array.Values()
	if err != nil {
		return nil
	}
	for _, v := range values {
		if one, ok := v.DocumentOK(); ok {
			out = append(out, one)
		}
	}
	return out
}

// check fails for each command that reads a whole collection.
func (p *planned) check(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, command := range []string{"find", "aggregate", "update", "delete"} {
		if p.heard[command] == 0 {
			t.Errorf("no filter of %s was heard", command)
		}
	}
	for read := range p.reads {
		if !strings.HasSuffix(read, " of t_companies_v1 by a_country") { // its schema asks for no index
			t.Errorf("no index helps %s", read)
		}
	}
}
