package readapi

import (
	"context"
	"net/http"

	"folio/httpapi"
	"folio/projections"
)

// envelope is the specification's paginated list; total_results counts all pages.
type envelope[T any] struct {
	Page         int64   `json:"page"`
	TotalPages   int64   `json:"total_pages"`
	TotalResults int64   `json:"total_results"`
	PerPage      int64   `json:"per_page"`
	NextCursor   *string `json:"next_cursor"`
	Data         []T     `json:"data"`
}

func pages(total, perPage int64) int64 { return (total + perPage - 1) / perPage }

// pageOf reads the page parameters that every list has.
func pageOf(q *httpapi.Query) (page, perPage int64) {
	return q.Int("page", 1, httpapi.Between(1, maxPage)), q.Int("per_page", 100, httpapi.Between(1, 100))
}

// answerList answers with one page of a projection's documents as records. The caller
// has read its own parameters from q; find reads the page, record makes a record.
func answerList[D, T any](a api, w http.ResponseWriter, r *http.Request, q *httpapi.Query, p projections.Projection,
	find func(context.Context, projections.Page) (projections.List[D], error), record func(D) (T, error)) error {
	page, perPage := pageOf(q)
	if err := q.Done(); err != nil {
		return err
	}
	if err := a.fresh(r, p.Name()); err != nil {
		return err
	}
	list, err := find(r.Context(), projections.Page{Offset: int((page - 1) * perPage), Limit: int(perPage)})
	if err != nil {
		return err
	}
	out := envelope[T]{Page: page, PerPage: perPage, TotalPages: pages(list.Total, perPage), TotalResults: list.Total,
		Data: make([]T, len(list.Documents))}
	for n, d := range list.Documents {
		if out.Data[n], err = record(d); err != nil {
			return err
		}
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

// sure makes a record function of one that cannot fail.
func sure[D, T any](f func(D) T) func(D) (T, error) {
	return func(d D) (T, error) { return f(d), nil }
}
