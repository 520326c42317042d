package country

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"folio/events"
)

// IssuerOf is the issuer as a document froze it: its profile, and the country's own fields
// in the member "issuer" of additional_header_info, where FreezeIssuer wrote them.
func IssuerOf(e events.InvoiceCreated) Issuer {
	var header struct {
		Issuer map[string]string `json:"issuer"`
	}
	// Rules.Check read it before: what is no object has no fields.
	_ = json.Unmarshal(e.Document.HeaderInfo, &header)
	return Issuer{TaxIdentifier: e.Profile.TaxIdentifier, Profile: e.Profile, Fields: header.Issuer}
}

// Complete fills the members of a document's issuer that are empty from the company's
// profile. What the document froze stays as it is, whatever the company says now. Its place
// is filled as a whole or not at all: see Strayed. The result's Filled is empty when there is
// nothing to fill.
func Complete(e events.InvoiceCreated, company Issuer, r Rules) events.IssuerCompleted {
	frozen, place := IssuerOf(e), r.Branches().placeFields()
	p, now := frozen.Profile, company.Profile
	stays := len(Strayed(e, company, r)) > 0
	var filled []string
	fill := func(name string, held *string, value string) {
		if *held == "" && value != "" {
			*held, filled = value, append(filled, name)
		}
	}
	fill("start_activities_date", &p.StartActivitiesDate, now.StartActivitiesDate)
	fill("tax_condition", &p.TaxCondition, now.TaxCondition)
	fill("gross_income_number", &p.GrossIncomeNumber, now.GrossIncomeNumber)
	if !stays {
		fill("address.country", &p.Address.Country, now.Address.Country)
		fill("address.region", &p.Address.Region, now.Address.Region)
		fill("address.address", &p.Address.Address, now.Address.Address)
	}
	fill("address.phone", &p.Address.Phone, now.Address.Phone)
	if !stays {
		fill("head_office", &p.HeadOffice, now.HeadOffice)
	}
	fill("logo", &p.Logo, now.Logo)
	fields := maps.Clone(frozen.Fields)
	for _, f := range r.ProfileFields() {
		value := cmp.Or(frozen.Fields[f.Name], company.Fields[f.Name])
		if value == frozen.Fields[f.Name] || stays && slices.Contains(place, f.Name) {
			continue
		}
		if fields == nil {
			fields = map[string]string{}
		}
		fields[f.Name], filled = value, append(filled, f.Name)
	}
	out := events.IssuerCompleted{Profile: p, HeaderInfo: e.Document.HeaderInfo, Filled: filled}
	if len(fields) > 0 {
		out.HeaderInfo = SetMember(e.Document.HeaderInfo, "issuer", fields)
	}
	return out
}

// Strayed names what a document froze of its issuer's place, with the value, that the company
// does not say now: region, street, the country's fields of a place, and which branch it is.
// With the rest of the present place it would state a place that there is not.
func Strayed(e events.InvoiceCreated, company Issuer, r Rules) (strayed []string) {
	frozen := IssuerOf(e)
	compare := func(name, held, now string) {
		if held != "" && !alike(held, now) {
			strayed = append(strayed, fmt.Sprintf("%s %q", name, held))
		}
	}
	compare("address.region", frozen.Profile.Address.Region, company.Profile.Address.Region)
	compare("address.address", frozen.Profile.Address.Address, company.Profile.Address.Address)
	for _, name := range r.Branches().placeFields() {
		compare(name, frozen.Fields[name], company.Fields[name])
	}
	return strayed
}

// placeFields are the fields of the profile that say where and which a branch is.
func (b Branches) placeFields() []string {
	var names []string
	for _, f := range b.Fields {
		names = append(names, f.Name)
	}
	if b.CodeField != "" {
		names = append(names, b.CodeField)
	}
	return names
}
