package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"folio/certificate"
	"folio/sandbox"
)

type sandboxCmd struct {
	Certificate sandboxCertificateCmd `cmd:"" help:"Make a certificate file that the sandbox of a data folder trusts."`
	Caf         sandboxCAFCmd         `cmd:"" help:"Make a numbering file of Chile (CAF) that the service of a data folder takes."`
	Cae         sandboxCAECmd         `cmd:"" help:"Make a numbering file of Uruguay (CAE) that the service of a data folder takes."`
}

type sandboxCertificateCmd struct {
	Data          string `help:"Data folder of the service whose sandbox must trust it." default:"./folio-data" type:"path"`
	Country       string `help:"Country of the authority." enum:"ar,cl,uy" default:"ar"`
	TaxIdentifier string `help:"Tax identifier of the holder (Argentina: CUIT, Chile: RUT of the person, Uruguay: RUT of the company)." required:"" placeholder:"NUMBER"`
	Password      string `help:"Password of the file." required:"" placeholder:"PASSWORD"`
	Out           string `help:"File to write." required:"" type:"path" placeholder:"FILE.pfx"`
	Days          int    `help:"Days until it expires; 0 or less makes an expired one (write --days=-1)." default:"730"`
}

// Run needs no running service.
func (c *sandboxCertificateCmd) Run() error {
	d := dataFlags{Data: c.Data}
	if err := os.MkdirAll(d.sandboxDir(), 0o700); err != nil {
		return fmt.Errorf("make the sandbox's folder: %w", err)
	}
	ca, err := sandbox.OpenCA(d.sandboxDir(), time.Now)
	if err != nil {
		return fmt.Errorf("open the sandbox's certificate authority: %w", err)
	}
	pfx, err := ca.IssueCertificate(sandbox.Certificate{Country: c.Country, TaxIdentifier: c.TaxIdentifier,
		Alias: "folio", Password: c.Password, Days: c.Days})
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
