package taxpayer_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/taxpayer"
	"folio/events"
)

func TestClaims(t *testing.T) {
	type C = commandtest.Case[taxpayer.Command]
	claim := func(company string, change func(*events.NumberingRangeClaimed)) events.NumberingRangeClaimed {
		c := events.NumberingRangeClaimed{Company: company, Environment: "Production", OfficialCode: 33, From: 1, To: 100}
		if change != nil {
			change(&c)
		}
		return c
	}
	a := claim("a", nil)
	free := func(name string, change func(*events.NumberingRangeClaimed)) C {
		b := claim("b", change)
		return C{Name: name, Given: []events.Event{a}, When: taxpayer.Claim{Claim: b}, Then: []events.Event{b}}
	}
	again := claim("a", func(c *events.NumberingRangeClaimed) { c.From = 50 })
	commandtest.Run(t, taxpayer.Decider,
		C{Name: "the first company gets the numbers", When: taxpayer.Claim{Claim: a}, Then: []events.Event{a}},
		C{Name: "the same company claims them again after a crash", Given: []events.Event{a}, When: taxpayer.Claim{Claim: a}},
		C{Name: "another company is refused", Given: []events.Event{a}, When: taxpayer.Claim{Claim: claim("b", nil)},
			Err: taxpayer.ErrClaimed},
		C{Name: "one number in common is enough", Given: []events.Event{a},
			When: taxpayer.Claim{Claim: claim("b", func(c *events.NumberingRangeClaimed) { c.From, c.To = 100, 200 })},
			Err:  taxpayer.ErrClaimed},
		free("numbers behind them are free", func(c *events.NumberingRangeClaimed) { c.From, c.To = 101, 200 }),
		free("the other environment has numbers of its own",
			func(c *events.NumberingRangeClaimed) { c.Environment = "Testing" }),
		free("another document type too", func(c *events.NumberingRangeClaimed) { c.OfficialCode = 61 }),
		free("and another series letter", func(c *events.NumberingRangeClaimed) { c.Series = "B" }),
		C{Name: "what overlaps within one company is its numbering's to refuse", Given: []events.Event{a},
			When: taxpayer.Claim{Claim: again}, Then: []events.Event{again}},
	)
}

func TestAContingencyPointIsOfOneCompany(t *testing.T) {
	type C = commandtest.Case[taxpayer.Command]
	point := func(company, environment string, n int) events.ContingencyPointClaimed {
		return events.ContingencyPointClaimed{Company: company, Environment: environment, PointOfSale: n}
	}
	when := func(company, environment string, n int) taxpayer.Command {
		return taxpayer.ClaimPoint{Claim: point(company, environment, n)}
	}
	given := []events.Event{point("a", "Production", 9003)}
	commandtest.Run(t, taxpayer.Decider,
		C{Name: "the first company gets the point", When: when("a", "Production", 9003), Then: given},
		C{Name: "claiming it again is nothing new", Given: given, When: when("a", "Production", 9003)},
		C{Name: "another company is refused", Given: given, When: when("b", "Production", 9003),
			Err: taxpayer.ErrPointClaimed},
		C{Name: "another point is free", Given: given, When: when("b", "Production", 9004),
			Then: []events.Event{point("b", "Production", 9004)}},
		C{Name: "the other environment has points of its own", Given: given, When: when("b", "Testing", 9003),
			Then: []events.Event{point("b", "Testing", 9003)}},
		C{Name: "a company without a certificate claims nothing", When: when("b", "", 9003)},
		C{Name: "and is refused what another one has", Given: given, When: when("b", "", 9003),
			Err: taxpayer.ErrPointClaimed},
		C{Name: "its own is its own", Given: given, When: when("a", "", 9003)},
		C{Name: "numbers of files are no points", Given: []events.Event{events.NumberingRangeClaimed{Company: "a",
			Environment: "Production", OfficialCode: 1, From: 1, To: 100}}, When: when("b", "Production", 9003),
			Then: []events.Event{point("b", "Production", 9003)}},
	)
}
