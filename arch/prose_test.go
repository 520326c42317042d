package arch

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var wrap = flag.Bool("update", false, "wrap the long lines of pages")

// generated pages are written by programs, whose lines are theirs.
var generated = []string{"docs/events.md", "docs/metrics.md", "docs/benchmarks.md", "docs/soak.md",
	"docs/operating/flags.md"}

var (
	marker = regexp.MustCompile(`^ *([-*+]|[0-9]+[.)]) +`) // of an item in a list
	// word is what a line may end behind. Code and links keep their spaces.
	word = regexp.MustCompile("(?:`[^`]*`|!?\\[[^]]*\\]\\([^)]*\\)|[^\\s`\\[]|[`\\[])+")
	// opens would make something else than prose of a line that begins so.
	opens = regexp.MustCompile(`^([-*+]$|=+$|-+$|[0-9]+[.)]$|[|#<>])`)
)

// wrapped is a page whose prose ends by the last column. Tables, code, headings and what stands in a program's
// marks are as they were; so is a paragraph without a long line.
func wrapped(page string) string {
	var out, paragraph []string
	end := func() {
		out = append(out, filled(paragraph)...)
		paragraph = nil
	}
	code := false
	for line := range strings.SplitSeq(page, "\n") {
		text := strings.TrimLeft(line, " ")
		fence := strings.HasPrefix(text, "```")
		other := code || fence || text == "" || strings.ContainsAny(text[:1], "|#<>") ||
			len(line)-len(text) >= 4 && len(paragraph) == 0
		if fence {
			code = !code
		}
		if other || marker.MatchString(line) {
			end()
		}
		if other {
			out = append(out, line)
		} else {
			paragraph = append(paragraph, line)
		}
	}
	end()
	return strings.Join(out, "\n")
}

// filled breaks a paragraph's lines anew, from its first long one on.
func filled(lines []string) []string {
	long := slices.IndexFunc(lines, func(l string) bool { return utf8.RuneCountInString(l) > maxColumns })
	if long < 0 {
		return lines
	}
	indent := strings.Repeat(" ", len(marker.FindString(lines[0])))
	if indent == "" {
		indent = lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	}
	out := slices.Clone(lines[:long])
	line := lines[long][:len(lines[long])-len(strings.TrimLeft(lines[long], " "))]
	var words []string
	for _, w := range word.FindAllString(strings.Join(lines[long:], "\n"), -1) {
		w = strings.Join(strings.Fields(w), " ")
		if n := len(words); n > 0 && opens.MatchString(w) {
			words[n-1] += " " + w
		} else {
			words = append(words, w)
		}
	}
	line += words[0]
	for _, w := range words[1:] {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > maxColumns {
			out, line = append(out, line), indent+w
		} else {
			line += " " + w
		}
	}
	return append(out, line)
}

func TestProseEndsByTheLastColumn(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"../*.md", "../*/README.md", "../docs/*.md", "../docs/decisions/*.md",
		"../docs/operating/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want := wrapped(string(src))
		if want == string(src) || slices.Contains(generated, strings.TrimPrefix(page, "../")) {
			continue
		}
		if !*wrap {
			t.Errorf("%s has prose beyond column %d: go test ./arch -run Prose -update", page, maxColumns)
		} else if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHowProseIsWrapped(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("word ", 30))
	for page, want := range map[string]string{
		"| " + words + " |":                      "| " + words + " |",
		"```\n" + words + "\n```":                "```\n" + words + "\n```",
		"    " + words:                           "    " + words,
		"# " + words:                             "# " + words,
		"short\nlines":                           "short\nlines",
		"- " + words:                             "- " + words[:114] + "\n  " + words[115:],
		words[:119] + " - a":                     words[:114] + "\nword - a",
		words[:114] + " `a b` c":                 words[:114] + " `a b`\nc",
		"1. " + words[:114] + " [a\nb](cd ef).":  "1. " + words[:114] + " [a\nb](cd ef).",
		"1. " + words[:119] + " [a\nb](cd ef).":  "1. " + words[:114] + "\n   word [a b](cd ef).",
		words[:119] + " one\n" + "two\n\n" + "x": words[:119] + "\none two\n\nx",
	} {
		if got := wrapped(page); got != want {
			t.Errorf("%q\nis\n%q, want\n%q", page, got, want)
		}
		if got := wrapped(want); got != want {
			t.Errorf("%q is not at rest: %q", want, got)
		}
	}
}
