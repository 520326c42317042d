package writeapi

import (
	"context"
	"fmt"
	"slices"

	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/resource"
)

// find sets the invoice id of a reference by coordinates, when they are those of a document
// of our own, and refuses those that no document has yet or that count in another company of
// the account. Those of another issuer, of paper or of another system are left as they are.
func (c *creation) find(ctx context.Context, r *events.Reference, i int) ([]fault.Violation, error) {
	if r.Number == 0 || r.OfficialCode == 0 || r.DocumentNumber != "" && r.DocumentNumber != c.company.TaxIdentifier {
		return nil, nil
	}
	id, err := c.Index.FindIssued(ctx, c.company.Company, c.company.Environment(), *r)
	if err != nil {
		return nil, err
	}
	if id != "" {
		return nil, c.ours(ctx, r, id)
	}
	s, err := c.numbersOf(ctx, c.company.Company, *r)
	if err != nil {
		return nil, err
	}
	if id = s.Holder(r.Series, r.Number); id != "" {
		return nil, c.ours(ctx, r, id)
	}
	return c.refusals(ctx, *r, i, s)
}

// numbersOf are the numbers of the series of a company that a reference names one of.
func (c *creation) numbersOf(ctx context.Context, company string, r events.Reference) (numbering.State, error) {
	series := numbering.Series{Company: company, Environment: c.company.Environment(), OfficialCode: r.OfficialCode}
	if c.rules.Branches().PointOfSale {
		series.BranchOffice = r.BranchOffice
	}
	s, _, err := c.log.Numbering.Load(ctx, series.ID())
	if err != nil {
		return s, fmt.Errorf("look up the numbers of %s: %w", series.ID(), err)
	}
	return s, nil
}

// ours remembers what a reference by coordinates names.
func (c *creation) ours(ctx context.Context, r *events.Reference, id string) error {
	s, found, err := c.log.Documents.Load(ctx, id)
	if err != nil {
		return fmt.Errorf("look up what the note corrects: %w", err)
	}
	if found && s.Company == c.company.Company && s.Created != nil {
		r.Invoice = id
		c.remember(s)
	}
	return nil
}

// elsewhere tells in which company a note counts.
const elsewhere = "Company %s of this account, with the same tax identifier, issued this document: create the note there, " +
	"where it counts."

// refusals says why a note cannot name a number that no document of the company has.
func (c *creation) refusals(ctx context.Context, r events.Reference, i int,
	series numbering.State) ([]fault.Violation, error) {
	refused := func(code, text string, args ...any) []fault.Violation {
		return []fault.Violation{{Path: country.ReferencePath(i, "number"), Code: code, Message: fmt.Sprintf(text, args...)}}
	}
	twins, err := c.twins(ctx)
	if err != nil {
		return nil, err
	}
	for _, twin := range twins {
		id, err := c.Index.FindIssued(ctx, twin, c.company.Environment(), r)
		if err != nil {
			return nil, err
		}
		if id == "" { // what is sent under the number has it once it is accepted
			its, err := c.numbersOf(ctx, twin, r)
			if err != nil {
				return nil, err
			}
			id = its.Holder(r.Series, r.Number)
		}
		if id != "" {
			return refused("REFERENCE_OTHER_COMPANY", elsewhere, twin), nil
		}
	}
	if next, free := series.Free(r.Number); free {
		return refused("REFERENCE_NOT_ISSUED", "No document has the number %s yet, the next one here is %d: correct "+
			"the number, or wait until the document is accepted and name it by invoice_id.",
			r.Type+" "+resource.Number(r.BranchOffice, r.Number), next), nil
	}
	return nil, nil
}

// twins are the other companies of the account with the same tax identifier.
func (c *creation) twins(ctx context.Context) (others []string, err error) {
	if c.others == nil {
		ids, err := c.Index.FindCompanies(ctx, c.company.Account, c.company.Country, c.company.TaxIdentifier)
		if err != nil {
			return nil, err
		}
		c.others = append([]string{}, slices.DeleteFunc(ids, func(id string) bool { return id == c.company.Company })...)
	}
	return c.others, nil
}

func (c *creation) isTwin(ctx context.Context, company string) bool {
	twins, err := c.twins(ctx)
	if err != nil {
		c.away = err
	}
	return slices.Contains(twins, company)
}
