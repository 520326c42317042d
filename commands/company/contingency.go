package company

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"folio/events"
	"folio/fault"
)

// ConfigureContingency says how a point of sale goes on while the authority is away; the same
// again is nothing new. A point whose documents the authority authorizes in ordinary times is
// no contingency point, and the other way round. That the authority calls the point one was
// asked before. What is switched off keeps its contingency point: nobody asked about another one.
type ConfigureContingency struct {
	PointOfSale int
	Contingency events.Contingency
}

// MaxContingencies is how many points of sale of a company may have a contingency. Folio's
// bound: all of them are held with the company.
const MaxContingencies = 50

// MaxContingencyPoints is how many points of sale a company may ever name as contingency points: each of them is asked
// whether anything of it is due. Folio's bound.
const MaxContingencyPoints = 500

func (c ConfigureContingency) decide(s State) ([]events.Event, error) {
	known, again := s.Contingencies[c.PointOfSale]
	off := c.Contingency.Mode == events.ContingencyOff
	if off && c.Contingency.PointOfSale == 0 {
		c.Contingency.PointOfSale = known.PointOfSale
	}
	switch {
	case !s.Exists():
		return nil, ErrUnknown
	case again && known == c.Contingency, !again && off:
		return nil, nil
	case off && c.Contingency.PointOfSale != known.PointOfSale:
		return nil, fault.Field(pointField, "NOT_THE_CONTINGENCY_POINT", fmt.Sprintf(
			"What is switched off keeps its contingency point, %d: name that one, or leave the field out.",
			known.PointOfSale))
	case !again && len(s.Contingencies) >= MaxContingencies:
		return nil, fault.New(fault.Conflict, "TOO_MANY_CONTINGENCIES", fmt.Sprintf(
			"The company has %d points of sale with a contingency, the most that one may have.",
			len(s.Contingencies))).About(pointField)
	case !off && s.clashes(c):
		return nil, ErrClash
	case len(s.pointsWith(c.Contingency.PointOfSale)) > MaxContingencyPoints:
		return nil, fault.New(fault.Conflict, "TOO_MANY_CONTINGENCIES", fmt.Sprintf(
			"The company has named %d contingency points since it began, the most that one may: name one of them.",
			MaxContingencyPoints)).About(pointField)
	}
	return []events.Event{events.ContingencyConfigured{PointOfSale: c.PointOfSale, Contingency: c.Contingency}}, nil
}

// pointField is the field of a request that names the contingency point.
const pointField = "contingency_point_of_sale"

// ErrClash refuses a contingency point that is an ordinary one as well.
var ErrClash = fault.New(fault.Conflict, "CONTINGENCY_POINT_IN_USE",
	"The contingency point of sale must be another one than any ordinary point of the company: the authority authorizes "+
		"documents of a point in one way only.")

// clashes says whether a point would be ordinary and for contingencies at once. What was set
// to off counts: documents of then may still be due there.
func (s State) clashes(c ConfigureContingency) bool {
	if c.PointOfSale == c.Contingency.PointOfSale {
		return true
	}
	for ordinary, set := range s.Contingencies {
		if ordinary == c.Contingency.PointOfSale || set.PointOfSale == c.PointOfSale {
			return true
		}
	}
	return false
}

// ContingencyOf is how a point of sale goes on; off where nothing was set.
func (s State) ContingencyOf(point int) events.Contingency {
	if c, ok := s.Contingencies[point]; ok {
		return c
	}
	return events.Contingency{Mode: events.ContingencyOff}
}

// OrdinaryOf is the ordinary point of sale that a contingency point stands in for, 0 where it is
// the contingency point of none. What was set to off counts: documents of then may still be due.
func (s State) OrdinaryOf(contingency int) int {
	for ordinary, set := range s.Contingencies {
		if set.PointOfSale == contingency {
			return ordinary
		}
	}
	return 0
}

// NamedAfter says whether a setting named the contingency point at any time after the moment. What was set to off
// counts.
func (s State) NamedAfter(contingency int, moment time.Time) bool {
	return s.OrdinaryOf(contingency) != 0 || s.renamed[contingency].After(moment)
}

// OnContingency says whether any point of sale of the company has a contingency.
func (s State) OnContingency() bool {
	for _, c := range s.Contingencies {
		if c.Mode != events.ContingencyOff {
			return true
		}
	}
	return false
}

func (s State) configured(e events.ContingencyConfigured) map[int]events.Contingency {
	out := maps.Clone(s.Contingencies)
	if out == nil {
		out = map[int]events.Contingency{}
	}
	out[e.PointOfSale] = e.Contingency
	return out
}

// renamedBy are the moments with that of a setting that takes another contingency point.
func (s State) renamedBy(e events.ContingencyConfigured) map[int]time.Time {
	known, again := s.Contingencies[e.PointOfSale]
	if !again || known.PointOfSale == e.Contingency.PointOfSale {
		return s.renamed
	}
	out := map[int]time.Time{}
	maps.Copy(out, s.renamed)
	out[known.PointOfSale] = s.recorded
	return out
}

// pointsWith are the contingency points with one more.
func (s State) pointsWith(point int) []int {
	at, known := slices.BinarySearch(s.ContingencyPoints, point)
	if known || point == 0 {
		return s.ContingencyPoints
	}
	return slices.Insert(slices.Clone(s.ContingencyPoints), at, point)
}
