package dgi

import (
	"context"
	"time"

	"folio/sandbox"
	"folio/sandbox/desk"
)

// Authority is DGI for sandbox.Open.
var Authority = sandbox.Authority{
	Name: "DGI", Country: "UY", Holder: Holder, HolderName: "RUT of the company",
	Paths: []string{Prefix}, AdminPaths: []string{adminPrefix},
	Trust: func(dir string, now func() time.Time) ([]byte, error) {
		numbers, err := OpenNumbers(dir, now)
		if err != nil {
			return nil, err
		}
		return numbers.PEM(), nil
	},
	Open: func(ctx context.Context, o sandbox.Options) (sandbox.Server, error) {
		return Open(ctx, Options{Dir: o.Dir, CA: o.CA, Now: o.Now, Logger: o.Logger, Links: o.Links,
			Knobs: Knobs{Latency: desk.Duration(o.Latency)}})
	},
}

// Holder is "RUC" and the company's twelve digits, which DGI compares with RUCEmisor.
func Holder(text string) (string, error) {
	ruc, err := sandbox.ParseRUC(text)
	return "RUC" + ruc, err
}
