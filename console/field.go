package console

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// field is one input of a form, with what was typed and what is wrong with it.
type field struct {
	ID, Name, Label, Type, Value, Hint, Mode, Complete, Accept string
	Required, Wide, Grow                                       bool
	Options                                                    []option
	Faults                                                     []string
}

// option is one of a list to choose from.
type option struct {
	Value, Name string
	Chosen      bool
}

// numeric marks the name of a field whose member is a number in JSON.
const numeric = ":n"

// Input makes a field. The name is the path of the member of the API's request, so that the
// API's faults find it. Options are words such as required, wide, type=email, hint=TEXT,
// id=TEXT where a page has the name more than once, and value=TEXT, which stands until
// something was posted.
func (x *view) Input(name, label string, options ...string) field {
	f := x.field(name, label)
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		switch key {
		case "required":
			f.Required = true
		case "wide":
			f.Wide = true
		case "type":
			f.Type = value
		case "hint":
			f.Hint = value
		case "mode":
			f.Mode = value
		case "id":
			f.ID = "f-" + value
			x.used[strings.TrimSuffix(name, numeric)] = f
		case "complete":
			f.Complete = value
		case "accept":
			f.Accept = value
		case "value":
			if !x.form.Has(name) {
				f.Value = value
			}
		}
	}
	if f.Type == "password" || f.Type == "file" {
		f.Value = ""
	}
	return f
}

// Choice makes a list to choose from; chosen stands until something was posted.
func (x *view) Choice(name, label string, list []option, chosen string, options ...string) field {
	f := x.Input(name, label, options...)
	f.Type = "select"
	if !x.form.Has(name) {
		f.Value = chosen
	}
	f.Options = make([]option, len(list))
	for i, o := range list {
		o.Chosen = o.Value == f.Value
		f.Options[i] = o
	}
	return f
}

// Form is the page as one of its forms sees it, by the form's _form: what was typed into another one, and what is wrong
// with that, is not its own.
func (x *view) Form(name string) *view {
	if x.form.Get("_form") == name {
		return x
	}
	other := *x
	other.form, other.Problem, other.used = nil, nil, map[string]field{}
	return &other
}

// Ticked says whether a box of a form was ticked, or is before that form was posted.
func (x *view) Ticked(form, name, value string, before bool) bool {
	if x.form.Get("_form") != form {
		return before
	}
	return slices.Contains(x.form[name], value)
}

func (x *view) field(name, label string) field {
	path := strings.TrimSuffix(name, numeric)
	f := field{ID: "f-" + fieldID(path), Name: name, Label: say(x.Language, label), Type: "text", Value: x.form.Get(name)}
	x.used[path] = f
	if x.Problem == nil {
		return f
	}
	for _, fault := range x.Problem.Faults {
		if fault.Path == path {
			f.Faults = append(f.Faults, x.labelled(fault.Message))
		}
	}
	return f
}

// fieldID is a path as an id that a link can name.
func fieldID(path string) string {
	return strings.NewReplacer(".", "-", "[", "-", "]", "").Replace(path)
}

// complaint is a fault with the field that it is about, if the page has it; Label says which one.
type complaint struct{ ID, Path, Label, Message string }

// Complaints are the faults of what was posted, for the head of the page. It is asked for when
// the fields are made.
func (x *view) Complaints() (all []complaint) {
	if x.Problem == nil {
		return nil
	}
	for _, f := range x.Problem.Faults {
		at := x.used[f.Path]
		label := at.Label
		if line, _, ok := strings.Cut(f.Path, "]."); ok && at.ID != "" {
			if n, err := strconv.Atoi(strings.TrimPrefix(line, "items[")); err == nil {
				label = fmt.Sprintf(say(x.Language, "Line %d"), n+1) + " · " + label
			}
		}
		all = append(all, complaint{at.ID, f.Path, label, x.labelled(f.Message)})
	}
	return all
}

// apiName is a name of the API within a message that only such a name can be.
var apiName = regexp.MustCompile(`[a-z0-9\[\].]*[a-z]_[a-z0-9_\[\].]*[a-z0-9_]`)

// labelled is a message of the API that names other fields by what stands beside them on this page.
func (x *view) labelled(message string) string {
	return apiName.ReplaceAllStringFunc(message, func(name string) string {
		if f, here := x.used[name]; here {
			return "“" + f.Label + "”"
		}
		return name
	})
}

// asFilter is a field that shows what a list was asked for, apart from what was posted.
func asFilter(f field, asked url.Values) field {
	f.ID, f.Value, f.Faults = "filter-"+f.ID, asked.Get(f.Name), nil
	for i := range f.Options {
		f.Options[i].Chosen = f.Options[i].Value == f.Value
	}
	return f
}
