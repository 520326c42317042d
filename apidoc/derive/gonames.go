package derive

import (
	"slices"
	"strings"
)

// initialisms are written in capitals.
var initialisms = []string{"api", "id", "url", "xml", "pdf", "sha256", "qr", "rut", "cbu", "cae", "caf", "iva", "vat",
	"http"}

// exported is a member's or an operation's name in Go.
func exported(name string) string {
	out := ""
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }) {
		if slices.Contains(initialisms, part) {
			out += strings.ToUpper(part)
			continue
		}
		out += capital(part)
	}
	if out[0] >= '0' && out[0] <= '9' {
		out = "N" + out
	}
	return out
}

// argument is a parameter's name in Go.
func argument(name string) string {
	s := exported(strings.TrimPrefix(name, "id_"))
	if s == strings.ToUpper(s) {
		return strings.ToLower(s)
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// singular is one of a list's name: GlobalTax of GlobalTaxes.
func singular(name string) string {
	if one, ok := strings.CutSuffix(name, "xes"); ok {
		return one + "x"
	}
	return strings.TrimSuffix(name, "s")
}

// comment breaks a text into lines of a comment.
func comment(text string) string {
	var lines []string
	line := "//"
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) > 95 {
			lines, line = append(lines, line), "//"
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n")
}

// doc is the comment of what has a name: it begins with it.
func doc(name, about string) string {
	if !strings.HasPrefix(about, name+" ") {
		about = name + ": " + about
	}
	return comment(about)
}

// structField is a member of a struct, below its comment.
func structField(name, goType, tag, about string) string {
	field := "\t" + name + " " + goType + " " + tag + "\n"
	if about == "" {
		return field
	}
	return "\t" + strings.ReplaceAll(comment(about), "\n", "\n\t") + "\n" + field
}
