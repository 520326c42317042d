package desk

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// LoopbackOnly refuses what does not come from this machine and for it: neither another
// host, nor a page of the web whose name was made to lead here, nor a form of one.
func LoopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !peer.Addr().Unmap().IsLoopback() || !loopbackName(r.Host) {
			http.Error(w, "the sandbox is administered from its own machine, by the address 127.0.0.1 or localhost",
				http.StatusForbidden)
			return
		}
		if r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch {
			if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
				WriteProblem(w, http.StatusUnsupportedMediaType, errors.New("send application/json"))
				return
			}
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

// Broken logs that the sandbox itself failed. That a caller left in the middle of its call,
// as a service does that is stopped, is no failure of the sandbox.
func Broken(log *slog.Logger, r *http.Request, err error, message string, args ...any) {
	level := slog.LevelError
	if r.Context().Err() != nil {
		level = slog.LevelDebug
	}
	log.Log(r.Context(), level, message, append(args, "error", err)...)
}

// ReadJSON reads a body and wants every member known. False: it was answered.
func ReadJSON(w http.ResponseWriter, r *http.Request, v any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		err = Strict(body, v)
	}
	if err != nil {
		WriteProblem(w, http.StatusBadRequest, err)
	}
	return err == nil
}

// Strict decodes one value whose members are all known.
func Strict(body []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one value")
	}
	return nil
}

// WriteJSON answers a value.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(v)
}

// WriteProblem answers an error.
func WriteProblem(w http.ResponseWriter, status int, err error) {
	WriteJSON(w, status, map[string]string{"error": err.Error()})
}

// Escape is a text as the content of an XML element or attribute.
func Escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}
