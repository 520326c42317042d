package dgi

import (
	"regexp"
	"time"

	"folio/sandbox/desk"
)

// Marks are the recipients that cause a fault: a RUT whose digits three to eight are
// 9900NN, and a CI 99900NN.
var Marks = []desk.Mark{
	{Number: 1, Fault: Fault{Effect: Reject, Code: "E05"}},
	{Number: 2, Fault: Fault{Effect: Cover, Code: "S04"}},
	{Number: 3, Fault: Fault{Effect: desk.Lose}},
	{Number: 4, Fault: Fault{Effect: desk.Hang}},
	{Number: 5, Fault: Fault{Effect: desk.HTTP500}},
	{Number: 6, Fault: Fault{Effect: desk.HTML}},
	{Number: 7, Fault: Fault{Effect: desk.Slow, Delay: desk.Duration(5 * time.Second)}},
	{Number: 8, Fault: Fault{Effect: desk.Down, Delay: desk.Duration(30 * time.Second)}},
	{Number: 9, Fault: Fault{Effect: Stick}},
	{Number: 10, Fault: Fault{Effect: desk.Truncate}},
	{Number: 11, Fault: Fault{Effect: Error, Code: "99"}},
	{Number: 12, Fault: Fault{Effect: SOAPFault}},
}

var marking = desk.Marking{
	Recipients: Marks, Blocking: []desk.Effect{Error, SOAPFault}, Coded: []desk.Effect{Error, Cover, Reject, SOAPFault},
	Lasting: []desk.Effect{Reject, Cover, Stick, Partial},
	Unknown: Fault{Effect: Reject, Code: "E14"},
}

var (
	markedRUT = regexp.MustCompile(`^\d\d9900(\d\d)\d{4}$`)
	markedCI  = regexp.MustCompile(`^99900(\d\d)\d$`)
)

// markedNumber is NN of who receives the document, "" for others.
func markedNumber(d cfe) string {
	form := map[string]*regexp.Regexp{"2": markedRUT, "3": markedCI}[d.at("Encabezado/Receptor/TipoDocRecep")]
	if form == nil {
		return ""
	}
	if found := form.FindStringSubmatch(d.recipient()); found != nil {
		return found[1]
	}
	return ""
}
