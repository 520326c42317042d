package caea_test

import (
	"testing"

	"folio/commands/caea"
	"folio/commands/commandtest"
	"folio/events"
)

type row = commandtest.Case[caea.Command]

var (
	asked   = events.CAEARequested{Company: "C1", Environment: "Testing", Period: "202612", Order: 1}
	granted = events.CAEAGranted{Code: "36440000000017", From: "2026-12-01", To: "2026-12-15", ReportUntil: "2026-12-23"}
	debt    = []events.AuthorityMessage{{Code: "15016", Text: "no point"}}
	refused = events.CAEARefused{Reasons: debt}
	idle    = events.NoMovementReported{Point: 9003}
	doubted = events.NoMovementRefused{Point: 9003, Reasons: []events.AuthorityMessage{{Code: "1202", Text: "used"}}}
	closed  = events.CAEAClosed{Reported: 2}
	held    = []events.Event{asked, granted}
)

func TestACodeIsAskedForAndHeldOnce(t *testing.T) {
	other := granted
	other.Code = "36440000000018"
	commandtest.Run(t, caea.Decider,
		row{Name: "asked", When: caea.Request{Requested: asked}, Then: []events.Event{asked}},
		row{Name: "once", Given: []events.Event{asked}, When: caea.Request{Requested: asked}},
		row{Name: "granted", Given: []events.Event{asked}, When: caea.Grant{Granted: granted}, Then: []events.Event{granted}},
		row{Name: "the same again", Given: held, When: caea.Grant{Granted: granted}},
		row{Name: "another one", Given: held, When: caea.Grant{Granted: other}, Err: caea.ErrOther},
		row{Name: "refused", Given: []events.Event{asked}, When: caea.Refuse{Refused: refused},
			Then: []events.Event{refused}},
		row{Name: "for the same reasons", Given: []events.Event{asked, refused}, When: caea.Refuse{Refused: refused}},
		row{Name: "granted after all", Given: []events.Event{asked, refused}, When: caea.Grant{Granted: granted},
			Then: []events.Event{granted}},
		row{Name: "what is held is not refused", Given: held, When: caea.Refuse{Refused: refused}},
		row{Name: "a notice of a kind is given once", Given: append(held, events.CAEAWarned{Kind: "one_day_left"}),
			When: caea.Warn{Warned: events.CAEAWarned{Kind: "one_day_left", Left: 3}}},
	)
}

func TestACodeIsClosedWhenAllOfItIsReported(t *testing.T) {
	close := func(points ...caea.Point) caea.Close { return caea.Close{Points: points} }
	used := caea.Point{Number: 9003, Issued: 2, Reported: 2}
	commandtest.Run(t, caea.Decider,
		row{Name: "reported", Given: held, When: close(used), Then: []events.Event{closed}},
		row{Name: "without a point", Given: held, When: close(), Then: []events.Event{events.CAEAClosed{}}},
		row{Name: "once", Given: append(held, closed), When: close(used)},
		row{Name: "not before it is held", When: close(), Err: caea.ErrNotHeld},
		row{Name: "one is due", Given: held, When: close(caea.Point{Number: 9003, Issued: 2, Reported: 1}),
			Err: caea.ErrOwed},
		row{Name: "an idle point was not told", Given: held, When: close(used, caea.Point{Number: 9004}), Err: caea.ErrOwed},
		row{Name: "an idle point was told", Given: append(held, events.NoMovementReported{Point: 9004}),
			When: close(used, caea.Point{Number: 9004}), Then: []events.Event{closed}},
		row{Name: "a foreign number", Given: held,
			When: close(caea.Point{Number: 9003, Issued: 2, Reported: 2, Foreign: true}),
			Err:  caea.ErrOwed},
		row{Name: "no movement", Given: held, When: caea.ReportNoMovement{Reported: idle}, Then: []events.Event{idle}},
		row{Name: "no movement, once", Given: append(held, idle), When: caea.ReportNoMovement{Reported: idle}},
		row{Name: "no movement of no code", When: caea.ReportNoMovement{Reported: idle}, Err: caea.ErrNotHeld},
		row{Name: "somebody else used the point", Given: held, When: caea.DoubtNoMovement{Refused: doubted},
			Then: []events.Event{doubted}},
		row{Name: "told once", Given: append(held, doubted), When: caea.DoubtNoMovement{Refused: doubted}},
		row{Name: "a doubt that was put right", Given: append(held, doubted), When: caea.ReportNoMovement{Reported: idle},
			Then: []events.Event{idle}},
	)
}

func TestFortnightNames(t *testing.T) {
	f := caea.Fortnight{Company: "C1", Environment: "Testing", Period: "202612", Order: 2}
	if got, err := caea.Parse(f.ID()); err != nil || got != f || f.Name() != "202612-2" {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "C1-Testing-202612-3", "C1-Testing-2026-1", "C1-Testing-202612",
		"C1-Testing-202612-01"} {
		if f, err := caea.Parse(bad); err == nil {
			t.Errorf("%q is %v", bad, f)
		}
	}
}
