package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestASubmissionKeepsWhatItSent(t *testing.T) {
	projectiontest.Check(t, projections.Submissions, []given{
		{Stream: "numbering-C1-Testing-33-0", Event: events.SubmissionOpened{Submission: "S1", First: 7,
			Invoices: []string{"I1", "I2"}, SHA256: "aa"}},
		{Stream: "numbering-C1-Testing-33-0", Event: events.SubmissionOpened{Submission: "S2", First: 9,
			Invoices: []string{"I3"}, SHA256: "bb"}},
	}, projectiontest.Want{ID: "S1", JSON: `{"sha256":"aa"}`}, projectiontest.Want{ID: "S2", JSON: `{"sha256":"bb"}`})
}
