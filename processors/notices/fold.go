package notices

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"folio/events"
	"folio/tables"
)

// The kinds of things that notices are about; an item's key is "<kind>/<id>".
const (
	ofCertificate = "certificate"
	ofRange       = "range"  // its expiry
	ofSeries      = "series" // how many numbers are left
	ofLoss        = "loss"   // how many are left once those of a range have expired
	ofKey         = "key"    // that of a certificate which was removed
)

// subject is what an item is about.
type subject struct {
	Company string `json:"company"`
	Series  string `json:"series,omitempty"`
	// Environment is of a certificate that was removed, and Secret where its key was.
	Environment string `json:"environment,omitempty"`
	Secret      string `json:"secret,omitempty"`
	// Since is when it came to be: notices of days before are not owed.
	Since time.Time `json:"since"`
}

// One item is kept for a certificate, a range, a range's end and a ranged series. A new certificate, or a new range,
// ends the notices of the one before it.

func (p *Processor) certificate(ctx context.Context, r events.Recorded, e events.CertificateUploaded) error {
	company := events.Aggregate(r.Stream)
	about := subject{Company: company, Since: r.Meta.At}
	return p.replace(ctx, r, ofCertificate+"/"+e.Certificate, ofCertificate+"/"+company+"/"+e.Environment, about)
}

// removed has the key forgotten, and notices given of the certificate that signs in the removed one's place.
func (p *Processor) removed(ctx context.Context, r events.Recorded, e events.CertificateRemoved) error {
	about := subject{Company: events.Aggregate(r.Stream), Since: r.Meta.At, Environment: e.Environment, Secret: e.Secret}
	group := ofCertificate + "/" + about.Company + "/" + e.Environment
	noticed, err := p.List.InGroup(ctx, group, groupAtOnce)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(noticed, func(it tables.Item) bool { return it.Key == ofCertificate+"/"+e.Certificate }) {
		if err := p.put(ctx, r, ofCertificate+"/"+e.Certificate, group, about); err != nil {
			return err
		}
	}
	return p.put(ctx, r, ofKey+"/"+e.Certificate, "", about)
}

func (p *Processor) uploaded(ctx context.Context, r events.Recorded, e events.NumberingRangeUploaded) error {
	series := events.Aggregate(r.Stream)
	about := subject{Company: e.Company, Series: series, Since: r.Meta.At}
	if err := p.replace(ctx, r, ofRange+"/"+e.Range, ofRange+"/"+series, about); err != nil {
		return err
	}
	if err := p.put(ctx, r, ofLoss+"/"+e.Range, "", about); err != nil {
		return err
	}
	return p.put(ctx, r, ofSeries+"/"+series, "", about)
}

// counted has a series looked at whose numbers were taken or passed over.
func (p *Processor) counted(ctx context.Context, r events.Recorded) error {
	series := events.Aggregate(r.Stream)
	company, _, _ := strings.Cut(series, "-")
	return p.put(ctx, r, ofSeries+"/"+series, "", subject{Company: company, Series: series, Since: r.Meta.At})
}

// replace puts an item and takes the others of its group away.
func (p *Processor) replace(ctx context.Context, r events.Recorded, key, group string, about subject) error {
	older, err := p.List.InGroup(ctx, group, groupAtOnce)
	if err != nil {
		return err
	}
	for _, it := range older {
		if it.Key != key && it.At.Before(r.Position) {
			if err := p.List.Remove(ctx, it.Key, it.At); err != nil {
				return err
			}
		}
	}
	return p.put(ctx, r, key, group, about)
}

func (p *Processor) put(ctx context.Context, r events.Recorded, key, group string, about subject) error {
	body, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := p.List.Put(ctx, tables.Item{Key: key, Group: group, Order: r.Position, At: r.Position,
		Body: body}); err != nil {
		return err
	}
	p.items.Changed()
	return nil
}
