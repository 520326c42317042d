package notices_test

import (
	"fmt"
	"slices"
	"time"

	"folio/country"
	"folio/events"
)

// A reference is what the specification's two schedules promise, written from their words:
// it knows nothing of worklists, and looks at every thing at every full hour.

// heldCertificate is the newest certificate of a company and environment.
type heldCertificate struct {
	id               string
	uploaded, expiry time.Time
}

// heldRange is a range of a series.
type heldRange struct {
	events.NumberingRangeUploaded
	uploaded time.Time
	next     int64
}

// series are the ranges of one kind of document, in the order of their upload.
type series struct {
	*customer
	stream string
	code   int
	ranges []heldRange
}

// customer is a company and what it holds.
type customer struct {
	id           string
	rules        country.Rules
	certificates map[string]heldCertificate // the newest of each environment
	series       []*series
}

func (c *customer) today(now time.Time) string {
	return now.In(c.rules.Location()).Format(time.DateOnly)
}

// before is the day that is n days before a date.
func before(date string, n int) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return t.AddDate(0, 0, -n).Format(time.DateOnly)
}

// scheduled is the latest notice of a schedule whose day has come since the thing is there.
func scheduled(schedule []int, end, since, today string) (notice int, found bool) {
	for _, n := range schedule {
		if on := before(end, n); since <= on && on <= today {
			notice, found = n, true
		}
	}
	return notice, found
}

// owed are the notices that a customer must have been given by now.
func (c *customer) owed(now time.Time) (out []string) {
	for _, held := range c.certificates {
		end := c.today(held.expiry)
		schedule := []int{60, 45, 30, 15, 5, 2, 1}
		for left := 1; left < 60; left++ {
			if before(end, left) == c.today(held.uploaded) && !slices.Contains(schedule, left) {
				schedule = append(schedule, left) // at once
				slices.SortFunc(schedule, func(a, b int) int { return b - a })
			}
		}
		n, found := scheduled(schedule, end, c.today(held.uploaded), c.today(now))
		if found && c.today(now) < end {
			out = append(out, fmt.Sprintf("CER %s %d", held.id, n))
		}
	}
	for _, s := range c.series {
		out = append(out, s.owed(now)...)
	}
	return out
}

// firstNotice is the specification's column of figures, for kinds of each class.
var firstNotice = map[string]map[int]int64{
	"AR": nil, // numbers come from no files there
	"CL": {33: 20, 39: 50, 61: 10},
	"UY": {101: 50, 111: 20, 181: 10},
}

func (s *series) owed(now time.Time) (out []string) {
	if len(s.ranges) == 0 {
		return nil
	}
	newest, today := s.ranges[len(s.ranges)-1], s.today(now)
	if newest.ExpiresOn != "" && newest.next <= newest.To {
		if n, found := scheduled([]int{7, 1, 0, -1}, newest.ExpiresOn, s.today(newest.uploaded), today); found {
			out = append(out, fmt.Sprintf("ENU %s expiry %d", newest.Range, n))
		}
	}
	var left, total int64
	for _, r := range s.ranges {
		if r.next <= r.To && (r.ExpiresOn == "" || today <= r.ExpiresOn) {
			left, total = left+r.To-r.next+1, total+r.To-r.From+1
		}
	}
	few := left <= firstNotice[s.rules.Code()][s.code] || 100*left <= 20*total
	switch {
	case left == 0:
		out = append(out, fmt.Sprintf("ENU %s quantity 3", newest.Range))
	case left == 1:
		out = append(out, fmt.Sprintf("ENU %s quantity 2", newest.Range))
	case few && newest.next > newest.From:
		out = append(out, fmt.Sprintf("ENU %s quantity 1", newest.Range))
	}
	return out
}

// usable is the first range with numbers left, nil for none.
func (s *series) usable(now time.Time) *heldRange {
	for i, r := range s.ranges {
		if r.next <= r.To && (r.ExpiresOn == "" || s.today(now) <= r.ExpiresOn) {
			return &s.ranges[i]
		}
	}
	return nil
}
