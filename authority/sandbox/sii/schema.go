package sii

import (
	"embed"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/beevik/etree"
)

//go:embed elements/*.txt
var elementFiles embed.FS

// rule is one element of a schema: how often it comes in its sequence and what it holds.
type rule struct {
	name     string
	min, max int
	kind     string // its type, as the file writes it
	children []*rule
}

var grammar = readGrammar("documento", "exportaciones", "boleta", "caratula")

var occurrences = regexp.MustCompile(`^(\w+)(?:\[(\d+)\.\.(\d+)\])?\s*(.*)$`)

func readGrammar(names ...string) map[string]*rule {
	out := map[string]*rule{}
	for _, name := range names {
		text, err := elementFiles.ReadFile("elements/" + name + ".txt")
		if err != nil {
			panic(err) // it is embedded
		}
		open := []*rule{}
		for l := range strings.Lines(string(text)) {
			plain := strings.TrimSpace(l)
			if plain == "" || plain[0] == '#' {
				continue
			}
			found := occurrences.FindStringSubmatch(plain)
			r := &rule{name: found[1], min: 1, max: 1, kind: found[4]}
			if found[2] != "" {
				r.min, _ = strconv.Atoi(found[2])
				r.max, _ = strconv.Atoi(found[3])
			}
			depth := (len(l) - len(strings.TrimLeft(l, " "))) / 2
			open = open[:depth]
			if depth > 0 {
				open[depth-1].children = append(open[depth-1].children, r)
			}
			open = append(open, r)
		}
		out[name] = open[0]
	}
	return out
}

// check wants the element to follow its rule: order, occurrences and limits.
func (r *rule) check(e *etree.Element, path string) error {
	path += "/" + e.Tag
	if len(r.children) == 0 {
		if len(e.ChildElements()) > 0 {
			return fmt.Errorf("%s has elements in it", path)
		}
		if err := value(r.kind, e.Text()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	rest := e.ChildElements()
	for _, c := range r.children {
		n := 0
		for n < len(rest) && rest[n].Tag == c.name {
			if err := c.check(rest[n], path); err != nil {
				return err
			}
			n++
		}
		if n < c.min || n > c.max {
			return fmt.Errorf("%s: %d times %s, %d to %d are allowed", path, n, c.name, c.min, c.max)
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("%s: %s is not expected there", path, rest[0].Tag)
	}
	return nil
}

var (
	longest   = regexp.MustCompile(`len≤(\d+)`)
	shortest  = regexp.MustCompile(`minLen=(\d+)`)
	digits    = regexp.MustCompile(`≤(\d+)dig`)
	choices   = regexp.MustCompile(`\{([^}]*)\}`)
	fractions = regexp.MustCompile(`(?:dec|decimal|pct) (\d+)\.(\d+)`)
	integer   = regexp.MustCompile(`^-?\d{1,18}$`)
	number    = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
	rutForm   = regexp.MustCompile(`^\d{3,8}-[\dK]$`)
)

// value checks a text against a type.
func value(kind, text string) error {
	if text == "" {
		return fmt.Errorf("it is empty")
	}
	if m := longest.FindStringSubmatch(kind); m != nil {
		if limit, _ := strconv.Atoi(m[1]); utf8.RuneCountInString(text) > limit {
			return fmt.Errorf("it has more than %d characters", limit)
		}
	}
	if m := shortest.FindStringSubmatch(kind); m != nil {
		if limit, _ := strconv.Atoi(m[1]); utf8.RuneCountInString(text) < limit {
			return fmt.Errorf("it has less than %d characters", limit)
		}
	}
	if m := digits.FindStringSubmatch(kind); m != nil {
		if limit, _ := strconv.Atoi(m[1]); len(strings.TrimPrefix(text, "-")) > limit {
			return fmt.Errorf("it has more than %d digits", limit)
		}
	}
	if m := choices.FindStringSubmatch(kind); m != nil && !strings.HasSuffix(m[1], "…") && !slices.Contains(strings.Split(m[1], ","), text) {
		return fmt.Errorf("%.20q is none of %s", text, m[1])
	}
	return form(kind, text)
}

// form checks numbers, dates and RUTs.
func form(kind, text string) error {
	bad := func(what string) error { return fmt.Errorf("%.30q is not %s", text, what) }
	if m := fractions.FindStringSubmatch(kind); m != nil {
		_, after, _ := strings.Cut(text, ".")
		places, _ := strconv.Atoi(m[2])
		whole, _ := strconv.Atoi(m[1])
		v, ok := new(big.Rat).SetString(text)
		if !ok || !number.MatchString(text) || len(after) > places || len(text) > whole+2 || strings.Contains(kind, ">0") && v.Sign() <= 0 {
			return bad("a number of at most " + m[2] + " decimals")
		}
		return nil
	}
	switch word, _, _ := strings.Cut(strings.Trim(kind, "()"), " "); word {
	case "int>0", "int≥0", "int±", "integer", "long", "unsignedLong":
		if !integer.MatchString(text) || text[0] == '-' && word != "int±" && word != "integer" || word == "int>0" && strings.Trim(text, "0") == "" {
			return bad("an integer of its range")
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return bad("a date")
		}
	case "dateTime":
		if _, err := time.Parse("2006-01-02T15:04:05", text); err != nil {
			return bad("a date and time without zone")
		}
	case "RUT":
		if !rutForm.MatchString(text) {
			return bad("a RUT")
		}
	}
	return nil
}
