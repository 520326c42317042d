package ar

import "folio/country"

// Form is the printed document.
func (Rules) Form(i country.Issued) country.Form { return country.Form{} }
