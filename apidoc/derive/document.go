package derive

import (
	"encoding/json"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"folio/countries"
	"folio/httpapi"
	"folio/strict"
	"folio/writeapi"
)

// writer makes the document.
type writer struct {
	schemas
	bodies map[string][]func(strict.Object)
	ids    map[string]bool // operationIds that are taken
	errs   []string
}

// Document is the OpenAPI 3.1 document of the service.
func (p *Program) Document() ([]byte, error) {
	codes, err := p.Codes()
	if err != nil {
		return nil, err
	}
	all, err := routes()
	if err != nil {
		return nil, err
	}
	w := &writer{schemas: schemas{p: p, names: map[types.Type]string{}, words: words, used: map[string]bool{}},
		bodies: writeapi.Bodies(countries.Rules()), ids: map[string]bool{}}
	w.of(p.named("folio/resource", "Message"))
	paths := w.paths(all)
	w.problems(codes)
	hooks := w.webhooks()
	w.complain(all)
	if len(w.errs) > 0 {
		return nil, fmt.Errorf("the document lacks:\n%s", strings.Join(w.errs, "\n"))
	}
	document := object{
		{"openapi", "3.1.1"}, {"info", info}, {"servers",
			[]object{{{"url", "/"}, {"description", "The service that serves this document"}}}},
		{"tags", chapters()}, {"paths", paths}, {"webhooks", hooks},
		{"components", object{{"schemas", w.components}, {"securitySchemes", credentials}, {"headers", answerHeaders},
			{"responses", problemAnswers()}}},
	}
	return json.MarshalIndent(document, "", " ")
}

// complain says what is written here and nowhere in the program, or the other way round.
func (w *writer) complain(all []route) {
	known := map[string]bool{}
	for _, r := range all {
		known[r.method+" "+r.path] = true
	}
	for name := range operations {
		if !known[name] {
			w.errs = append(w.errs, name+" is described, and is no route")
		}
	}
	for name := range w.bodies {
		if !known[name] {
			w.errs = append(w.errs, name+" has a reader of bodies, and is no route")
		}
	}
	for _, name := range w.silent {
		w.errs = append(w.errs, "the member "+name+" has no comment where it is declared, and no word in words.go")
	}
	for name := range words {
		if !w.used[name] {
			w.errs = append(w.errs, "words.go explains "+name+", which nobody needs")
		}
	}
	slices.Sort(w.errs)
	w.errs = slices.Compact(w.errs)
}

func chapters() (out []object) {
	for _, t := range tags {
		out = append(out, object{{"name", t.name}, {"description", t.about}})
	}
	return out
}

func (w *writer) paths(all []route) (out object) {
	for i := 0; i < len(all); {
		var item object
		path := all[i].path
		for ; i < len(all) && all[i].path == path; i++ {
			item = append(item, member{strings.ToLower(all[i].method), w.operation(all[i])})
		}
		out = append(out, member{path, item})
	}
	return append(out, servicePaths...)
}

func (w *writer) operation(r route) object {
	name := r.method + " " + r.path
	about, ok := operations[name]
	if !ok {
		w.errs = append(w.errs, "the route "+name+" is not in operations.go")
	}
	h := w.p.handling(r.handler)
	if r.plain == h.asks {
		w.errs = append(w.errs, name+": a route is httpapi.Plain, or its handler calls Done on its query")
	}
	if r.keyed && h.writes {
		h.key, h.sets = true, addText(h.sets, "Idempotency-Replayed")
	}
	out := object{{"operationId", w.id(r)}, {"summary", about.summary}}.with("description", about.more).
		with("tags", []string{about.tag})
	switch r.credential {
	case "Bearer":
		out = append(out, member{"security", []object{{{"bearer", []string{}}}}})
	case "Either", "Company":
		out = append(out, member{"security", []object{{{"key", []string{}}}, {{"bearer", []string{}}}}})
	default:
		out = append(out, member{"security", []object{}})
	}
	if parameters := w.parameters(r, h); len(parameters) > 0 {
		out = append(out, member{"parameters", parameters})
	}
	if body := w.body(name, h); body != nil {
		out = append(out, member{"requestBody", body})
	}
	return append(out, member{"responses", w.responses(r, h)})
}

// id is the handler's name; a second route of the same handler has its last parameter or its
// path behind it, and so has a path that is older than another.
func (w *writer) id(r route) string {
	id := r.handler[strings.LastIndexByte(r.handler, '.')+1:]
	if w.ids[id] && strings.HasSuffix(r.path, "}") {
		id += capital(r.path[strings.LastIndexByte(r.path, '{')+1 : len(r.path)-1])
	}
	if w.ids[id] || strings.Contains(operations[r.method+" "+r.path].summary, "est path") ||
		strings.Contains(operations[r.method+" "+r.path].summary, "er path") {
		id += strings.NewReplacer("/", "_", "{", "", "}", "", "-", "_").Replace(r.path)
	}
	if w.ids[id] {
		id = strings.ToLower(r.method) + "_" + id
	}
	w.ids[id] = true
	return id
}

func (w *writer) body(name string, h *handling) object {
	readersOf, has := w.bodies[name]
	if h.json != has {
		w.errs = append(w.errs, name+": writeapi.Bodies and its handler do not agree on whether it reads JSON")
	}
	switch {
	case has:
		var shapes []object
		for _, k := range readers(readersOf) {
			k.Required = true
			shapes = append(shapes, w.ofSketch("", k))
		}
		schema := shapes[0]
		if len(shapes) > 1 {
			schema = object{{"anyOf", shapes}}
		}
		return object{{"required", !h.optional},
			{"content", object{{h.bodyKind(), object{{"schema", schema}}.examples(name)}}}}
	case len(h.form) > 0:
		properties, required := object{}, []string{}
		for _, f := range h.form {
			schema := object{{"type", "string"}}
			if f.kind == "File" {
				schema = object{{"type", "string"}, {"contentMediaType", "application/octet-stream"}}
			}
			properties = append(properties, member{f.name, described(schema, w.word("form", f.name, ""))})
			if f.required {
				required = append(required, f.name)
			}
		}
		return object{{"required", true}, {"content", object{{"multipart/form-data", object{{"schema",
			object{{"type", "object"}, {"properties", properties}}.with("required", required)}}}}}}
	}
	return nil
}

// bodyKind is the media type of a body of JSON; that of lines is described by one of them.
func (h *handling) bodyKind() string {
	if h.line != nil {
		return httpapi.LinesType
	}
	return "application/json"
}

func (w *writer) responses(r route, h *handling) object {
	out := object{}
	for _, status := range sortedKeys(h.answers) {
		answer := object{{"description", meanings[status]}}
		if types := h.answers[status]; len(types) > 0 {
			answer = append(answer, member{"content", object{{"application/json", object{{"schema", w.any(types)}}}}})
		}
		out = append(out, member{status, w.headed(answer, h)})
	}
	if content := w.pages(h); len(content) > 0 {
		out = slices.DeleteFunc(out, func(m member) bool { return m.name == "200" })
		if types := h.answers["200"]; len(types) > 0 {
			content = append(object{{"application/json", object{{"schema", w.any(types)}}}}, content...)
		}
		out = append(object{{"200", w.headed(object{{"description", meanings["200"]}, {"content", content}}, h)}}, out...)
	}
	for _, status := range refusals(r, h) {
		out = append(out, member{status, object{{"$ref", "#/components/responses/" + status}}})
	}
	return out
}

// any is the schema of one of several types.
func (w *writer) any(all []types.Type) object {
	if len(all) == 1 {
		return w.of(all[0])
	}
	var each []object
	for _, t := range all {
		each = append(each, w.of(t))
	}
	return object{{"anyOf", each}}
}

// until is the member of a list that can be walked in the order of changes.
func (h *handling) until() object {
	if !slices.ContainsFunc(h.query, func(p parameter) bool { return p.name == "updated_since" }) {
		return nil
	}
	return object{{"updated_until", object{{"type", "string"}, {"description", "Beside `updated_since`: up to where " +
		"the walk came. Give it as `updated_since` later on, to hear of what changed since."}}}}
}

// pages is the content that is not encoded as one value.
func (w *writer) pages(h *handling) (content object) {
	page := func(schema, next object, first object) object {
		return object{{"type", "object"}, {"properties",
			append(first, object{{"data", object{{"type", "array"}, {"items", schema},
				{"description", "The records of this page."}}}}.and(next)...)}, {"additionalProperties", false}}
	}
	count := func(text string) object { return object{{"type", "integer"}, {"description", text}} }
	perPage := member{"per_page", count("How many records a page has at most.")}
	cursor := func(name, text string) object {
		return object{{name, object{{"type", []string{"string", "null"}}, {"description", text}}}}
	}
	if h.line != nil {
		content = append(content, member{httpapi.LinesType, object{{"schema", w.of(h.line)}}})
	}
	if h.list != nil {
		content = append(content, member{"application/json", object{{"schema", page(w.of(h.list),
			cursor("next_cursor", "The `cursor` of the next page; null at the end, and where a list has none."),
			append(object{{"page", count("The number of the page, from 1.")},
				{"total_pages", count("How many pages there are.")},
				{"total_results", count("How many records there are.")}, perPage}, h.until()...))}}})
	}
	if h.facts {
		content = append(content, member{"application/json",
			object{{"schema", page(w.of(w.p.named("folio/readapi", "recorded")),
				cursor("next_after", "`after` of the next page; null at the end."), object{perPage})}}})
	}
	if h.csv && !slices.Contains(h.files, "text/csv") {
		content = append(content, member{"text/csv", object{{"schema", object{{"type", "string"}}}}})
	}
	for _, kind := range h.files {
		holds := "string"
		if strings.HasSuffix(kind, "+json") {
			holds = "object"
		}
		content = append(content, member{kind, object{{"schema", object{{"type", holds}}}}})
	}
	return content
}

// headed adds the headers of an answer.
func (w *writer) headed(answer object, h *handling) object {
	headers := budget()
	for _, name := range h.sets {
		if !slices.ContainsFunc(answerHeaders, func(m member) bool { return m.name == name }) {
			if name != "Cache-Control" {
				w.errs = append(w.errs, "the header "+name+" is not in service.go")
			}
			continue
		}
		headers = append(headers, member{name, headerRef(name)})
	}
	return append(answer, member{"headers", headers})
}

func headerRef(name string) object { return object{{"$ref", "#/components/headers/" + name}} }

func (w *writer) webhooks() (out object) {
	for _, hook := range []struct{ code, about, payload string }{
		{"ISE", "An electronic invoice changed its status.", "StatusChanged"},
		{"REC", "A purchase invoice was received.", "PurchaseNoticed"},
		{"CER", "A digital certificate is about to expire.", "CertificateNoticed"},
		{"ENU", "Numbers run low, or their range is about to expire.", "NumberingNoticed"},
		{"OUT", "The authority counts as away for the company, or is back.", "OutageNoticed"},
	} {
		out = append(out, member{hook.code, object{{"post",
			object{{"operationId", "webhook_" + hook.code}, {"summary", hook.about},
				{"description", "Signed by the published Standard Webhooks scheme: see docs/webhooks.md."},
				{"tags", []string{"Webhooks"}},
				{"security", []object{}}, {"requestBody", object{{"required", true}, {"content", object{{"application/json",
					object{{"schema", w.of(w.p.named("folio/resource", hook.payload))}}}}}}},
				{"responses", object{{"2XX", object{{"description", "Taken. Anything else is sent again."}}},
					{"4XX", object{{"description", "Not taken: it is sent again."}}}}}}}}})
	}
	return out
}
