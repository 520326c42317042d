package derive

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	name  string
	value any
}

// with is the object with one more member; nil and empty values add none.
func (o object) with(name string, value any) object {
	switch v := value.(type) {
	case nil:
		return o
	case string:
		if v == "" {
			return o
		}
	case object:
		if v == nil {
			return o
		}
	case []string:
		if len(v) == 0 {
			return o
		}
	case bool:
		if !v {
			return o
		}
	}
	return append(o, member{name, value})
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
