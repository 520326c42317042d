package httpapi

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"folio/money"

	"github.com/go-json-experiment/json"
)

// JSON answers with v in JSON (encoding/json/v2 rules: a nil slice is [], a nil map
// {}). The value is encoded before anything is written, so an error means that the
// answer has not begun; a client that has gone is no error.
func JSON(w http.ResponseWriter, status int, v any) error {
	b := buffers.Get().(*bytes.Buffer)
	defer reuse(b)
	if err := json.MarshalWrite(b, v, json.Deterministic(true)); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	b.WriteByte('\n') // RawJSON's end of the line, without a copy of the answer
	write(w, status, jsonType, b.Bytes())
	return nil
}

const jsonType = "application/json"

// buffers of bodies and answers are reused; one that grew beyond keptBuffer bytes is not.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const keptBuffer = 64 << 10

func reuse(b *bytes.Buffer) {
	if b.Cap() <= keptBuffer {
		b.Reset()
		buffers.Put(b)
	}
}

// RawJSON answers with JSON that is already encoded, and the end of its line: whoever
// reads it on a terminal finds the prompt on a line of its own.
func RawJSON(w http.ResponseWriter, status int, body []byte) {
	write(w, status, jsonType, lined(body))
}

// lined is the text with the end of its line. The slice given is left alone.
func lined(body []byte) []byte { return append(body[:len(body):len(body)], '\n') }

// Bytes answers with a file of the content type, as sent: not sniffed.
func Bytes(w http.ResponseWriter, status int, contentType string, body []byte) {
	write(w, status, contentType, body)
}

// NoContent answers 204.
func NoContent(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) }

func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	h := w.Header()
	fields := [...]string{contentType, strconv.Itoa(len(body))}
	h["Content-Type"], h["Content-Length"] = fields[:1:1], fields[1:2:2]
	w.WriteHeader(status)
	_, _ = w.Write(body) // the only failure is a client that has gone
}

// Number is a decimal that becomes a JSON number with the digits it was given:
// 121.00 stays 121.00. For a number that may be null use *Number.
type Number struct{ Decimal money.Decimal }

// Num makes d a Number.
func Num(d money.Decimal) Number { return Number{d} }

// MarshalJSON writes the number's literal.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n.Decimal.String()), nil }

// UnmarshalJSON reads a number's literal exactly.
func (n *Number) UnmarshalJSON(b []byte) error {
	d, err := money.Parse(string(b))
	if err != nil {
		return fmt.Errorf("decode number: %w", err)
	}
	n.Decimal = d
	return nil
}
