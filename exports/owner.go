package exports

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"folio/events"
)

// kind is how the streams of a category belong to a company.
type kind struct {
	named bool // the company's id begins the aggregate's
	dated bool // in an export of a period only those of documents of the period
	whole bool // only in an export of the whole history
}

// kinds are the categories that an export has.
var kinds = map[string]kind{
	"company":     {named: true},
	"numbering":   {named: true},
	"certificate": {},
	"invoice":     {dated: true},
	"purchase":    {named: true, dated: true},
	"dailyreport": {named: true, dated: true},
	"outage":      {named: true},
	"caea":        {named: true},
	"contingency": {named: true},
	"idempotency": {named: true, whole: true},
}

// streamsKept is how many streams are remembered at a time.
const streamsKept = 50_000

// owner tells which events are the company's and of the period.
type owner struct {
	Order
	log   Log
	known *lru.Cache[string, bool]
}

func newOwner(log Log, o Order) *owner {
	known, err := lru.New[string, bool](streamsKept)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &owner{o, log, known}
}

// prefixes are what the names of streams that may be the company's begin with.
func (o *owner) prefixes() (out []string) {
	for category, k := range kinds {
		switch {
		case k.whole && !o.Whole():
		case k.named:
			out = append(out, category+"-"+o.Company)
		default:
			out = append(out, category+"-")
		}
	}
	return out
}

// counts says whether an event is in the export. As a rule the first event of a stream says whose it is, and comes by
// before the others: only streams that were forgotten meanwhile are looked at.
func (o *owner) counts(ctx context.Context, r events.Recorded) (bool, error) {
	if k, in := kinds[events.Category(r.Stream)]; in && r.Revision == 0 && !k.named {
		if mine, said := o.says(r, k); said {
			o.known.Add(r.Stream, mine)
		}
	}
	return o.has(ctx, r.Stream)
}

// has says whether a stream is in the export.
func (o *owner) has(ctx context.Context, stream string) (bool, error) {
	category, id, _ := strings.Cut(stream, "-")
	k, known := kinds[category]
	if !known || k.whole && !o.Whole() {
		return false, nil
	}
	if k.named {
		if id != o.Company && !strings.HasPrefix(id, o.Company+"-") {
			return false, nil
		}
		if !k.dated || o.Whole() {
			return true, nil
		}
	}
	if in, known := o.known.Get(stream); known {
		return in, nil
	}
	in, err := o.look(ctx, stream, k)
	if err == nil {
		o.known.Add(stream, in)
	}
	return in, err
}

// look reads the first event of a stream that names a company.
func (o *owner) look(ctx context.Context, stream string, k kind) (bool, error) {
	for r, err := range o.log.Read(ctx, stream, 0) {
		if err != nil {
			return false, fmt.Errorf("whose %s is: %w", stream, err)
		}
		if mine, said := o.says(r, k); said {
			return mine, nil
		}
	}
	return false, nil
}

// says reads in an event whose its stream is, if it tells.
func (o *owner) says(r events.Recorded, k kind) (mine, said bool) {
	var d struct {
		Company  string `json:"company"`
		Date     string `json:"date"`
		Document struct {
			Date string `json:"date"`
		} `json:"document"`
	}
	if json.Unmarshal(r.Raw, &d) != nil || d.Company == "" {
		return false, false
	}
	return d.Company == o.Company && (!k.dated || o.dated(d.Document.Date+d.Date)), true
}

// dated says whether a date, which a time may follow, is in the period.
func (o Order) dated(date string) bool {
	day := date[:min(len(date), len("2006-01-02"))]
	return (o.From == "" || o.From <= day) && (o.To == "" || day <= o.To)
}
