package strict

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"folio/fault"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Canonical is the body in the form of RFC 8785 (JCS), in which two bodies that mean
// the same are the same bytes: members sorted, 121.00 and 121 both 121. JCS numbers
// are IEEE 754 doubles, so a number beyond them is a fault of code Invalid, and more
// than 15 significant digits may compare equal to their neighbours.
func (b *Body) Canonical() ([]byte, error) { return b.CanonicalWithout() }

// CanonicalWithout is Canonical of the body without the members that are named.
func (b *Body) CanonicalWithout(without ...string) ([]byte, error) {
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.kind != '0' {
			continue
		}
		if _, err := strconv.ParseFloat(b.src[n.start:n.end], 64); err != nil {
			return nil, fault.Field(b.path(int32(i)), CodeDigits, "must be a number that fits IEEE 754 double precision")
		}
	}
	v := jsontext.Value(b.src)
	if slices.ContainsFunc(without, func(name string) bool { return b.Object().find(name) != nil }) {
		var members map[string]jsontext.Value
		if err := json.Unmarshal(v, &members); err != nil {
			return nil, fmt.Errorf("leave members of the body out: %w", err)
		}
		maps.DeleteFunc(members, func(name string, _ jsontext.Value) bool { return slices.Contains(without, name) })
		var err error
		if v, err = json.Marshal(members); err != nil {
			return nil, fmt.Errorf("leave members of the body out: %w", err)
		}
	}
	if err := v.Canonicalize(); err != nil {
		return nil, fmt.Errorf("canonicalize body: %w", err)
	}
	return v, nil
}
