package dgi

import (
	"context"
	"net/http"

	"folio/sandbox/desk"
)

// listed is how many documents and reports the administration lists.
const listed = 500

// Admin answers, to loopback only, below /admin/dgi/: the page, knobs, faults, calls,
// stuck (DELETE decides the envelopes that the effect stick left undecided), and the
// documents and daily reports that were received, newest first (?rut= for one company).
func (s *Server) Admin() http.Handler {
	return s.Desk.Admin(s.Kept, func(mux *http.ServeMux) {
		mux.HandleFunc("DELETE "+adminPrefix+"stuck", func(w http.ResponseWriter, r *http.Request) {
			if err := s.Release(r.Context(), r.URL.Query().Get("rut")); err != nil {
				desk.WriteProblem(w, http.StatusInternalServerError, err)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
		mux.HandleFunc("GET "+adminPrefix+"documents", func(w http.ResponseWriter, r *http.Request) {
			list, err := s.Documents(r.Context(), r.URL.Query().Get("rut"), listed)
			show(w, list, err)
		})
		mux.HandleFunc("GET "+adminPrefix+"reports", func(w http.ResponseWriter, r *http.Request) {
			list, err := s.Reports(r.Context(), r.URL.Query().Get("rut"), listed)
			show(w, list, err)
		})
	})
}

func show(w http.ResponseWriter, list any, err error) {
	if err != nil {
		desk.WriteProblem(w, http.StatusInternalServerError, err)
		return
	}
	desk.WriteJSON(w, http.StatusOK, list)
}

// Document is one that was received, with its verdict.
type Document = document

// Documents are those that were received, newest first; ruc "" for those of all
// companies.
func (s *Server) Documents(ctx context.Context, ruc string, limit int) ([]Document, error) {
	list, err := documents(ctx, s.store, `WHERE ?='' OR ruc=? ORDER BY envelope DESC, ordinal LIMIT ?`, ruc, ruc, limit)
	if list == nil {
		list = []Document{}
	}
	return list, err
}

// Release decides the envelopes that the effect stick left undecided, those of one
// company or with "" all of them.
func (s *Server) Release(ctx context.Context, ruc string) error {
	_, err := s.store.ExecContext(ctx, `UPDATE envelope SET stuck=0 WHERE ?='' OR ruc=?`, ruc, ruc)
	return err
}
