package arca

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/authority/wire"
)

// Ticket lets its holder call one service for the taxpayers that the certificate
// represented when it was issued. It lives twelve hours.
type Ticket = wire.Ticket

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
