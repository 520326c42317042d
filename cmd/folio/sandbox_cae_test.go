package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/uy"
	dgisandbox "folio/sandbox/dgi"
)

func TestNumberingFilesOfUruguayFromTheSandbox(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "new", "cae.xml")
	args := func(more ...string) []string {
		return append([]string{"sandbox", "cae", "--tax-identifier", "21.711122.0014", "--type", "111", "--out", out,
			"--data", dir}, more...)
	}
	text, err := run(t, args("--series", "B", "--from", "11", "--to", "20", "--valid-days=-1")...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "type 111, series B, numbers 11 to 20, id_document_type 73") {
		t.Errorf("it says %q", text)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	cae, err := uy.ReadCAE(file)
	yesterday := time.Now().In(dgisandbox.Zone).AddDate(0, 0, -1).Format(time.DateOnly)
	if err != nil || cae.RUC != "217111220014" || cae.Type != 111 || cae.Series != "B" || cae.From != 11 || cae.To != 20 ||
		cae.ExpiresOn != yesterday {
		t.Errorf("%+v, %v", cae, err)
	}
	numbers, err := dgisandbox.OpenNumbers(dataFlags{Data: dir}.sandboxDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (uy.Rules{}).ParseRange(file, country.Trust{PEM: [][]byte{numbers.PEM()}}); err != nil {
		t.Errorf("the service of the folder does not take it: %v", err)
	}
	for want, more := range map[string][]string{"--date": {"--date", "yesterday"},
		"no range": {"--from", "9", "--to", "8"}, "series": {"--series", "abc"}} {
		if _, err := run(t, args(more...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", more, err)
		}
	}
}
