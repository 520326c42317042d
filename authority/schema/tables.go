package schema

import (
	"embed"
	"fmt"
	"sync"

	"github.com/beevik/etree"
)

//go:embed elements/*.txt
var files embed.FS

// table reads an embedded file once, when it is first asked for.
func table(file string) func() map[string]*Rule {
	return sync.OnceValue(func() map[string]*Rule {
		text, err := files.ReadFile("elements/" + file + ".txt")
		if err != nil {
			panic(err) // it is embedded
		}
		return Read(string(text))
	})
}

// The tables of each authority, from its schemas. SII writes an invoice and a boleta under
// one name, Documento, in two schemas: the one of boletas is Boleta here.
var (
	documento     = table("sii-documento")
	exportaciones = table("sii-exportaciones")
	boleta        = table("sii-boleta")
	caratula      = table("sii-caratula")
	cfe           = table("dgi-cfe")
	report        = table("dgi-report")
)

// SII is a rule of SII's schemas DTE_v10, EnvioDTE_v10 and EnvioBOLETA_v11: of Documento or
// Exportaciones, Boleta or Caratula; nil for another name.
func SII(name string) *Rule {
	for _, t := range []func() map[string]*Rule{documento, exportaciones, boleta, caratula} {
		if rule := t()[name]; rule != nil {
			return rule
		}
	}
	return nil
}

// CFE is a rule of DGI's schemas 1.44.2 of envelopes and documents; nil for another name.
func CFE(name string) *Rule { return cfe()[name] }

// Report is a rule of DGI's schema of the daily report; nil for another name.
func Report(name string) *Rule { return report()[name] }

// CheckText reads one element from text and wants it to follow the rule.
func (r *Rule) CheckText(text string) error {
	doc := etree.NewDocument()
	if err := doc.ReadFromString(text); err != nil {
		return fmt.Errorf("it is not XML: %w", err)
	}
	if doc.Root() == nil {
		return fmt.Errorf("it is not XML: it has no element")
	}
	return r.Check(doc.Root())
}
