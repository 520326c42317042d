package readapi

import (
	"net/http"
	"slices"
	"strconv"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

// documentType is a row of Folio's catalogue of documents.
type documentType struct {
	ID          int    `json:"id"`
	Country     string `json:"country"`
	Code        int    `json:"code"` // the authority's
	InvoiceType string `json:"invoice_type"`
	Name        string `json:"name"`
}

func (a api) documentTypes(w http.ResponseWriter, r *http.Request) error {
	q := strict.ReadQuery(r)
	only := q.String("country", strict.MaxLen(2))
	if err := q.Done(); err != nil {
		return err
	}
	out := []documentType{}
	for _, rules := range a.Countries {
		if only != "" && !equalFold(only, rules.Code()) {
			continue
		}
		for _, t := range rules.DocumentTypes() {
			out = append(out, documentType{t.ID, t.Country, t.Code, t.InvoiceType, t.Name})
		}
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

func (a api) currencies(w http.ResponseWriter, r *http.Request) error {
	return httpapi.JSON(w, http.StatusOK, country.Currencies)
}

// row is a code with what it means and what the authority calls it.
type row struct {
	Code         string `json:"code"`
	OfficialCode string `json:"organization_code"`
	Name         string `json:"name"`
}

func (a api) catalogue(w http.ResponseWriter, r *http.Request) error {
	rules, ok := a.Countries.ByCode(chi.URLParam(r, "country"))
	if !ok {
		return fault.New(fault.NotFound, "COUNTRY_NOT_FOUND", "There is no catalogue of this country; use its two-letter "+
			"code, such as AR.")
	}
	c := rules.Catalogue()
	out := map[string][]row{}
	for name, list := range map[string][]country.Catalogued{
		"concepts": c.Concepts, "tax_types": c.TaxTypes, "global_tax_types": c.GlobalTaxTypes,
		"tax_conditions": c.TaxConditions, "document_types": c.IdentityDocuments, "units_of_measure": c.Units,
		"payment_methods": c.PaymentMethods, "currencies": c.Currencies, "code_types": c.ItemCodes,
	} {
		out[name] = country.Collect(list, func(x country.Catalogued) row { return row(x) })
	}
	out["contingency_types"] = aheadOf(rules)
	out["profile_fields"] = []row{}
	for _, f := range rules.ProfileFields() {
		out["profile_fields"] = append(out["profile_fields"], row{Code: f.Name, Name: f.Name})
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

// aheadOf are the types that may be issued by a code which the authority gave ahead; none where it gives none.
func aheadOf(rules country.Rules) []row {
	out := []row{}
	may, ok := rules.(country.Contingent)
	if !ok {
		return out
	}
	for _, t := range rules.DocumentTypes() {
		if slices.Contains(may.ContingencyTypes(), t.Code) {
			out = append(out, row{t.InvoiceType, strconv.Itoa(t.Code), t.Name})
		}
	}
	return out
}
