package uy

import (
	_ "embed"

	"folio/country"
)

// zone is America/Montevideo of the IANA time zone database (public domain), the TZif
// file that Go's own lib/time/zoneinfo.zip holds. Uruguay had daylight saving time until
// 2015, so a fixed offset would compute another day for old documents.
//
//go:embed montevideo.tzif
var zone []byte

var location = country.Zone("America/Montevideo", zone)
