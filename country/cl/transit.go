package cl

import (
	"strings"
	"time"
	"unicode/utf8"

	"folio/country"
	"folio/country/figures"
	"folio/events"
)

// covers says that the document itself covers goods in transit (Res. Ex. SII 154/2025): a
// guía, and a factura whose goods the issuer delivers (TipoDespacho 2 and 3). Whether SII
// asks it of goods that the buyer fetches (1) is unverified: a figure says.
func (c *checker) covers() bool {
	invoice := c.kind.Code == codeInvoice || c.kind.Code == codeExemptInvoice
	fetched := c.header.DispatchType == 1 && c.figures.Holds("CL", figures.GoodsFetched, country.Either(c.date, c.today))
	return c.known && (c.kind.Code == codeDispatch || invoice && (c.header.DispatchType > 1 || fetched))
}

// checkTransit reads when goods leave and arrive, and asks for all that a document which
// covers goods in transit says since Res. Ex. SII 154/2025 is in force (2026-11-01 by Res.
// Ex. SII 52/2026; the day is a figure).
func (c *checker) checkTransit() {
	t := *c.header.Transport
	c.told(country.HeaderPath("transport.trailer_plate"), t.TrailerPlate, 8)
	c.told(country.HeaderPath("transport.long_move_reason"), t.LongMoveReason, 100)
	leaves, _ := c.readDate(country.HeaderPath("transport.departure_at"), t.DepartureAt, time.DateTime)
	arrives, _ := c.readDate(country.HeaderPath("transport.arrival_date"), t.ArrivalDate, time.DateOnly)
	if t.PlatesUnknown && (t.Plate != "" || t.TrailerPlate != "") {
		c.Add(country.HeaderPath("transport.plates_unknown"), "CL-TRANSIT-02", "there is a plate: leave plates_unknown out")
	}
	long := !leaves.IsZero() && arrives.After(leaves)
	switch {
	case !leaves.IsZero() && !arrives.IsZero() && arrives.Before(leaves):
		c.Add(country.HeaderPath("transport.arrival_date"), "CL-TRANSIT-02", "the goods arrive before they leave on %s", leaves.Format(time.DateOnly))
	case t.LongMoveReason != "" && !long:
		c.Add(country.HeaderPath("transport.arrival_date"), "CL-TRANSIT-02", "a move of more than a day needs departure_at and a later arrival_date")
	}
	if said := transitWords(t); said != "" && len(c.d.Items) > 0 && utf8.RuneCountInString(lineItem(c.d.Items[0], said)) > maxDescription {
		c.Add("items[0].description", "CL-TRANSIT-02", "it leaves no room for %q, which DscItem must say: make it shorter", said)
	}
	if !c.covers() || !c.figures.Holds("CL", figures.GoodsInTransit, country.Either(c.date, c.today)) {
		return
	}
	for _, x := range []struct{ member, value string }{
		{"address", t.Address}, {"comuna", t.Comuna}, {"carrier_rut", t.CarrierRUT}, {"driver_rut", t.DriverRUT}, {"departure_at", t.DepartureAt},
	} {
		if strings.TrimSpace(x.value) == "" {
			c.Add(country.HeaderPath("transport."+x.member), "CL-TRANSIT-01", "a document that covers goods in transit says it (Res. Ex. SII 154/2025)")
		}
	}
	if strings.TrimSpace(t.Plate) == "" && !t.PlatesUnknown {
		c.Add(country.HeaderPath("transport.plate"), "CL-TRANSIT-01", "a document that covers goods in transit says the plate, or plates_unknown: true (Res. Ex. SII 154/2025)")
	}
	if long && t.LongMoveReason == "" {
		c.Add(country.HeaderPath("transport.long_move_reason"), "CL-TRANSIT-01", "a document covers a move of more than a day only if it says why it takes so long (Res. Ex. SII 154/2025)")
	}
}

// transitWords is what a document must say in words: that the plates are unknown, and why
// a move takes more than a day with the day of delivery (Res. Ex. SII 154/2025).
func transitWords(t Transport) string {
	var said []string
	if t.PlatesUnknown {
		said = append(said, "Patentes desconocidas al emitir este documento.")
	}
	if t.LongMoveReason != "" {
		said = append(said, "Traslado de más de un día: "+strings.TrimSuffix(line(t.LongMoveReason), ".")+". Entrega estimada: "+printDay(t.ArrivalDate)+".")
	}
	return strings.Join(said, " ")
}

// lineItem is DscItem of a line that says something more.
func lineItem(item events.Item, said string) string {
	return strings.TrimSpace(line(item.Description) + ". " + said)
}

// departure are FchSalida and HraSalida; a form prints both.
func (t Transport) departure() (day, hour string) {
	if len(t.DepartureAt) != len(time.DateTime) {
		return "", ""
	}
	return t.DepartureAt[:len(time.DateOnly)], t.DepartureAt[len(time.DateOnly)+1:]
}
