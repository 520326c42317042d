package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	made "github.com/invopop/jsonschema"
	check "github.com/santhosh-tekuri/jsonschema/v6"

	"folio/events"
	"folio/events/schema"
	"folio/money"
)

var update = flag.Bool("update", false, "write the schemas of present versions")

// schemaOf makes the schema of an event's present version. Members that may be left out are
// not required, and others may come: events gain members without a new version.
func schemaOf(t *testing.T, e events.Entry) []byte {
	t.Helper()
	r := &made.Reflector{Anonymous: true, ExpandedStruct: true, AllowAdditionalProperties: true,
		Mapper: func(t reflect.Type) *made.Schema {
			switch t {
			case reflect.TypeFor[money.Decimal]():
				return &made.Schema{Type: "string", Pattern: `^-?[0-9]+(\.[0-9]+)?$`}
			case reflect.TypeFor[json.RawMessage]():
				return made.TrueSchema
			}
			return nil
		}}
	s := r.ReflectFromType(reflect.TypeOf(e.Zero))
	s.ID = made.ID(fmt.Sprintf("urn:folio:event:%s:v%d", e.Name, e.Schema))
	s.Title = e.Name
	nullLists(s)
	for _, d := range s.Definitions {
		nullLists(d)
	}
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(raw, '\n')
}

// nullLists lets a list that is always there be null: so an empty one may be stored.
func nullLists(s *made.Schema) {
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if p.Value.Type == "array" && slices.Contains(s.Required, p.Key) {
			p.Value = &made.Schema{AnyOf: []*made.Schema{p.Value, {Type: "null"}}}
		}
	}
}

func TestEverySchemaIsThatOfItsType(t *testing.T) {
	for _, e := range events.Catalog() {
		file := filepath.Join("files", fmt.Sprintf("%s.v%d.json", e.Name, e.Schema))
		want := schemaOf(t, e)
		got, err := os.ReadFile(file)
		if *update && (errors.Is(err, fs.ErrNotExist) || !bytes.Equal(got, want)) {
			if err := os.WriteFile(file, want, 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: run go test ./events/schema -update and look at what it wrote (%v):\n%s", file, err,
				cmp.Diff(string(want), string(got)))
		}
		for past := 1; past < e.Schema; past++ {
			if _, ok := schema.Get(e.Name, past); !ok {
				t.Errorf("the schema of %s v%d is gone: take it from the history of the repository", e.Name, past)
			}
		}
	}
}

// The goldens are events as logs hold them.
func TestStoredEventsAreValid(t *testing.T) {
	goldens, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(goldens) == 0 {
		t.Fatalf("%d goldens, %v", len(goldens), err)
	}
	for _, golden := range goldens {
		name, rest, _ := strings.Cut(filepath.Base(golden), ".v")
		if strings.Contains(rest, "lifted") {
			continue
		}
		var version int
		if _, err := fmt.Sscanf(rest, "%d.json", &version); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, name, version, raw); err != nil {
			t.Errorf("%s: %v", golden, err)
		}
	}
	if validate(t, "NumberAssigned", 1, []byte(`{"branch_office":"one"}`)) == nil {
		t.Error("a wrong event is valid")
	}
}

func validate(t *testing.T, name string, version int, raw []byte) error {
	t.Helper()
	text, ok := schema.Get(name, version)
	if !ok {
		t.Fatalf("no schema of %s v%d", name, version)
	}
	doc, err := check.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := check.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := check.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(v)
}

func TestAllListsEverySchema(t *testing.T) {
	all := schema.All()
	if len(all) < len(events.Catalog()) {
		t.Errorf("%d schemas of %d events", len(all), len(events.Catalog()))
	}
	if _, ok := schema.Get("../schema", 1); ok {
		t.Error("a file elsewhere was read")
	}
}
