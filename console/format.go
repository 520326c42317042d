package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"time"
)

// functions are what templates say things with, in one language.
func functions(language string) template.FuncMap {
	t := func(text string, args ...any) string {
		if len(args) == 0 {
			return say(language, text)
		}
		return fmt.Sprintf(say(language, text), args...)
	}
	return template.FuncMap{
		"t":       t,
		"money":   func(n json.Number) string { return grouped(language, n.String()) },
		"some":    func(n json.Number) bool { return strings.Trim(n.String(), "0.") != "" },
		"day":     func(text string) string { return day(language, text) },
		"asset":   func(name string) string { return versions[name] },
		"tone":    tone,
		"member":  func(name string) string { return memberName(t, name) },
		"lower":   strings.ToLower,
		"join":    func(list []string) string { return strings.Join(list, ", ") },
		"seen":    func() string { return seenMark },
		"warning": func(kind string) string { return t(cmp.Or(warningNames[kind], kind)) },
		"fact":    func(kind string) string { return factName(t, kind) },
		"step":    func(s step) guide { return guideOf(t, s) },
		"pair":    func(x *view, y any) pair { return pair{x, y} },
		"value":   func(path string, of func(string) string) string { return "value=" + of(path) },
		"filter":  func(f field, asked url.Values) field { return asFilter(f, asked) },
		"next":    func(n int) int { return n + 1 },
		"grow":    func(f field) field { f.Grow = true; return f },
		"need":    func(missing bool) string { return map[bool]string{true: "required"}[missing] },
		"worded": func(list []option) []option {
			out := make([]option, len(list))
			for i, o := range list {
				out[i] = option{Value: o.Value, Name: t(o.Name)}
			}
			return out
		},
	}
}

// pair is what a part of a page gets: the page, and what the part shows.
type pair struct {
	X *view
	Y any
}

// grouped writes an exact decimal with the separators of a language.
func grouped(language, n string) string {
	thousands, point := ",", "."
	if language == "es" {
		thousands, point = ".", ","
	}
	sign := ""
	if rest, ok := strings.CutPrefix(n, "-"); ok {
		sign, n = "−", rest
	}
	whole, fraction, _ := strings.Cut(n, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + thousands + whole[i:]
	}
	if len(fraction) == 1 {
		fraction += "0"
	}
	if fraction != "" {
		whole += point + fraction
	}
	return sign + whole
}

var months = map[string][]string{
	"en": {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
	"es": {"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"},
}

// day writes the date that a text begins with; what is no date stays as it is.
func day(language, text string) string {
	d, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	if err != nil {
		return text
	}
	return fmt.Sprintf("%d %s %d", d.Day(), months[language][d.Month()-1], d.Year())
}

// Moment writes an instant in the company's time zone, or in UTC where there is no company.
func (x *view) Moment(at time.Time) string {
	local := at.In(x.zone)
	zone := ""
	if x.zone == time.UTC {
		zone = " UTC"
	}
	return day(x.Language, local.Format(time.DateOnly)) + " " + local.Format("15:04:05") + zone
}

// Instant is a moment for the datetime attribute.
func (x *view) Instant(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// tone is how a status looks: good, bad, busy or quiet.
func tone(status string) string {
	switch strings.ToLower(status) {
	case "accepted", "authorityaccepted", "delivered", "active", "ready", "finished", "up", "valid",
		"reported", "in hand":
		return "good"
	case "rejected", "authorityrejected", "exhausted", "down", "expired", "stopped", "held", "refused", "away":
		return "bad"
	case "in process", "running", "rebuilding", "catching up", "first build":
		return "busy"
	case "pending", "paused", "low", "rebuild paused", "rebuild held",
		"due", "owed", "observed", "requested", "open":
		return "wait"
	}
	return "quiet"
}
