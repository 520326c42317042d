package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// Admin answers below the prefix, to loopback only: the pages as HTML, and JSON: knobs (GET,
// PUT, and PATCH for some of them), faults (GET, POST one or a list, DELETE all or those of
// a company), calls (GET, newest first: of a company, ?limit=). more adds what only this
// authority has.
func (d *Desk) Admin(k Knobs, more func(*http.ServeMux)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+d.Home+"{$}", func(w http.ResponseWriter, r *http.Request) { d.overview(w, r, k) })
	mux.HandleFunc("GET "+d.Home+"calls/{id}", d.showCall)
	mux.HandleFunc("GET "+d.Prefix+"knobs", func(w http.ResponseWriter, _ *http.Request) {
		WriteJSON(w, http.StatusOK, k.shown())
	})
	change := func(w http.ResponseWriter, r *http.Request) {
		var text json.RawMessage
		if !ReadJSON(w, r, &text) {
			return
		}
		if err := k.change(text, r.Method == http.MethodPatch); err != nil {
			WriteProblem(w, http.StatusUnprocessableEntity, err)
			return
		}
		WriteJSON(w, http.StatusOK, k.shown())
	}
	mux.HandleFunc("PUT "+d.Prefix+"knobs", change)
	mux.HandleFunc("PATCH "+d.Prefix+"knobs", change)
	mux.HandleFunc("GET "+d.Prefix+"faults",
		func(w http.ResponseWriter, _ *http.Request) { d.listFaults(w, http.StatusOK) })
	mux.HandleFunc("POST "+d.Prefix+"faults", d.scriptFaults)
	mux.HandleFunc("DELETE "+d.Prefix+"faults", func(w http.ResponseWriter, r *http.Request) {
		if company, ok := d.CompanyOf(w, r); ok {
			d.ClearFaults(company)
			w.WriteHeader(http.StatusNoContent)
		}
	})
	mux.HandleFunc("GET "+d.Prefix+"calls", d.listCalls)
	if more != nil {
		more(mux)
	}
	return LoopbackOnly(mux)
}

// CompanyOf is the company that a request chooses, "" for none. False: it was answered.
func (d *Desk) CompanyOf(w http.ResponseWriter, r *http.Request) (string, bool) {
	text := r.URL.Query().Get(d.Words.Company)
	if text != "" && d.Words.Number != nil {
		if err := d.Words.Number(text); err != nil {
			WriteProblem(w, http.StatusUnprocessableEntity, fmt.Errorf("%s: %w", d.Words.Company, err))
			return "", false
		}
	}
	return text, true
}

func (d *Desk) listFaults(w http.ResponseWriter, status int) {
	out := []any{}
	for _, f := range d.Faults() {
		out = append(out, d.Words.ShowFault(f))
	}
	WriteJSON(w, status, out)
}

// scriptFaults adds one fault or a list of them, all or none.
func (d *Desk) scriptFaults(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	if !ReadJSON(w, r, &raw) {
		return
	}
	list := []json.RawMessage{raw}
	if len(raw) > 0 && raw[0] == '[' {
		if err := json.Unmarshal(raw, &list); err != nil {
			WriteProblem(w, http.StatusBadRequest, err)
			return
		}
	}
	faults := make([]Fault, len(list))
	for i, text := range list {
		var err error
		if faults[i], err = d.Words.ReadFault(text); err != nil {
			WriteProblem(w, http.StatusBadRequest, err)
			return
		}
	}
	for i, f := range faults {
		if err := d.Validate(f); err != nil {
			WriteProblem(w, http.StatusUnprocessableEntity, fmt.Errorf("[%d].%w", i, err))
			return
		}
	}
	d.AddFaults(faults...)
	d.listFaults(w, http.StatusCreated)
}

func (d *Desk) listCalls(w http.ResponseWriter, r *http.Request) {
	company, ok := d.CompanyOf(w, r)
	if !ok {
		return
	}
	limit := MaxCalls
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			WriteProblem(w, http.StatusUnprocessableEntity, errors.New("limit: it is a number from 1"))
			return
		}
		limit = n
	}
	out := []any{}
	for _, c := range d.Calls() {
		if len(out) < limit && (company == "" || c.Company == company) {
			out = append(out, d.Words.ShowCall(c))
		}
	}
	WriteJSON(w, http.StatusOK, out)
}
