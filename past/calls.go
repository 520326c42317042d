package past

import "folio/events"

// Call is an exchange with the authority, and the position of the fact that tells of it.
type Call struct {
	events.Call
	Position events.Position
}

// CallsIn are the exchanges that a recorded fact tells of.
func CallsIn(r events.Recorded) (out []Call) {
	for _, c := range CallsOf(r.Event) {
		out = append(out, Call{c, r.Position})
	}
	return out
}

// CallsOf are the exchanges with the authority that a fact tells of, in their order.
func CallsOf(e events.Event) []events.Call {
	switch e := e.(type) {
	case events.SubmissionSplit:
		return e.Calls
	case events.EnvelopeRenewed:
		return e.Calls
	case events.SubmissionSettled:
		return e.Calls
	case events.SeriesHeld:
		return e.Calls
	case events.PurchaseReceived:
		return e.Calls
	case events.PurchaseCorrected:
		return e.Calls
	case events.PurchaseVerified:
		return e.Calls
	case events.DailyReportAccepted:
		return e.Calls
	case events.DailyReportRejected:
		return e.Calls
	}
	return nil
}
