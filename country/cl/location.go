package cl

import (
	_ "embed"
	"time"
)

// zone is America/Santiago of the IANA time zone database (public domain), the TZif
// file that Go's own lib/time/zoneinfo.zip holds. Chile has daylight saving time, so
// a fixed offset would compute another day for months; with the file inside the
// program no host without time zone data does either.
//
//go:embed santiago.tzif
var zone []byte

var location = mustLoad(zone)

func mustLoad(tzif []byte) *time.Location {
	l, err := time.LoadLocationFromTZData("America/Santiago", tzif)
	if err != nil {
		panic("load America/Santiago: " + err.Error())
	}
	return l
}
