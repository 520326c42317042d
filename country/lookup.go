package country

import (
	"slices"
	"strings"
)

// Find looks a code up as a caller may write it: Folio's in any case, or the official.
func Find(list []Catalogued, text string) (Catalogued, bool) {
	if text == "" {
		return Catalogued{}, false
	}
	i := slices.IndexFunc(list, func(c Catalogued) bool {
		return strings.EqualFold(c.Code, text) || strings.EqualFold(c.OfficialCode, text)
	})
	if i < 0 {
		return Catalogued{}, false
	}
	return list[i], true
}

// Codes joins what a caller may write, for messages.
func Codes(list []Catalogued) string {
	all := make([]string, len(list))
	for i, c := range list {
		all[i] = c.Code
	}
	return strings.Join(all, ", ")
}
