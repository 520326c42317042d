// Package taxpayer decides which company of a taxpayer may use which numbers, and which one
// issues at which contingency point of sale. The authority knows tax identifiers only, and
// several companies of ours may have the same one.
package taxpayer

import (
	"slices"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State are the claims, in order.
type State struct {
	Claims []events.NumberingRangeClaimed
	Points []events.ContingencyPointClaimed
}

// Command is anything that a company claims of its taxpayer.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Claim takes the numbers of an uploaded file for a company, before the file is recorded
// there. Claiming them again is nothing new, so a crash between the two is put right by
// uploading again.
type Claim struct{ Claim events.NumberingRangeClaimed }

// ErrClaimed refuses numbers that another company of the same taxpayer has.
var ErrClaimed = fault.New(fault.Conflict, "RANGE_OF_ANOTHER_COMPANY",
	"Another company here with the same tax identifier uploaded these numbers: no number may be used twice. Issue from "+
		"that company, or ask the authority for a range of its own for this one.")

func (c Claim) decide(s State) ([]events.Event, error) {
	for _, held := range s.Claims {
		switch {
		case held == c.Claim:
			return nil, nil
		case held.Company != c.Claim.Company && overlap(held, c.Claim):
			return nil, ErrClaimed
		}
	}
	return []events.Event{c.Claim}, nil
}

// Decider gives numbers of one series, and each contingency point, to the first company that claims them.
var Decider = commands.Decider[State, Command]{
	Category: "taxpayer",
	Decide:   Command.decide,
	Evolve: func(s State, e events.Event) State {
		switch e := e.(type) {
		case events.NumberingRangeClaimed:
			s.Claims = append(slices.Clip(s.Claims), e)
		case events.ContingencyPointClaimed:
			s.Points = append(slices.Clip(s.Points), e)
		}
		return s
	},
}

func overlap(a, b events.NumberingRangeClaimed) bool {
	return a.Environment == b.Environment && a.OfficialCode == b.OfficialCode && a.Series == b.Series && a.From <= b.To &&
		b.From <= a.To
}

// ID is the aggregate id: "<country>-<tax identifier>", the identifier in canonical form.
func ID(country, identifier string) string { return country + "-" + identifier }
