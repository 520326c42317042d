package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

// call is an operation of the document.
type call struct{ method, path string }

// generator makes calls of what the document says, some of them with faults. What it sends
// follows from its seed and from what was answered.
type generator struct {
	*rand.Rand
	paths   map[string]map[string]any
	schemas map[string]any
	calls   []call
	writes  []call           // those that have a body
	company string           // of who calls
	seen    map[string][]any // values that answers had, by the names of their members
	bodies  []any            // bodies that are correct, to be changed
	kept    []string         // values that no call may name: those of the keys in use
}

func newGenerator(seed uint64) (*generator, error) {
	raw, err := os.ReadFile("../apidoc/openapi.json")
	if err != nil {
		return nil, err
	}
	var all struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, seed)), paths: all.Paths, schemas: all.Components.Schemas,
		seen: map[string][]any{}}
	for path, methods := range all.Paths {
		for method := range methods {
			g.calls = append(g.calls, call{strings.ToUpper(method), path})
		}
	}
	slices.SortFunc(g.calls, func(a, b call) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	for _, c := range g.calls {
		if c.method != "GET" {
			g.writes = append(g.writes, c)
		}
	}
	return g, nil
}

// maybe is true in one of n cases.
func (g *generator) maybe(n int) bool { return g.IntN(n) == 0 }

func oneOf[T any](g *generator, all []T) T { return all[g.IntN(len(all))] }

// harvest remembers what an answer has, so that later calls can name it.
func (g *generator) harvest(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(mapKeys(v)) {
			g.harvest(k, v[k])
		}
	case []any:
		for _, e := range v[:min(len(v), 3)] {
			g.harvest(name, e)
		}
	case string, float64, bool:
		text := fmt.Sprint(v)
		if slices.ContainsFunc(g.kept, func(s string) bool { return strings.Contains(text, s) }) {
			return
		}
		if len(g.seen[name]) < 40 {
			g.seen[name] = append(g.seen[name], v)
		} else {
			g.seen[name][g.IntN(40)] = v
		}
	}
}

func mapKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// odd are texts that readers have trouble with.
var odd = []string{"", " ", "0", "-1", "null", "'", "%", "%00", "../..", "a/b", "ñandú", "\u202e", "\x00", "🧾",
	"1e400", "9999999999999999999", "2026-02-30", "C:1/P:1", "C:99999999999/P:1", "true", "[]", "<a>&amp;",
	strings.Repeat("x", 5000)}

// text is a value for a name in a path, a query or a header.
func (g *generator) text(name string, schema map[string]any) string {
	known := append(slices.Clone(g.seen[name]), g.seen[map[string]string{"invoice_id": "id", "purchase_id": "id",
		"id_webhook": "id", "id_delivery": "id", "id_replay": "id", "version": "schema", "after": "position",
		"at": "position", "cursor": "next_cursor", "code": "message"}[name]]...)
	switch {
	case g.maybe(12):
		return oneOf(g, odd)
	case name == "id_company" && !g.maybe(6):
		return g.company
	case len(known) > 0 && !g.maybe(5):
		return plainText(oneOf(g, known))
	case schema != nil:
		return plainText(g.value(name, schema, 0))
	}
	return fmt.Sprint(g.IntN(5))
}

// plainText writes whole numbers without an exponent.
func plainText(v any) string {
	if f, ok := v.(float64); ok && f == float64(int64(f)) {
		return fmt.Sprint(int64(f))
	}
	return fmt.Sprint(v)
}

// value is one of a schema, or now and then of none.
func (g *generator) value(name string, schema map[string]any, depth int) any {
	if ref, ok := schema["$ref"].(string); ok {
		schema, _ = g.schemas[ref[strings.LastIndexByte(ref, '/')+1:]].(map[string]any)
	}
	if all, ok := schema["anyOf"].([]any); ok {
		one, _ := oneOf(g, all).(map[string]any)
		return g.value(name, one, depth)
	}
	if g.maybe(40) || depth > 8 {
		return oneOf(g, []any{nil, "x", -1, 1e300, true, []any{}, map[string]any{}, oneOf(g, odd)})
	}
	if all, ok := schema["enum"].([]any); ok && len(all) > 0 && !g.maybe(20) {
		return oneOf(g, all)
	}
	kind, _ := schema["type"].(string)
	if kinds, ok := schema["type"].([]any); ok && len(kinds) > 0 {
		kind, _ = oneOf(g, kinds).(string)
	}
	switch kind {
	case "object":
		return g.object(schema, depth)
	case "array":
		return g.array(name, schema, depth)
	case "integer":
		return g.IntN(120)
	case "number":
		return oneOf(g, []any{0, 1, 0.1, 100, 21, 121, 12.345, 99999999999.99, 0.005, g.IntN(10000)})
	case "boolean":
		return g.maybe(2)
	case "null":
		return nil
	}
	return g.word(name, schema)
}

func (g *generator) word(name string, schema map[string]any) any {
	if known := g.seen[name]; len(known) > 0 && g.maybe(2) {
		return oneOf(g, known)
	}
	pattern, _ := schema["pattern"].(string)
	switch now := time.Now(); {
	case strings.Contains(pattern, ":"):
		return now.Format("2006-01-02 15:04:05")
	case pattern != "" || schema["format"] == "date" || strings.HasSuffix(name, "date"):
		return now.Format("2006-01-02")
	case schema["format"] == "date-time":
		return now.UTC().Format(time.RFC3339)
	case g.maybe(10):
		return oneOf(g, odd)
	}
	return oneOf(g, []string{"AR", "CL", "UY", "1", "30712345671", "76192083-9", "CUIT", "RUT", "Calle 1", "ISE", "iva21"})
}

func (g *generator) array(name string, schema map[string]any, depth int) any {
	item, _ := schema["items"].(map[string]any)
	out := []any{}
	for range g.IntN(4) {
		out = append(out, g.value(name, item, depth+1))
	}
	return out
}

func (g *generator) object(schema map[string]any, depth int) any {
	out := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(mapKeys(properties)) {
		if needed := slices.Contains(required, any(name)); needed && g.maybe(20) || !needed && !g.maybe(3) {
			continue
		}
		member, _ := properties[name].(map[string]any)
		out[name] = g.value(name, member, depth+1)
	}
	if g.maybe(30) {
		out[oneOf(g, odd)] = oneOf(g, odd)
	}
	return out
}

// changed is a correct body with one or two members changed, somewhere.
func (g *generator) changed(v any, depth int) any {
	if g.maybe(12) || depth > 8 {
		return g.value("", map[string]any{"type": []any{"string", "number", "null", "array", "object", "boolean"}}, 7)
	}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		name := oneOf(g, slices.Sorted(mapKeys(v)))
		if g.maybe(10) {
			delete(v, name)
		} else {
			v[name] = g.changed(v[name], depth+1)
		}
	case []any:
		if len(v) > 0 {
			i := g.IntN(len(v))
			v[i] = g.changed(v[i], depth+1)
		}
	case float64:
		return oneOf(g, []any{v, v + 1, -v, v / 3, v * 1e9, fmt.Sprint(v), 0})
	case string:
		return oneOf(g, []any{v, v + "0", strings.ToLower(v), "", nil, oneOf(g, odd)})
	}
	return v
}
