package client_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"example.com/folio/client"
)

// The vector is of the published specification's libraries.
func TestOnlyDeliveriesThatWereSignedJustNowAreBelieved(t *testing.T) {
	const secret, id = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
	const signature, body = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", `{"test": 2432232314}`
	at := time.Unix(1614265330, 0)
	for name, c := range map[string]struct {
		secret, id, sent, signature, body string
		now                               time.Time
		want                              error
	}{
		"as it was sent":        {secret, id, "1614265330", signature, body, at, nil},
		"signed by two secrets": {secret, id, "1614265330", "v1,AAAA v2,x " + signature, body, at.Add(time.Minute), nil},
		"another body":          {secret, id, "1614265330", signature, body + " ", at, client.ErrWebhookSignature},
		"another id":            {secret, "msg_2", "1614265330", signature, body, at, client.ErrWebhookSignature},
		"another version":       {secret, id, "1614265330", "v2" + signature[2:], body, at, client.ErrWebhookSignature},
		"too old":               {secret, id, "1614265330", signature, body, at.Add(6 * time.Minute), client.ErrWebhookAge},
		"of the future":         {secret, id, "1614265330", signature, body, at.Add(-6 * time.Minute), client.ErrWebhookAge},
		"no time":               {secret, id, "", signature, body, at, client.ErrWebhookHeader},
		"no id":                 {secret, "", "1614265330", signature, body, at, client.ErrWebhookHeader},
		"no signature":          {secret, id, "1614265330", "", body, at, client.ErrWebhookHeader},
		"no secret":             {"whsec_%", id, "1614265330", signature, body, at, client.ErrWebhookSecret},
	} {
		h := http.Header{}
		h.Set("webhook-id", c.id)
		h.Set("webhook-timestamp", c.sent)
		h.Set("webhook-signature", c.signature)
		if err := client.VerifyWebhook(c.secret, h, []byte(c.body), c.now); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
