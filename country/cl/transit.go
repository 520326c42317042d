package cl

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"folio/country"
	"folio/country/figures"
	"folio/events"
)

// covers says that the document itself covers goods in transit (Res. Ex. SII 154/2025): a
// guía, and a factura whose goods the issuer delivers (TipoDespacho 2 and 3). Whether SII
// asks it of goods that the buyer fetches (1) is unverified: a figure says. A move has one
// document: the goods of a factura that names guías went with those.
func (c *checker) covers() bool {
	if c.kind.Code != codeDispatch && c.namesGuide() >= 0 {
		return false
	}
	invoice := c.kind.Code == codeInvoice || c.kind.Code == codeExemptInvoice
	fetched := c.header.DispatchType == 1 && c.figures.Holds("CL", figures.GoodsFetched, country.Either(c.date, c.today))
	delivered := c.header.DispatchType == 2 || c.header.DispatchType == 3
	return c.known && (c.kind.Code == codeDispatch || invoice && (delivered || fetched))
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
		c.Add(country.HeaderPath("transport.arrival_date"), "CL-TRANSIT-02", "the goods arrive before they leave on %s",
			leaves.Format(time.DateOnly))
	case t.LongMoveReason != "" && !long:
		c.Add(country.HeaderPath("transport.arrival_date"), "CL-TRANSIT-02",
			"a move of more than a day needs departure_at and a later arrival_date")
	}
	if said := transitWords(t); said != "" && len(c.d.Items) > 0 &&
		utf8.RuneCountInString(lineItem(c.d.Items[0], said)) > maxDescription {
		c.Add("items[0].description", "CL-TRANSIT-02", "it leaves no room for %q, which DscItem must say: make it shorter",
			said)
	}
	inForce := c.figures.Holds("CL", figures.GoodsInTransit, country.Either(c.date, c.today))
	if i := c.namesGuide(); inForce && c.known && c.kind.Code != codeDispatch && i >= 0 && t.DepartureAt != "" {
		c.Add(country.HeaderPath("transport.departure_at"), "CL-TRANSIT-04",
			"a move has one document (Res. Ex. SII 154/2025), and the guía of billing_reference[%d] is the one of this move: "+
				"leave departure_at out, or the reference", i)
	}
	if !inForce || !c.covers() {
		return
	}
	for _, x := range []struct{ member, value string }{
		{"address", t.Address}, {"comuna", t.Comuna}, {"carrier_rut", t.CarrierRUT}, {"driver_rut", t.DriverRUT},
		{"departure_at", t.DepartureAt},
	} {
		if country.Blank(x.value) {
			c.Add(country.HeaderPath("transport."+x.member), "CL-TRANSIT-01",
				"a document that covers goods in transit says it (Res. Ex. SII 154/2025)")
		}
	}
	if country.Blank(t.Plate) && !t.PlatesUnknown {
		c.Add(country.HeaderPath("transport.plate"), "CL-TRANSIT-01",
			"a document that covers goods in transit says the plate, or plates_unknown: true (Res. Ex. SII 154/2025)")
	}
	for _, x := range []struct{ member, value string }{{"plate", t.Plate}, {"trailer_plate", t.TrailerPlate}} {
		if x.value != "" && !isPlate(x.value) {
			c.Add(country.HeaderPath("transport."+x.member), "CL-TRANSIT-02",
				"a plate is one vehicle's letters and digits, such as ABCD12: "+
					"a document covers one vehicle (Res. Ex. SII 154/2025), and where the plate is not known it says "+
					"plates_unknown: true")
		}
	}
	c.checkCarried()
	if long && t.LongMoveReason == "" {
		c.Add(country.HeaderPath("transport.long_move_reason"), "CL-TRANSIT-01",
			"a document covers a move of more than a day only if it says why it takes so long (Res. Ex. SII 154/2025)")
	}
}

// namesGuide is the first reference to a guía de despacho (52, or 50 on paper), -1 for none.
func (c *checker) namesGuide() int {
	return slices.IndexFunc(c.d.BillingReference, func(r events.Reference) bool {
		return r.OfficialCode == codeDispatch || r.OfficialCode == 50
	})
}

// isPlate says that a text can be the plate of a vehicle, in Chile or elsewhere: words such
// as "varias" and two plates cannot.
func isPlate(text string) bool {
	digits := false
	for _, r := range text {
		switch {
		case '0' <= r && r <= '9':
			digits = true
		case 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', strings.ContainsRune(" .-·", r):
		default:
			return false
		}
	}
	return digits
}

// notCarried are units of what is no goods.
var notCarried = []string{"kwh", "hour", "day", "month"}

// checkCarried asks of each line what is carried: how much of it, as a number, weight or
// volume, and its unit price. The price may be missing where goods move without a sale,
// which transfer_type then tells (Res. Ex. SII 154/2025; of a guía only IndTraslado 1 is a
// sale for certain). SII has no elements for weight and volume: they are QtyItem and
// UnmdItem. A factura may have lines that are services.
func (c *checker) checkCarried() {
	guide, goods := c.kind.Code == codeDispatch, false
	for i, item := range c.d.Items {
		carried := !slices.Contains(notCarried, item.UnitOfMeasure)
		goods = goods || carried
		if guide && !carried {
			c.Add(country.ItemPath(i, "code_unit_of_measure"), "CL-TRANSIT-03",
				"goods in transit have a number, weight or volume (Res. Ex. SII 154/2025), and %s is none", item.UnitOfMeasure)
		}
		if item.UnitPrice.IsZero() && (!guide || c.header.TransferType == 1) {
			c.Add(country.ItemPath(i, "unit_price"), "CL-TRANSIT-03",
				"a sale that covers goods in transit says the price of each line (Res. Ex. SII 154/2025): "+
					"for goods that are given away give it as discount_amount, too")
		}
	}
	if !guide && !goods && len(c.d.Items) > 0 {
		c.Add("items[0].code_unit_of_measure", "CL-TRANSIT-03",
			"no line has a number, weight or volume of goods: leave dispatch_type out where nothing is delivered")
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
		said = append(said, "Traslado de más de un día: "+strings.TrimSuffix(line(t.LongMoveReason), ".")+
			". Entrega estimada: "+printDay(t.ArrivalDate)+".")
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
