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

// masksCallbacks says that the caller does not see callback URLs whole: path and query of one may
// hold a token, and who may only read or issue is shown no secret.
func masksCallbacks(ctx context.Context) bool { return !httpapi.Caller(ctx).Scopes.Has(scope.Manage) }

// callback is a callback URL as the caller sees it: whole, or where it points, as in
// https://shop.example.com/…
func callback(ctx context.Context, text string) string {
	if !masksCallbacks(ctx) {
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

// withoutCallback is a fact whose URL is masked. What would prove it (its salt, its stored bytes)
// is left out: what is masked cannot be proven.
func withoutCallback(out recorded) (recorded, error) {
	if out.Type != events.Name[events.WebhookSubscribed]() && out.Type != events.Name[events.WebhookChanged]() {
		return out, nil
	}
	var members map[string]jsontext.Value
	var text string
	err := json.Unmarshal(out.Data, &members, asStored)
	if err == nil {
		err = json.Unmarshal(members["url"], &text)
	}
	if err == nil {
		members["url"], err = json.Marshal(maskedURL(text))
	}
	if err == nil {
		out.Data, err = json.Marshal(members, asStored)
	}
	out.Salt, out.Stored = nil, nil
	return out, err
}
