package cache

import (
	"reflect"
	"time"
)

// SizeOf is about how many bytes of memory a value takes with all that it refers to. What is
// referred to twice counts twice.
func SizeOf(v any) int {
	r := reflect.ValueOf(v)
	if !r.IsValid() {
		return 0
	}
	return int(r.Type().Size()) + beyond(r)
}

var moment = reflect.TypeFor[time.Time]()

// beyond is what a value refers to outside of itself.
func beyond(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return int(v.Elem().Type().Size()) + beyond(v.Elem())
	case reflect.Slice:
		n = v.Cap() * int(v.Type().Elem().Size())
		if plain(v.Type().Elem().Kind()) {
			return n
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			n += beyond(v.Index(i))
		}
	case reflect.Map:
		for entry := v.MapRange(); entry.Next(); {
			n += int(v.Type().Key().Size()+v.Type().Elem().Size()) + beyond(entry.Key()) + beyond(entry.Value())
		}
	case reflect.Struct:
		if v.Type() == moment {
			return 0 // time zones are shared
		}
		for i := range v.NumField() {
			n += beyond(v.Field(i))
		}
	}
	return n
}

func plain(k reflect.Kind) bool { return k <= reflect.Complex128 }
