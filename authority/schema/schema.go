// Package schema checks elements against the order, occurrences and limits that the
// authorities' schemas give them, read from plain files.
//
// A line is an element: name, [occurrences] unless exactly one, type. Two blanks more
// than the line above put it inside that element; every group is a sequence. A line
// without blanks begins a type of its own, by whose name others may hold it.
package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"folio/fault"
)

// Rule is one element of a schema: how often it comes in its sequence and what it holds.
type Rule struct {
	name     string
	min, max int
	kind     string // its type, as the file writes it
	children []*Rule
}

var occurrences = regexp.MustCompile(`^(\w+)(?:\[(\d+)\.\.(\d+)\])?\s*(.*)$`)

// Read reads a file's types by their names. It panics on a file that is none: files are
// embedded.
func Read(text string) map[string]*Rule {
	types := map[string]*Rule{}
	var all, open []*Rule
	for l := range strings.Lines(text) {
		plain := strings.TrimSpace(l)
		if plain == "" || plain[0] == '#' {
			continue
		}
		found := occurrences.FindStringSubmatch(plain)
		r := &Rule{name: found[1], min: 1, max: 1, kind: found[4]}
		if found[2] != "" {
			r.min, _ = strconv.Atoi(found[2])
			r.max, _ = strconv.Atoi(found[3])
		}
		depth := (len(l) - len(strings.TrimLeft(l, " "))) / 2
		open = open[:depth]
		if depth > 0 {
			open[depth-1].children = append(open[depth-1].children, r)
		} else {
			types[r.name] = r
		}
		open, all = append(open, r), append(all, r)
	}
	for _, r := range all {
		if held, ok := types[r.kind]; ok {
			r.children = held.children
		}
	}
	return types
}

// Check wants the element to follow the rule. Its error begins with the path of what
// does not.
func (r *Rule) Check(e *etree.Element) error { return r.check(e, "") }

func (r *Rule) check(e *etree.Element, path string) error {
	path += "/" + e.Tag
	if len(r.children) == 0 {
		if len(e.ChildElements()) > 0 {
			return errors.New(fault.Words("%s has elements in it", path))
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
			return errors.New(fault.Words("%s: %d times %s, %d to %d are allowed", path, n, c.name, c.min, c.max))
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return errors.New(fault.Words("%s: %s is not expected there", path, rest[0].Tag))
	}
	return nil
}
