package countries

import (
	"fmt"
	"time"

	"folio/country/uy"
	dgisandbox "folio/sandbox/dgi"
)

type caeCmd struct {
	numbersFile
	TaxIdentifier string `help:"RUT of the company." required:""`
	Type          int    `help:"Official code of the document type: 101 to 103, 111 to 113, 121 to 124 or 181." required:""`
	Series        string `help:"Series: one or two letters, or a digit and a letter." default:"A"`
	ValidDays     *int   `help:"Days from today to its last valid day; negative makes an expired one (write --valid-days=-1). 24 months when left out."`
	Special       int    `help:"CAEEspecial: 1 exempt, 2 IVA mínimo, 3 monotributo, 4 monotributo social MIDES; 0 for the general regime."`
	Cause         int    `help:"CausalCAEEsp, with --special=1."`
}

// Run needs no running service.
func (c *caeCmd) Run() error {
	day, err := c.day()
	if err != nil {
		return err
	}
	cae := dgisandbox.CAE{TaxIdentifier: c.TaxIdentifier, Type: c.Type, Series: c.Series, From: c.From, To: c.To,
		Date:    day,
		Special: c.Special, Cause: c.Cause}
	if c.ValidDays != nil {
		cae.Expires = time.Now().In(dgisandbox.Zone).AddDate(0, 0, *c.ValidDays)
	}
	file, err := makeCAE(ForSandbox(c.Data), cae)
	if err != nil {
		return err
	}
	return c.write(file, uy.Rules{}, c.Type, ", series "+c.Series)
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
