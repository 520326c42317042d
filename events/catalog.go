package events

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Lift turns the stored JSON of schema n into that of schema n+1. Old structs are
// deleted; only the lift remembers them.
type Lift func(json.RawMessage) (json.RawMessage, error)

type entry struct {
	category string // of the streams that hold it
	name     string
	typ      reflect.Type
	lifts    []Lift
}

// registry is a set of events; the program has one, tests of lifts have their own.
type registry struct {
	byName     map[string]entry
	byType     map[reflect.Type]entry
	categories map[string]bool
}

func newRegistry() *registry {
	return &registry{byName: map[string]entry{}, byType: map[reflect.Type]entry{}, categories: map[string]bool{}}
}

var catalogue = newRegistry()

// define declares an event once, next to its struct, with the category of the streams
// that hold it ("invoice" of invoice-01J...). The schema number is one plus the number of
// lifts, so the two cannot disagree. A name or type defined twice panics at start.
func define[E Event](category, name string, lifts ...Lift) struct{} {
	catalogue.add(entry{category: category, name: name, typ: reflect.TypeFor[E](), lifts: lifts})
	return struct{}{}
}

func (c *registry) add(e entry) {
	if _, dup := c.byName[e.name]; dup {
		panic("events: name defined twice: " + e.name)
	}
	if _, dup := c.byType[e.typ]; dup {
		panic("events: type defined twice: " + e.typ.String())
	}
	c.byName[e.name], c.byType[e.typ] = e, e
	c.categories[e.category] = true
}

// Encode returns the stored name, the present schema and the bytes of e. Ampersands and
// angle brackets stand as they are: escaped they take six bytes, and a request that may be
// sent would become an event beyond what one append may hold.
func Encode(e Event) (name string, schema int, data json.RawMessage, err error) {
	return catalogue.encode(e)
}

func (c *registry) encode(e Event) (name string, schema int, data json.RawMessage, err error) {
	en, ok := c.byType[reflect.TypeOf(e)]
	if !ok {
		return "", 0, nil, fmt.Errorf("events: %T is not in the catalogue", e)
	}
	var buffer bytes.Buffer
	out := json.NewEncoder(&buffer)
	out.SetEscapeHTML(false)
	if err := out.Encode(e); err != nil {
		return "", 0, nil, fmt.Errorf("events: encode %s: %w", en.name, err)
	}
	return en.name, len(en.lifts) + 1, bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// stored is how stored bytes are read: what is in the log is a fact, however it got
// there. This decoder takes half the time of encoding/json, which alone was half the
// time of a replay; encoding/json goes on writing, since its bytes are in the log.
var stored = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	jsonv2.MatchCaseInsensitiveNames(true))

// Decode lifts stored bytes to the present schema and returns the typed event. An
// unknown name, a schema below 1 and one newer than this program are errors.
func Decode(name string, schema int, data json.RawMessage) (Event, error) {
	return catalogue.decode(name, schema, data)
}

func (c *registry) decode(name string, schema int, data json.RawMessage) (Event, error) {
	en, ok := c.byName[name]
	if !ok {
		return nil, fmt.Errorf("events: unknown type %q", name)
	}
	if schema < 1 || schema > len(en.lifts)+1 {
		return nil, fmt.Errorf("events: %s has schema %d, this program knows 1 to %d: run a newer folio", name, schema,
			len(en.lifts)+1)
	}
	for n, lift := range en.lifts[schema-1:] {
		var err error
		if data, err = lift(data); err != nil {
			return nil, fmt.Errorf("events: lift %s from schema %d: %w", name, schema+n, err)
		}
	}
	v := reflect.New(en.typ)
	if err := jsonv2.Unmarshal(data, v.Interface(), stored); err != nil {
		return nil, fmt.Errorf("events: decode %s: %w", name, err)
	}
	return v.Elem().Interface().(Event), nil
}

// Name is the stored name of E. It panics for a type outside the catalogue.
func Name[E Event]() string {
	en, ok := catalogue.byType[reflect.TypeFor[E]()]
	if !ok {
		panic("events: not in the catalogue: " + reflect.TypeFor[E]().String())
	}
	return en.name
}

// Entry is one line of the catalogue.
type Entry struct {
	Category string // of the streams that hold it
	Name     string
	Schema   int
	Zero     Event // an empty event of the type
}

// Catalog lists every event with its present schema, sorted by name.
func Catalog() []Entry {
	out := make([]Entry, 0, len(catalogue.byName))
	for _, e := range catalogue.byName {
		out = append(out, Entry{e.category, e.name, len(e.lifts) + 1, reflect.Zero(e.typ).Interface().(Event)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}
