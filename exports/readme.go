package exports

import (
	"bytes"
	_ "embed"
	"text/template"
)

//go:embed readme.txt
var readmeText string

var readmeForm = template.Must(template.New("readme").Parse(readmeText))

// readme tells whoever opens the archive what is in it.
func (w *writer) readme() []byte {
	var out bytes.Buffer
	period := "its whole history"
	if !w.Whole() {
		period = "documents dated from " + orOpen(w.From) + " to " + orOpen(w.To)
	}
	err := readmeForm.Execute(&out, map[string]any{"Company": w.company.LegalName, "ID": w.Company,
		"TaxIdentifier": w.company.TaxIdentifier, "Country": w.company.Country, "Period": period,
		"Origin": w.prover.Head.Origin, "Size": w.prover.Head.Size, "Until": w.prover.Last.String(),
		"Whole": w.Whole()})
	if err != nil {
		panic(err) // only for a form that is none
	}
	return out.Bytes()
}

func orOpen(day string) string {
	if day == "" {
		return "(open)"
	}
	return day
}
