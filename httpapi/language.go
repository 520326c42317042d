package httpapi

import (
	"net/http"
	"slices"

	"folio/fault"

	"golang.org/x/text/language"
)

// Spanish gives a text of a fault in Spanish, by the fault's constant or the violation's
// code; false for a text that it does not know, which stays English.
type Spanish func(code, text string) (string, bool)

// Story stands in place of a code for the sentences in which what happened is told.
const Story = "story"

// languages of texts; the first is what who asks for none gets.
var languages = language.NewMatcher([]language.Tag{language.English, language.Spanish})

// InSpanish says whether a request asks for Spanish before English (Accept-Language, RFC 9110
// §12.5.4: es, es-AR, es-419 and the rest of them, with their weights).
func InSpanish(r *http.Request) bool {
	asked, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(asked) == 0 {
		return false
	}
	_, i, _ := languages.Match(asked...)
	return i == 1
}

// varies is of every answer: warnings, reasons and the faults that may come in its place are told in the caller's
// language. Its capacity is its length, so that whoever adds to it has a copy.
var varies = []string{"Accept-Language"}

// Localized says in which language an answer is told that is told in one as a whole.
func Localized(h http.Header, spanish bool) {
	h.Set("Content-Language", map[bool]string{true: "es", false: "en"}[spanish])
}

// Said is a text of an answer in the language that the caller asks for, by a code that callers may rely on. What is not
// known in Spanish stays English.
func Said(r *http.Request, code, text string) string {
	x := exchangeOf(r.Context())
	if x.spanish == nil || !InSpanish(r) {
		return text
	}
	if said, ok := x.spanish(code, text); ok {
		return said
	}
	return text
}

// Sayer is Said for who knows no requests.
func Sayer(r *http.Request) func(code, text string) string {
	return func(code, text string) string { return Said(r, code, text) }
}

// fault is f with the texts that are known in Spanish.
func (s Spanish) fault(f *fault.Error) *fault.Error {
	if s == nil {
		return f
	}
	out := *f
	out.Violations = slices.Clone(f.Violations)
	if said, ok := s(f.Constant, f.Text); ok {
		out.Text = said
	}
	for i, v := range out.Violations {
		if said, ok := s(v.Code, v.Message); ok {
			out.Violations[i].Message = said
		}
	}
	return &out
}
