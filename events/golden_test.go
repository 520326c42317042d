package events_test

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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"folio/events"
	"folio/money"
)

var update = flag.Bool("update", false, "write missing goldens, and present ones that only gained members")

// A golden is what some log holds for good. There is one for each type and schema:
//
//   - that of the present schema is the example as Encode writes it. -update writes it
//     when it is missing, and anew when the event only gained members; a member that
//     went, moved or changed its form is refused: raise the schema with a lift.
//   - that of a past schema is never written again. It must still decode, to what
//     <Name>.v<N>.lifted.json holds.
func golden(name string, schema int, suffix string) string {
	return filepath.Join("testdata", fmt.Sprintf("%s.v%d%s.json", name, schema, suffix))
}

func TestGoldens(t *testing.T) {
	wanted := map[string]bool{}
	for _, e := range events.Catalog() {
		t.Run(e.Name, func(t *testing.T) {
			name, schema, data, err := events.Encode(exampleOf(t, e.Zero).event)
			if err != nil || name != e.Name || schema != e.Schema {
				t.Fatalf("Encode gives %s v%d: %v", name, schema, err)
			}
			wanted[golden(name, schema, "")] = true
			checkPresent(t, golden(name, schema, ""), indented(t, data))
			for past := 1; past < schema; past++ {
				wanted[golden(name, past, "")], wanted[golden(name, past, ".lifted")] = true, true
				checkPast(t, name, past)
			}
		})
	}
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !wanted[f] {
			t.Errorf("%s belongs to no event: stored names never change, and no event is ever taken away", f)
		}
	}
}

func checkPresent(t *testing.T, file string, now []byte) {
	t.Helper()
	old, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && *update:
		write(t, file, now)
	case err != nil:
		t.Fatalf("%v: run go test ./events -update and look at what it wrote", err)
	case bytes.Equal(old, now):
	case !*update:
		t.Errorf("%s is stored otherwise now (-before +now):\n%s", file, cmp.Diff(string(old), string(now)))
	default:
		if lost := lost(value(t, old), value(t, now), "event"); len(lost) > 0 {
			t.Fatalf("%s: %s: logs hold the old form, so raise the schema with a lift and keep this file", file,
				strings.Join(lost, ", "))
		}
		write(t, file, now)
	}
}

// checkPast lifts a golden of a past schema.
func checkPast(t *testing.T, name string, schema int) {
	t.Helper()
	old, err := os.ReadFile(golden(name, schema, ""))
	if err != nil {
		t.Fatalf("%v: take it from the history of the repository, it can no longer be made", err)
	}
	e, err := events.Decode(name, schema, old)
	if err != nil {
		t.Fatal(err)
	}
	_, _, data, err := events.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	file, now := golden(name, schema, ".lifted"), indented(t, data)
	want, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && *update:
		write(t, file, now)
	case err != nil:
		t.Fatalf("%v: run go test ./events -update and look at what it wrote", err)
	case !bytes.Equal(want, now):
		t.Errorf("%s lifts to something else now:\n%s", golden(name, schema, ""), cmp.Diff(string(want), string(now)))
	}
}

// lost names what old has and now lacks or has in another form.
func lost(old, now any, path string) []string {
	var out []string
	switch o := old.(type) {
	case map[string]any:
		n, ok := now.(map[string]any)
		if !ok {
			return []string{path + " changed its form"}
		}
		for name, member := range o {
			if _, ok := n[name]; !ok {
				out = append(out, path+"."+name+" is gone")
				continue
			}
			out = append(out, lost(member, n[name], path+"."+name)...)
		}
	case []any:
		n, ok := now.([]any)
		if !ok || len(o) > len(n) {
			return []string{path + " changed its form"}
		}
		for i := range o {
			out = append(out, lost(o[i], n[i], fmt.Sprintf("%s[%d]", path, i))...)
		}
	default:
		if !reflect.DeepEqual(old, now) {
			out = append(out, path+" changed its form")
		}
	}
	return out
}

func TestWhatMayChangeWithoutALift(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		want           int
	}{
		{"nothing changed", `{"a":"1","b":[{"c":2}]}`, `{"b":[{"c":2}],"a":"1"}`, 0},
		{"a member was added", `{"a":"1"}`, `{"a":"1","b":true}`, 0},
		{"a member was added in a list", `{"b":[{"c":2}]}`, `{"b":[{"c":2,"d":3}]}`, 0},
		{"a member went", `{"a":"1","b":true}`, `{"a":"1"}`, 1},
		{"a member was renamed", `{"a":"1"}`, `{"A":"1"}`, 1},
		{"text became a number", `{"a":"1"}`, `{"a":1}`, 1},
		{"a value became a list", `{"a":{"b":1}}`, `{"a":[{"b":1}]}`, 1},
		{"a list became shorter", `{"a":[1,2]}`, `{"a":[1]}`, 1},
	} {
		if got := lost(value(t, []byte(c.old)), value(t, []byte(c.now)), "event"); len(got) != c.want {
			t.Errorf("%s: %v, want %d", c.name, got, c.want)
		}
	}
}

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	same := cmp.Comparer(func(a, b money.Decimal) bool { return a.String() == b.String() })
	for _, x := range examples {
		name, schema, data, err := events.Encode(x.event)
		if err != nil {
			t.Fatal(err)
		}
		got, err := events.Decode(name, schema, data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(x.event, got, same); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func indented(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), '\n')
}

func value(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("wrote %s", file)
}
