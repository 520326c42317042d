package main

import (
	"fmt"

	"folio/audit"
)

type verifyExportCmd struct {
	File string `arg:"" help:"The export." type:"existingfile"`
	Key  string `required:"" help:"Verifier key of the log, as /log/key shows it, or a file that holds it. Not one that came with the export." placeholder:"KEY|FILE"`
}

// Run needs nothing but the file: no data folder, no network.
func (c *verifyExportCmd) Run() error {
	key, err := audit.ReadKey(c.Key)
	if err != nil {
		return err
	}
	r, err := audit.VerifyFile(c.File, key)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	fmt.Println(r)
	return nil
}
