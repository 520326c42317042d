package country

import (
	"slices"

	"folio/events"
)

// The reasons that a note may give: Chile's CodRef. Uruguay has no codes, DGI is told the
// text.
const (
	Cancels        = "1" // the document that is named
	CorrectsText   = "2"
	CorrectsAmount = "3"
)

// ReasonTexts are what SII and DGI are told of each reason (RazonRef).
var ReasonTexts = map[string]string{
	Cancels: "Anula documento de referencia", CorrectsText: "Corrige texto de documento de referencia",
	CorrectsAmount: "Corrige montos",
}

// Reasons are the different reasons that references give.
func Reasons(references []events.Reference) []string {
	var all []string
	for _, r := range references {
		if r.ReasonCode != "" && !slices.Contains(all, r.ReasonCode) {
			all = append(all, r.ReasonCode)
		}
	}
	return all
}
