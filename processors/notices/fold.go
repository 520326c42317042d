package notices

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"folio/events"
	"folio/processors"
	"folio/tables"
)

// Types are the events that the worklist is folded from.
var Types = []string{
	events.Name[events.CertificateUploaded](),
	events.Name[events.NumberingRangeUploaded](),
	events.Name[events.NumberingStartConfigured](),
	events.Name[events.SubmissionOpened](),
	events.Name[events.SeriesReleased](),
}

// The kinds of things that notices are about; an item's key is "<kind>/<id>".
const (
	ofCertificate = "certificate"
	ofRange       = "range"  // its expiry
	ofSeries      = "series" // how many numbers are left
	ofLoss        = "loss"   // how many are left once those of a range have expired
)

// subject is what an item is about.
type subject struct {
	Company string `json:"company"`
	Series  string `json:"series,omitempty"`
	// Since is when it came to be: notices of days before are not owed.
	Since time.Time `json:"since"`
}

// fold keeps one item a certificate, a range, a range's end and a ranged series. A new
// certificate, or a new range, ends the notices of the one before it.
func (p *Processor) fold(ctx context.Context, r events.Recorded) error {
	_, id, _ := strings.Cut(r.Stream, "-")
	switch e := r.Event.(type) {
	case events.CertificateUploaded:
		return p.replace(ctx, r, ofCertificate, e.Certificate, id+"/"+e.Environment, subject{Company: id, Since: r.Meta.At})
	case events.NumberingRangeUploaded:
		about := subject{Company: e.Company, Series: id, Since: r.Meta.At}
		if err := p.replace(ctx, r, ofRange, e.Range, id, about); err != nil {
			return err
		}
		if err := p.put(ctx, r, ofLoss, e.Range, "", about); err != nil {
			return err
		}
		return p.put(ctx, r, ofSeries, id, "", about)
	case events.SubmissionOpened, events.NumberingStartConfigured, events.SeriesReleased:
		company, _, _ := strings.Cut(id, "-")
		return p.put(ctx, r, ofSeries, id, "", subject{Company: company, Series: id, Since: r.Meta.At})
	}
	return nil
}

// replace puts an item and takes the others of its group away.
func (p *Processor) replace(ctx context.Context, r events.Recorded, kind, id, group string, about subject) error {
	group = kind + "/" + group
	older, err := p.list.InGroup(ctx, group, atOnce)
	if err != nil {
		return err
	}
	for _, it := range older {
		if it.Key != kind+"/"+id && it.At.Before(r.Position) {
			if err := p.list.Remove(ctx, it.Key, it.At); err != nil {
				return err
			}
		}
	}
	return p.put(ctx, r, kind, id, group, about)
}

func (p *Processor) put(ctx context.Context, r events.Recorded, kind, id, group string, about subject) error {
	body, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := p.list.Put(ctx, tables.Item{Key: kind + "/" + id, Group: group, Order: r.Position, At: r.Position, Body: body}); err != nil {
		return err
	}
	processors.Kick(p.wake)
	return nil
}
