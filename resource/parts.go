package resource

import (
	"cmp"
	"strings"

	"folio/country"
	"folio/events"
	"folio/httpapi"
)

func party(p events.Party) Party {
	return Party{LegalName: p.LegalName, DocumentType: text(p.DocumentType), DocumentNumber: text(p.DocumentNumber),
		TaxCondition: text(p.TaxCondition), Address: Address(p.Address)}
}

// issuer is the issuer as it was given, with the name that the document is signed with where none was given and the
// address that it is signed with.
func issuer(e events.InvoiceCreated) Party {
	p := party(e.Document.Issuer)
	p.LegalName = cmp.Or(p.LegalName, country.IssuerName(e.Profile, e.Document))
	p.Branch, p.Address = some(e.Document.Branch), Address(country.IssuerAddress(e.Profile, e.Document))
	return p
}

func taxInformation(e events.InvoiceCreated, rules country.Rules) *TaxInformation {
	t := e.Taxes
	out := &TaxInformation{IssuerCondition: text(country.IssuerCondition(rules, e)),
		RecipientCondition:   text(t.RecipientCondition),
		RecipientConditionID: some(t.RecipientConditionID), RecipientConditionGiven: !t.RecipientDefaulted,
		Rates: make([]AppliedRate, len(t.Rates))}
	for i, r := range t.Rates {
		out.Rates[i] = AppliedRate{r.Type, r.Code, number(r.Rate), number(r.Base), number(r.Amount)}
	}
	return out
}

func items(in []events.Item, c country.Catalogue) []Item {
	out := make([]Item, len(in))
	for i, it := range in {
		out[i] = Item{Quantity: number(it.Quantity), UnitOfMeasure: it.UnitOfMeasure, UnitPrice: number(it.UnitPrice),
			DiscountAmount: number(it.Discount), Description: it.Description, Code: (*ItemCode)(it.Code),
			Taxes:            make([]ItemTax, len(it.Taxes)),
			OrganizationUnit: official(c.Units, it.UnitOfMeasure)}
		if it.Code != nil {
			out[i].OrganizationType = official(c.ItemCodes, it.Code.Type)
		}
		for j, t := range it.Taxes {
			out[i].Taxes[j] = ItemTax{t.Type, number(t.Amount), number(t.Rate)}
		}
	}
	return out
}

// official is the authority's code of what a caller wrote, null when it has none.
func official(list []country.Catalogued, code string) *string {
	for _, c := range list {
		if strings.EqualFold(c.Code, code) || c.OfficialCode == code {
			return text(c.OfficialCode)
		}
	}
	return nil
}

func globalTaxes(in []events.GlobalTax) []GlobalTax {
	return country.Collect(in, func(t events.GlobalTax) GlobalTax {
		return GlobalTax{t.Type, t.Description, number(t.Rate), number(t.BaseAmount), number(t.Amount)}
	})
}

func totals(t events.Totals) Totals {
	out := Totals{SubTotal: number(t.SubTotal), Discount: number(t.Discount), Total: number(t.Total),
		Taxes: make([]TotalTax, len(t.Taxes))}
	for i, x := range t.Taxes {
		out.Taxes[i] = TotalTax{x.Type, number(x.Amount), number(x.BaseAmount)}
	}
	return out
}

func references(in []events.Reference) []Reference {
	out := make([]Reference, len(in))
	for i, r := range in {
		out[i] = Reference{Invoice: text(r.Invoice), Type: text(r.Type), Series: text(r.Series), Number: text(r.Folio),
			Date:           text(r.Date),
			DocumentNumber: text(r.DocumentNumber), PeriodFrom: text(r.PeriodFrom), PeriodTo: text(r.PeriodTo),
			ReasonCode: text(r.ReasonCode)}
		if r.Number != 0 {
			out[i].BranchOffice, out[i].Number = &in[i].BranchOffice, r.Number
		}
		if r.Currency != "" {
			given := events.Currency{Code: r.Currency}
			if r.Rate != nil {
				given.Rate = *r.Rate
			}
			out[i].Currency = some(currency(given))
		}
		if r.Amount != nil {
			out[i].Amount = some(number(*r.Amount))
		}
	}
	return out
}

// Notes are those that correct a document, [] for none.
func Notes(l events.Ledger) []Note {
	out := make([]Note, len(l))
	for i, n := range l {
		out[i] = Note{ID: n.Note, InvoiceType: n.Type, Amount: number(n.Change()), Status: "Reserved", Date: text(n.Date)}
		if n.Counted {
			out[i].Status = "Accepted"
		}
		if unsure := n.Unsure(); unsure.Sign() > 0 {
			out[i].Unsure = some(number(unsure))
		}
	}
	return out
}

// currency has no rate while the document leaves it to the authority.
func currency(c events.Currency) Currency {
	if c.Rate.IsZero() {
		return Currency{Code: c.Code}
	}
	rate := httpapi.Num(c.Rate)
	return Currency{c.Code, &rate}
}
