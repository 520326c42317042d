package writeapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"folio/commands/company"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

// setBranch says what an establishment of the company is. What its number means is the
// country's: a point of sale, or the authority's own number of the establishment.
func (a api) setBranch(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	known, text := rules.Branches(), chi.URLParam(r, "number")
	number, err := strconv.Atoi(text)
	o := body.Object()
	if err != nil || number < 1 || number > known.Max || strconv.Itoa(number) != text {
		o.Fail("number", "BAD_BRANCH", fmt.Sprintf("A branch has a number from 1 to %d, in the address of the request.",
			known.Max))
	}
	b, err := readBranch(o, number, rules)
	if err != nil {
		return err
	}
	out, err := a.log.Companies.Execute(r.Context(), s.Company,
		company.SetBranch{Number: number, Branch: b}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "companies", out.Position)
	return httpapi.JSON(w, http.StatusOK, resource.BranchOf(number, out.State.Branches[number]))
}

// readBranch reads one establishment; its number may stand in the body too, as a read
// returns it.
func readBranch(o strict.Object, number int, rules country.Rules) (events.Branch, error) {
	known, address := rules.Branches(), o.Object("address", strict.Required)
	b := events.Branch{
		Address: events.Address{
			Country: address.String("country", strict.MaxLen(2)),
			Region:  address.String("region", strict.MaxLen(6)),
			Address: address.String("address", strict.Required, strict.MaxLen(300)),
			Phone:   address.String("phone", strict.MaxLen(50)),
		},
		StartActivitiesDate: o.Date("start_activities_date"),
		Fields:              readFields(o, known.Fields),
	}
	checkOwn(address, b.Address, rules)
	if n := o.Int("number"); o.Has("number") && n != int64(number) {
		o.Fail("number", "BAD_BRANCH", fmt.Sprintf("The address of the request names the branch %d: leave number out.",
			number))
	}
	for _, f := range known.Fields {
		if f.Required && b.Fields[f.Name] == "" && !o.Has(f.Name) {
			o.Fail(f.Name, strict.CodeRequired, "is required of a branch")
		}
	}
	return b, o.Done()
}

// establish finds the establishment that a document is of, by branch_office or
// issuer.branch, and gives the company as that establishment's documents state it. A
// point of sale need not be a branch; elsewhere 1 is taken of a company that has none of
// that number, and means its own address.
func establish(d *events.Document, stated int, c company.State, known country.Branches) (country.Issuer,
	[]fault.Violation) {
	var v country.Violations
	given, named, path := d.BranchOffice, cmp.Or(stated, d.BranchOffice), branchPath(*d)
	if known.PointOfSale {
		named = cmp.Or(named, 1)
		d.BranchOffice = named
		if ordinary := c.OrdinaryOf(named); ordinary != 0 {
			v.Add(path, "POINT_OF_SALE_CONTINGENCY", "point of sale %d is the contingency point of %d, where documents are "+
				"issued only by a code that the authority gave ahead: make the document at point of sale %d, and Folio moves it "+
				"while a contingency is open", named, ordinary, ordinary)
		}
	}
	_, registered := c.Branches[named]
	switch {
	case given != 0 && stated != 0 && given != stated:
		v.Add("issuer.branch", "BRANCHES_DIFFER", "branch_office says %d: name one branch, in either of the two", given)
	case registered:
		d.Branch = named
	case known.PointOfSale && stated == 0:
	case !known.PointOfSale && named <= 1:
		d.Branch = named
	case stated != 0:
		v.Add("issuer.branch", "BRANCH_UNKNOWN", "this company has no branch %d: set it with PUT "+
			"/api/companies/%s/branches/%d, or leave it out", stated, c.Company, stated)
	default:
		return c.Issuer(), v.All // the country says what it takes
	}
	if !known.PointOfSale {
		d.BranchOffice = 0
	}
	return c.IssuerAt(d.Branch, known), v.All
}

// branchPath is the field of a draft that names its establishment.
func branchPath(d events.Document) string {
	if d.BranchOffice == 0 {
		return "issuer.branch"
	}
	return "branch_office"
}

// spentPoint refuses a document at a contingency point that no setting names any more, where documents were issued by
// codes given ahead: one that is authorized by itself would make it an ordinary point for good, so it would wait for
// ever.
func (c *creation) spentPoint(ctx context.Context, path string, point int) ([]fault.Violation, error) {
	may, ok := c.rules.(country.Contingent)
	if !ok || !slices.Contains(c.company.ContingencyPoints, point) || c.company.OrdinaryOf(point) != 0 {
		return nil, nil
	}
	for _, kind := range may.ContingencyTypes() {
		series := numbering.Series{Company: c.company.Company, Environment: c.company.Environment(), OfficialCode: kind,
			BranchOffice: point}
		state, _, err := c.log.Numbering.Load(ctx, series.ID())
		if err != nil {
			return nil, fmt.Errorf("look up what was issued at %s: %w", series.ID(), err)
		}
		if state.Contingent.Last > 0 {
			var v country.Violations
			v.Add(path, "POINT_OF_SALE_CONTINGENCY",
				"point of sale %d was a contingency point, and documents were issued there "+
					"by a code that the authority gave ahead: no other may be, so make the document at an ordinary point of sale",
				point)
			return v.All, nil
		}
	}
	return nil, nil
}
