package apidoc

import (
	"net/http"
	"regexp"
	"sync"
	"time"

	"folio/httpapi"
)

// ExampleDay is the day on which the examples of the kept document are dated. They are served
// as of today: an authority takes documents of a few days only.
var ExampleDay = time.Date(2001, time.January, 15, 15, 0, 0, 0, time.UTC)

// exampleDates are the dates of examples, from some weeks before their day to some weeks after.
var exampleDates = regexp.MustCompile(`200[01]-[01][0-9]-[0-3][0-9]`)

// datedAt is a document whose examples are of the day of a moment, by the clock of Buenos Aires.
func datedAt(document string, at time.Time) string {
	today := at.UTC().Add(-3 * time.Hour).Truncate(24 * time.Hour)
	kept := ExampleDay.Truncate(24 * time.Hour)
	return exampleDates.ReplaceAllStringFunc(document, func(text string) string {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return text
		}
		return today.Add(day.Sub(kept)).Format(time.DateOnly)
	})
}

// dated serves the document as of the day of the request.
func dated(document string) httpapi.Handler {
	var mu sync.Mutex
	var day, tag, content string
	return func(w http.ResponseWriter, r *http.Request) error {
		at := httpapi.Started(r.Context())
		if at.IsZero() {
			at = ExampleDay
		}
		mu.Lock()
		if today := at.UTC().Add(-3 * time.Hour).Format(time.DateOnly); today != day {
			content = datedAt(document, at)
			day, tag = today, tagOf(content)
		}
		served, name := content, tag
		mu.Unlock()
		return serve(w, r, "application/json", name, served)
	}
}
