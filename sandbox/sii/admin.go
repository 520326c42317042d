package sii

import (
	"context"
	"net/http"

	"folio/sandbox/desk"
)

// Admin answers, to loopback only, below /admin/sii/: the page, knobs, faults, calls, and
// stuck (DELETE decides the envelopes that the effect stick left undecided, ?rut= those
// of one company).
func (s *Server) Admin() http.Handler {
	return s.Desk.Admin(s.Kept, func(mux *http.ServeMux) {
		mux.HandleFunc("DELETE "+adminPrefix+"stuck", func(w http.ResponseWriter, r *http.Request) {
			if err := s.Release(r.Context(), r.URL.Query().Get("rut")); err != nil {
				desk.WriteProblem(w, http.StatusInternalServerError, err)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
	})
}

// Release decides the envelopes that the effect stick left undecided, those of one
// company or with "" all of them.
func (s *Server) Release(ctx context.Context, rut string) error {
	_, err := s.store.ExecContext(ctx, `UPDATE envelope SET stuck=0 WHERE ?='' OR issuer=?`, rut, rut)
	return err
}
