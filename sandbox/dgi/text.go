package dgi

import (
	"time"
)

// namespace of the documents and of the answers to them.
const namespace = "http://cfe.dgi.gub.uy"

// Zone is Uruguayan time: no daylight saving since 2015.
var Zone = time.FixedZone("-03", -3*60*60)

// stamp is a dateTime with its zone.
func stamp(t time.Time) string { return t.In(Zone).Format("2006-01-02T15:04:05-07:00") }
