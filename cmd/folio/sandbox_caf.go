package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	siisandbox "folio/sandbox/sii"
)

type sandboxCAFCmd struct {
	Data          string `help:"Data folder of the service that must take it." default:"./folio-data" type:"path"`
	TaxIdentifier string `help:"RUT of the company." required:""`
	Name          string `help:"Name of the company, as the authority wrote it."`
	Type          int    `help:"Official code of the document type: 33, 34, 39, 41, 46, 52, 56, 61, 110, 111 or 112." required:""`
	From          int64  `help:"First number." default:"1"`
	To            int64  `help:"Last number." default:"100"`
	Date          string `help:"Date of authorisation, YYYY-MM-DD; today when left out." placeholder:"DATE"`
	Out           string `help:"File to write." required:"" type:"path" placeholder:"FILE.xml"`
}

// Run needs no running service.
func (c *sandboxCAFCmd) Run() error {
	file, err := makeCAF(dataFlags{Data: c.Data}.sandboxDir(), c.TaxIdentifier, c.Name, c.Type, c.From, c.To, c.Date)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.Out), 0o755); err != nil {
		return fmt.Errorf("make the folder of the CAF: %w", err)
	}
	if err := os.WriteFile(c.Out, file, 0o600); err != nil {
		return fmt.Errorf("write the CAF: %w", err)
	}
	fmt.Printf("wrote %s: type %d, numbers %d to %d%s\n", c.Out, c.Type, c.From, c.To, uploadAs("CL", c.Type))
	return nil
}

// uploadAs is the id_document_type to upload it with.
func uploadAs(countryCode string, code int) string {
	rules, known := countries.ByCode(countryCode)
	if !known {
		return ""
	}
	for _, k := range rules.DocumentTypes() {
		if k.Code == code {
			return fmt.Sprintf(", id_document_type %d", k.ID)
		}
	}
	return ""
}

// makeCAF makes a numbering file that the sandbox of a folder stands for.
func makeCAF(dir, rut, name string, code int, from, to int64, date string) ([]byte, error) {
	caf := siisandbox.CAF{TaxIdentifier: rut, Name: name, Type: code, From: from, To: to}
	if date != "" {
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return nil, fmt.Errorf("--date: %q is no date as YYYY-MM-DD", date)
		}
		caf.Date = day
	}
	folios, err := siisandbox.OpenFolios(dir, time.Now)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox's key of CAFs: %w", err)
	}
	file, err := folios.IssueCAF(caf)
	if err != nil {
		return nil, fmt.Errorf("make the CAF: %w", err)
	}
	return file, nil
}
