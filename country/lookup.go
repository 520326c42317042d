package country

import (
	"slices"
	"strconv"
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
	return strings.Join(Collect(list, func(c Catalogued) string { return c.Code }), ", ")
}

// Numbers joins what a caller may write, for messages: "1, 2, 3".
func Numbers(all []int) string {
	return strings.Join(Collect(all, strconv.Itoa), ", ")
}
