package sii

import (
	"context"
	"time"

	"folio/sandbox"
	"folio/sandbox/desk"
)

// Authority is SII for sandbox.Open.
var Authority = sandbox.Authority{
	Name: "SII", Country: "CL", Holder: Holder, HolderName: "RUT of the person",
	Paths: []string{Prefix}, AdminPaths: []string{adminPrefix},
	Trust: func(dir string, now func() time.Time) ([]byte, error) {
		folios, err := OpenFolios(dir, now)
		if err != nil {
			return nil, err
		}
		return folios.PEM()
	},
	Open: func(ctx context.Context, o sandbox.Options) (sandbox.Server, error) {
		folios, err := OpenFolios(o.Dir, o.Now)
		if err != nil {
			return nil, err
		}
		return Open(ctx, Options{Dir: o.Dir, CA: o.CA, Folios: folios, Now: o.Now, Logger: o.Logger, Links: o.Links,
			Knobs: Knobs{Latency: desk.Duration(o.Latency)}})
	},
}

// Holder is a person's RUT alone: Chilean certificates are a person's.
func Holder(text string) (string, error) { return sandbox.ParseRUT(text) }
