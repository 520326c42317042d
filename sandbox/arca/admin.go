package arca

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"folio/sandbox/desk"
)

// Admin answers, to loopback only, what people and their scripts ask of the sandbox:
// the pages at / and /fe/qr/, and JSON below /admin/arca/ (docs/sandbox.md).
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.overview)
	mux.HandleFunc("GET /calls/{id}", s.showCall)
	mux.HandleFunc("GET /fe/qr/{$}", s.showQR)
	mux.HandleFunc("GET /admin/arca/knobs", func(w http.ResponseWriter, _ *http.Request) { desk.WriteJSON(w, http.StatusOK, s.Knobs()) })
	mux.HandleFunc("PATCH /admin/arca/knobs", s.changeKnobs)
	mux.HandleFunc("PUT /admin/arca/knobs", s.changeKnobs)
	mux.HandleFunc("GET /admin/arca/faults", func(w http.ResponseWriter, _ *http.Request) { desk.WriteJSON(w, http.StatusOK, s.faults()) })
	mux.HandleFunc("POST /admin/arca/faults", s.scriptFaults)
	mux.HandleFunc("DELETE /admin/arca/faults", s.clearFaults)
	mux.HandleFunc("POST /admin/arca/numbers", s.takeNumbers)
	mux.HandleFunc("GET /admin/arca/calls", s.listCalls)
	return desk.LoopbackOnly(mux)
}

// changeKnobs replaces them with PUT; with PATCH, members that are not sent stay.
func (s *Server) changeKnobs(w http.ResponseWriter, r *http.Request) {
	var k Knobs
	if r.Method == http.MethodPatch {
		k = s.Knobs()
	}
	if !desk.ReadJSON(w, r, &k) {
		return
	}
	if err := k.Validate(); err != nil {
		desk.WriteProblem(w, http.StatusUnprocessableEntity, err)
		return
	}
	s.SetKnobs(k)
	desk.WriteJSON(w, http.StatusOK, s.Knobs())
}

// script is a fault as it is sent: For may stand in place of Until.
type script struct {
	Fault
	last time.Duration
}

func (c *script) UnmarshalJSON(b []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	if text, ok := members["for"]; ok {
		var d duration
		if err := json.Unmarshal(text, &d); err != nil {
			return fmt.Errorf("for: %w", err)
		}
		c.last = time.Duration(d)
		delete(members, "for")
	}
	rest, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return json.Unmarshal(rest, &c.Fault)
}

// scriptFaults adds one fault or a list of them, all or none.
func (s *Server) scriptFaults(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	if !desk.ReadJSON(w, r, &raw) {
		return
	}
	if len(raw) > 0 && raw[0] != '[' {
		raw = append(append(json.RawMessage{'['}, raw...), ']')
	}
	var list []script
	if err := json.Unmarshal(raw, &list); err != nil {
		desk.WriteProblem(w, http.StatusBadRequest, err)
		return
	}
	faults := make([]Fault, len(list))
	for i, f := range list {
		if f.last > 0 {
			f.Until = s.now().Add(f.last)
		}
		if err := f.Validate(); err != nil {
			desk.WriteProblem(w, http.StatusUnprocessableEntity, fmt.Errorf("[%d].%w", i, err))
			return
		}
		faults[i] = f.Fault
	}
	s.AddFaults(faults...)
	desk.WriteJSON(w, http.StatusCreated, s.faults())
}

// clearFaults ends all of them, or those of one company (?cuit=).
func (s *Server) clearFaults(w http.ResponseWriter, r *http.Request) {
	cuit, err := optionalCUIT(r)
	if err != nil {
		desk.WriteProblem(w, http.StatusUnprocessableEntity, err)
		return
	}
	s.ClearFaults(cuit)
	w.WriteHeader(http.StatusNoContent)
}

// takeNumbers puts the numbers of a series out of step.
func (s *Server) takeNumbers(w http.ResponseWriter, r *http.Request) {
	in := struct {
		Environment string `json:"environment"`
		CUIT        int64  `json:"cuit"`
		PointOfSale int    `json:"point_of_sale"`
		Type        int    `json:"type"`
		Count       int    `json:"count"`
	}{Count: 1}
	if !desk.ReadJSON(w, r, &in) {
		return
	}
	if in.Environment != Testing && in.Environment != Production || in.CUIT <= 0 || in.PointOfSale < 1 || !known(in.Type) || in.Count < 1 || in.Count > 1000 {
		desk.WriteProblem(w, http.StatusUnprocessableEntity,
			errors.New("environment is testing or production, cuit and point_of_sale are numbers, type one of ARCA's codes, count from 1 to 1000"))
		return
	}
	if err := s.TakeNumbers(r.Context(), in.Environment, in.CUIT, in.PointOfSale, in.Type, in.Count); err != nil {
		desk.WriteProblem(w, http.StatusInternalServerError, err)
		return
	}
	v, _, err := last(r.Context(), s.store.db, series{in.Environment, in.CUIT, in.PointOfSale, in.Type})
	if err != nil {
		desk.WriteProblem(w, http.StatusInternalServerError, err)
		return
	}
	desk.WriteJSON(w, http.StatusOK, map[string]int64{"last_number": v.Detail.Hasta})
}

// listCalls answers the last calls, newest first: ?cuit= those of one company, ?limit=.
func (s *Server) listCalls(w http.ResponseWriter, r *http.Request) {
	cuit, err := optionalCUIT(r)
	limit := desk.MaxCalls
	if text := r.URL.Query().Get("limit"); err == nil && text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 {
			err = errors.New("limit: it is a number from 1")
		}
	}
	if err != nil {
		desk.WriteProblem(w, http.StatusUnprocessableEntity, err)
		return
	}
	out := []Call{}
	for _, c := range s.Calls() {
		if len(out) < limit && (cuit == 0 || c.CUIT == cuit) {
			out = append(out, c)
		}
	}
	desk.WriteJSON(w, http.StatusOK, out)
}

func optionalCUIT(r *http.Request) (int64, error) {
	text := r.URL.Query().Get("cuit")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, errors.New("cuit: it is eleven digits")
	}
	return n, nil
}

// faults are the scripted ones, never null.
func (s *Server) faults() []Fault {
	if list := s.Knobs().Faults; list != nil {
		return list
	}
	return []Fault{}
}
