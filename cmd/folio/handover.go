package main

import (
	"context"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/invoice"
	"folio/httpapi"
	"folio/readapi"
)

// The values of --handover besides "sent".
const (
	handoverOff     = "off"
	handoverOffline = "offline"
)

// handover is how documents are handed over before the verdict; nil when they are not.
func (s *service) handover() *readapi.Handover {
	if s.flags.Handover == handoverOff {
		return nil
	}
	invoices := commands.Bind(s.executor, invoice.Decider)
	return &readapi.Handover{Offline: s.flags.Handover == handoverOffline, Trial: s.flags.Authority == "sandbox",
		Record: func(ctx context.Context, company, id, basis string) error {
			_, err := invoices.Execute(ctx, id, invoice.HandOver{Company: company, Basis: basis}, commands.Request{
				ID: commands.Derived("hand over", ulid.Make().String()), Correlation: httpapi.RequestID(ctx),
				Actor: httpapi.Caller(ctx).Actor(), At: httpapi.Started(ctx)})
			return err
		}}
}
