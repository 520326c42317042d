package readapi_test

import (
	"strings"
	"testing"
	"time"

	"folio/events"
)

// Path and query of a callback URL may hold a token: who may not manage the company sees where it
// points, in whatever answer has it.
func TestCallbackURLsAreMaskedForWhoOnlyReads(t *testing.T) {
	const whole = "https://shop.example.com/hooks/T0P/s3cr3t?token=abc"
	at := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	w := newWorld(t,
		given{Stream: "webhook-C1", Event: events.WebhookSubscribed{Webhook: 7, Company: "C1", URL: whole,
			Events: []string{"ISE"}, Secret: "company/C1/webhook/7/x"}},
		given{Stream: "webhook-C1", Event: events.WebhookChanged{URL: whole + "2", Events: []string{"ISE"},
			Status: "active"}},
		given{Stream: "delivery-D1", Event: events.DeliveryScheduled{Delivery: "D1", Company: "C1", Webhook: 7, Code: "ISE",
			Payload: []byte(`{}`), Due: at}},
		given{Stream: "delivery-D1", Event: events.DeliveryAttempted{Series: 1, Attempt: 1, URL: whole, Started: at,
			Outcome: "status", Status: 200}},
	)
	for _, path := range []string{"", "/7", "/7/events", "/7/events?stored=true", "/7/deliveries", "/7/deliveries/D1"} {
		path = "/api/companies/C1/webhooks" + path
		full := w.get(path, key1).want(200).Body.String()
		if !strings.Contains(full, "s3cr3t") && !strings.Contains(full, `"stored"`) {
			t.Errorf("%s hides the URL from who manages: %s", path, full)
		}
		masked := w.get(path, key1+"-reads").want(200).Body.String()
		if strings.Contains(masked, "s3cr3t") || strings.Contains(masked, "abc") || strings.Contains(masked, `"stored"`) ||
			!strings.Contains(masked, `"https://shop.example.com/…"`) {
			t.Errorf("%s shows %s", path, masked)
		}
	}
}

// Who may not manage the company does not learn its members' addresses. What is left out is named, and nothing that
// would
// show it by trying is given.
func TestAddressesOfMembersAreForWhoManages(t *testing.T) {
	w := newWorld(t, company("A1", "C1"),
		given{Stream: "company-C1", Event: events.AccessGranted{Account: "A2", Email: "luz@example.com", Role: "auditor"}},
		given{Stream: "company-C1", Event: events.AccessWithdrawn{Account: "A2"}})
	for _, path := range []string{"/api/companies/C1/events", "/api/companies/C1/events?stored=true", "/api/feed"} {
		whole := w.get(path, key1).want(200).Body.String()
		if strings.Contains(whole, "redacted") ||
			!strings.Contains(whole, "luz@example.com") && !strings.Contains(path, "stored") {
			t.Errorf("%s shows who manages %s", path, whole)
		}
		left := w.get(path, key1+"-reads").want(200).Body.String()
		if strings.Contains(left, "luz@") || strings.Count(left, `"redacted":["data.email"]`) != 1 ||
			!strings.Contains(left, `{"account":"A2","email":"…","role":"auditor"}`) {
			t.Errorf("%s shows %s", path, left)
		}
		if want := map[bool]int{true: 2}[strings.Contains(path, "stored")]; strings.Count(left, `"stored":{`) != want {
			t.Errorf("%s has %d stored facts, want the %d that are whole: %s", path, strings.Count(left, `"stored":{`), want,
				left)
		}
	}
}
