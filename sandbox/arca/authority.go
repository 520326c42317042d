package arca

import (
	"context"
	"fmt"

	"folio/sandbox"
	"folio/sandbox/desk"
)

// Authority is ARCA for sandbox.Open.
var Authority = sandbox.Authority{
	Name: "ARCA", Country: "AR", Holder: Holder, HolderName: "CUIT",
	Paths: []string{"/" + Testing + "/", "/" + Production + "/"}, AdminPaths: []string{"/"},
	Open: func(ctx context.Context, o sandbox.Options) (sandbox.Server, error) {
		knobs := DefaultKnobs()
		knobs.Latency, knobs.Profile = desk.Duration(o.Latency), Profile(o.Profile)
		return Open(ctx, Options{Dir: o.Dir, CA: o.CA, Now: o.Now, Logger: o.Logger, Links: o.Links, Knobs: knobs})
	},
}

// Holder is "CUIT nnnnnnnnnnn" (WSAA specification, section on certificates).
func Holder(text string) (string, error) {
	cuit, err := sandbox.ParseCUIT(text)
	return fmt.Sprintf("CUIT %d", cuit), err
}
