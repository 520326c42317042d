package arca

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"folio/authority"
	"folio/authority/wire"
	"folio/events"
)

func messages(ms []Message) []events.AuthorityMessage {
	var out []events.AuthorityMessage
	for _, m := range ms {
		out = append(out, events.AuthorityMessage{Code: strconv.Itoa(m.Code), Text: m.Text})
	}
	return out
}

// words is the text of a refusal beside its first code: the literal one, or all of them
// with their codes when there are more.
func words(ms []Message) string {
	if len(ms) == 1 {
		return ms[0].Text
	}
	return Join(ms)
}

// translate gives the client's errors the meaning of the contract.
func translate(err error) error {
	var again *wire.Held
	var refused *Refused
	said := func(code, text string, meaning error) error {
		m := &authority.Message{Code: code, Text: text, Err: meaning, Broken: refused.broken()}
		if errors.As(err, &again) {
			m.At = again.Until
		}
		return m
	}
	var login *LoginFault
	var ambiguous *Ambiguous
	var notSent *NotSent
	var fault *SOAPFault
	isRefused := errors.As(err, &refused) && len(refused.Errors) > 0
	switch {
	case errors.As(err, &login) && login.CertificateAtFault():
		return said(login.Code, login.Explained(), authority.ErrCredential)
	case errors.As(err, &login):
		return said(login.Code, login.Explained(), authority.ErrNotSent)
	case errors.As(err, &notSent): // before ambiguous: inside it, that is a login, which sends no document
		return fmt.Errorf("%w: %w", authority.ErrNotSent, err)
	case errors.As(err, &ambiguous) && isRefused:
		return said(codeOf(refused), words(refused.Errors), nil)
	case errors.As(err, &ambiguous):
		return err
	case isRefused:
		return said(codeOf(refused), words(refused.Errors), meaning(refused))
	case errors.As(err, &fault):
		return said(fault.Code, fault.Text, authority.ErrNotSent)
	}
	return err
}

// meaning of a request that ARCA refused as a whole.
func meaning(r *Refused) error {
	switch {
	case outOfStep(r):
		return authority.ErrWrongNumber
	case r.unrepresented():
		return authority.ErrCredential
	case r.token(), r.Transient():
		return authority.ErrNotSent
	case slices.ContainsFunc(seriesCodes, r.Has), slices.ContainsFunc(issuerCodes, r.Has):
		return authority.ErrSeries
	case r.Has(codeCAEAWindow):
		return authority.ErrWindow
	case r.Has(codeCAEAExists):
		return authority.ErrCodeExists
	}
	return authority.ErrRefused
}

// seriesCodes are refusals of the issuer, the point of sale or the kind of voucher
// (WSFEv1 manual, header checks; 11000 to 11002 of FECompUltimoAutorizado, 700, 701 and 1300 of
// FECAEARegInformativo): no document
// is at fault, and all of them can be authorized once the issuer has put it right.
var seriesCodes = []int{10000, 10004, 10005, 10006, 10007, 11000, 11001, 11002, 700, 701, 1300}

// codeTooMany is the refusal of more vouchers than RegXReq.
const codeTooMany = 10003

// isoDate is YYYY-MM-DD of yyyymmdd, empty for anything else.
func isoDate(s string) string {
	if len(s) != 8 {
		return ""
	}
	return s[:4] + "-" + s[4:6] + "-" + s[6:]
}
