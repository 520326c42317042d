package sii

import (
	"embed"
	"strings"

	"folio/authority/sandbox/schema"
)

//go:embed elements/*.txt
var elementFiles embed.FS

var grammar = readGrammar("Documento", "Exportaciones", "Boleta", "Caratula")

// readGrammar reads a file for each element, under its name in lower case.
func readGrammar(names ...string) map[string]*schema.Rule {
	out := map[string]*schema.Rule{}
	for _, name := range names {
		file := strings.ToLower(name)
		text, err := elementFiles.ReadFile("elements/" + file + ".txt")
		if err != nil {
			panic(err) // it is embedded
		}
		out[file] = schema.Read(string(text))[name]
	}
	return out
}
