package projections

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Series is the state of one numbering series: what pending reasons and operators
// look at. The truth about numbers is its stream, not this.
type Series struct {
	engine.Place

	ID string `json:"id"` // <company>-<environment>-<official code>-<point of sale>
	// Last is the last number known to be used: accepted, or of another system.
	Last int64 `json:"last"`
	// LastAccepted is the last number that the authority gave to one of ours.
	LastAccepted int64            `json:"last_accepted"`
	Open         []OpenSubmission `json:"open,omitempty"` // in order of their numbers
	Held         *Hold            `json:"held,omitzero"`  // nil while the series goes on
	Ranges       []SeriesRange    `json:"ranges,omitzero"`
}

// OpenSubmission is what was sent and is not settled.
type OpenSubmission struct {
	Submission string    `json:"submission"`
	First      int64     `json:"first"`
	Invoices   []string  `json:"invoices"`
	OpenedAt   time.Time `json:"opened_at"` // UTC
}

// Hold is why a series waits for an operator.
type Hold struct {
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"` // UTC
}

// SeriesID is the id of a series' document: the name of its stream after "numbering-".
func SeriesID(company, environment string, officialCode, pointOfSale int) string {
	return company + "-" + environment + "-" + strconv.Itoa(officialCode) + "-" + strconv.Itoa(pointOfSale)
}

// name is part of every fold, because any event of the stream may be the first.
func (s *Series) name(r events.Recorded) { s.ID = engine.ByStream(r, events.SeriesHeld{}) }

// Numbering keeps each numbering series.
var Numbering = engine.Define("numbering", 4,
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.SubmissionOpened) {
		d.name(r)
		d.Last = max(d.Last, e.AuthorityLast)
		d.take(e.Range, e.First, int64(len(e.Invoices)))
		d.Open = append(d.Open, OpenSubmission{Submission: e.Submission, First: e.First, Invoices: e.Invoices,
			OpenedAt: r.Meta.At.UTC()})
	}),
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.SubmissionSettled) {
		d.name(r)
		d.Open = slices.DeleteFunc(d.Open, func(o OpenSubmission) bool { return o.Submission == e.Submission })
		for _, o := range e.Outcomes {
			if o.Result == events.Accepted {
				d.LastAccepted = max(d.LastAccepted, o.Number)
			}
		}
		d.Last = max(d.Last, d.LastAccepted)
	}),
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.ContingencyIssued) {
		d.name(r)
		d.LastAccepted = max(d.LastAccepted, e.Number)
		d.Last = max(d.Last, d.LastAccepted)
	}),
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.ForeignNumbersNoticed) {
		d.name(r)
		d.Last = max(d.Last, e.To)
	}),
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.NumberingRangeUploaded) {
		d.name(r)
		d.Ranges = append(d.Ranges, SeriesRange{e.Range, e.From, e.To, e.From})
	}),
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.NumberingStartConfigured) {
		d.name(r)
		d.start(e.Range, e.From)
	}),
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.SeriesHeld) {
		d.name(r)
		d.Held = &Hold{Reason: e.Reason, Since: r.Meta.At.UTC()}
	}),
	engine.On(engine.ByStream, func(d *Series, r events.Recorded, e events.SeriesReleased) {
		d.name(r)
		d.Held = nil
		d.release(e.Range, e.Next)
	}),
	engine.Attributes(func(d *Series) map[string]string {
		company, _, _ := strings.Cut(d.ID, "-")
		state := "goes on"
		if d.Held != nil {
			state = "held"
		}
		return map[string]string{"state": state, "company": company}
	}, tables.Attribute{Name: "state"}, tables.Attribute{Name: "company", Indexed: true}),
)
