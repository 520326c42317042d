package delivery

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"folio/commands/webhook"
)

// body is the payload with the number of the attempt, as it is signed and sent.
func body(payload json.RawMessage, attempt int) ([]byte, error) {
	text := strings.TrimSpace(string(payload))
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, fmt.Errorf("the payload is not a JSON object")
	}
	comma := ","
	if strings.TrimSpace(text[1:len(text)-1]) == "" {
		comma = ""
	}
	return []byte(text[:len(text)-1] + comma + `"attempt":` + strconv.Itoa(attempt) + "}"), nil
}

// headers are those of Standard Webhooks 1.0: a signature by each secret, over the very
// bytes that are sent.
func (p *Processor) headers(ctx context.Context, id string, s webhook.State, at time.Time, body []byte) (http.Header,
	error) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	var signatures []string
	for _, ref := range s.Secrets(at) {
		key, err := p.secret(ctx, ref)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, "v1,"+signature(key, id, timestamp, body))
	}
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Webhook-Id", id)
	h.Set("Webhook-Timestamp", timestamp)
	h.Set("Webhook-Signature", strings.Join(signatures, " "))
	return h, nil
}

func signature(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// secret is the key behind "whsec_" and base64, as the vault keeps it.
func (p *Processor) secret(ctx context.Context, ref string) ([]byte, error) {
	if key, ok := p.secrets.Get(ref); ok {
		return key, nil
	}
	sealed, err := p.c.Secrets.Open(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("open a signing secret: %w", err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(sealed), "whsec_"))
	if err != nil {
		return nil, fmt.Errorf("the signing secret %s is not base64", ref)
	}
	p.secrets.Add(ref, key)
	return key, nil
}
