package readapi

import (
	"net/http"
	"strconv"

	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

var errNoBranch = fault.New(fault.NotFound, "BRANCH_NOT_FOUND",
	"The company has no such branch: set it with PUT /api/companies/{id_company}/branches/{number}.")

func (a api) readBranch(w http.ResponseWriter, r *http.Request) error {
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
	return answerList(a, w, r, strict.ReadQuery(r), numbered(c.Branches, resource.BranchOf))
}
