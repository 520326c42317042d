package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"folio/certificate"
	"folio/countries"
	"folio/sandbox"
)

type sandboxCmd struct {
	Certificate sandboxCertificateCmd `cmd:"" help:"Make a certificate file that the sandbox of a data folder trusts."`
	kong.Plugins
}

type sandboxCertificateCmd struct {
	Data          string `help:"Data folder of the service whose sandbox must trust it." default:"./folio-data" type:"path"`
	Country       string `help:"Country of the authority." enum:"${countries}" default:"ar"`
	TaxIdentifier string `help:"Tax identifier of the holder (${holders})." required:"" placeholder:"NUMBER"`
	Password      string `help:"Password of the file." required:"" placeholder:"PASSWORD"`
	Out           string `help:"File to write." required:"" type:"path" placeholder:"FILE.pfx"`
	Days          int    `help:"Days until it expires; 0 or less makes an expired one (write --days=-1)." default:"730"`
}

// Run needs no running service.
func (c *sandboxCertificateCmd) Run() error {
	box, err := sandbox.Open(countries.ForSandbox(c.Data), time.Now, countries.Sandboxes()...)
	if err != nil {
		return err
	}
	pfx, err := box.IssueCertificate(c.Country,
		sandbox.Certificate{TaxIdentifier: c.TaxIdentifier, Password: c.Password, Days: c.Days})
	if err != nil {
		return fmt.Errorf("make the certificate: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(c.Out), 0o755); err != nil {
		return fmt.Errorf("make the folder of the certificate: %w", err)
	}
	if err := os.WriteFile(c.Out, pfx, 0o600); err != nil {
		return fmt.Errorf("write the certificate: %w", err)
	}
	made, err := certificate.Open(pfx, c.Password)
	if err != nil {
		return fmt.Errorf("read the certificate again: %w", err)
	}
	fmt.Printf("wrote %s: from_date %s, expiration_date %s\n", c.Out,
		made.Leaf().NotBefore.UTC().Format(time.DateOnly), made.Leaf().NotAfter.UTC().Format(time.DateOnly))
	return nil
}
