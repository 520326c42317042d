package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Why a delivery is not to be believed.
var (
	ErrWebhookSecret    = errors.New("the webhook's secret is not whsec_ with base64 behind it")
	ErrWebhookHeader    = errors.New("the delivery lacks webhook-id, webhook-timestamp or webhook-signature")
	ErrWebhookAge       = errors.New("the delivery's timestamp is more than five minutes away from now")
	ErrWebhookSignature = errors.New("no signature of the delivery is made with this secret")
)

// webhookTolerance is how far a delivery's time may be from the receiver's.
const webhookTolerance = 5 * time.Minute

// VerifyWebhook checks that body, as it came over the wire, was signed with the webhook's
// secret by the scheme of Standard Webhooks (www.standardwebhooks.com), around now. While a
// secret is being rotated a delivery has several signatures, one of which must fit.
//
// A receiver answers 200 within a second and remembers the header webhook-id: the same fact
// may come again.
func VerifyWebhook(secret string, h http.Header, body []byte, now time.Time) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return ErrWebhookSecret
	}
	id, sent := h.Get("webhook-id"), h.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if id == "" || err != nil || h.Get("webhook-signature") == "" {
		return ErrWebhookHeader
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > webhookTolerance {
		return ErrWebhookAge
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sent + "."))
	mac.Write(body)
	want := mac.Sum(nil)
	for signature := range strings.FieldsSeq(h.Get("webhook-signature")) {
		version, text, _ := strings.Cut(signature, ",")
		got, err := base64.StdEncoding.DecodeString(text)
		if version == "v1" && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return ErrWebhookSignature
}
