package submission

import (
	"context"
	"slices"
	"time"

	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/waiting"
)

// offered tells the company that it may open a contingency, once the authority has been away
// for as long as the company set for the point of sale. What was sent already waits all the same.
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
	if !known || !contingent || set.Mode != events.ContingencyManual ||
		!slices.Contains(may.ContingencyTypes(), id.OfficialCode) || t.Clock.Now().Sub(reason.Since) < since {
		return
	}
	reason.Code = waiting.ContingencyAvailable
	reason.Text += " Documents of today whose numbers were not sent can be issued by contingency: open it with POST " +
		"/api/companies/{id_company}/contingency/{point_of_sale}/open."
}
