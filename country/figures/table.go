package figures

import "folio/money"

// The names of the figures.
const (
	// ConsumerThreshold is the total in pesos from which an Argentine consumer, or above
	// which the buyer of a Chilean boleta, must be identified.
	ConsumerThreshold = "consumer_threshold"
	// UnitValue is the value of Uruguay's unidad indexada (UI) on 31 December of the year
	// before, by which thresholds of a year are counted.
	UnitValue = "unit_value"
	// TicketUnits are the UI above which the buyer of an e-Ticket must be identified.
	TicketUnits = "ticket_units"
	// ForeignBuyer lets boletas be made out to a document that is no RUT.
	ForeignBuyer = "foreign_buyer"
	// GoodsFetched switches the same for invoices whose goods the buyer fetches.
	GoodsFetched = "goods_fetched"
	// GoodsInTransit switches the data that a document which covers goods in transit needs.
	GoodsInTransit = "goods_in_transit"
)

// Names are all figures that rules read.
var Names = []Name{
	{Country: "AR", Name: ConsumerThreshold, Unit: "ARS", Means: "a final consumer is identified from this total on"},
	{Country: "CL", Name: ConsumerThreshold, Unit: "CLP", Yearly: true,
		Means: "the buyer of a boleta is identified above this total (135 UF of 31 December before)"},
	{Country: "CL", Name: GoodsInTransit, Unit: "1 required, 0 not", Switch: true,
		Means: "guías, and invoices that move goods, say how, by whom and when"},
	{Country: "CL", Name: GoodsFetched, Unit: "1 required, 0 not", Switch: true,
		Means: "likewise invoices whose goods the buyer fetches (unverified whether SII asks it)"},
	{Country: "CL", Name: ForeignBuyer, Unit: "1 allowed, 0 not", Switch: true,
		Means: "boletas to a foreigner's passport, told with the RUT 55555555-5 (unverified whether SII takes it)"},
	{Country: "UY", Name: TicketUnits, Unit: "UI", Means: "the buyer of an e-Ticket is identified above this net amount"},
	{Country: "UY", Name: UnitValue, Unit: "UYU", Yearly: true, Means: "value of a UI on 31 December before"},
}

func row(country, name, since, value, source string) Figure {
	return Figure{Country: country, Name: name, Since: since, Value: money.MustParse(value), Source: source}
}

// builtIn are the figures as they were when this program was made. Values of Uruguay's UI
// are rounded down from what INE publishes: a lower figure lowers the threshold, so that
// no document escapes identification.
var builtIn = []Figure{
	// Before it there were two, by means of payment: documents of then cannot be issued any more.
	row("AR", ConsumerThreshold, "2025-05-29", "10000000", "RG ARCA 5700/2025"),
	row("AR", ConsumerThreshold, "2026-07-01", "10000000", "RG ARCA 5866/2026: equal or above"),

	// 135 UF of 31 December before: 2026 is 135 × 39,727.96.
	row("CL", ConsumerThreshold, "2025-09-01", "5186253.15", "Res. Ex. SII 44/2025 (Código Tributario art. 92 ter)"),
	row("CL", ConsumerThreshold, "2026-01-01", "5363274.60", "Res. Ex. SII 44/2025, UF of 2025-12-31"),
	row("CL", GoodsInTransit, "2026-11-01", "1", "Res. Ex. SII 154/2025, date by Res. Ex. SII 52/2026"),
	row("CL", ForeignBuyer, "2025-09-01", "0", "Formato boletas v4.2 has a RUT only; unverified"),
	row("CL", GoodsFetched, "2026-11-01", "0", "Res. Ex. SII 154/2025; unverified"),

	row("UY", TicketUnits, "2011-01-01", "10000", "DGI, Formato de los CFE v25, table E"),
	row("UY", TicketUnits, "2022-11-01", "5000", "DGI, Formato de los CFE v25, table E"),
	row("UY", UnitValue, "2022-01-01", "5.15", "INE, UI of 2021-12-31, rounded down"),
	row("UY", UnitValue, "2023-01-01", "5.59", "INE, UI of 2022-12-31, rounded down"),
	row("UY", UnitValue, "2024-01-01", "5.87", "INE, UI of 2023-12-31, rounded down"),
	row("UY", UnitValue, "2025-01-01", "6.16", "INE, UI of 2024-12-31, rounded down"),
	row("UY", UnitValue, "2026-01-01", "6.42", "INE, UI of 2025-12-31, rounded down"),
}
