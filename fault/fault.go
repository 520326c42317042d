// Package fault names what can go wrong in a way that a caller of the API can act on.
//
// An error that is not (and does not wrap) an *Error is internal: it is logged
// with its request id and never shown.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code is the kind of a fault; httpapi maps each to one HTTP status.
type Code string

const (
	Unparsable   Code = "unparsable"   // 400: not JSON, not multipart, bad UTF-8
	Invalid      Code = "invalid"      // 422: it has a path and a reason
	Unauthorized Code = "unauthorized" // 401: no credential, or a bad one
	Forbidden    Code = "forbidden"    // 403: a good credential, for something else
	NotFound     Code = "not_found"    // 404: unknown, or not yours
	NoMethod     Code = "no_method"    // 405
	Conflict     Code = "conflict"     // 409: the present state forbids it
	TooLarge     Code = "too_large"    // 413
	WrongType    Code = "wrong_type"   // 415: content type
	NoRange      Code = "no_range"     // 416: the file has no such part
	TooMany      Code = "too_many"     // 429: rate limit
	Unavailable  Code = "unavailable"  // 503: try again later
)

// Violation is one thing wrong with one field.
type Violation struct {
	// Path names the field as the caller wrote it: "items[2].taxes[0].amount".
	Path string
	// Code is a stable constant for machines: "REQUIRED", "AR-TOTAL-01".
	Code string
	// Message tells a person what is wrong and what would be right.
	Message string
}

// Error is a fault that may be shown to the caller.
type Error struct {
	Code Code
	// Constant is the stable upper-case name of this very fault, such as
	// WEBHOOK_SUSCRIPTION_ALREADY_EXISTS; the API shows it as "message".
	Constant string
	// Text says in a sentence what happened and what to do next; the API
	// shows it as "code" and as "detail".
	Text       string
	Violations []Violation
	// RetryAfter is the number of whole seconds to wait, 0 when it does not apply.
	RetryAfter int
	Unsure     bool // whether a write came through is not known: who repeats one should use the same Idempotency-Key
}

// Error joins the text and its violations.
func (e *Error) Error() string {
	if len(e.Violations) == 0 {
		return e.Text
	}
	var b strings.Builder
	b.WriteString(e.Text)
	for _, v := range e.Violations {
		b.WriteString("; " + v.Path + ": " + v.Message)
	}
	return b.String()
}

// Is makes two faults with the same constant equal for errors.Is, whatever their texts.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Constant == e.Constant && t.Code == e.Code
}

// New makes a fault without violations.
func New(code Code, constant, text string) *Error {
	return &Error{Code: code, Constant: constant, Text: text}
}

// Words are a part of what a fault says, or what is told beside a fact, with values filled in. Formats are constants:
// people who read Spanish find each of them by its English (apidoc).
func Words(format string, values ...any) string { return fmt.Sprintf(format, values...) }

// toCorrect is what a fault of fields says, of one as of many.
const toCorrect = "The request has fields that must be corrected: see errors."

// Violated collects violations into one fault with code Invalid; nil for none.
func Violated(vs []Violation) error {
	if len(vs) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Constant: "VALIDATION_FAILED", Text: toCorrect, Violations: vs}
}

// Field is a fault about one field.
func Field(path, code, message string) *Error {
	return &Error{Code: Invalid, Constant: "VALIDATION_FAILED", Text: toCorrect,
		Violations: []Violation{{Path: path, Code: code, Message: message}}}
}

// About is the fault as one about a field of the request, which its answer names.
func (e *Error) About(path string) *Error {
	out := *e
	out.Violations = []Violation{{Path: path, Code: e.Constant, Message: e.Text}}
	return &out
}

// As finds the fault in err's chain, or nil.
func As(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// StoreUnavailable: a database (read models, worklists, leases, secrets) is busy, locked,
// full or out of reach. Nothing is known to have changed, and asking again is right.
var StoreUnavailable = &Error{Code: Unavailable, Constant: "STORE_UNAVAILABLE", RetryAfter: 2,
	Unsure: true,
	Text:   "A database of the service is busy or cannot be reached. Send the request again."}
