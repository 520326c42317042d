package console

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// body makes the API's request of a form whose fields are named by the paths of its members,
// such as items[0].taxes[0].rate:n. What was left empty is left out. Whatever is wrong with a
// value the API says, with the same path.
func (v *visit) body() map[string]any { return bodyOf(v.form, v.language) }

// bodyOf is that of a form which was filled in by somebody of a language.
func bodyOf(form url.Values, language string) map[string]any {
	root := map[string]any{}
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.SortFunc(names, byPath)
	for _, name := range names {
		path, steps := strings.TrimSuffix(name, numeric), []any(nil)
		if steps = stepsOf(path); steps == nil || name == csrfField || strings.HasPrefix(name, "_") {
			continue
		}
		for _, text := range form[name] {
			if text = strings.TrimSpace(text); text != "" {
				put(root, steps, valueOf(text, language, name != path))
			}
		}
	}
	return root
}

var (
	jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	// spanishNumber has a comma before its decimals, as the Spanish pages show them.
	spanishNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*|[1-9][0-9]{0,2}(\.[0-9]{3})+),[0-9]+$`)
)

// valueOf is a number where the member is one and the text reads so; any other text goes as it
// was typed, for the API to say what is wrong with it.
func valueOf(text, language string, number bool) any {
	if number && language == "es" && spanishNumber.MatchString(text) {
		text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	}
	if number && jsonNumber.MatchString(text) {
		return json.Number(text)
	}
	return text
}

// mostIndex bounds the lists that a form can make.
const mostIndex = 999

var pathForm = regexp.MustCompile(`^[a-z_0-9]+(\[[0-9]{1,3}\])*(\.[a-z_0-9]+(\[[0-9]{1,3}\])*)*(\[\])?$`)

// stepsOf takes a path apart: names, indexes, and -1 for [], which adds to a list. nil for what
// is no path.
func stepsOf(path string) (steps []any) {
	if len(path) > 120 || !pathForm.MatchString(path) {
		return nil
	}
	for _, part := range strings.Split(path, ".") {
		name, indexes, _ := strings.Cut(part, "[")
		steps = append(steps, name)
		if indexes == "" {
			continue
		}
		for _, text := range strings.Split(strings.TrimSuffix(indexes, "]"), "][") {
			n, err := strconv.Atoi(text)
			if err != nil {
				n = -1
			}
			steps = append(steps, min(n, mostIndex))
		}
	}
	return steps
}

// put sets what the steps lead to. Lists have no holes: an index beyond the end adds one.
func put(at any, steps []any, value any) any {
	if len(steps) == 0 {
		return value
	}
	if name, ok := steps[0].(string); ok {
		m, ok := at.(map[string]any)
		if !ok {
			m = map[string]any{}
		}
		m[name] = put(m[name], steps[1:], value)
		return m
	}
	l, _ := at.([]any)
	n, _ := steps[0].(int)
	if n < 0 || n >= len(l) {
		return append(l, put(nil, steps[1:], value))
	}
	l[n] = put(l[n], steps[1:], value)
	return l
}

// byPath orders names so that items[2] comes before items[10].
func byPath(a, b string) int {
	pad := func(s string) string {
		return digits.ReplaceAllStringFunc(s, func(n string) string { return strings.Repeat("0", max(0, 4-len(n))) + n })
	}
	return strings.Compare(pad(a), pad(b))
}

var digits = regexp.MustCompile(`[0-9]+`)
