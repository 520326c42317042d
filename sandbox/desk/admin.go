package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// Admin answers below the prefix, to loopback only: the page and its calls as HTML, and
// JSON: knobs (GET, PUT, and PATCH for some of them), faults (GET, POST one or a list,
// DELETE all or those of ?rut=), calls (GET, newest first: ?rut=, ?limit=). more adds
// what only this authority has.
func (d *Desk) Admin(k Knobs, more func(*http.ServeMux)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+d.Prefix+"{$}", func(w http.ResponseWriter, r *http.Request) { d.overview(w, r, k) })
	mux.HandleFunc("GET "+d.Prefix+"calls/{id}", d.showCall)
	mux.HandleFunc("GET "+d.Prefix+"knobs", func(w http.ResponseWriter, _ *http.Request) { WriteJSON(w, http.StatusOK, k.shown()) })
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
	mux.HandleFunc("GET "+d.Prefix+"faults", func(w http.ResponseWriter, _ *http.Request) { WriteJSON(w, http.StatusOK, d.Faults()) })
	mux.HandleFunc("POST "+d.Prefix+"faults", d.scriptFaults)
	mux.HandleFunc("DELETE "+d.Prefix+"faults", func(w http.ResponseWriter, r *http.Request) {
		d.ClearFaults(r.URL.Query().Get("rut"))
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET "+d.Prefix+"calls", d.listCalls)
	if more != nil {
		more(mux)
	}
	return LoopbackOnly(mux)
}

// scriptFaults adds one fault or a list of them, all or none.
func (d *Desk) scriptFaults(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	if !ReadJSON(w, r, &raw) {
		return
	}
	if len(raw) > 0 && raw[0] != '[' {
		raw = append(append(json.RawMessage{'['}, raw...), ']')
	}
	var list []Fault
	if err := Strict(raw, &list); err != nil {
		WriteProblem(w, http.StatusBadRequest, err)
		return
	}
	if err := d.ValidateAll(list); err != nil {
		WriteProblem(w, http.StatusUnprocessableEntity, err)
		return
	}
	d.AddFaults(list...)
	WriteJSON(w, http.StatusCreated, d.Faults())
}

// ValidateAll says which fault of a list is wrong.
func (d *Desk) ValidateAll(list []Fault) error {
	for i, f := range list {
		if err := d.Validate(f); err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
	}
	return nil
}

func (d *Desk) listCalls(w http.ResponseWriter, r *http.Request) {
	rut, limit := r.URL.Query().Get("rut"), MaxCalls
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			WriteProblem(w, http.StatusUnprocessableEntity, errors.New("limit: it is a number from 1"))
			return
		}
		limit = n
	}
	out := []Call{}
	for _, c := range d.Calls() {
		if len(out) < limit && (rut == "" || c.RUT == rut) {
			out = append(out, c)
		}
	}
	WriteJSON(w, http.StatusOK, out)
}
