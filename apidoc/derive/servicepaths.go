package derive

// page is an operation that neither side serves.
type page struct {
	id, summary, more, kind string
	headers                 []string // of its answer, besides those of all
	tagged                  bool     // it has an ETag, which If-None-Match may name
	refusals                []string
}

func (p page) get(parameters ...object) object {
	headers := object{}
	if p.refusals != nil {
		headers = budget()
	}
	for _, name := range p.headers {
		headers = append(headers, member{name, headerRef(name)})
	}
	answers := object{}
	schema := object{{"type", map[bool]string{true: "object", false: "string"}[p.kind == "application/json"]}}
	done := func(more ...member) object {
		return append(object{{"description", meanings["200"]}, {"content", object{{p.kind, object{{"schema", schema}}}}}},
			more...)
	}
	if p.tagged {
		headers = append(headers, member{"ETag", headerRef("ETag")})
		parameters = append(parameters, object{{"name", "If-None-Match"}, {"in", "header"},
			{"description", headerWords["If-None-Match"]}, {"schema", object{{"type", "string"}}}})
	}
	answers = append(answers, member{"200", done(member{"headers", headers})})
	if p.tagged {
		answers = append(answers, member{"304", object{{"description", meanings["304"]}, {"headers", headers}}})
	}
	for _, status := range p.refusals {
		answers = append(answers, member{status, object{{"$ref", "#/components/responses/" + status}}})
	}
	if p.id == "readyz" {
		answers = append(answers, member{"503", append(object{}, done()...)})
	}
	operation := object{{"operationId", p.id}, {"summary", p.summary}}.with("description", p.more).and(object{
		{"tags", []string{"Service"}}, {"security", []object{}}})
	if len(parameters) > 0 {
		operation = append(operation, member{"parameters", parameters})
	}
	return object{{"get", append(operation, member{"responses", answers})}}
}

func pathParameter(name, text string) object {
	return object{{"name", name}, {"in", "path"}, {"required", true}, {"description", text},
		{"schema", object{{"type", "string"}}}}
}

// open are the refusals of what needs no credential; one that is sent must be good.
var open = []string{"401", "404", "429", "500", "503"}

func logPage(id, summary, kind string) page {
	return page{id: id, summary: summary, kind: kind, refusals: open,
		more: "401 where the operator keeps the log closer and the call has no credential."}
}

func docPage(id, summary, more, kind string) page {
	return page{id: id, summary: summary, more: more, kind: kind, refusals: open, tagged: true,
		headers: []string{"Content-Security-Policy"}}
}

// servicePaths are those that neither side serves: a test of the program compares them
// with its router.
var servicePaths = object{
	{"/healthz", page{id: "healthz", summary: "Whether the process lives", more: "No rate limit.",
		kind: "text/plain"}.get()},
	{"/readyz", page{id: "readyz", summary: "Whether the service can do its work", kind: "application/json",
		more: "503 with the same body when it cannot. Callers on other machines get the status alone."}.get()},
	{"/metrics", page{id: "metrics", summary: "What Prometheus reads", kind: "text/plain",
		more:     "For callers on this machine, or on the address of operators; elsewhere the path is not there.",
		refusals: open}.get()},
	{"/log/checkpoint", logPage("log_checkpoint", "The newest signed checkpoint of the transparency log",
		"text/plain").get()},
	{"/log/key", logPage("log_key", "The key that signs checkpoints", "text/plain").get()},
	{"/log/rotations", logPage("log_rotations", "Which keys signed before", "text/plain").get()},
	{"/log/tile/{path}", logPage("log_tile", "A tile of the transparency log, by the published tlog-tiles format",
		"application/octet-stream").get(pathParameter("path", "Such as 0/000, or entries/000: it has slashes."))},
	{"/openapi.json", docPage("openapi", "This document", "", "application/json").get()},
	{"/docs", docPage("docs", "This document to read", "It needs no other host.", "text/html").get()},
	{"/docs/{file}", docPage("docs_file", "What the page is made of", "", "text/javascript").
		get(pathParameter("file", "Its name."))},
	{"/docs/errors", docPage("docs_errors", "Every error code", "", "text/html").get()},
	{"/docs/errors/{code}", docPage("docs_error", "What an error code means, and how to cure it", "",
		"text/html").get(pathParameter("code", "Such as AR-TAX-05."))},
}
