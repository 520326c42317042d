package derive

import (
	"slices"

	"folio/strict"
)

// readers describes every shape that a body may have. Readers that ask for the same
// members are one shape, such as those of several countries: its members are those of
// all, its bounds the widest.
func readers(all []func(strict.Object)) (shapes []*strict.Sketch) {
	for _, read := range all {
		var whole *strict.Sketch
		for _, raw := range []string{`"x"`, "1", "{}"} {
			whole = merged(whole, strict.Describe(read, raw))
		}
		i := slices.IndexFunc(shapes, func(s *strict.Sketch) bool { return slices.Equal(needed(s), needed(whole)) })
		if i < 0 {
			shapes = append(shapes, whole)
		} else {
			shapes[i] = merged(shapes[i], whole)
		}
	}
	return shapes
}

func needed(k *strict.Sketch) (names []string) {
	for _, m := range k.Members {
		if m.Required {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

// merged is a value that either sketch allows.
func merged(a, b *strict.Sketch) *strict.Sketch {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	out := *a
	for _, t := range b.Types {
		if !slices.Contains(out.Types, t) {
			out.Types = append(slices.Clone(out.Types), t)
		}
	}
	out.Required, out.NotNull = a.Required && b.Required, a.NotNull && b.NotNull
	out.MaxLen = max(a.MaxLen, b.MaxLen)
	out.MaxItems, out.MinItems = max(a.MaxItems, b.MaxItems), min(a.MinItems, b.MinItems)
	if a.Low == nil {
		out.Low, out.High = b.Low, b.High
	} else if b.Low != nil {
		low, high := min(*a.Low, *b.Low), max(*a.High, *b.High)
		out.Low, out.High = &low, &high
	}
	out.Members = nil
	for _, m := range a.Members {
		out.Members = append(out.Members, merged(m, named(b.Members, m.Name)))
	}
	for _, m := range b.Members {
		if named(a.Members, m.Name) == nil {
			out.Members = append(out.Members, m)
		}
	}
	out.Element = merged(a.Element, b.Element)
	return &out
}

func named(all []*strict.Sketch, name string) *strict.Sketch {
	for _, m := range all {
		if m.Name == name {
			return m
		}
	}
	return nil
}
