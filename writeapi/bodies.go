package writeapi

import (
	"time"

	"folio/commands/company"
	"folio/country"
	"folio/events"
	"folio/strict"
)

// Bodies are the readers of JSON bodies by the method and path of their routes, one for
// each shape that a body may have. They describe what is read; what they find wrong
// means nothing, and they need no service.
func Bodies(known country.Registry) map[string][]func(strict.Object) {
	a := api{&wiring{Config: Config{Countries: known,
		Webhooks: Webhooks{Check: func(string) (code, text string) { return "", "" }}}}}
	whole := func(r country.Rules, o strict.Object) {
		readDocument(o, company.State{}, r.Branches(), func(strict.Object, *events.Reference) {})
	}
	const hook = "/api/companies/{id_company}/webhooks/{id_webhook}"
	return map[string][]func(strict.Object){
		"POST /api/login":                          {func(o strict.Object) { readLogin(o) }},
		"PUT /api/account/password":                {func(o strict.Object) { readRenewal(o, presentPassword) }},
		"POST /api/account/password-reset":         {func(o strict.Object) { readRenewal(o, resetCode) }},
		"POST /api/companies":                      {func(o strict.Object) { _, _ = a.readCompany(o) }},
		"POST /api/companies/{id_company}/members": {func(o strict.Object) { readGrant(o) }},
		"POST /api/companies/apikey":               {func(o strict.Object) { readKeyWish(o, time.Time{}) }},
		"POST /api/companies/{id_company}/apikeys/{key_id}/rotate": {func(o strict.Object) {
			readRotation(o, time.Time{})
		}},
		"PUT /api/companies/{id_company}/fiscal-profile": ofEach(known, func(r country.Rules, o strict.Object) {
			_, _ = readProfile(o, r)
		}),
		"PUT /api/companies/{id_company}/branches/{number}": ofEach(known, func(r country.Rules, o strict.Object) {
			_, _ = readBranch(o, 1, r)
		}),
		"PUT /api/companies/{id_company}/contingency/{point_of_sale}": {
			func(o strict.Object) { readContingency(o, 1) }},
		"POST /api/companies/{id_company}/contingency/{point_of_sale}/open":   {func(o strict.Object) { readWhy(o) }},
		"POST /api/companies/{id_company}/contingency/{point_of_sale}/close":  {func(o strict.Object) { readWhy(o) }},
		"PUT /api/companies/{id_company}/enumeration/{id_enumeration}/config": {func(o strict.Object) { readStart(o) }},
		"POST /api/companies/{id_company}/webhooks": {func(o strict.Object) {
			a.readSubscribe(o)
		}},
		"PUT " + hook:                                                {func(o strict.Object) { a.readChange(o) }},
		"POST " + hook + "/rotate-secret":                            {func(o strict.Object) { readOverlap(o) }},
		"POST " + hook + "/replays":                                  {func(o strict.Object) { readReplay(o) }},
		"POST /api/companies/{id_company}/outages":                   {func(o strict.Object) { readOutage(o, time.Time{}) }},
		"POST /api/companies/{id_company}/outages/{id_outage}/close": {func(o strict.Object) { readOutageEnd(o) }},
		"POST /api/companies/{id_company}/purchases": append(ofEach(known, func(r country.Rules, o strict.Object) {
			typedPurchase(o, r)
		}), func(o strict.Object) { readCode(o) }, func(o strict.Object) { readXML(o) }),
		"POST /api/invoices":          ofEach(known, whole),
		"POST /api/invoices/validate": ofEach(known, whole),
		"POST /api/invoices/preview":  ofEach(known, whole),
		"POST /api/invoices/batch": ofEach(known, func(r country.Rules, o strict.Object) {
			readRowKey(o)
			whole(r, o)
		}),
		"POST /api/invoices/{invoice_id}/credit-note": {func(o strict.Object) { readWish(o) }},
		"POST /api/invoices/{invoice_id}/email":       {func(o strict.Object) { a.readRecipient(o) }},
		"POST /api/invoices/calculate": ofEach(known, func(r country.Rules, o strict.Object) {
			readDraft(o, company.State{}, r.Branches(), func(strict.Object, *events.Reference) {})
		}),
	}
}

// ofEach is the reader of every country.
func ofEach(known country.Registry, read func(country.Rules, strict.Object)) (all []func(strict.Object)) {
	for _, r := range known {
		all = append(all, func(o strict.Object) { read(r, o) })
	}
	return all
}
