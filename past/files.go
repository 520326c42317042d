package past

import (
	"fmt"

	"folio/events"
)

// File is a file of the vault that a fact names by its hash.
type File struct {
	Name   string // among the files of the fact: sent, logo, 01-FECAESolicitar-request
	What   string // in words
	SHA256 string
	Call   int  // which of the fact's calls it is of, from 1; 0: of none
	Answer bool // of that call, not the request
}

// FilesOf are the files that a fact names: what was sent, both sides of each call, logos, suppliers' documents,
// reports.
func FilesOf(e events.Event) (out []File) {
	add := func(name, what, sha256 string) {
		if sha256 != "" {
			out = append(out, File{Name: name, What: what, SHA256: sha256})
		}
	}
	for i, c := range events.CallsOf(e) {
		name, what := fmt.Sprintf("%02d-%s", i+1, c.Operation), "the kept call "+c.Operation
		if c.Request != "" {
			out = append(out, File{name + "-request", what, c.Request, i + 1, false})
		}
		if c.Answer != "" {
			out = append(out, File{name + "-answer", what, c.Answer, i + 1, true})
		}
	}
	switch e := e.(type) {
	case events.SubmissionOpened:
		add("sent", "what was sent", e.SHA256)
	case events.EnvelopeRenewed:
		add("sent", "the new envelope", e.SHA256)
	case events.LogoUploaded:
		add("logo", "the logo", e.SHA256)
	case events.PurchaseReceived:
		add("document", "the supplier's document", e.DocumentSHA256)
	case events.PurchaseCorrected:
		add("document", "the supplier's document", e.DocumentSHA256)
	case events.DailyReportSent:
		add("report", "the report", e.SHA256)
	case events.ContingencyIssued:
		add("detail", "what is reported of the document", e.SHA256)
	}
	return out
}
