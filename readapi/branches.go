package readapi

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"folio/fault"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

var errNoBranch = fault.New(fault.NotFound, "BRANCH_NOT_FOUND",
	"The company has no such branch: set it with PUT /api/companies/{id_company}/branches/{number}.")

func (a api) readBranch(w http.ResponseWriter, r *http.Request) error {
	if err := noParameters(r); err != nil {
		return err
	}
	c, err := a.company(r)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(chi.URLParam(r, "number"))
	b, ok := c.Branches[number]
	if err != nil || !ok {
		return errNoBranch
	}
	return httpapi.JSON(w, http.StatusOK, resource.BranchOf(number, b))
}

// listBranches answers with a page of the company's establishments, by number.
func (a api) listBranches(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	numbers := slices.Sorted(maps.Keys(c.Branches))
	return answerList(a, w, r, strict.ReadQuery(r),
		listed(projections.Companies, func(_ context.Context, p engine.Page) (engine.List[int], error) {
			from := min(p.Offset, len(numbers))
			return engine.List[int]{Documents: numbers[from:min(from+p.Limit, len(numbers))], Total: int64(len(numbers))},
				nil
		}, sure(func(number int) resource.Branch { return resource.BranchOf(number, c.Branches[number]) })))
}
