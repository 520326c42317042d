package derive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"
)

// goClient writes the typed half of package client from the document: a file for each
// chapter, with a method for each operation and the types that it is the first to need.
type goClient struct {
	schemas map[string]schema
	named   map[string]bool   // types that are written
	shapes  map[string]string // types of bodies by what they hold
	types   []string          // of the chapter
}

// schema is what the client needs of a JSON Schema.
type schema struct {
	Ref                  string `json:"$ref"`
	Type                 any
	Description          string
	Properties           map[string]schema
	Required             []string
	Items                *schema
	AnyOf                []schema
	AdditionalProperties any
}

// content is a body, by its media type.
type content map[string]struct{ Schema schema }

// operationOf is an operation of the document.
type operationOf struct {
	OperationID, Summary, Description string
	Tags                              []string
	Parameters                        []struct{ Name, In, Description string }
	RequestBody                       struct{ Content content }
	Responses                         map[string]struct{ Content content }
	method, path                      string
}

// GoClient is the files of package client that follow from the document, by their names.
func GoClient(document []byte) (map[string][]byte, error) {
	var all struct {
		Paths      map[string]map[string]operationOf
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(document, &all); err != nil {
		return nil, err
	}
	g := goClient{schemas: all.Components.Schemas, shapes: map[string]string{}, named: map[string]bool{}}
	for _, byHand := range []string{"Problem", "Violation", "Client", "Answer", "Form", "File", "Error"} {
		g.named[byHand] = true
	}
	byTag := map[string][]operationOf{}
	for _, path := range sortedKeys(all.Paths) {
		for _, method := range sortedKeys(all.Paths[path]) {
			o := all.Paths[path][method]
			if o.method, o.path = strings.ToUpper(method), path; strings.HasPrefix(path, "/api/") &&
				!strings.Contains(o.Summary, "older path") && !strings.Contains(o.Summary, "by POST") && o.OperationID != "login" {
				byTag[o.Tags[0]] = append(byTag[o.Tags[0]], o)
			}
		}
	}
	files := map[string][]byte{}
	for _, tag := range sortedKeys(byTag) {
		g.types = nil
		var methods strings.Builder
		if tag == "Webhooks" {
			for _, payload := range []string{"StatusChanged", "PurchaseNoticed", "CertificateNoticed", "NumberingNoticed"} {
				g.goType(schema{Ref: payload}, "", false)
			}
		}
		for _, o := range byTag[tag] {
			methods.WriteString(g.operation(o))
		}
		if err := g.write(files, "api_"+strings.ToLower(tag), methods.String()); err != nil {
			return nil, err
		}
		for n := 1; len(g.types) > 0; n++ {
			text, lines := "", 0
			for len(g.types) > 0 && (lines == 0 || lines+strings.Count(g.types[0], "\n") < 300) {
				text, lines = text+g.types[0], lines+strings.Count(g.types[0], "\n")
				g.types = g.types[1:]
			}
			if err := g.write(files, fmt.Sprintf("types_%s_%d", strings.ToLower(tag), n), text); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

func (g *goClient) write(files map[string][]byte, name, source string) error {
	source = "// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.\n\npackage client\n\n" +
		imports(source) + source
	formatted, err := format.Source([]byte(source))
	if err != nil {
		return fmt.Errorf("%s of the client: %w\n%s", name, err, source)
	}
	files[name+".go"] = formatted
	return nil
}

func imports(source string) string {
	out := "import (\n"
	for _, name := range []string{"context", "encoding/json"} {
		if strings.Contains(source, name[strings.LastIndexByte(name, '/')+1:]+".") {
			out += fmt.Sprintf("\t%q\n", name)
		}
	}
	if out == "import (\n" {
		return ""
	}
	return out + ")\n\n"
}

// operation writes its method: arguments are what the path names, the query, the body.
func (g *goClient) operation(o operationOf) string {
	name := exported(o.OperationID)
	address, query := fmt.Sprintf("%q", o.path), ""
	var values []string
	for _, p := range o.Parameters {
		switch p.In {
		case "path":
			values = append(values, argument(p.Name))
			address = strings.Replace(address, "{"+p.Name+"}", "{}", 1)
		case "query":
			query += structField(exported(p.Name), "string", fmt.Sprintf("`query:%q`", p.Name), p.Description)
		}
	}
	arguments := "ctx context.Context"
	if len(values) > 0 {
		arguments += ", " + strings.Join(values, ", ") + " string"
		address = "address(" + address + ", " + strings.Join(values, ", ") + ")"
	}
	if query != "" {
		about := fmt.Sprintf("// %sQuery narrows %s; what is empty is left out.\n", name, name)
		g.types = append(g.types, fmt.Sprintf("%stype %sQuery struct {\n%s}\n\n", about, name, query))
		arguments += ", query " + name + "Query"
		address += "+encoded(query)"
	}
	body := "nil"
	for media, c := range o.RequestBody.Content {
		body = "body"
		if media != "application/json" {
			arguments += ", body Form"
			continue
		}
		arguments += ", body " + g.goType(c.Schema, name+"Body", true)
	}
	return g.method(o, name, arguments, address, body)
}

func (g *goClient) method(o operationOf, name, arguments, address, body string) string {
	about := o.Summary
	if o.Description != "" {
		about += ". " + o.Description
	}
	text := fmt.Sprintf("%s\nfunc (c Client) %s(%s) ", doc(name, about), name, arguments)
	if len(arguments)+len(name) > 45 {
		text = strings.Replace(text, "("+arguments+")", "(\n\t"+arguments+",\n)", 1)
	}
	out := ""
	for _, status := range []string{"200", "201", "202"} {
		for _, media := range sortedKeys(o.Responses[status].Content) {
			switch c := o.Responses[status].Content[media]; {
			case media == "application/json":
				out = g.goType(c.Schema, name+"Answer", false)
			case out == "":
				out = "[]byte"
			}
		}
	}
	call := fmt.Sprintf("c.Do(ctx, %q,\n\t\t%s, %s, ", o.method, address, body)
	if out == "" {
		return text + "error {\n\treturn " + call + "nil)\n}\n\n"
	}
	return text + fmt.Sprintf("(out %s, err error) {\n\terr = %s&out)\n\treturn out, err\n}\n\n", out, call)
}

// goType is the Go type of a schema, and writes it when it is an object; sent is one of a
// body, whose members may be left out.
func (g *goClient) goType(s schema, name string, sent bool) string {
	if s.Ref != "" {
		name = s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return g.goType(g.schemas[name], name, sent)
	}
	if len(s.AnyOf) == 2 && s.AnyOf[1].Type == "null" {
		return "*" + g.goType(s.AnyOf[0], name, sent)
	}
	if len(s.AnyOf) > 0 && sent { // one of several shapes: the members of all
		whole := schema{Type: "object", Properties: map[string]schema{}}
		for _, one := range s.AnyOf {
			maps.Copy(whole.Properties, one.Properties)
		}
		return g.goType(whole, name, sent)
	}
	kind, null := kindOfSchema(s)
	optional := ""
	if null && !sent {
		optional = "*"
	}
	switch kind {
	case "string":
		return optional + "string"
	case "integer":
		return optional + "int64"
	case "number":
		return optional + "json.Number"
	case "boolean":
		return optional + "bool"
	case "array":
		if s.Items == nil {
			return "[]json.RawMessage"
		}
		return "[]" + g.goType(*s.Items, singular(name), sent)
	case "object":
		if len(s.Properties) == 0 {
			return map[bool]string{true: "map[string]any", false: "map[string]json.RawMessage"}[sent]
		}
		if shape, err := json.Marshal(s); sent && err == nil {
			if same := g.shapes[string(shape)]; same != "" {
				name = same
			}
			g.shapes[string(shape)] = name
		}
		g.object(s, name, sent)
		if sent && null {
			return "*" + name
		}
		return optional + name
	}
	return "json.RawMessage"
}

// kindOfSchema is its one type besides null; a text that may be a number, too, is text.
func kindOfSchema(s schema) (kind string, null bool) {
	switch t := s.Type.(type) {
	case string:
		return t, false
	case []any:
		for _, one := range t {
			if one == "null" {
				null = true
			} else if kind == "" || one == "string" {
				kind, _ = one.(string)
			}
		}
	}
	return kind, null
}

func (g *goClient) object(s schema, name string, sent bool) {
	if g.named[name] {
		return
	}
	g.named[name] = true
	at := len(g.types)
	g.types = append(g.types, "")
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ntype %s struct {\n", doc(name, cmp.Or(s.Description, "see the operation that has it.")), name)
	for _, m := range sortedKeys(s.Properties) {
		of := s.Properties[m]
		if kind, _ := kindOfSchema(of); sent && kind == "" && of.Ref == "" && of.AnyOf == nil { // the service sets it
			continue
		}
		tag, goType := m, g.goType(of, name+exported(m), sent)
		if sent && !slices.Contains(s.Required, m) {
			tag += ",omitempty"
			if goType == "bool" || goType == "int64" {
				goType = "*" + goType
			}
		}
		b.WriteString(structField(exported(m), goType, fmt.Sprintf("`json:%q`", tag), of.Description))
	}
	b.WriteString("}\n\n")
	g.types[at] = b.String()
}
