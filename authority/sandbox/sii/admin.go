package sii

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
)

// Admin answers, to loopback only, JSON below /admin/sii/: the knobs (GET, PUT, and
// PATCH for some of them), the faults (GET, POST one or a list, DELETE all or those of
// ?rut=) and the last calls (GET).
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /admin/sii/knobs", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, s.Knobs()) })
	mux.HandleFunc("PUT /admin/sii/knobs", s.changeKnobs)
	mux.HandleFunc("PATCH /admin/sii/knobs", s.changeKnobs)
	mux.HandleFunc("GET /admin/sii/faults", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, s.faults()) })
	mux.HandleFunc("POST /admin/sii/faults", s.scriptFaults)
	mux.HandleFunc("DELETE /admin/sii/faults", func(w http.ResponseWriter, r *http.Request) {
		s.ClearFaults(r.URL.Query().Get("rut"))
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /admin/sii/calls", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, s.Calls()) })
	return loopbackOnly(mux)
}

// loopbackOnly refuses what does not come from this machine and for it: neither another
// host, nor a page of the web whose name was made to lead here, nor a form of one.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !peer.Addr().Unmap().IsLoopback() || !loopbackName(r.Host) {
			http.Error(w, "the sandbox is administered from its own machine, by the address 127.0.0.1 or localhost", http.StatusForbidden)
			return
		}
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" && r.Method != http.MethodGet && r.Method != http.MethodDelete {
			writeProblem(w, http.StatusUnsupportedMediaType, errors.New("send application/json"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func loopbackName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// changeKnobs replaces them with PUT; with PATCH, members that are not sent stay.
func (s *Server) changeKnobs(w http.ResponseWriter, r *http.Request) {
	var k Knobs
	if r.Method == http.MethodPatch {
		k = s.Knobs()
	}
	if !readJSON(w, r, &k) || !valid(w, k.Faults) {
		return
	}
	s.SetKnobs(k)
	writeJSON(w, http.StatusOK, s.Knobs())
}

// scriptFaults adds one fault or a list of them, all or none.
func (s *Server) scriptFaults(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	if !readJSON(w, r, &raw) {
		return
	}
	if len(raw) > 0 && raw[0] != '[' {
		raw = append(append(json.RawMessage{'['}, raw...), ']')
	}
	var list []Fault
	if err := json.Unmarshal(raw, &list); err != nil {
		writeProblem(w, http.StatusBadRequest, err)
		return
	}
	if !valid(w, list) {
		return
	}
	s.AddFaults(list...)
	writeJSON(w, http.StatusCreated, s.faults())
}

func valid(w http.ResponseWriter, list []Fault) bool {
	for i, f := range list {
		if err := f.Validate(); err != nil {
			writeProblem(w, http.StatusUnprocessableEntity, fmt.Errorf("[%d].%w", i, err))
			return false
		}
	}
	return true
}

// faults are the scripted ones, never null.
func (s *Server) faults() []Fault {
	if list := s.Knobs().Faults; list != nil {
		return list
	}
	return []Fault{}
}

func readJSON(w http.ResponseWriter, r *http.Request, v any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		writeProblem(w, http.StatusBadRequest, err)
	}
	return err == nil
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(v)
}

func writeProblem(w http.ResponseWriter, status int, err error) {
	writeJSON(w, status, map[string]string{"error": err.Error()})
}
