package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"folio/audit"
)

type verifyExportCmd struct {
	File string `arg:"" help:"The export." type:"existingfile"`
	Key  string `required:"" help:"Verifier key of the log, as /log/key shows it, or a file that holds it. Not one that came with the export." placeholder:"KEY|FILE"`
}

// Run needs nothing but the file: no data folder, no network.
func (c *verifyExportCmd) Run() error {
	key, err := verifierKey(c.Key)
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

// verifierKey is a key, or that of a file.
func verifierKey(text string) (string, error) {
	if strings.Contains(text, "+") {
		return text, nil
	}
	content, err := os.ReadFile(text)
	if err != nil {
		return "", errors.Join(errors.New("--key is neither a verifier key, such as "+
			"folio.example.com/log/…+18cbc8ff+AQnT…, "+
			"nor a file"), err)
	}
	return strings.TrimSpace(string(content)), nil
}
