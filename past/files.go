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
}

// FilesOf are the files that a fact names: what was sent, both sides of each call, logos, suppliers' documents,
// reports.
func FilesOf(e events.Event) (out []File) {
	add := func(name, what, sha256 string) {
		if sha256 != "" {
			out = append(out, File{name, what, sha256})
		}
	}
	for i, c := range CallsOf(e) {
		name := fmt.Sprintf("%02d-%s", i+1, c.Operation)
		add(name+"-request", "the kept call "+c.Operation, c.Request)
		add(name+"-answer", "the kept call "+c.Operation, c.Answer)
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
	}
	return out
}
