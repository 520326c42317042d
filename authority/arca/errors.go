package arca

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"folio/country"
)

// Message is one code and text of the authority: an error, an observation or an event.
type Message struct {
	Code int    `json:"code" xml:"Code"`
	Text string `json:"text" xml:"Msg"`
}

// String is "code: text".
func (m Message) String() string { return fmt.Sprintf("%d: %s", m.Code, m.Text) }

// Join writes messages one after the other, for error texts.
func Join(ms []Message) string {
	return strings.Join(country.Collect(ms, Message.String), "; ")
}

// Ambiguous says that the authority may have processed the request: ask what became of
// it (Session.Find, Session.Last) before sending anything again.
type Ambiguous struct {
	Operation string
	Cause     error
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("%s: no definite answer, ask the authority before sending again: %v", e.Operation, e.Cause)
}

func (e *Ambiguous) Unwrap() error { return e.Cause }

// NotSent says that the authority certainly did not process the request: it was not
// reached, or something turned the request away with an HTTP status of 4xx.
type NotSent struct {
	Operation string
	Cause     error
}

func (e *NotSent) Error() string {
	return fmt.Sprintf("%s: not sent, safe to try again: %v", e.Operation, e.Cause)
}

func (e *NotSent) Unwrap() error { return e.Cause }

// Codes of request-level errors that the client itself acts on (manual, "Tratamiento
// de errores en el WS").
const (
	CodeInternal       = 500
	CodeDatabase       = 501
	CodeTransaction    = 502
	CodeToken          = 600
	CodeNotRepresented = 601
	CodeNotFound       = 602
	CodeOutOfStep      = 10016

	// Those of WSFEXv1 with the same meaning (manual 3.1.1).
	CodeExportToken          = 1000
	CodeExportNotRepresented = 1001
	CodeExportNotFound       = 1020
	CodeExportOutOfStep      = 1535
	CodeExportTransaction    = 505
)

// Refused is an answer of WSFEv1 that refuses the request as a whole (its Errors list).
type Refused struct {
	Operation string
	Errors    []Message
}

func (e *Refused) Error() string {
	return fmt.Sprintf("%s: refused by the authority: %s", e.Operation, Join(e.Errors))
}

// Has says whether one of the errors has this code.
func (e *Refused) Has(code int) bool {
	return slices.ContainsFunc(e.Errors, func(m Message) bool { return m.Code == code })
}

// Transient says that the same request may succeed later without any change.
func (e *Refused) Transient() bool {
	return e.broken() || e.Has(CodeExportTransaction) || e.token()
}

// broken says that the service itself failed (WSFEv1 manual: 500, 501, 502).
func (e *Refused) broken() bool {
	return e != nil && (e.Has(CodeInternal) || e.Has(CodeDatabase) || e.Has(CodeTransaction))
}

func (e *Refused) token() bool {
	if e.ofExports() {
		return e.Has(CodeExportToken) || e.Has(CodeExportNotRepresented)
	}
	return e.Has(CodeToken) || e.Has(CodeNotRepresented)
}

// ofExports says that WSFEXv1 refused: its 1000 is a ticket, that of WSFEv1 a rate of IVA
// (FECAEARegInformativo).
func (e *Refused) ofExports() bool { return strings.HasPrefix(e.Operation, "FEX") }

// unrepresented tells a ticket that lacks the taxpayer from one that is no good at all:
// the service words it as a code 600 (manual, example of FECAEARegInformativo).
func (e *Refused) unrepresented() bool {
	if e.Has(CodeNotRepresented) || e.ofExports() && e.Has(CodeExportNotRepresented) {
		return true
	}
	return slices.ContainsFunc(e.Errors, func(m Message) bool {
		return m.Code == CodeToken && strings.Contains(m.Text, "relaciones")
	})
}

// SOAPFault is a fault of the protocol itself: a request that the service could not read.
type SOAPFault struct {
	Operation, Code, Text string
}

func (e *SOAPFault) Error() string {
	return fmt.Sprintf("%s: SOAP fault %s: %s", e.Operation, e.Code, e.Text)
}

// ErrAlreadyAuthenticated is the refusal of a login because WSAA issued a ticket moments
// ago that this process does not hold. It passes by itself within ten minutes in
// homologation and two in production, at the latest when that ticket expires.
var ErrAlreadyAuthenticated = errors.New("another login of this certificate holds a valid ticket")

// ErrClock says that this machine's clock and the authority's disagree: by more than ten
// minutes, since tickets are asked for with that much slack to either side.
var ErrClock = errors.New("this machine's clock is wrong by more than ten minutes")

// LoginFault is a refusal by WSAA (specification, table of errors).
type LoginFault struct {
	// Code as WSAA has it, without its prefix: "cms.cert.expired".
	Code string
	Text string
}

func (e *LoginFault) Error() string {
	return fmt.Sprintf("log in to the authority: %s: %s", e.Code, e.Explained())
}

// Is matches ErrAlreadyAuthenticated and ErrClock.
func (e *LoginFault) Is(target error) bool {
	switch target {
	case ErrAlreadyAuthenticated:
		return e.Code == "coe.alreadyAuthenticated"
	case ErrClock:
		return e.Code == "xml.generationTime.invalid" || e.Code == "xml.expirationTime.expired" ||
			e.Code == "xml.expirationTime.invalid"
	}
	return false
}

// Explained is the authority's text with what to do about it.
func (e *LoginFault) Explained() string { return e.Text + advice[e.Code] }

// Transient says that the same login may succeed later without any change.
func (e *LoginFault) Transient() bool {
	switch e.Code {
	case "coe.alreadyAuthenticated", "wsn.unavailable", "wsaa.unavailable", "wsaa.internalError":
		return true
	}
	return strings.HasPrefix(e.Code, "Server")
}

// CertificateAtFault says that no login can succeed until the certificate is replaced
// or associated with the service in ARCA's administration.
func (e *LoginFault) CertificateAtFault() bool {
	return strings.HasPrefix(e.Code, "cms.") || e.Code == "coe.notAuthorized"
}

var advice = map[string]string{
	"cms.cert.expired": " (upload a new certificate)",
	"cms.cert.untrusted": " (the certificate belongs to the other environment: testing certificates do not " +
		"work in production)",
	"coe.notAuthorized": " (associate the certificate with the service in ARCA's administrator of relations)",
	"coe.alreadyAuthenticated": " (another login of this certificate got a ticket that is not kept here; it is tried " +
		"again by itself, and WSAA gives one after ten minutes in testing, two in production)",
	"xml.generationTime.invalid": clockAdvice,
	"xml.expirationTime.expired": clockAdvice,
	"xml.expirationTime.invalid": clockAdvice,
}

const clockAdvice = " (check this machine's clock: it is off by more than ten minutes; the login is tried again by " +
	"itself)"
