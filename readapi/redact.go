package readapi

import (
	"context"
	"net/url"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"folio/events"
	"folio/httpapi"
	"folio/scope"
)

// redacts says that the caller does not see everything: who may only read or issue is shown no callback URL
// whole, whose path and query may hold a token, and no e-mail address of a member.
func redacts(ctx context.Context) bool { return !httpapi.Caller(ctx).Scopes.Has(scope.Manage) }

// callback is a callback URL as the caller sees it: whole, or where it points, as in
// https://shop.example.com/…
func callback(ctx context.Context, text string) string {
	if !redacts(ctx) {
		return text
	}
	return maskedURL(text)
}

func maskedURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "…"
	}
	if u.User == nil && u.RawQuery == "" && u.Fragment == "" && (u.Path == "" || u.Path == "/") {
		return text
	}
	return u.Scheme + "://" + u.Host + "/…"
}

// redactions are the members of facts that only who manages the company sees, and what others see in their place: the
// e-mail addresses of members are the owner's to tell, and callback URLs may hold a token.
var redactions = map[string]struct {
	member string
	show   func(string) string
}{
	events.Name[events.AccessGranted]():     {"email", func(string) string { return "…" }},
	events.Name[events.WebhookSubscribed](): {"url", maskedURL},
	events.Name[events.WebhookChanged]():    {"url", maskedURL},
}

// redact is a fact as who does not manage the company sees it. What would prove it (its salt, its stored bytes) is left
// out, since whoever has the salt finds what was left out by trying; its leaf stays, which says that it is in the tree.
func redact(out recorded) recorded {
	rule, ok := redactions[out.Type]
	if !ok {
		return out
	}
	out.Salt, out.Stored, out.Redacted = nil, nil, []string{"data." + rule.member}
	var members map[string]jsontext.Value
	var text string
	err := json.Unmarshal(out.Data, &members, asStored)
	if err == nil {
		err = json.Unmarshal(members[rule.member], &text)
	}
	if err == nil {
		members[rule.member], err = json.Marshal(rule.show(text))
	}
	if err == nil {
		out.Data, err = json.Marshal(members, asStored)
	}
	if err != nil { // an event that an operator cut from the log, or one of a newer shape
		out.Data, out.Redacted = nil, []string{"data"}
	}
	return out
}
