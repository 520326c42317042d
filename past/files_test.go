package past_test

import (
	"reflect"
	"testing"

	"folio/events"
	"folio/past"
)

// Every member of an event that holds the hash of a vault's file is told: a new one is not forgotten.
func TestFilesOfEvents(t *testing.T) {
	calls := []events.Call{{Operation: "Ask", Request: "r", Answer: "a"}, {Operation: "Tell", Request: "s", Fault: "lost"}}
	for _, c := range []struct {
		event events.Event
		want  []string
	}{
		{events.SubmissionOpened{SHA256: "x"}, []string{"sent x"}},
		{events.EnvelopeRenewed{SHA256: "x", Calls: calls},
			[]string{"01-Ask-request r", "01-Ask-answer a", "02-Tell-request s",
				"sent x"}},
		{events.SubmissionSettled{Calls: calls[1:]}, []string{"01-Tell-request s"}},
		{events.LogoUploaded{SHA256: "x"}, []string{"logo x"}},
		{events.PurchaseReceived{DocumentSHA256: "x"}, []string{"document x"}},
		{events.PurchaseCorrected{DocumentSHA256: "x"}, []string{"document x"}},
		{events.DailyReportSent{SHA256: "x"}, []string{"report x"}},
		{events.APIKeyIssued{SHA256: "x"}, nil}, // of a key, not of a file
	} {
		var got []string
		for _, f := range past.FilesOf(c.event) {
			got = append(got, f.Name+" "+f.SHA256)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%T: %v, want %v", c.event, got, c.want)
		}
	}
}
