package country

import (
	"cmp"
	"encoding/json"
	"maps"

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
// profile. What the document froze stays as it is, whatever the company says now.
// The result's Filled is empty when there is nothing to fill.
func Complete(e events.InvoiceCreated, company Issuer, known []ProfileField) events.IssuerCompleted {
	frozen := IssuerOf(e)
	p, now := frozen.Profile, company.Profile
	var filled []string
	fill := func(name string, held *string, value string) {
		if *held == "" && value != "" {
			*held, filled = value, append(filled, name)
		}
	}
	fill("start_activities_date", &p.StartActivitiesDate, now.StartActivitiesDate)
	fill("tax_condition", &p.TaxCondition, now.TaxCondition)
	fill("gross_income_number", &p.GrossIncomeNumber, now.GrossIncomeNumber)
	fill("address.country", &p.Address.Country, now.Address.Country)
	fill("address.region", &p.Address.Region, now.Address.Region)
	fill("address.address", &p.Address.Address, now.Address.Address)
	fill("address.phone", &p.Address.Phone, now.Address.Phone)
	fill("head_office", &p.HeadOffice, now.HeadOffice)
	fill("logo", &p.Logo, now.Logo)
	fields := maps.Clone(frozen.Fields)
	for _, f := range known {
		value := cmp.Or(frozen.Fields[f.Name], company.Fields[f.Name])
		if value == frozen.Fields[f.Name] {
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
