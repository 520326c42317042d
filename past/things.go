package past

import (
	"context"

	"folio/commands/company"
	"folio/commands/numbering"
	"folio/commands/purchase"
	"folio/commands/webhook"
	"folio/events"
)

// Company yields the facts of a company's own stream after a position.
func Company(ctx context.Context, log Log, id string, after events.Position) Facts {
	return Since(ctx, log, company.Decider.Stream(id), after)
}

// Series yields the facts of a numbering series after a position.
func Series(ctx context.Context, log Log, id string, after events.Position) Facts {
	return Since(ctx, log, numbering.Decider.Stream(id), after)
}

// Purchase yields the facts about a supplier's document after a position.
func Purchase(ctx context.Context, log Log, p events.PurchaseReceived, after events.Position) Facts {
	return Since(ctx, log, purchase.Decider.Stream(purchase.ID(p)), after)
}

// Webhook yields the facts about one subscription of a company after a position, from its
// beginning to its removal: a company may have had several, one after the other.
func Webhook(ctx context.Context, log Log, company string, id int64, after events.Position) Facts {
	return func(yield func(events.Recorded, error) bool) {
		own := false
		for r, err := range log.Read(ctx, webhook.Decider.Stream(company), 0) {
			if e, begins := r.Event.(events.WebhookSubscribed); begins {
				own = e.Webhook == id
			}
			if (err != nil || own && after.Before(r.Position)) && !yield(r, err) {
				return
			}
		}
	}
}

// SplitSeries takes the id of a series apart: the environment, the authority's code of the
// document type, and the point of sale. False for what is no id of a series.
func SplitSeries(id string) (environment string, officialCode, branchOffice int, ok bool) {
	s, err := numbering.ParseSeries(id)
	return s.Environment, s.OfficialCode, s.BranchOffice, err == nil
}
