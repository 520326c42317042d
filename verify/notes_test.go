package verify_test

import (
	"context"
	"testing"

	"folio/verify"
)

// lost cannot write anything again, as in a log that was imported.
type lost struct{}

func (lost) Rebuild(context.Context, verify.Sending) ([]byte, error) {
	return nil, verify.ErrNotRebuilt
}

// What could not be verified is never left out silently: beyond what is listed it is counted.
func TestWhatIsNotVerifiedIsCounted(t *testing.T) {
	w := newWorld(t, many(30*42))
	c := w.config()
	c.Sent = lost{}
	report, err := verify.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if told := int64(len(report.Notes)) + report.MoreNotes; report.MoreNotes == 0 || told != 31 {
		t.Errorf("%d are listed, %d more counted; want the tiles and 30 submissions: %q", len(report.Notes), report.MoreNotes,
			report.Notes)
	}
}
