package country

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"folio/fault"
	"folio/money"
)

// ReadMembers decodes a JSON object into the struct that target points at, member by
// member, and notes unknown members and wrong types with their paths. Nothing, null
// and null members leave the target as it is.
func ReadMembers(v *Violations, path, code string, raw json.RawMessage, target any) {
	readStruct(v, path, code, raw, reflect.ValueOf(target).Elem())
}

var decimalType = reflect.TypeFor[money.Decimal]()

func readStruct(v *Violations, path, code string, raw json.RawMessage, target reflect.Value) {
	if IsNull(raw) {
		return
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		v.Add(path, code, "it must be an object")
		return
	}
	byName := map[string]reflect.Value{}
	for i := range target.NumField() {
		name, _, _ := strings.Cut(target.Type().Field(i).Tag.Get("json"), ",")
		byName[name] = target.Field(i)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		field, known := byName[name]
		if !known {
			v.Add(path+"."+name, code, "this member is not known: use %s", strings.Join(slices.Sorted(maps.Keys(byName)), ", "))
			continue
		}
		readValue(v, path+"."+name, code, members[name], field)
	}
}

func readValue(v *Violations, path, code string, raw json.RawMessage, target reflect.Value) {
	switch {
	case IsNull(raw):
	case target.Type() == decimalType:
		// A number in the request, text in events: both are read without a float.
		a, err := money.Parse(string(bytes.Trim(raw, `"`)))
		if err != nil {
			v.Add(path, code, "it must be a number")
			return
		}
		target.Set(reflect.ValueOf(a))
	case target.Kind() == reflect.Pointer && target.Type().Elem().Kind() == reflect.Struct:
		target.Set(reflect.New(target.Type().Elem()))
		readStruct(v, path, code, raw, target.Elem())
	case target.Kind() == reflect.Slice:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) > 100 {
			v.Add(path, code, "it must be an array of at most 100")
			return
		}
		target.Set(reflect.MakeSlice(target.Type(), len(list), len(list)))
		for i, element := range list {
			readStruct(v, fmt.Sprintf("%s[%d]", path, i), code, element, target.Index(i))
		}
	default:
		ReadMember(v, path, code, raw, target.Addr().Interface())
	}
}

// Extended is a country whose documents have members of their own: the structs that additional_header_info and
// additional_export_info are read into.
type Extended interface{ Extensions() (header, export any) }

// NumericMembers are the paths of a country's own members that are numbers in JSON, outside of lists.
func NumericMembers(r Rules) []string {
	x, ok := r.(Extended)
	if !ok {
		return nil
	}
	header, export := x.Extensions()
	return append(numericMembers(HeaderPath(""), reflect.TypeOf(header)),
		numericMembers(ExportPath(""), reflect.TypeOf(export))...)
}

func numericMembers(prefix string, of reflect.Type) (paths []string) {
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		switch t := of.Field(i).Type; {
		case t == decimalType, t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
			paths = append(paths, prefix+name)
		case t.Kind() == reflect.Pointer:
			paths = append(paths, numericMembers(prefix+name+".", t.Elem())...)
		}
	}
	return paths
}

// Reading notes what could not be read of a block, applies the block's rules and drops what
// they say of members that could not be read: those were taken for nothing.
func (v *Violations) Reading(wrong []fault.Violation, rules func()) {
	v.All = append(v.All, wrong...)
	before := len(v.All)
	rules()
	said := slices.DeleteFunc(v.All[before:], func(x fault.Violation) bool {
		return slices.ContainsFunc(wrong, func(w fault.Violation) bool {
			rest, in := strings.CutPrefix(x.Path, w.Path)
			return in && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	})
	v.All = v.All[:before+len(said)]
}

// ReadMember decodes one member into what target points at. It notes a value that
// target cannot hold, and says what to write instead.
func ReadMember(v *Violations, path, code string, raw json.RawMessage, target any) {
	if json.Unmarshal(raw, target) != nil {
		v.Add(path, code, "it must be %s", form(reflect.TypeOf(target).Elem()))
	}
}

// form names in JSON's terms what values of a type are written as.
func form(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return fault.Words("true or false, without quotation marks")
	case reflect.Int, reflect.Int64:
		return fault.Words("a whole number, without quotation marks")
	case reflect.String:
		return fault.Words("text, in quotation marks")
	case reflect.Slice:
		return fault.Words("an array, each element %s", form(t.Elem()))
	}
	return fault.Words("an object whose members are text")
}

// IsNull says that a member holds nothing or null.
func IsNull(raw json.RawMessage) bool {
	b := bytes.TrimSpace(raw)
	return len(b) == 0 || string(b) == "null"
}
