package webhook_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/webhook"
	"folio/events"
)

var (
	noon       = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	subscribed = events.WebhookSubscribed{Company: "C1", Webhook: 7, URL: "https://a.test", Events: []string{"ISE", "CER"},
		Secret: "s1"}
	changed = events.WebhookChanged{URL: "https://b.test", Events: []string{"ISE"}, Status: webhook.Paused}
)

func TestASubscription(t *testing.T) {
	commandtest.Run(t, webhook.Decider,
		commandtest.Case[webhook.Command]{Name: "a company subscribes",
			When: webhook.Subscribe{Webhook: subscribed}, Then: []events.Event{subscribed}},
		commandtest.Case[webhook.Command]{Name: "a company has one callback URL",
			Given: []events.Event{subscribed}, When: webhook.Subscribe{Webhook: events.WebhookSubscribed{Company: "C1",
				Webhook: 8}}, Err: webhook.ErrExists},
		commandtest.Case[webhook.Command]{Name: "after the removal it may have another",
			Given: []events.Event{subscribed, events.WebhookRemoved{}}, When: webhook.Subscribe{Webhook: subscribed},
			Then: []events.Event{subscribed}},
		commandtest.Case[webhook.Command]{Name: "it changes",
			Given: []events.Event{subscribed}, When: webhook.Change{Webhook: 7, To: changed}, Then: []events.Event{changed}},
		commandtest.Case[webhook.Command]{Name: "the same again is nothing new",
			Given: []events.Event{subscribed, changed}, When: webhook.Change{Webhook: 7, To: changed}},
		commandtest.Case[webhook.Command]{Name: "another id is not found",
			Given: []events.Event{subscribed}, When: webhook.Change{Webhook: 8, To: changed}, Err: webhook.ErrUnknown},
		commandtest.Case[webhook.Command]{Name: "the secret changes with an overlap",
			Given: []events.Event{subscribed}, When: webhook.Rotate{Webhook: 7, Secret: "s2", Overlap: noon},
			Then: []events.Event{events.WebhookSecretRotated{Secret: "s2", Overlap: noon}}},
		commandtest.Case[webhook.Command]{Name: "what never was has no secret",
			When: webhook.Rotate{Webhook: 7, Secret: "s2"}, Err: webhook.ErrUnknown},
		commandtest.Case[webhook.Command]{Name: "it is removed",
			Given: []events.Event{subscribed}, When: webhook.Remove{Webhook: 7}, Then: []events.Event{events.WebhookRemoved{}}},
		commandtest.Case[webhook.Command]{Name: "a second removal is not found",
			Given: []events.Event{subscribed, events.WebhookRemoved{}}, When: webhook.Remove{Webhook: 7},
			Err: webhook.ErrUnknown},
	)
}

func TestWhatASubscriptionHearsAndWhoSigns(t *testing.T) {
	s := webhook.Decider.Fold(subscribed)
	if !s.Hears("CER") || s.Hears("ENU") || webhook.Decider.Fold(subscribed, events.WebhookRemoved{}).Hears("CER") {
		t.Error("it hears what it asked for, while it exists")
	}
	s = webhook.Decider.Fold(subscribed, events.WebhookSecretRotated{Secret: "s2", Overlap: noon})
	if got := s.Secrets(noon.Add(-time.Nanosecond)); !slices.Equal(got, []string{"s2", "s1"}) {
		t.Errorf("during the overlap %v sign", got)
	}
	if got := s.Secrets(noon); !slices.Equal(got, []string{"s2"}) {
		t.Errorf("after the overlap %v sign", got)
	}
	for _, c := range []struct {
		name     string
		overlaps []time.Duration // of rotations to s2, s3 and so on, from noon on
		at       time.Duration
		want     []string
		until    time.Duration // 0: none before signs
	}{
		{"who asked twice has receivers that know neither new one", []time.Duration{2, 3}, 1, []string{"s3", "s2", "s1"}, 3},
		{"each signs for as long as was said", []time.Duration{2, 3}, 2, []string{"s3", "s2"}, 3},
		{"a shorter overlap is for all before", []time.Duration{9, 3}, 3, []string{"s3"}, 0},
		{"none at all stops them", []time.Duration{9, 0}, 0, []string{"s3"}, 0},
		{"the last three sign", []time.Duration{9, 9, 9, 9}, 1, []string{"s5", "s4", "s3", "s2"}, 9},
	} {
		s := webhook.Decider.Fold(subscribed)
		for i, overlap := range c.overlaps {
			s = webhook.Evolve(s, events.WebhookSecretRotated{Secret: fmt.Sprint("s", i+2), Overlap: noon.Add(overlap)})
		}
		if got := s.Secrets(noon.Add(c.at)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v sign", c.name, got)
		}
		if until, signs := s.PreviousUntil(noon.Add(c.at)); signs != (c.until > 0) ||
			signs && !until.Equal(noon.Add(c.until)) {
			t.Errorf("%s: %v until %s", c.name, signs, until)
		}
	}
}
