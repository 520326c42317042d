package cl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"folio/country"
	"folio/money"
)

// readMembers decodes a JSON object into the struct that target points at, member by
// member, and notes unknown members and wrong types with their paths. Nothing, null
// and null members leave the target as it is.
func readMembers(v *country.Violations, path, code string, raw json.RawMessage, target any) {
	readStruct(v, path, code, raw, reflect.ValueOf(target).Elem())
}

var decimalType = reflect.TypeFor[money.Decimal]()

func readStruct(v *country.Violations, path, code string, raw json.RawMessage, target reflect.Value) {
	if isNull(raw) {
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

func readValue(v *country.Violations, path, code string, raw json.RawMessage, target reflect.Value) {
	switch {
	case isNull(raw):
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
		if json.Unmarshal(raw, target.Addr().Interface()) != nil {
			v.Add(path, code, "it has the wrong type")
		}
	}
}

func isNull(raw json.RawMessage) bool {
	b := bytes.TrimSpace(raw)
	return len(b) == 0 || string(b) == "null"
}
