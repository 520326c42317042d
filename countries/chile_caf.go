package countries

import (
	"fmt"
	"time"

	"folio/country/cl"
	siisandbox "folio/sandbox/sii"
)

type cafCmd struct {
	numbersFile
	TaxIdentifier string `help:"RUT of the company." required:""`
	Name          string `help:"Name of the company, as the authority wrote it."`
	Type          int    `help:"Official code of the document type: 33, 34, 39, 41, 46, 52, 56, 61, 110, 111 or 112." required:""`
}

// Run needs no running service.
func (c *cafCmd) Run() error {
	day, err := c.day()
	if err != nil {
		return err
	}
	file, err := makeCAF(ForSandbox(c.Data),
		siisandbox.CAF{TaxIdentifier: c.TaxIdentifier, Name: c.Name, Type: c.Type, From: c.From, To: c.To, Date: day})
	if err != nil {
		return err
	}
	return c.write(file, cl.Rules{}, c.Type, "")
}

// makeCAF makes a numbering file that the sandbox of a folder stands for.
func makeCAF(dir string, caf siisandbox.CAF) ([]byte, error) {
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
