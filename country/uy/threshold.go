package uy

import (
	"time"

	"folio/country"
	"folio/money"
)

// DefaultUnits are values of the unidad indexada (UI) on 31 December in pesos, by year,
// rounded down from what INE publishes: a lower figure lowers the threshold, so that no
// document escapes identification. country.Config may hold exact and newer ones.
var DefaultUnits = map[int]money.Decimal{
	2021: money.MustParse("5.15"), 2022: money.MustParse("5.59"), 2023: money.MustParse("5.87"),
	2024: money.MustParse("6.16"), 2025: money.MustParse("6.42"),
}

// lowered is when the threshold fell from 10,000 to 5,000 UI (CFE25 table E).
var lowered = time.Date(2022, 11, 1, 0, 0, 0, 0, time.UTC)

// Threshold is the net amount in pesos up to which an e-Ticket of this day needs no
// identified buyer and is told to DGI in the daily report only (CFE25 table E): 5,000 UI,
// before 2022-11-01 10,000, by the UI of 31 December of the year before. Without that
// figure the one of the latest year before it is taken, which year says; as the UI rises,
// that is the stricter one. False when there is none at all: then every e-Ticket counts
// as above the threshold.
func Threshold(day time.Time, cfg country.Config) (amount money.Decimal, year int, ok bool) {
	units := cfg.UnitValues
	if len(units) == 0 {
		units = DefaultUnits
	}
	unit := money.Zero
	for y, value := range units {
		if y < day.Year() && y > year && value.Sign() > 0 && value.WholeDigits() <= 6 && value.Decimals() <= country.MaxDecimals {
			year, unit = y, value
		}
	}
	count := money.FromInt(5000)
	if day.Before(lowered) {
		count = money.FromInt(10_000)
	}
	return unit.Mul(count), year, year > 0
}
