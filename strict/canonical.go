package strict

import (
	"fmt"
	"strconv"

	"folio/fault"

	"github.com/go-json-experiment/json/jsontext"
)

// Canonical is the body in the form of RFC 8785 (JCS), in which two bodies that mean
// the same are the same bytes: members sorted, 121.00 and 121 both 121. JCS numbers
// are IEEE 754 doubles, so a number beyond them is a fault of code Invalid, and more
// than 15 significant digits may compare equal to their neighbours.
func (b *Body) Canonical() ([]byte, error) {
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
	if err := v.Canonicalize(); err != nil {
		return nil, fmt.Errorf("canonicalize body: %w", err)
	}
	return v, nil
}
