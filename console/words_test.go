package console

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"testing"
)

// phrases are where templates and pages have an English text.
var phrases = []*regexp.Regexp{
	regexp.MustCompile(`\bt\s+"([^"]+)"`),
	regexp.MustCompile(`\.(?:Input|Choice)\s+"[^"]+"\s+"([^"]+)"`),
	regexp.MustCompile(`\.(?:Input|Choice)\s+\(print [^)]*\)\s+"([^"]+)"`),
	regexp.MustCompile(`"hint=([^"]+)"`),
	regexp.MustCompile(`template\s+"badge"\s+"([^"]+)"`),
}

// said are all texts of the console that are its own.
func saidTexts(t *testing.T) map[string]bool {
	all := map[string]bool{}
	add := func(texts ...string) {
		for _, s := range texts {
			all[s] = true
		}
	}
	files, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := templateFiles.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range phrases {
			for _, m := range p.FindAllStringSubmatch(string(b), -1) {
				add(m[1])
			}
		}
	}
	add(slices.Collect(maps.Values(notes))...)
	add(slices.Collect(maps.Values(members))...)
	add(slices.Collect(maps.Values(factNames))...)
	add(slices.Collect(maps.Values(warningNames))...)
	add(statuses...)
	add(otherTexts...)
	for _, p := range []*Problem{noProof, otherSite, unreadable, oversized, notFound, missingPoint} {
		add(p.Title, p.Detail)
	}
	for _, s := range scopes {
		add(s.Name, s.About)
	}
	return all
}

// otherTexts are those of code and records: titles of pages, states, steps.
var otherTexts = []string{"Log in", "Companies", "New company", "Settings", "Numbering", "Invoices", "API keys",
	"Status",
	"Webhooks", "Delivery", "New document", "Any", "Production", "Testing", "Expired", "Used up", "Low", "Active", "Held",
	"Up", "Down", "pending", "delivered", "exhausted", "superseded", "cancelled", "active", "paused", "running",
	"finished",
	"accepted", "rejected", "ready", "catching up", "rebuilding", "first build", "rebuild paused", "rebuild held",
	"Reserved", "The company’s", "issuer", "auditor", "owner",
	"status", "timeout", "connect", "tls", "broken", "unresolved",
	"forbidden_address", "Something went wrong on our side", "Try again in a moment.",
	"Fill in “%s” in the fiscal profile", "Upload a certificate that is valid today",
	"Upload a numbering file for each document type that you issue",
	"An electronic invoice changed its status.", "A purchase invoice was received.",
	"A digital certificate is about to expire: 60, 45, 30, 15, 5, 2 and 1 days before.",
	"manual", "automatic", "off", "requested", "refused", "in hand", "owed", "due", "reported", "observed", "closed",
	"Contingency",
	"sent", "contingency", "report_only", "The authority counts as away for the company, or is back.",
	"Numbers run low (1: few, 2: one, 3: none left) or their range is about to expire (7 and 1 days before, that day, " +
		"1 day after).",
}

func TestEveryTextHasItsSpanish(t *testing.T) {
	texts := saidTexts(t)
	for _, s := range slices.Sorted(maps.Keys(texts)) {
		if spanish[s] == "" {
			t.Errorf("words/es.json lacks %q", s)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(spanish)) {
		if !texts[s] {
			t.Errorf("words/es.json has %q, which no page says", s)
		}
	}
}
