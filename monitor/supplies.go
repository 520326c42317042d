package monitor

import (
	"context"
	"math"
	"strconv"
	"time"

	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// place labels a figure about certificates and numbers that run out.
type place struct{ country, environment string }

// kindOf names numbers of one document type.
type kindOf struct {
	place
	officialCode string
}

// supplies are what runs out: the least of each over all companies, and how many have none.
type supplies struct {
	certificateDays map[place]float64 // of certificates in force
	expired         map[place]int64   // companies whose newest certificate has expired
	numbers         map[kindOf]int64  // of series that have any
	spent           map[kindOf]int64  // series with ranges of which no number is left
	rangeDays       map[kindOf]float64
}

// supplies reads certificates and numbering ranges: as many as companies have, which is few beside their invoices.
func (s Sources) supplies(ctx context.Context, now time.Time) (supplies, error) {
	out := supplies{certificateDays: map[place]float64{}, expired: map[place]int64{}, numbers: map[kindOf]int64{},
		spent: map[kindOf]int64{}, rangeDays: map[kindOf]float64{}}
	countries := map[string]string{}
	if err := s.each(ctx, projections.Companies, func(d tables.Document) error {
		c, err := engine.Decode[projections.Company](projections.Companies, d)
		if err != nil {
			return err
		}
		countries[c.ID] = c.Country
		out.certificates(c, now)
		return nil
	}); err != nil {
		return out, err
	}
	left := map[string]int64{} // numbers, by range
	if err := s.each(ctx, projections.Numbering, func(d tables.Document) error {
		n, err := engine.Decode[projections.Series](projections.Numbering, d)
		for _, r := range n.Ranges {
			left[r.ID] = r.To - r.Next + 1
		}
		return err
	}); err != nil {
		return out, err
	}
	all := map[string]stock{}
	err := s.each(ctx, projections.Enumerations, func(d tables.Document) error {
		e, err := engine.Decode[projections.Enumeration](projections.Enumerations, d)
		if err != nil {
			return err
		}
		k := kindOf{place{countries[e.Company], e.Environment}, strconv.Itoa(e.OfficialCode)}
		days, expires := s.daysLeft(k.country, e.ExpiresOn, now)
		if !expires {
			days = math.Inf(1)
		}
		all[e.SeriesID] = all[e.SeriesID].with(k, left[e.ID], days)
		return nil
	})
	for _, n := range all {
		if n.numbers == 0 {
			out.spent[n.kindOf]++
			continue
		}
		least(out.numbers, n.kindOf, n.numbers)
		if !math.IsInf(n.days, 1) {
			least(out.rangeDays, n.kindOf, n.days)
		}
	}
	return out, err
}

// stock is what a series has: numbers that may still be used, and for how many days the last of them may.
type stock struct {
	kindOf
	numbers int64
	days    float64
}

// with adds a range. Numbers that were left when it expired serve no more.
func (s stock) with(k kindOf, left int64, days float64) stock {
	s.kindOf = k
	if left > 0 && days >= 0 {
		s.numbers, s.days = s.numbers+left, max(s.days, days)
	}
	return s
}

// certificates notes the newest one of each environment of a company: those before it are replaced.
func (s *supplies) certificates(c projections.Company, now time.Time) {
	newest := map[string]projections.CompanyCertificate{}
	for _, cert := range c.Certificates { // in the order of upload
		newest[cert.Environment] = cert
	}
	for environment, cert := range newest {
		end, err := time.Parse(time.RFC3339, cert.ValidTo)
		if err != nil {
			continue // what a certificate says of itself was checked when it was uploaded
		}
		p := place{c.Country, environment}
		if left := end.Sub(now); left > 0 {
			least(s.certificateDays, p, left.Hours()/24)
		} else {
			s.expired[p]++
		}
	}
}

// daysLeft is how many days after today a day is, in the country; false when there is no such day.
func (s Sources) daysLeft(country, day string, now time.Time) (float64, bool) {
	in := s.Zone(country)
	end, err := time.ParseInLocation(time.DateOnly, day, in)
	if err != nil {
		return 0, false
	}
	y, m, d := now.In(in).Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	y, m, d = end.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(today).Hours() / 24, true
}

func least[K comparable, N int64 | float64](of map[K]N, k K, n N) {
	if have, ok := of[k]; !ok || n < have {
		of[k] = n
	}
}
