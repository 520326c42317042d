package derive

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"folio/strict"
)

// schemas makes JSON schemas of Go types and of sketches, and keeps the named ones.
type schemas struct {
	p          *Program
	components object
	names      map[types.Type]string
	words      map[string]string // what members mean that have no comment, by name
	used       map[string]bool   // of words
	silent     []string          // members that nobody explains
}

// special are types that write their JSON themselves.
var special = map[string]object{
	"time.Time":                {{"type", "string"}, {"format", "date-time"}},
	"folio/httpapi.Number":     {{"type", "number"}},
	"folio/readapi.amount":     {{"type", "number"}},
	"encoding/json.RawMessage": {},
	"github.com/go-json-experiment/json/jsontext.Value": {},
	"folio/resource.AdditionalInfo": {{"type", "object"}, {"properties", object{
		{"observations", object{{"type", "array"}, {"items", ref("Message")},
			{"description", "What the authority remarked."}}},
		{"process_date", object{{"type", []string{"string", "null"}}, {"description", "When the authority processed it."}}},
	}}, {"required", []string{"observations", "process_date"}}, {"additionalProperties", object{{"type", "string"}}}},
}

func ref(component string) object { return object{{"$ref", "#/components/schemas/" + component}} }

// of is the schema of a type as encoding/json/v2 writes it.
func (s *schemas) of(t types.Type) object {
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok {
		return s.ofNamed(n)
	}
	switch t := t.(type) {
	case *types.Pointer:
		return nullable(s.of(t.Elem()))
	case *types.Slice:
		if b, ok := t.Elem().(*types.Basic); ok && b.Kind() == types.Byte {
			return object{{"type", "string"}, {"contentEncoding", "base64"}}
		}
		return object{{"type", "array"}, {"items", s.of(t.Elem())}}
	case *types.Map:
		return object{{"type", "object"}, {"additionalProperties", s.of(t.Elem())}}
	case *types.Struct:
		return s.ofStruct("", t)
	case *types.Basic:
		switch info := t.Info(); {
		case info&types.IsInteger != 0:
			return object{{"type", "integer"}}
		case info&types.IsBoolean != 0:
			return object{{"type", "boolean"}}
		case info&types.IsNumeric != 0:
			return object{{"type", "number"}}
		}
		return object{{"type", "string"}}
	}
	return object{}
}

func (s *schemas) ofNamed(n *types.Named) object {
	full := n.Obj().Name()
	if p := n.Obj().Pkg(); p != nil {
		full = p.Path() + "." + full
	}
	known, ok := special[full]
	if ok && n.Obj().Name() != "AdditionalInfo" {
		return known
	}
	t, structured := n.Underlying().(*types.Struct)
	if !structured {
		return s.of(n.Underlying())
	}
	if name, ok := s.names[n]; ok {
		return ref(name)
	}
	name := capital(n.Obj().Name())
	for i := range n.TypeArgs().Len() {
		if of, ok := n.TypeArgs().At(i).(*types.Named); ok {
			name += capital(of.Obj().Name())
		}
	}
	for slices.ContainsFunc(s.components, func(m member) bool { return m.name == name }) {
		name += "Record"
	}
	s.names[n] = name
	at := len(s.components)
	s.components = append(s.components, member{name, nil})
	schema := known
	if !ok {
		schema = s.ofStruct(name, t)
	}
	s.components[at].value = object{{"title", name}}.with("description", sentence(s.p.comments[n.Obj().Pos()])).and(schema)
	return ref(name)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (o object) and(more object) object { return append(o, more...) }

func (s *schemas) ofStruct(of string, t *types.Struct) object {
	properties, required, rest := s.fields(of, t)
	return object{{"type", "object"}, {"properties", properties}}.with("required", required).with("additionalProperties",
		rest).
		orFalse(rest)
}

// fields are the members of a struct, those of what it embeds among them.
func (s *schemas) fields(of string, t *types.Struct) (properties object, required []string, rest any) {
	properties, rest = object{}, false
	for i := range t.NumFields() {
		f := t.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(t.Tag(i)).Get("json"), ",")
		if inner, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() && name == "" {
			p, r, _ := s.fields(of, inner)
			properties, required = append(properties, p...), append(required, r...)
			continue
		}
		if strings.Contains(options, "embed") {
			rest = object{{"type", "string"}, {"description", "A member that only the company's country knows."}}
			continue
		}
		if name == "-" || !f.Exported() {
			continue
		}
		if name == "" {
			name = f.Name()
		}
		schema := s.of(f.Type())
		properties = append(properties, member{name, described(schema, s.word(of, name, s.p.comments[f.Pos()]))})
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	return properties, required, rest
}

func (o object) orFalse(rest any) object {
	if rest == false {
		return append(o, member{"additionalProperties", false})
	}
	return o
}

// word is what a member means: its comment, or what the name means everywhere.
func (s *schemas) word(of, name, comment string) string {
	if w := s.words[of+"."+name]; w != "" {
		s.used[of+"."+name] = true
		return w
	}
	if comment == "" {
		comment = s.words[name]
		s.used[name] = true
	}
	if comment == "" {
		s.silent = append(s.silent, of+"."+name)
	}
	return sentence(comment)
}

func sentence(s string) string {
	if s == "" {
		return ""
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// described adds a description; JSON Schema 2020-12 lets one stand beside $ref.
func described(schema object, text string) object {
	return append(slices.Clone(schema), object{}.with("description", text)...)
}

func nullable(schema object) object {
	for i, m := range schema {
		if t, ok := m.value.(string); ok && m.name == "type" {
			out := slices.Clone(schema)
			out[i].value = []string{t, "null"}
			return out
		}
		if m.name == "$ref" {
			return object{{"anyOf", []object{schema, {{"type", "null"}}}}}
		}
	}
	return schema
}

// ofSketch is the schema of what a reader reads.
func (s *schemas) ofSketch(of string, k *strict.Sketch) object {
	if k.ServiceSets {
		return object{{"description", "Only the service sets it: leave it out."}, {"enum", []any{nil, "", []any{}, object{}}}}
	}
	kinds := slices.Clone(k.Types)
	if len(kinds) == 0 { // read by the country's rules
		kinds = []string{"object"}
	}
	if !k.Required && !k.NotNull {
		kinds = append(kinds, "null")
	}
	out := object{{"type", kinds}}
	if len(kinds) == 1 {
		out = object{{"type", kinds[0]}}
	}
	out = append(out, bounds(k)...)
	if slices.Contains(k.Types, "object") {
		out = append(out, s.members(of, k)...)
	}
	if k.Element != nil {
		out = append(out, member{"items", s.ofSketch(of, k.Element)})
	}
	return out
}

// formats of text; an empty text reads as none where none is needed.
var formats = map[string]string{
	"date":         `[0-9]{4}-[0-9]{2}-[0-9]{2}`,
	"date-time":    `[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}`,
	"date-or-time": `[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?`,
}

func bounds(k *strict.Sketch) (out object) {
	number := func(name string, n, unless int) {
		if n != unless {
			out = append(out, member{name, n})
		}
	}
	if slices.Contains(k.Types, "string") {
		if k.Format != "" {
			pattern := formats[k.Format]
			if !k.Required {
				pattern = "(" + pattern + ")?"
			}
			out = append(out, member{"pattern", "^" + pattern + "$"})
		} else {
			number("maxLength", k.MaxLen, 0)
		}
		if k.Required {
			number("minLength", 1, 0)
		}
		if len(k.OneOf) > 0 {
			list := slices.Clone(k.OneOf)
			if !k.Required {
				list = append(list, "")
			}
			values := []any{}
			for _, x := range list {
				values = append(values, x)
			}
			if !k.Required && !k.NotNull {
				values = append(values, nil)
			}
			out = append(out, member{"enum", values})
		}
	}
	if k.Low != nil {
		out = append(out, member{"minimum", *k.Low}, member{"maximum", *k.High})
	}
	if k.NotNegative {
		number("minimum", 0, -1)
	}
	if k.Positive {
		number("exclusiveMinimum", 0, -1)
	}
	if slices.Contains(k.Types, "array") {
		number("minItems", k.MinItems, 0)
		number("maxItems", k.MaxItems, 0)
	}
	return out
}

func (s *schemas) members(of string, k *strict.Sketch) object {
	properties, required := object{}, []string{}
	for _, m := range k.Members {
		schema := s.ofSketch(of+"."+m.Name, m)
		if !m.ServiceSets {
			schema = described(schema, s.word(of, m.Name, ""))
		}
		properties = append(properties, member{m.Name, schema})
		if m.Required {
			required = append(required, m.Name)
		}
	}
	return object{{"properties", properties}}.with("required", required).orFalse(false)
}
