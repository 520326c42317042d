package arca

import (
	"errors"
	"net/http"

	"folio/sandbox/desk"
)

// Admin answers, to loopback only, what people and their scripts ask of the sandbox: the
// pages at / and /fe/qr/, and JSON below /admin/arca/ (docs/sandbox.md), where numbers (POST)
// puts the numbers of a series out of step, and caea (GET) are the books of the codes that were
// given in advance.
func (s *Server) Admin() http.Handler {
	return s.Desk.Admin(s.Kept, func(mux *http.ServeMux) {
		mux.HandleFunc("GET /fe/qr/{$}", s.showQR)
		mux.HandleFunc("POST "+s.Prefix+"numbers", s.takeNumbers)
		mux.HandleFunc("GET "+s.Prefix+"caea", s.showBooks)
	})
}

// takeNumbers puts the numbers of a series out of step.
func (s *Server) takeNumbers(w http.ResponseWriter, r *http.Request) {
	in := struct {
		Series
		Count int `json:"count"`
	}{Count: 1}
	if !desk.ReadJSON(w, r, &in) {
		return
	}
	if in.Environment != Testing && in.Environment != Production || in.CUIT <= 0 || in.PointOfSale < 1 ||
		!known(in.Type) || in.Count < 1 || in.Count > 1000 {
		desk.WriteProblem(w, http.StatusUnprocessableEntity,
			errors.New("environment is testing or production, cuit and point_of_sale are numbers, type one of ARCA's codes, "+
				"count from 1 to 1000"))
		return
	}
	if err := s.TakeNumbers(r.Context(), in.Series, in.Count); err != nil {
		desk.WriteProblem(w, http.StatusInternalServerError, err)
		return
	}
	v, _, err := last(r.Context(), s.store, series{in.Environment, in.CUIT, in.PointOfSale, in.Type})
	if err != nil {
		desk.WriteProblem(w, http.StatusInternalServerError, err)
		return
	}
	desk.WriteJSON(w, http.StatusOK, map[string]int64{"last_number": v.Detail.Hasta})
}
