package cl

import (
	_ "embed"
	"time"

	"folio/country"
	"folio/events"
)

// zone is America/Santiago of the IANA time zone database (public domain), the TZif
// file that Go's own lib/time/zoneinfo.zip holds. Chile has daylight saving time, so a
// fixed offset would compute another day for months.
//
//go:embed santiago.tzif
var zone []byte

var location = country.Zone(santiago, zone)

// The time zones of the mainland, as profiles name them.
const (
	santiago    = "America/Santiago"
	coyhaique   = "America/Coyhaique"
	puntaArenas = "America/Punta_Arenas"
)

// fixed are the zones without daylight saving time: Magallanes has UTC-3 all year since
// 2016-12-04 (Decreto 1820/2016), Aysén since 2025-03-20 (Decreto 95/2025). Documents of
// before are not issued any more, so that a fixed offset is right for all of them.
var fixed = map[string]*time.Location{
	coyhaique: time.FixedZone(coyhaique, -3*60*60), puntaArenas: time.FixedZone(puntaArenas, -3*60*60),
}

// zoneNamed is a zone of a profile, Santiago's for any other text.
func zoneNamed(name string) *time.Location {
	if l := fixed[name]; l != nil {
		return l
	}
	return location
}

// zoneOf is the zone of a company: what its profile says, else that of its region.
func zoneOf(issuer country.Issuer) string {
	switch region := issuer.Profile.Address.Region; {
	case issuer.Fields[FieldTimeZone] != "":
		return issuer.Fields[FieldTimeZone]
	case region == "CL-AI":
		return coyhaique
	case region == "CL-MA":
		return puntaArenas
	}
	return santiago
}

// ZoneOf is the zone of a company.
func (Rules) ZoneOf(issuer country.Issuer) *time.Location { return zoneNamed(zoneOf(issuer)) }

// LocationOf is the zone in which a checked document is stamped and signed: that of its
// company when it was created.
func LocationOf(d events.Document) *time.Location {
	h, _ := ParseHeader(d.HeaderInfo)
	return zoneNamed(h.Issuer[FieldTimeZone])
}
