package submission

import (
	"context"
	"fmt"
	"slices"
	"time"

	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/waiting"
)

// offered tells the company that it may open a contingency, once the authority has been away
// for as long as the company set for the point of sale, or why none would help. What was sent
// already waits all the same.
func (t *turn) offered(ctx context.Context, reason *waiting.Reason) {
	id, err := numbering.ParseSeries(t.series)
	if err != nil || reason.Code != waiting.AuthorityDown {
		return
	}
	co, found, err := t.log.Companies.Cached(ctx, id.Company)
	if err != nil || !found {
		return // the reason as it is is true, too
	}
	set := co.ContingencyOf(id.BranchOffice)
	rules, known := t.Rules(co.Country)
	may, contingent := rules.(country.Contingent)
	since := time.Duration(set.AfterMinutes) * time.Minute
	if !known || !contingent || set.Mode == events.ContingencyOff ||
		!slices.Contains(may.ContingencyTypes(), id.OfficialCode) {
		return
	}
	spare := id
	spare.BranchOffice = set.PointOfSale
	state, _, err := t.log.Numbering.Load(ctx, spare.ID())
	switch {
	case err != nil:
		return
	case state.Settled != nil || len(state.Open) > 0:
		reason.Add(reason.Code, fmt.Sprintf("None can be issued by contingency: documents of this type at the contingency point of "+
			"sale %d were sent to the authority one by one. Name another contingency point with PUT "+
			"/api/companies/{id_company}/contingency/{point_of_sale}.", set.PointOfSale))
		return
	case set.Mode != events.ContingencyManual || t.Clock.Now().Sub(reason.Since) < since:
		return
	}
	reason.Add(waiting.ContingencyAvailable, "Documents of today whose numbers were not sent can be issued by "+
		"contingency: open it with POST /api/companies/{id_company}/contingency/{point_of_sale}/open.")
}
