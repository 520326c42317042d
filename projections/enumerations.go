package projections

import (
	"slices"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Enumeration is an uploaded numbering range. How far it is used up is known by its
// series: see Series.Ranges.
type Enumeration struct {
	engine.Place

	ID           string    `json:"id"` // id_enumeration
	Company      string    `json:"company"`
	SeriesID     string    `json:"series_id"` // document of Numbering
	Environment  string    `json:"environment"`
	DocumentType int       `json:"document_type"` // id of Folio's catalogue
	OfficialCode int       `json:"official_code"`
	Series       string    `json:"series,omitzero"`
	From         int64     `json:"from"`
	To           int64     `json:"to"`
	ExpiresOn    string    `json:"expires_on,omitzero"` // YYYY-MM-DD
	UploadedAt   time.Time `json:"uploaded_at"`         // UTC
}

// Enumerations keeps each uploaded range, in the list of its company.
var Enumerations = engine.Define("enumerations", 1,
	engine.On(func(_ events.Recorded, e events.NumberingRangeUploaded) string { return e.Range },
		func(d *Enumeration, r events.Recorded, e events.NumberingRangeUploaded) {
			d.ID, d.Company, d.SeriesID, d.Environment = e.Range, e.Company, engine.ByStream(r, e), e.Environment
			d.DocumentType, d.OfficialCode, d.Series = e.DocumentType, e.OfficialCode, e.Series
			d.From, d.To, d.ExpiresOn, d.UploadedAt = e.From, e.To, e.ExpiresOn, r.Meta.At.UTC()
		}),
	engine.Listed[Enumeration](func(_ events.Recorded, e events.NumberingRangeUploaded) string { return e.Company }),
	engine.Attributes(func(d *Enumeration) map[string]string {
		return map[string]string{"environment": d.Environment}
	}, tables.Attribute{Name: "environment"}),
)

// SeriesRange is a range of a series, and the first number of it that is free.
type SeriesRange struct {
	ID   string `json:"id"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Next int64  `json:"next"` // To+1 when none is free
}

// take moves the range on past numbers that a submission took: the one that it names,
// or, before submissions named theirs, the one that holds the numbers.
func (s *Series) take(id string, first, count int64) {
	for i, r := range s.Ranges {
		if r.From <= first && first <= r.To && (id == "" || r.ID == id) {
			s.Ranges[i].Next = max(r.Next, first+count)
		}
	}
}

// start moves a range on to its configured first number.
func (s *Series) start(id string, from int64) {
	for i, r := range s.Ranges {
		if r.ID == id {
			s.Ranges[i].Next = max(r.Next, from)
		}
	}
}

// release moves the ranges on to the next number that an operator named: those before
// the range that it is of are spent. Next is 0 when none was named.
func (s *Series) release(id string, next int64) {
	i := slices.IndexFunc(s.Ranges, func(r SeriesRange) bool { return r.ID == id })
	if next == 0 || i < 0 {
		return
	}
	for n := range i {
		s.Ranges[n].Next = s.Ranges[n].To + 1
	}
	s.Ranges[i].Next = max(s.Ranges[i].Next, next)
}
