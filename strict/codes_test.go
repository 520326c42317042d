package strict

import (
	"strings"

	"folio/fault"
)

// codes lists violations as "path CODE".
func codes(err error) []string {
	var all []string
	if f := fault.As(err); f != nil {
		for _, v := range f.Violations {
			all = append(all, v.Path+" "+v.Code)
		}
	}
	return all
}

func same(a, b []string) bool { return strings.Join(a, "|") == strings.Join(b, "|") }
