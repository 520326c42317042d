package verify_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/money"
	"folio/verify"
)

// theFile is the SHA-256 of the one file that a vault of these tests has.
func theFile() string {
	sum := sha256.Sum256([]byte("what was sent"))
	return hex.EncodeToString(sum[:])
}

// What may not stand in a log, with every checksum right and no checkpoint to hold it against, is found by the rules.
func TestRulesOfStreams(t *testing.T) {
	good := submission(1, 1, 2, theFile())
	change := func(f func(all []fact) []fact) []fact { return f(slices.Clone(good)) }
	invoice := good[0].stream
	accepted := slices.IndexFunc(good, func(f fact) bool { _, ok := f.event.(events.AuthorityAccepted); return ok })
	hook := events.WebhookSubscribed{Company: "C1", Webhook: 1, URL: "https://a.example", Events: []string{"ISE"},
		Secret: "s"}
	taking := func(amount string) []events.Portion {
		return []events.Portion{{Takes: true, Amount: money.MustParse(amount)}}
	}
	begun := fact{"transparency-L", events.TreeBegun{Tree: "L", Origin: "folio/log/L"}}
	checkpointed := func(later time.Duration) fact {
		return fact{"transparency-L", late{events.CheckpointRecorded{Tree: "L"}, later}}
	}
	for name, c := range map[string]struct {
		facts []fact
		place string // "" when nothing is wrong
		what  string
	}{
		"what really happens": {facts: good},
		"a verdict before anything was sent": {change(func(all []fact) []fact { return []fact{all[0], all[accepted]} }),
			invoice + ", revision 1", "accepted that is Pending"},
		"two verdicts": {append(slices.Clone(good), fact{invoice, events.AuthorityRejected{Submission: "S0000001"}}),
			invoice + ", revision 4", "status is final"},
		"two creations":                   {append(slices.Clone(good), good[0]), invoice + ", revision 4", "exists already"},
		"an invoice without its creation": {good[4:5], good[4].stream + ", revision 0", "never created"},
		"numbers with a hole": {append(slices.Clone(good), submission(2, 4, 1, theFile())...),
			series + ", revision 2", "decides otherwise"},
		"a hole that another system explains": {facts: append(
			append(slices.Clone(good), fact{series, events.ForeignNumbersNoticed{From: 3, To: 3}}),
			submission(2, 4, 1, theFile())...)},
		"numbers twice": {append(slices.Clone(good), submission(2, 2, 1, theFile())...), "invoice-I0000002, revision 4",
			"exists already"},
		"a settlement that leaves one out": {change(func(all []fact) []fact {
			i := slices.IndexFunc(all, func(f fact) bool { _, ok := f.event.(events.SubmissionSettled); return ok })
			e := all[i].event.(events.SubmissionSettled)
			e.Outcomes = e.Outcomes[:1]
			all[i].event = e
			return all
		}), series + ", revision 1", "one outcome for every document"},
		"a folio that skips one of its range": {[]fact{
			{series, events.NumberingRangeUploaded{Range: "R", Company: "C1", From: 1, To: 100, Fingerprint: "f"}},
			{series, events.SubmissionOpened{Submission: "S", First: 2, Invoices: []string{"I"}, SHA256: theFile(), Range: "R",
				AuthorityLast: 1}},
		}, series + ", revision 1", "nothing explains the gap"},
		"two ranges with the same numbers": {[]fact{
			{series, events.NumberingRangeUploaded{Range: "R", Company: "C1", From: 1, To: 100, Fingerprint: "f"}},
			{series, events.NumberingRangeUploaded{Range: "Q", Company: "C1", From: 50, To: 150, Fingerprint: "g"}},
		}, series + ", revision 1", "overlaps"},
		"notes that take more than there is": {append(slices.Clone(good),
			fact{invoice, events.NoteCounted{Note: "N1", Type: "NCA", Date: "2026-11-29", Portions: taking("200.00")}},
			fact{invoice, events.NoteCounted{Note: "N2", Type: "NCA", Date: "2026-11-29", Portions: taking("42.01")}}),
			invoice + ", revision 5", "notes take more"},
		"notes that take all of it": {facts: append(slices.Clone(good),
			fact{invoice, events.NoteCounted{Note: "N1", Type: "NCA", Date: "2026-11-29", Portions: taking("200.00")}},
			fact{invoice, events.NoteCounted{Note: "N2", Type: "NCA", Date: "2026-11-29", Portions: taking("42.00")}})},
		"two callback URLs": {[]fact{{"webhook-C1", hook}, {"webhook-C1", hook}},
			"webhook-C1, revision 1", "has a webhook subscription already"},
		"one after another": {facts: []fact{{"webhook-C1", hook},
			{"webhook-C1", events.WebhookRemoved{}}, {"webhook-C1", hook}}},
		"a file that is not there": {submission(1, 1, 1, strings.Repeat("0", 64)),
			series + ", revision 0", "is not in the vault"},
		"a change of no callback": {[]fact{{"webhook-C1", events.WebhookRemoved{}}},
			"webhook-C1, revision 0", "no callback URL"},
		"a clock that was put back less than a minute": {facts: []fact{{"webhook-C1", late{hook, 0}},
			{"webhook-C1", late{events.WebhookRemoved{}, -time.Minute}}}},
		"appended before it was recorded": {[]fact{{"webhook-C1", late{hook, -2 * time.Minute}}}, "webhook-C1, revision 0",
			"it was recorded at"},
		"appended before the one before it": {[]fact{{"webhook-C1", late{hook, time.Hour}},
			{"webhook-C1", events.WebhookRemoved{}}},
			"webhook-C1, revision 1", "and the one before it at"},
		"appended when a checkpoint of it was made": {facts: []fact{begun, {"webhook-C1", late{hook, time.Minute}},
			checkpointed(time.Second)}},
		"moved forward, behind the checkpoint that covers it": {[]fact{begun, {"webhook-C1", late{hook, 90 * time.Second}},
			checkpointed(40 * time.Second)}, "webhook-C1, revision 0", "the checkpoint of size 2 that covers it was made at"},
		"times of a copy, of the checkpoint too": {facts: []fact{begun, {"webhook-C1", late{hook, time.Hour}},
			checkpointed(time.Hour)}},
		"appended in the future": {[]fact{{"webhook-C1", late{hook, 25 * time.Hour}}}, "webhook-C1, revision 0",
			"which has not come yet"},
		"numbers of somebody before": {[]fact{{series, events.ForeignNumbersNoticed{From: 5, To: 9}}},
			series + ", revision 0", "the last one known is 0"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, all(c.facts...))
			config := w.config()
			config.Now = func() time.Time { return at.Add(24 * time.Hour) }
			report, err := verify.Run(t.Context(), config)
			var d *verify.Difference
			switch {
			case c.place == "" && err != nil:
				t.Fatal(err)
			case c.place == "" && report.Events != int64(len(c.facts)):
				t.Errorf("%d events of %d were read", report.Events, len(c.facts))
			case c.place != "" && !errors.As(err, &d):
				t.Fatalf("nothing was found: %v", err)
			case c.place != "" && (!strings.Contains(err.Error(), c.place) || !strings.Contains(err.Error(), c.what)):
				t.Errorf("found: %v; want %q at %q", err, c.what, c.place)
			}
		})
	}
}
