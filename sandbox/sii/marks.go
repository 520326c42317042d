package sii

import (
	"regexp"
	"time"

	"folio/sandbox/desk"
)

// Marks are the recipients that cause a fault: a RUT 99.9900.NN, whatever its check digit.
var Marks = []desk.Mark{
	{Number: 1, Fault: Fault{Effect: Reject, Code: "HED-3-340"}},
	{Number: 2, Fault: Fault{Effect: Remark, Code: "HED-2-340"}},
	{Number: 3, Fault: Fault{Effect: desk.Lose}},
	{Number: 4, Fault: Fault{Effect: desk.Hang}},
	{Number: 5, Fault: Fault{Effect: desk.HTTP500}},
	{Number: 6, Fault: Fault{Effect: desk.HTML}},
	{Number: 7, Fault: Fault{Effect: desk.Slow, Delay: desk.Duration(5 * time.Second)}},
	{Number: 8, Fault: Fault{Effect: desk.Down, Delay: desk.Duration(30 * time.Second)}},
	{Number: 9, Fault: Fault{Effect: Cover, Code: "RCT"}},
	{Number: 10, Fault: Fault{Effect: desk.Truncate}},
	{Number: 11, Fault: Fault{Effect: Error, Code: "9"}},
	{Number: 12, Fault: Fault{Effect: Stick}},
}

var marking = desk.Marking{
	Recipients: Marks, Blocking: []desk.Effect{Error}, Coded: []desk.Effect{Error, Reject, Remark, Cover},
	Lasting: []desk.Effect{Reject, Remark, Cover, Stick},
	Unknown: Fault{Effect: Reject, Code: "DTE-3-999"},
}

var markedRUT = regexp.MustCompile(`^999900(\d\d)-[\dK]$`)

// stamped is the TED. It repeats the first item's name, cut to 40 characters: the mark in
// it is the same one a second time, or half of it.
var stamped = regexp.MustCompile(`(?s)<TED[ >].*?</TED>`)

// marks are the faults that the documents of an envelope ask for.
func (c *call) marks(s sending, e set) []Fault {
	documents := make([]desk.Marked, len(e.documents))
	for i, d := range e.documents {
		faults := c.Desk.ByText(marking, stamped.ReplaceAllString(d.text, ""))
		if found := markedRUT.FindStringSubmatch(d.at("Encabezado/Receptor/RUTRecep")); found != nil {
			faults = append(marking.ByNumber(found[1]), faults...)
		}
		documents[i] = desk.Marked{Identity: d.text, Faults: faults}
	}
	return c.Due(marking, c.environment, s.issuer, documents)
}
