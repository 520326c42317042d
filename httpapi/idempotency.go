package httpapi

import (
	"net/http"

	"folio/fault"
	"folio/strict"
)

// maxIdempotencyKey is as long as a key may be.
const maxIdempotencyKey = 255

// IdempotencyKey is the request's Idempotency-Key, "" when there is none: 1 to 255
// printable ASCII characters, given once. Quotes around it (the IETF draft's form)
// are part of it.
func IdempotencyKey(r *http.Request) (string, error) {
	exchangeOf(r.Context()).keyAsks++
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	if len(values) > 1 || !IsKey(key) {
		return "", fault.Field("Idempotency-Key", strict.CodeFormat,
			"must be one header of 1 to 255 printable ASCII characters")
	}
	return key, nil
}

// KeyAskedTwice says that more than one layer asked for the key: whoever did so first leaves it to
// the other.
func KeyAskedTwice(r *http.Request) bool { return exchangeOf(r.Context()).keyAsks > 1 }

// IsKey says whether a text can be an Idempotency-Key: 1 to 255 printable ASCII characters.
func IsKey(key string) bool {
	ok := len(key) > 0 && len(key) <= maxIdempotencyKey
	for i := 0; ok && i < len(key); i++ {
		ok = key[i] >= ' ' && key[i] < 0x7f
	}
	return ok
}
