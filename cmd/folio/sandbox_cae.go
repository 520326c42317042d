package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	dgisandbox "folio/sandbox/dgi"
)

type sandboxCAECmd struct {
	Data          string `help:"Data folder of the service that must take it." default:"./folio-data" type:"path"`
	TaxIdentifier string `help:"RUT of the company." required:""`
	Type          int    `help:"Official code of the document type: 101 to 103, 111 to 113, 121 to 124 or 181." required:""`
	Series        string `help:"Series: one or two letters, or a digit and a letter." default:"A"`
	From          int64  `help:"First number." default:"1"`
	To            int64  `help:"Last number." default:"100"`
	Date          string `help:"Date of authorisation, YYYY-MM-DD; today when left out." placeholder:"DATE"`
	ValidDays     *int   `help:"Days from today to its last valid day; negative makes an expired one (write --valid-days=-1). 24 months when left out."`
	Special       int    `help:"CAEEspecial: 1 exempt, 2 IVA mínimo, 3 monotributo, 4 monotributo social MIDES; 0 for the general regime."`
	Cause         int    `help:"CausalCAEEsp, with --special=1."`
	Out           string `help:"File to write." required:"" type:"path" placeholder:"FILE.xml"`
}

// Run needs no running service.
func (c *sandboxCAECmd) Run() error {
	cae := dgisandbox.CAE{TaxIdentifier: c.TaxIdentifier, Type: c.Type, Series: c.Series, From: c.From, To: c.To, Special: c.Special, Cause: c.Cause}
	if c.Date != "" {
		day, err := time.Parse(time.DateOnly, c.Date)
		if err != nil {
			return fmt.Errorf("--date: %q is no date as YYYY-MM-DD", c.Date)
		}
		cae.Date = day
	}
	if c.ValidDays != nil {
		cae.Expires = time.Now().In(dgisandbox.Zone).AddDate(0, 0, *c.ValidDays)
	}
	file, err := makeCAE(dataFlags{Data: c.Data}.sandboxDir(), cae)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.Out), 0o755); err != nil {
		return fmt.Errorf("make the folder of the CAE: %w", err)
	}
	if err := os.WriteFile(c.Out, file, 0o600); err != nil {
		return fmt.Errorf("write the CAE: %w", err)
	}
	fmt.Printf("wrote %s: type %d, series %s, numbers %d to %d%s\n", c.Out, c.Type, c.Series, c.From, c.To, uploadAs("UY", c.Type))
	return nil
}

// makeCAE makes a numbering file that the sandbox of a folder stands for.
func makeCAE(dir string, cae dgisandbox.CAE) ([]byte, error) {
	numbers, err := dgisandbox.OpenNumbers(dir, time.Now)
	if err != nil {
		return nil, err
	}
	file, err := numbers.IssueCAE(cae)
	if err != nil {
		return nil, fmt.Errorf("make the CAE: %w", err)
	}
	return file, nil
}
