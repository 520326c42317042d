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
	{"RateLimit-Policy", header("string", "The budgets: `limit;w=seconds`, one a window.")},
	{"WWW-Authenticate", header("string", "Which credential is missing, or bad.")},
	{"Retry-After", header("integer", "After how many seconds to ask again.")},
	{"Content-Range", header("string", "`bytes */SIZE`: how long the file is.")},
	{"Location", header("string", "The path of what was made.")},
	{"Content-Security-Policy", header("string", "What the page may load: what this service serves, and nothing else.")},
	{"Content-Disposition", header("string", "The name of the file.")},
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

// budget are the headers of every answer of the API.
func budget() (out object) {
	for _, name := range []string{"X-Request-Id", "RateLimit-Limit", "RateLimit-Policy", "RateLimit-Remaining",
		"RateLimit-Reset"} {
		out = append(out, member{name, headerRef(name)})
	}
	return out
}

func problemAnswers() (out object) {
	for _, status := range sortedKeys(apidoc.Titles) {
		if status == apidoc.Statuses[string(fault.NoMethod)] { // no operation answers so: it is of what is none
			continue
		}
		headers := budget()
		if status == "401" {
			headers = append(headers, member{"WWW-Authenticate", headerRef("WWW-Authenticate")})
		}
		if status == apidoc.Statuses[string(fault.NoRange)] {
			headers = append(headers, member{"Content-Range", headerRef("Content-Range")})
		}
		if status == "429" || status == "503" {
			headers = append(headers, member{"Retry-After", headerRef("Retry-After")})
		}
		out = append(out, member{status, object{{"description", apidoc.Titles[status].English}, {"headers", headers},
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
