package uy

import (
	"time"

	"folio/country"
	"folio/country/figures"
	"folio/money"
)

// Threshold is the net amount in pesos up to which an e-Ticket of this day needs no
// identified buyer and is told to DGI in the daily report only (CFE25 table E): 5,000 UI,
// before 2022-11-01 10,000, by the UI of 31 December of the year before. Without that
// figure the one of the latest year before it is taken, which year says; as the UI rises,
// that is the stricter one. False when there is none at all: then every e-Ticket counts
// as above the threshold.
func Threshold(day time.Time, cfg country.Config) (amount money.Decimal, year int, ok bool) {
	unit, ok := cfg.Figures.At("UY", figures.UnitValue, day)
	count, counted := cfg.Figures.At("UY", figures.TicketUnits, day)
	if !ok || !counted || unit.Value.Sign() <= 0 || unit.Value.WholeDigits() > 6 || count.Value.WholeDigits() > 7 {
		return money.Zero, 0, false
	}
	since, _ := time.Parse(time.DateOnly, unit.Since) // the table has no other days
	return unit.Value.Mul(count.Value), since.Year() - 1, true
}
