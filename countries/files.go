package countries

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"folio/country"
)

// numbersFile are the flags of every command that makes a numbering file.
type numbersFile struct {
	Data string `help:"Data folder of the service that must take it." default:"./folio-data" type:"path"`
	From int64  `help:"First number." default:"1"`
	To   int64  `help:"Last number." default:"100"`
	Date string `help:"Date of authorisation, YYYY-MM-DD; today when left out." placeholder:"DATE"`
	Out  string `help:"File to write." required:"" type:"path" placeholder:"FILE.xml"`
}

// day is --date, zero when it was left out.
func (f numbersFile) day() (time.Time, error) {
	if f.Date == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, f.Date)
	if err != nil {
		return day, fmt.Errorf("--date: %q is no date as YYYY-MM-DD", f.Date)
	}
	return day, nil
}

// write writes what was made, and says for which id_document_type it is to be uploaded.
func (f numbersFile) write(content []byte, rules country.Rules, code int, more string) error {
	if err := os.MkdirAll(filepath.Dir(f.Out), 0o755); err != nil {
		return fmt.Errorf("make the folder of the numbering file: %w", err)
	}
	if err := os.WriteFile(f.Out, content, 0o600); err != nil {
		return fmt.Errorf("write the numbering file: %w", err)
	}
	upload := ""
	for _, k := range rules.DocumentTypes() {
		if k.Code == code {
			upload = fmt.Sprintf(", id_document_type %d", k.ID)
		}
	}
	if f.From == f.To {
		fmt.Printf("wrote %s: type %d%s, number %d%s\n", f.Out, code, more, f.From, upload)
		return nil
	}
	fmt.Printf("wrote %s: type %d%s, numbers %d to %d%s\n", f.Out, code, more, f.From, f.To, upload)
	return nil
}

// SandboxDir is the folder of the sandbox inside of a data folder.
func SandboxDir(data string) string { return filepath.Join(data, "sandbox") }

// ForSandbox is SandboxDir of a command that makes a file for it. Where no sandbox was yet it says so on standard
// error: a misspelt --data makes files that the service refuses, and nothing else would tell why.
func ForSandbox(data string) string {
	dir := SandboxDir(data)
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		fmt.Fprintf(os.Stderr, "folio: %s has no sandbox yet, so it gets a new one: only a service with this --data takes "+
			"the file\n", data)
	}
	return dir
}
