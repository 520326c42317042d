package derive

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"folio/apidoc"
	"folio/httpapi"
)

var inPath = regexp.MustCompile(`\{([a-z0-9_]+)\}`)

func (w *writer) parameters(r route, h *handling) (out []object) {
	for _, m := range inPath.FindAllStringSubmatch(r.path, -1) {
		out = append(out, object{{"name", m[1]}, {"in", "path"}, {"required", true},
			{"description", w.explained(pathWords, m[1])},
			{"schema", object{{"type", "string"}}}})
	}
	for _, q := range h.query {
		schema := object{{"type", "string"}}
		switch {
		case q.kind == "Int":
			schema = object{{"type", "integer"}}
			schema = schema.with("minimum", literal(q.low)).with("maximum", literal(q.high))
		case q.kind == "Date":
			schema = append(schema, member{"format", "date"})
		case q.max != "":
			schema = append(schema, member{"maxLength", literal(q.max)})
		}
		out = append(out, object{{"name", q.name}, {"in", "query"}}.with("required", q.required).
			with("description", w.explained(queryWords, q.name)).with("schema", schema))
	}
	headers := slices.Clone(h.headers)
	if h.key {
		headers = append(headers, "Idempotency-Key")
	}
	if r.credential == "Company" && !strings.Contains(r.path, "{id_company}") {
		headers = append(headers, httpapi.CompanyHeader)
	}
	for _, name := range headers {
		out = append(out, object{{"name", name}, {"in", "header"}, {"description", w.explained(headerWords, name)},
			{"schema", object{{"type", "string"}}}})
	}
	return out
}

// explained is what a parameter means; one that nobody explains is an error.
func (w *writer) explained(words map[string]string, name string) string {
	if words[name] == "" {
		w.errs = append(w.errs, "the parameter "+name+" is not in words.go")
	}
	return words[name]
}

// number is a JSON number as it is written.
type number string

func (n number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// literal is a number that the source writes; what is no constant is no bound.
func literal(s string) any {
	if s == "" {
		return nil
	}
	return number(s)
}

// refusals are the statuses that an operation may refuse with.
func refusals(r route, h *handling) []string {
	// Every operation refuses parameters that it does not know.
	all := map[string]bool{"401": true, "422": true, "429": true, "500": true, "503": true}
	if strings.Contains(r.path, "{") {
		all["404"] = true
	}
	if r.credential != "" { // a scope that it lacks, or another company
		all["403"], all["404"] = true, true
	}
	if h.json || len(h.form) > 0 {
		for _, s := range []string{"400", "413", "415"} {
			all[s] = true
		}
	}
	if h.writes {
		for _, s := range []string{"404", "409", "413"} {
			all[s] = true
		}
	}
	for _, kind := range h.kinds {
		all[apidoc.Statuses[kind]] = true
	}
	return slices.Sorted(maps.Keys(all))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
