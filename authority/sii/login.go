package sii

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"folio/authority"
	"folio/authority/xmlsign"
)

// system is one of the two services that hand out tokens.
type system string

const (
	documents system = "dte"    // SOAP, every document but boletas
	receipts  system = "boleta" // REST
)

func systemOf(receipt bool) system {
	if receipt {
		return receipts
	}
	return documents
}

// credentialFaults are the ESTADO of getToken that only another certificate mends (AUT,
// section 4): signature, certificate unknown, RUT, key beside certificate, refusal.
var credentialFaults = []string{"05", "11", "12", "21", "-3"}

// login asks for a seed, signs it and gives it back for a token. It sends no document,
// so that every failure but a refused certificate wraps ErrNotSent.
func (c *Client) login(ctx context.Context, i identity, s system) (string, error) {
	seed, err := c.seed(ctx, s)
	if err != nil {
		return "", authority.NotSent(err)
	}
	signed, err := i.sign(`<getToken><item><Semilla>`+xmlsign.Escape(seed)+`</Semilla></item>`, `</getToken>`, "/getToken",
		"", enveloped)
	if err != nil {
		return "", authority.NotSent(err)
	}
	const op = "getToken"
	text, err := c.exchangeSeed(ctx, s, signed)
	if err != nil {
		return "", authority.NotSent(err)
	}
	a, err := readAnswer(op, text)
	switch {
	case err != nil:
		return "", authority.NotSent(err)
	case slices.Contains(credentialFaults, a.State):
		return "", authority.Said(a.State, cmp.Or(a.Text, "SII does not take the certificate"), authority.ErrCredential)
	case a.State != "00" || a.Token == "":
		return "", authority.Said(a.State, cmp.Or(a.Text, "SII gave no token"), authority.ErrNotSent)
	}
	return a.Token, nil
}

func (c *Client) seed(ctx context.Context, s system) (string, error) {
	const op = "getSeed"
	text, err := c.plain(ctx, s, op, soap(op, c.endpoints.seed()), request{op: op, method: http.MethodGet,
		url: c.endpoints.Receipts + "/boleta.electronica.semilla", headers: map[string]string{"Accept": "application/xml"}})
	if err != nil {
		return "", err
	}
	a, err := readAnswer(op, text)
	if err != nil {
		return "", err
	}
	if a.State != "00" || a.Seed == "" {
		return "", authority.Said(a.State, cmp.Or(a.Text, "SII gave no seed"), authority.ErrNotSent)
	}
	return a.Seed, nil
}

func (c *Client) exchangeSeed(ctx context.Context, s system, signed string) (string, error) {
	const op = "getToken"
	body := []byte(`<?xml version="1.0" encoding="UTF-8"?>` + signed)
	return c.plain(ctx, s, op, soap(op, c.endpoints.token(), argument{"pszXml", string(body)}),
		request{op: op, method: http.MethodPost,
			url: c.endpoints.Receipts + "/boleta.electronica.token", body: body,
			headers: map[string]string{"Content-Type": "application/xml", "Accept": "application/xml"}})
}

// plain is the text of an answer of either system: inside a SOAP answer, or as it is.
func (c *Client) plain(ctx context.Context, s system, op string, bySOAP, byREST request) (string, error) {
	r := byREST
	if s == documents {
		r = bySOAP
	}
	got, err := do(ctx, c.http, r)
	if err != nil {
		return "", err
	}
	if err := got.Fine(op); err != nil {
		return "", err
	}
	if s == documents {
		return returned(op, got.Body)
	}
	return string(got.Body), nil
}
