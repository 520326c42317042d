package events

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// Priced is an event of the tests' own registry, at its third schema.
type Priced struct {
	Fact     `json:"-"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

type unlisted struct{ Fact }

// schema 1: {"cents": 1250}; schema 2: {"amount": "12.50"}; schema 3 adds currency.
func priced() *registry {
	c := newRegistry()
	c.add(entry{name: "Priced", typ: reflect.TypeFor[Priced](), lifts: []Lift{
		func(raw json.RawMessage) (json.RawMessage, error) {
			var old struct {
				Cents *int `json:"cents"`
			}
			if err := json.Unmarshal(raw, &old); err != nil {
				return nil, err
			}
			if old.Cents == nil {
				return nil, errors.New("cents are missing")
			}
			return json.RawMessage(`{"amount":"12.50"}`), nil
		},
		func(raw json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(strings.TrimSuffix(string(raw), "}") + `,"currency":"ARS"}`), nil
		},
	}})
	return c
}

func TestOldSchemasAreLiftedStepByStep(t *testing.T) {
	c := priced()
	want := Priced{Amount: "12.50", Currency: "ARS"}
	for schema, stored := range map[int]string{
		1: `{"cents":1250}`,
		2: `{"amount":"12.50"}`,
		3: `{"amount":"12.50","currency":"ARS"}`,
	} {
		got, err := c.decode("Priced", schema, json.RawMessage(stored))
		if err != nil || got != Event(want) {
			t.Errorf("schema %d gives %+v, %v", schema, got, err)
		}
	}
	name, schema, data, err := c.encode(want)
	if err != nil || name != "Priced" || schema != 3 || string(data) != `{"amount":"12.50","currency":"ARS"}` {
		t.Errorf("encode gives %s v%d %s, %v", name, schema, data, err)
	}
}

func TestWhatCannotBeDecoded(t *testing.T) {
	c := priced()
	for _, x := range []struct {
		name, typ string
		schema    int
		data      string
		want      string
	}{
		{"a name that nobody defined", "Unpriced", 1, `{}`, `unknown type "Unpriced"`},
		{"a schema that is newer than the program", "Priced", 4, `{}`, "has schema 4, this program knows 1 to 3: run a newer folio"},
		{"schema 0, as of an event that is not ours", "Priced", 0, `{}`, "has schema 0"},
		{"a negative schema", "Priced", -1, `{}`, "has schema -1"},
		{"a lift that fails", "Priced", 1, `{}`, "lift Priced from schema 1: cents are missing"},
		{"bytes that are no JSON", "Priced", 3, `{"amount":`, "decode Priced"},
		{"a member of the wrong type", "Priced", 3, `{"amount":12}`, "decode Priced"},
		{"nothing at all", "Priced", 3, ``, "decode Priced"},
	} {
		got, err := c.decode(x.typ, x.schema, json.RawMessage(x.data))
		if got != nil || err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, %v; want %q", x.name, got, err, x.want)
		}
	}
}

func TestOnlyTheCatalogueIsEncoded(t *testing.T) {
	if _, _, _, err := Encode(unlisted{}); err == nil || !strings.Contains(err.Error(), "events.unlisted is not in the catalogue") {
		t.Errorf("Encode: %v", err)
	}
	if _, _, _, err := Encode(nil); err == nil {
		t.Error("nil was encoded")
	}
	if got := Name[InvoiceCreated](); got != "InvoiceCreated" {
		t.Errorf("Name is %q", got)
	}
	mustPanic(t, "not in the catalogue", func() { Name[unlisted]() })
}

func TestANameOrTypeTwiceStopsTheProgramAtStart(t *testing.T) {
	c := priced()
	mustPanic(t, "name defined twice", func() { c.add(entry{name: "Priced", typ: reflect.TypeFor[unlisted]()}) })
	mustPanic(t, "type defined twice", func() { c.add(entry{name: "Other", typ: reflect.TypeFor[Priced]()}) })
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, want) {
			t.Errorf("panic is %q, want %q", text, want)
		}
	}()
	f()
}

func FuzzDecode(f *testing.F) {
	for _, e := range Catalog() {
		f.Add(e.Name, e.Schema, []byte(`{"document":{"items":[{"quantity":"1e2"}],"header_info":{}},"time":"2026-03-02T15:04:05Z"}`))
	}
	f.Fuzz(func(t *testing.T, name string, schema int, data []byte) {
		e, err := Decode(name, schema, data)
		if err != nil {
			return
		}
		if _, _, _, err := Encode(e); err != nil {
			t.Errorf("%s was decoded from %q and cannot be encoded: %v", name, data, err)
		}
	})
}
