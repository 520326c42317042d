package arca

import (
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"folio/authority/wire"
)

// Ticket lets its holder call one service for the taxpayers that the certificate
// represented when it was issued. It lives twelve hours. Token and Sign are secrets:
// whoever has them can issue invoices.
type Ticket struct {
	Token string `json:"-"`
	Sign  string `json:"-"`
	// Generated and Expires are instants of the authority's clock.
	Generated time.Time `json:"generated"`
	Expires   time.Time `json:"expires"`
}

// String tells when the ticket ends and nothing secret.
func (t Ticket) String() string {
	if t.Token == "" {
		return "no ticket"
	}
	return "ticket until " + t.Expires.UTC().Format(time.RFC3339)
}

// GoString is String.
func (t Ticket) GoString() string { return t.String() }

// LogValue is String.
func (t Ticket) LogValue() slog.Value { return slog.StringValue(t.String()) }

// valid says whether the ticket can be used at now.
func (t Ticket) valid(now time.Time) bool {
	return t.Token != "" && t.Sign != "" && now.Before(t.Expires)
}

type ticketResponse struct {
	XMLName    xml.Name `xml:"loginTicketResponse"`
	Generation string   `xml:"header>generationTime"`
	Expiration string   `xml:"header>expirationTime"`
	Token      string   `xml:"credentials>token"`
	Sign       string   `xml:"credentials>sign"`
}

// parseTicket reads the document that WSAA returns as escaped text. Its errors quote
// nothing of it.
func parseTicket(document string) (Ticket, error) {
	var r ticketResponse
	d := wire.TextDecoder(document)
	if err := d.Decode(&r); err != nil {
		return Ticket{}, errors.New("the ticket is not a loginTicketResponse")
	}
	t := Ticket{Token: strings.TrimSpace(r.Token), Sign: strings.TrimSpace(r.Sign)}
	if t.Token == "" || t.Sign == "" {
		return Ticket{}, errors.New("the ticket has no token or no sign")
	}
	var err error
	if t.Expires, err = time.Parse(time.RFC3339Nano, strings.TrimSpace(r.Expiration)); err != nil {
		return Ticket{}, fmt.Errorf("the ticket's expirationTime %.40q is not a date with offset", r.Expiration)
	}
	// The start is only told to people: a ticket without it is as good.
	t.Generated, _ = time.Parse(time.RFC3339Nano, strings.TrimSpace(r.Generation))
	return t, nil
}
