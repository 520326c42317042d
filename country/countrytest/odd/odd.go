// Package odd makes documents whose texts are odd, for the tests of what is written of them.
package odd

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/events"
	"folio/fault"
)

// all are texts that say nothing, that cannot be written, or that few systems can show.
var all = []string{" ", "\t\n", "\u0085", "\u00a0", "\u00ad", "\u0301", "\u115f", "\u2028", "\u200b", "\u200e", "\u2800",
	"\u3000", "\u3164", "\ufeff", "\ufffe", "\x01", "\u202e", "\U000e0001", "😀", "漢", "e\u0301", "]]>", "a\u200bb", "&"}

// Text is a document in which one text is odd.
type Text struct {
	Path     string // as a fault names it
	Text     string
	Document events.Document
}

// Texts puts each odd text in the place of each text that a document can have, given or
// not; header and export are the country's own types of the two blocks. Lists keep their
// length. Types, codes and dates are texts, too.
func Texts(d events.Document, header, export any) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		raw := must(json.Marshal(d))
		paths := textsOf(reflect.TypeOf(d), nil)
		paths = append(paths, textsOf(reflect.TypeOf(header), []string{"header_info"})...)
		paths = append(paths, textsOf(reflect.TypeOf(export), []string{"export_info"})...)
		for _, path := range paths {
			for _, text := range all {
				var tree map[string]any
				if err := json.Unmarshal(raw, &tree); err != nil {
					panic(err)
				}
				name, ok := set(tree, path, text)
				if !ok {
					break
				}
				x := Text{Path: name, Text: text}
				if err := json.Unmarshal(must(json.Marshal(tree)), &x.Document); err != nil {
					panic(err)
				}
				if !yield(x) {
					return
				}
			}
		}
	}
}

// Field is an issuer in which one text of the profile is odd.
type Field struct {
	Name, Text string
	Issuer     country.Issuer
}

// Fields puts each odd text that a company may write into each field of the profile that only the country knows, and
// into the address.
func Fields(complete country.Issuer, known []country.ProfileField) iter.Seq[Field] {
	return func(yield func(Field) bool) {
		for _, f := range append(slices.Clone(known), country.ProfileField{Name: "address", Check: country.UpTo(300)}) {
			for _, text := range all {
				if country.Blank(text) || f.Check(text) != nil {
					continue
				}
				x := Field{Name: f.Name, Text: text, Issuer: complete}
				x.Issuer.Fields = maps.Clone(complete.Fields)
				if f.Name == "address" {
					x.Issuer.Profile.Address.Address = text
				} else {
					x.Issuer.Fields[f.Name] = text
				}
				if !yield(x) {
					return
				}
			}
		}
	}
}

// textsOf are the ways to the texts of a type; "[]" leads into each element of a list.
func textsOf(t reflect.Type, way []string) (ways [][]string) {
	switch {
	case t.Kind() == reflect.Pointer:
		return textsOf(t.Elem(), way)
	case t.Kind() == reflect.Slice && t != reflect.TypeFor[json.RawMessage]():
		return textsOf(t.Elem(), append(slices.Clip(way), "[]"))
	case t.Kind() == reflect.String:
		return [][]string{way}
	case t.Kind() != reflect.Struct:
		return nil
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if t.Field(i).IsExported() && name != "" && name != "-" {
			ways = append(ways, textsOf(t.Field(i).Type, append(slices.Clip(way), name))...)
		}
	}
	return ways
}

// set puts a text where a way leads, into the first element of a list; false for an empty list.
func set(tree map[string]any, way []string, text string) (name string, ok bool) {
	for i, member := range way {
		last := i == len(way)-1
		switch {
		case member == "[]":
			continue
		case last:
			tree[member] = text
		case way[i+1] == "[]":
			list, _ := tree[member].([]any)
			if len(list) == 0 {
				return "", false
			}
			if i+1 == len(way)-1 {
				list[0] = text
			} else {
				tree = list[0].(map[string]any)
			}
			member += "[0]"
		default:
			inner, _ := tree[member].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
				tree[member] = inner
			}
			tree = inner
		}
		name += "." + member
	}
	name = strings.NewReplacer(".header_info", ".additional_header_info", ".export_info", ".additional_export_info",
		".type", ".invoice_type").Replace(name)
	return name[1:], true
}

func must(raw []byte, err error) []byte {
	if err != nil {
		panic(fmt.Sprint("a document that cannot be written: ", err))
	}
	return raw
}

// Names wants one of the faults to name the odd text, what it stands in, or its neighbour.
func Names(t *testing.T, x Text, faults []fault.Violation) {
	t.Helper()
	block := x.Path[:strings.LastIndexByte("."+x.Path, '.')]
	if !slices.ContainsFunc(faults, func(f fault.Violation) bool {
		return strings.HasPrefix(f.Path, block) || strings.HasPrefix(x.Path, f.Path)
	}) {
		t.Errorf("%s: %q: %v", x.Path, x.Text, faults)
	}
}
