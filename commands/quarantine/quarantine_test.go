package quarantine_test

import (
	"errors"
	"testing"

	"folio/commands/commandtest"
	"folio/commands/quarantine"
	"folio/events"
)

func TestQuarantine(t *testing.T) {
	broken := events.Trouble{Kind: events.Unreadable, Stream: "company-A", Revision: 3, Event: "e3",
		Err: errors.New("bad")}
	cut := events.Trouble{Kind: events.Cut, Stream: "company-A", Next: 2}
	skipped := events.TroubleSkipped{Stream: "company-A", Kind: events.Unreadable, Revision: 3, Event: "e3", Fault: "bad",
		Reason: "looked"}
	commandtest.Run(t, quarantine.Decider,
		commandtest.Case[quarantine.Command]{Name: "an event is skipped",
			When: quarantine.Skip{Trouble: broken, Reason: "looked"},
			Then: []events.Event{skipped}},
		commandtest.Case[quarantine.Command]{Name: "the same event is skipped once", Given: []events.Event{skipped},
			When: quarantine.Skip{Trouble: broken, Reason: "again"}},
		commandtest.Case[quarantine.Command]{Name: "missing revisions are another decision", Given: []events.Event{skipped},
			When: quarantine.Skip{Trouble: cut, Reason: "looked"},
			Then: []events.Event{events.TroubleSkipped{Stream: "company-A", Kind: events.Cut, Next: 2,
				Fault: "revisions 0 to 1 of company-A are missing: the stream was cut", Reason: "looked"}}},
		commandtest.Case[quarantine.Command]{Name: "numbers are never skipped", When: quarantine.Skip{
			Trouble: events.Trouble{Kind: events.Cut, Stream: "numbering-A-Production-33-0", Next: 2}, Reason: "looked"},
			Err: quarantine.ErrNumbers},
		commandtest.Case[quarantine.Command]{Name: "nor a taxpayer's claims", When: quarantine.Skip{
			Trouble: events.Trouble{Kind: events.Deleted, Stream: "taxpayer-CL-1-9"}, Reason: "looked"},
			Err: quarantine.ErrNumbers},
		commandtest.Case[quarantine.Command]{Name: "a reason is needed", When: quarantine.Skip{Trouble: broken, Reason: " "},
			Err: quarantine.ErrReason},
		commandtest.Case[quarantine.Command]{Name: "each retry is a fact",
			When: quarantine.Retry{Stream: "company-A", Reason: "upgraded"},
			Then: []events.Event{events.TroubleRetried{Stream: "company-A", Reason: "upgraded"}}},
		commandtest.Case[quarantine.Command]{Name: "so is a retry's reason", When: quarantine.Retry{Stream: "company-A"},
			Err: quarantine.ErrReason},
	)
}
