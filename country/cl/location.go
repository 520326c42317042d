package cl

import (
	_ "embed"

	"folio/country"
)

// zone is America/Santiago of the IANA time zone database (public domain), the TZif
// file that Go's own lib/time/zoneinfo.zip holds. Chile has daylight saving time, so a
// fixed offset would compute another day for months.
//
//go:embed santiago.tzif
var zone []byte

var location = country.Zone("America/Santiago", zone)
