package past

import "folio/events"

// Call is an exchange with the authority, and the position of the fact that tells of it.
type Call struct {
	events.Call
	Position events.Position
}

// CallsIn are the exchanges that a recorded fact tells of.
func CallsIn(r events.Recorded) (out []Call) {
	for _, c := range events.CallsOf(r.Event) {
		out = append(out, Call{c, r.Position})
	}
	return out
}
