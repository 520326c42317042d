package derive

import (
	"go/types"
	"slices"

	"folio/apidoc"
	"folio/fault"
)

var info = object{
	{"title", "Folio"}, {"version", "1"}, {"summary", "Electronic tax invoices for Argentina, Chile and Uruguay"},
	{"description", "Paths are relative to the address that the service listens on. Bodies are JSON in UTF-8 unless " +
		"stated. `/api` is " +
		"version 1: fields and endpoints are added, never taken away or changed.\n\nThe texts beyond this reference (what " +
		"the states of an " +
		"invoice are, what each country wants) are in the `docs` folder of the repository. Every error code has [a " +
		"page](/docs/errors)."},
	{"license", object{{"name", "Proprietary"}, {"identifier", "LicenseRef-Proprietary"}}},
}

var credentials = object{
	{"bearer", object{{"type", "http"}, {"scheme", "bearer"},
		{"description", "`POST /api/login` gives it, for twelve hours: companies and their API keys."}}},
	{"key", object{{"type", "apiKey"}, {"in", "header"}, {"name", "x-api-key"},
		{"description", "`POST /api/companies/apikey` gives it, until it is revoked: everything about one company."}}},
}

func header(kind, text string) object {
	return object{{"description", text}, {"schema", object{{"type", kind}}}}
}

var answerHeaders = object{
	{"X-Request-Id", header("string", "Names this request; give it to support.")},
	{"RateLimit-Limit", header("string", "How many requests the budget has.")},
	{"RateLimit-Remaining", header("string", "How many are left.")},
	{"RateLimit-Reset", header("string", "After how many seconds there are more.")},
	{"Retry-After", header("integer", "After how many seconds to ask again.")},
	{"Location", header("string", "The path of what was made.")},
	{"ETag", header("string", "Names these bytes, for If-None-Match.")},
	{"Folio-Position", header("string", "The position of the write in the event log, for Folio-Min-Position.")},
	{"Folio-Read-Model", header("string", "`behind`: reads may not show the write yet.")},
	{"Folio-As-Of", header("string", "The position in the event log that the answer is of.")},
	{"Folio-Next-After", header("string", "`after` of the next page.")},
	{"Idempotency-Replayed", header("string", "`true`: the key was used before, and this is what came of it.")},
}

var meanings = map[string]string{
	"200": "Done.", "201": "Made.", "202": "Taken up.", "204": "Done; there is nothing to show.",
	"304": "It has not changed.",
}

func problemAnswers() (out object) {
	for _, status := range sortedKeys(apidoc.Titles) {
		if status == apidoc.Statuses[string(fault.NoMethod)] { // no operation answers so: it is of what is none
			continue
		}
		headers := object{{"X-Request-Id", headerRef("X-Request-Id")}}
		if status == "429" || status == "503" {
			headers = append(headers, member{"Retry-After", headerRef("Retry-After")})
		}
		out = append(out, member{status, object{{"description", apidoc.Titles[status]}, {"headers", headers},
			{"content", object{{"application/problem+json", object{{"schema", ref("Problem")}}}}}}})
	}
	return out
}

// problems makes the schema of problem documents, with every code there is.
func (w *writer) problems(codes []apidoc.Code) {
	w.of(w.p.named("folio/httpapi", "problem").(*types.Named))
	var whole, parts []string
	for _, c := range codes {
		if c.Fault {
			whole = append(whole, c.Code)
		}
		parts = append(parts, c.Code)
	}
	w.enumerate("Problem", "message", whole)
	w.enumerate("Violation", "code", parts)
}

// enumerate lists what a member of a component may be.
func (w *writer) enumerate(component, name string, values []string) {
	for _, c := range w.components {
		if c.name != component {
			continue
		}
		for _, m := range c.value.(object) {
			if m.name != "properties" {
				continue
			}
			for i, p := range m.value.(object) {
				if p.name == name {
					m.value.(object)[i].value = append(slices.Clone(p.value.(object)), member{"enum", values})
				}
			}
		}
	}
}

func plain(id, summary, more, kind string) object {
	return object{{"operationId", id}, {"summary", summary}}.with("description",
		more).and(object{{"tags", []string{"Service"}},
		{"security", []object{}}, {"responses",
			object{{"200", object{{"description", "Done."}, {"content", object{{kind, object{
				{"schema", object{{"type", map[bool]string{true: "object", false: "string"}[kind == "application/json"]}}}}}}}}},
				{"404", object{{"$ref", "#/components/responses/404"}}}, {"503", object{{"$ref", "#/components/responses/503"}}}}}})
}

func get(operation object) object { return object{{"get", operation}} }

func inPathParameter(name, text string) member {
	return member{"parameters", []object{{{"name", name}, {"in", "path"}, {"required", true}, {"description", text},
		{"schema", object{{"type", "string"}}}}}}
}

// servicePaths are those that neither side serves: a test of the program compares them
// with its router.
var servicePaths = object{
	{"/healthz", get(plain("healthz", "Whether the process lives", "No rate limit.", "application/json"))},
	{"/readyz", get(plain("readyz", "Whether the service can do its work",
		"503 with the same body when it cannot. Callers on other machines get the status alone.", "application/json"))},
	{"/log/checkpoint", get(plain("log_checkpoint", "The newest signed checkpoint of the transparency log",
		"Unless the operator keeps the log closer.", "text/plain"))},
	{"/log/key", get(plain("log_key", "The key that signs checkpoints", "", "text/plain"))},
	{"/log/rotations", get(plain("log_rotations", "Which keys signed before", "", "text/plain"))},
	{"/log/tile/{path}", get(append(plain("log_tile", "A tile of the transparency log",
		"By the published tlog-tiles format; `path` has slashes.", "application/octet-stream"),
		inPathParameter("path", "Such as 0/000, or entries/000.")))},
	{"/openapi.json", get(plain("openapi", "This document", "", "application/json"))},
	{"/docs", get(plain("docs", "This document to read", "It needs no other host.", "text/html"))},
	{"/docs/{file}", get(append(plain("docs_file", "What the page is made of", "", "text/javascript"),
		inPathParameter("file", "Its name.")))},
	{"/docs/errors", get(plain("docs_errors", "Every error code", "", "text/html"))},
	{"/docs/errors/{code}", get(append(plain("docs_error", "What an error code means, and how to cure it", "",
		"text/html"), inPathParameter("code", "Such as AR-TAX-05.")))},
}
