package delivery

import (
	"context"
	"strings"
	"time"

	"folio/commands/webhook"
	"folio/events"
	"folio/resource"
)

// Facts that are themselves notices (CER, ENU, OUT, REC) are told as they were recorded.

func (p *Processor) certificateExpires(ctx context.Context, r events.Recorded,
	e events.CertificateExpiryNoticed) error {
	return p.owes(ctx, r, cause{company: e.Company, code: webhook.CER, payload: func() (any, error) {
		s, _, err := p.log.Companies.Cached(ctx, e.Company)
		out := resource.CertificateNoticed{DocumentID: e.Certificate, Event: webhook.CER, Days: e.Days,
			CreatedAt: resource.Instant(r.Meta.At)}
		for _, c := range s.Certificates {
			if c.Certificate == e.Certificate {
				out.Subject, out.SerialNumber, out.Environment = c.Subject, c.SerialNumber, c.Environment
				out.ExpirationDate = p.local(s.Country, c.ValidTo)
			}
		}
		return out, err
	}})
}

func (p *Processor) purchaseReceived(ctx context.Context, r events.Recorded, e events.PurchaseReceived) error {
	return p.owes(ctx, r, cause{company: e.Company, code: webhook.REC, payload: func() (any, error) {
		return resource.PurchaseOf(e, r.Meta.At), nil
	}})
}

func (p *Processor) numbersRunOut(ctx context.Context, r events.Recorded, e events.NumberingNoticed) error {
	series := events.Aggregate(r.Stream)
	company, _, _ := strings.Cut(series, "-")
	return p.owes(ctx, r, cause{company: company, code: webhook.ENU, payload: func() (any, error) {
		s, _, err := p.log.Numbering.Load(ctx, series)
		out := resource.NumberingNoticed{DocumentID: e.Range, Event: webhook.ENU, Kind: e.Kind, Remaining: e.Remaining,
			CreatedAt: resource.Instant(r.Meta.At)}
		if e.Kind == "expiry" {
			out.Days = &e.Days
		} else {
			out.Notice = &e.Notice
		}
		for _, known := range s.Ranges {
			if known.Range != e.Range {
				continue
			}
			out.DocumentType, out.From, out.To = known.DocumentType, known.From, known.To
			if date := resource.ExpirationDate(known.ExpiresOn); date != "" {
				out.ExpirationDate = &date
			}
		}
		return out, err
	}})
}

func (p *Processor) outageOpened(ctx context.Context, r events.Recorded, e events.AuthorityOutageOpened) error {
	return p.outage(ctx, r, e.Company, e.Outage, resource.OutageNoticedOf(e, r.Meta.At))
}

func (p *Processor) outageClosed(ctx context.Context, r events.Recorded, e events.AuthorityOutageClosed) error {
	return p.outage(ctx, r, e.Company, e.Outage, resource.OutageOverNoticedOf(e, r.Meta.At))
}

func (p *Processor) outage(ctx context.Context, r events.Recorded, company, outage string, told any) error {
	return p.owes(ctx, r, cause{company: company, code: webhook.OUT, document: outage,
		payload: func() (any, error) { return told, nil }})
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
