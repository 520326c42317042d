package delivery

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"folio/commands/delivery"
	"folio/commands/webhook"
	"folio/events"
	"folio/resource"
	"folio/tables"
)

// noticed puts a fact that is itself a notice (CER, ENU, REC) on the list, if its
// company had asked for the code at that position of the log. Such deliveries keep no
// order among each other.
func (p *Processor) noticed(ctx context.Context, r events.Recorded) error {
	co, code, payload, err := p.payload(ctx, r)
	if err != nil {
		return err
	}
	sub, err := p.subs.at(ctx, co, r.Position)
	if err != nil || !sub.Hears(code) {
		return err
	}
	body, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	item, err := json.Marshal(delivery.Schedule{Delivery: r.ID, Company: sub.Company, Webhook: sub.Webhook,
		Code: code, Payload: body, Due: r.Meta.At.UTC()})
	if err != nil {
		return err
	}
	p.batch.causes = true
	return p.causes.Put(ctx, tables.Item{Key: r.ID, Group: r.Stream, Order: r.Position, At: r.Position, Body: item})
}

// payload is what a notice tells, as of the fact.
func (p *Processor) payload(ctx context.Context, r events.Recorded) (company, code string, payload any, err error) {
	switch e := r.Event.(type) {
	case events.CertificateExpiryNoticed:
		payload, err = p.certificatePayload(ctx, r, e)
		return e.Company, webhook.CER, payload, err
	case events.NumberingNoticed:
		co, _, _ := strings.Cut(events.Aggregate(r.Stream), "-")
		payload, err = p.numberingPayload(ctx, r, e)
		return co, webhook.ENU, payload, err
	case events.PurchaseReceived:
		return e.Company, webhook.REC, resource.PurchaseOf(e, r.Meta.At), nil
	}
	return "", "", nil, fmt.Errorf("%s is no notice", r.Type)
}

func (p *Processor) certificatePayload(ctx context.Context, r events.Recorded,
	e events.CertificateExpiryNoticed) (resource.CertificateNoticed, error) {
	s, _, err := p.log.Companies.Cached(ctx, e.Company)
	if err != nil {
		return resource.CertificateNoticed{}, err
	}
	out := resource.CertificateNoticed{DocumentID: e.Certificate, Event: webhook.CER, Days: e.Days,
		CreatedAt: resource.Instant(r.Meta.At)}
	for _, c := range s.Certificates {
		if c.Certificate == e.Certificate {
			out.Subject, out.SerialNumber, out.Environment = c.Subject, c.SerialNumber, c.Environment
			out.ExpirationDate = p.local(s.Country, c.ValidTo)
		}
	}
	return out, nil
}

// local is an instant RFC 3339 in the specification's form, by the clocks of a country.
func (p *Processor) local(code, instant string) string {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return ""
	}
	if rules, ok := p.Rules(code); ok {
		t = t.In(rules.Location())
	}
	return t.Format("02/01/2006 15:04:05")
}

func (p *Processor) numberingPayload(ctx context.Context, r events.Recorded,
	e events.NumberingNoticed) (resource.NumberingNoticed, error) {
	s, _, err := p.log.Numbering.Load(ctx, events.Aggregate(r.Stream))
	if err != nil {
		return resource.NumberingNoticed{}, err
	}
	out := resource.NumberingNoticed{DocumentID: e.Range, Event: webhook.ENU, Kind: e.Kind, Remaining: e.Remaining,
		CreatedAt: resource.Instant(r.Meta.At)}
	if e.Kind == "expiry" {
		out.Days = &e.Days
	} else {
		out.Notice = &e.Notice
	}
	for _, known := range s.Ranges {
		if known.Range == e.Range {
			out.DocumentType, out.From, out.To = known.DocumentType, known.From, known.To
			if date := resource.ExpirationDate(known.ExpiresOn); date != "" {
				out.ExpirationDate = &date
			}
		}
	}
	return out, nil
}
