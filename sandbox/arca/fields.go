package arca

import (
	"reflect"
	"strconv"
	"strings"

	"folio/money"
)

// asmx is a tag such as `asmx:"CbteFch"`, which names the element of a struct's field in
// requests and in answers:
//
//   - "Cbte_Tipo/Cbte_tipo" has another name in answers,
//   - "Tributos>Tributo" is an array of structs, "Actividades>Actividad>Id" one of numbers,
//   - ",16" is an integer of so many bits; without it an int has 32, an int64 64,
//   - ",some" leaves an empty text out of answers,
//   - a bool says whether a request has the element, even an empty one.
type asmx struct {
	asked, answered string
	items           []string // below an array
	bits            int
	some            bool
}

func asmxOf(f reflect.StructField) asmx {
	names, option, _ := strings.Cut(f.Tag.Get("asmx"), ",")
	path := strings.Split(names, ">")
	t := asmx{items: path[1:], some: option == "some", bits: 32}
	var differs bool
	if t.asked, t.answered, differs = strings.Cut(path[0], "/"); !differs {
		t.answered = t.asked
	}
	if n, err := strconv.Atoi(option); err == nil {
		t.bits = n
	} else if f.Type.Kind() == reflect.Int64 {
		t.bits = 64
	}
	return t
}

// fields fills a struct with what a node has under the names of its tags.
func (r *reader) fields(n *node, into any) {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		f, tag := v.Field(i), asmxOf(v.Type().Field(i))
		switch into := f.Addr().Interface().(type) {
		case *bool:
			*into = r.child(n, tag.asked) != nil
		case *string:
			*into = r.text(n, tag.asked)
		case *int:
			*into = int(r.int(n, tag.asked, tag.bits))
		case *int64:
			*into = r.int(n, tag.asked, tag.bits)
		case *money.Decimal:
			*into = r.decimal(n, tag.asked)
		case *[]int64:
			items := r.all(n, tag.asked, tag.items[0])
			for _, item := range items {
				*into = append(*into, r.int(item, tag.items[1], 64))
			}
		case **periodoAsoc:
			if p := r.child(n, tag.asked); p != nil {
				*into = &periodoAsoc{}
				r.fields(p, *into)
			}
		default:
			items := r.all(n, tag.asked, tag.items[0])
			for _, item := range items {
				one := reflect.New(f.Type().Elem())
				r.fields(item, one.Interface())
				f.Set(reflect.Append(f, one.Elem()))
			}
		}
	}
}

// fields writes a struct's fields under the names of its tags, in their order. before are
// elements that stand before one of them, by its name.
func (o *out) fields(from any, before map[string]func()) {
	v := reflect.ValueOf(from)
	for i := range v.NumField() {
		f, tag := v.Field(i), asmxOf(v.Type().Field(i))
		if write := before[tag.answered]; write != nil && f.Kind() != reflect.Bool {
			write()
		}
		switch value := f.Interface().(type) {
		case bool:
		case string:
			if !tag.some || value != "" {
				o.text(tag.answered, value)
			}
		case int:
			o.int(tag.answered, int64(value))
		case int64:
			o.int(tag.answered, value)
		case money.Decimal:
			o.decimal(tag.answered, value)
		case []int64:
			list(o, tag.answered, tag.items[0], value, func(n int64) { o.int(tag.items[1], n) })
		case *periodoAsoc:
			if value != nil {
				o.in(tag.answered, func() { o.fields(*value, nil) })
			}
		default:
			if f.Len() > 0 {
				o.in(tag.answered, func() {
					for i := range f.Len() {
						o.in(tag.items[0], func() { o.fields(f.Index(i).Interface(), nil) })
					}
				})
			}
		}
	}
}

func list[T any](o *out, array, item string, items []T, write func(T)) {
	if len(items) == 0 {
		return
	}
	o.in(array, func() {
		for _, i := range items {
			o.in(item, func() { write(i) })
		}
	})
}
