package apidoc

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed holes.json
var holes string

// Holes are what the source tells of a code beside its texts: the names of what fills their gaps, and the fields at
// which it stands.
type Holes struct {
	Code   string              `json:"code"`
	Fields []string            `json:"fields,omitempty"` // as far as the source names them
	Names  map[string][]string `json:"names,omitempty"`  // by the English text, one for each gap, "" for one without
}

var holesOf = sync.OnceValue(func() map[string]Holes {
	all := map[string]Holes{}
	for _, h := range kept[Holes]("holes.json", holes)() {
		all[h.Code] = h
	}
	return all
})

// named is a text with its gaps named, so that a reader sees what is filled in.
func (h Holes) named(t Text, spanish bool) string {
	parts := strings.Split(t.In(spanish), gap)
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		if i == len(parts)-1 {
			break
		}
		if names := h.Names[t.English]; i < len(names) && names[i] != "" {
			b.WriteString("‹" + names[i] + "›")
		} else {
			b.WriteString(gap)
		}
	}
	return b.String()
}
