package main

import (
	"fmt"
	"os"
	"time"
)

// writeReport keeps the table of a run with its day.
func writeReport(file, text string) error {
	page := fmt.Sprintf("# Benchmarks\n\nWritten by `make bench` on %s. Only ratios are claims: both sides of one were "+
		"measured in "+
		"the same rounds.\nWhat was tried, and what did not pay: [decision 144](decisions/0144-fast-by-measurement.md).\n\n"+
		"```\n%s```\n", time.Now().UTC().Format(time.DateOnly), text)
	return os.WriteFile(file, []byte(page), 0o644)
}
