package engine

import (
	"encoding"
	"reflect"
	"slices"
	"strings"
	"time"

	"folio/money"
)

// Member is one value of a projection's documents: "amounts.net", or "taxes[].rate" where
// there is a list of them.
type Member struct {
	Name string `json:"name"`
	Type string `json:"type"` // text, integer, decimal (as text), time, boolean or any
}

// deepest bounds how far members are followed.
const deepest = 6

// Members are the values that the documents have in JSON, in their order.
func (p Projection) Members() []Member {
	return membersOf("", reflect.TypeOf(p.fresh()).Elem(), deepest)
}

// OwnerMember is the member that names a document's owner: "company". It is empty for documents
// that are not owned, and for an owner that is no text of the document by itself.
func (p Projection) OwnerMember() string {
	if p.owner == nil {
		return ""
	}
	return p.probe("", nil, reflect.TypeOf(p.fresh()).Elem())
}

// probe writes into one text of a fresh document after the other until that is the owner.
func (p Projection) probe(path string, at []int, t reflect.Type) string {
	const mark = "whose it is"
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		name := under(path, f)
		switch {
		case !f.IsExported() || name == "" && !f.Anonymous:
		case f.Type.Kind() == reflect.Struct:
			if found := p.probe(name, index, f.Type); found != "" {
				return found
			}
		case f.Type.Kind() == reflect.String:
			d := p.fresh()
			reflect.ValueOf(d).Elem().FieldByIndex(index).SetString(mark)
			if p.owner(d) == mark {
				return name
			}
		}
	}
	return ""
}

// under is a field's name behind a path; an embedded struct has that of the path.
func under(path string, f reflect.StructField) string {
	name := jsonName(f)
	switch {
	case f.Anonymous && f.Tag.Get("json") == "":
		return path
	case path == "" || name == "":
		return name
	}
	return path + "." + name
}

// jsonName is "" for what is not in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case name == "-" || !f.IsExported():
		return ""
	case name == "":
		return f.Name
	}
	return name
}

var (
	exact   = reflect.TypeFor[money.Exact]()
	decimal = reflect.TypeFor[money.Decimal]()
	moment  = reflect.TypeFor[time.Time]()
	asText  = reflect.TypeFor[encoding.TextMarshaler]()
)

func membersOf(path string, t reflect.Type, depth int) []Member {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == exact || t == decimal:
		return []Member{{path, "decimal"}}
	case t == moment:
		return []Member{{path, "time"}}
	case t.Implements(asText) || t.Kind() == reflect.String:
		return []Member{{path, "text"}}
	case t.Kind() == reflect.Bool:
		return []Member{{path, "boolean"}}
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return []Member{{path, "integer"}}
	case depth == 0:
		return []Member{{path, "any"}}
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return membersOf(path+"[]", t.Elem(), depth-1)
	case t.Kind() == reflect.Struct:
		return fieldsOf(path, t, depth)
	}
	return []Member{{path, "any"}}
}

// fieldsOf are those of a struct; an embedded one's stand among them.
func fieldsOf(path string, t reflect.Type, depth int) (out []Member) {
	for i := range t.NumField() {
		f := t.Field(i)
		if name := under(path, f); name != "" || f.Anonymous {
			out = append(out, membersOf(name, f.Type, depth-1)...)
		}
	}
	return out
}
