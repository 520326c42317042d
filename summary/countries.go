package summary

import (
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
)

// Countries are the rules that classify documents; they are those of the whole program.
var Countries = country.Registry{ar.Rules{}, cl.Rules{}, uy.Rules{}}
