package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"time"

	"folio/authority"
	"folio/certificate"
	"folio/countries"
	"folio/country"
	"folio/verify"
)

// resent writes what was sent once more. It calls nobody: what is written depends on facts, and where documents are
// signed on the certificate and the numbering file in the vault, whose signatures come out the same each time.
type resent struct {
	drivers     map[string]authority.Driver
	secrets     verify.Secrets
	credentials *certificate.Credentials
}

func newResent(s *stores, c countries.Settings) resent {
	c.Vault = s.vault
	return resent{countries.Drivers(c), s.vault, s.credentials}
}

// Rebuild implements verify.Rebuilder.
func (r resent) Rebuild(ctx context.Context, s verify.Sending) (content []byte, err error) {
	rules, known := countries.ByCode(s.Company.Country)
	if !known {
		return nil, fmt.Errorf("country %s: %w", s.Company.Country, verify.ErrNotRebuilt)
	}
	driver := r.drivers[rules.Authority()]
	b := authority.Batch{Documents: s.Documents, Series: authority.Series{Company: s.Series.Company,
		Environment: authority.Environment(s.Series.Environment), OfficialCode: s.Series.OfficialCode,
		BranchOffice: s.Series.BranchOffice}}
	if s.Range.Range == "" {
		p, err := driver.Prepare(ctx, authority.Credential{}, b)
		return p.Content, err
	}
	file, err := r.secrets.Open(ctx, s.Range.Secret)
	if err != nil {
		return nil, fmt.Errorf("the numbering file %s: %w", s.Range.Range, err)
	}
	opened := &authority.Range{ID: s.Range.Range, Series: s.Range.Series, File: file, From: s.Range.From, To: s.Range.To}
	for i := range b.Documents {
		b.Documents[i].Range = opened
	}
	times, err := signedAt(s.Content, rules)
	if err != nil {
		return nil, err
	}
	for _, b.At = range times {
		credential, err := r.credentials.Open(ctx, s.Company, s.Series.Environment, b.At)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", verify.ErrNotRebuilt, err)
		}
		p, err := driver.Prepare(ctx, credential, b)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(p.Content, s.Content) {
			return p.Content, nil
		}
		if content == nil { // that of the company's own zone is told of
			content = p.Content
		}
	}
	return content, nil
}

// signed is the time of a signature, which no fact has: it is taken from what was sent.
var signed = regexp.MustCompile(`<(?:\w+:)?TmstFirma>([^<]+)</`)

// zones are those of a country whose signatures name none: a document is dated where it was issued.
var zones = []string{"America/Punta_Arenas", "Pacific/Easter"}

// signedAt is when documents were signed, as many times as what was sent can be read.
func signedAt(content []byte, rules country.Rules) ([]time.Time, error) {
	m := signed.FindSubmatch(content)
	if m == nil {
		return nil, fmt.Errorf("it does not say when it was signed: %w", verify.ErrNotRebuilt)
	}
	if at, err := time.Parse(time.RFC3339, string(m[1])); err == nil {
		return []time.Time{at}, nil
	}
	var out []time.Time
	for _, in := range append([]*time.Location{rules.Location()}, locations()...) {
		if at, err := time.ParseInLocation("2006-01-02T15:04:05", string(m[1]), in); err == nil {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the time of its signature is %q", m[1])
	}
	return out, nil
}

func locations() (out []*time.Location) {
	for _, name := range zones {
		if l, err := time.LoadLocation(name); err == nil {
			out = append(out, l)
		}
	}
	return out
}
