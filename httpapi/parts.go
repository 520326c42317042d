package httpapi

import (
	"bytes"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
)

// Parts answers 200 with JSON that is made in parts, each written before the next one is
// made, so that a long answer is never in memory as a whole. An answer of one part has a
// Content-Length. An error of the first part comes back with nothing written; a later one
// cuts the connection off, because a caller must not take a part for the whole. Each part
// behind the first counts as one more call of the credential, as far as its limits have room
// left: what it reads in a second is bounded as its calls are, and the answer goes on.
func Parts(w http.ResponseWriter, r *http.Request, parts iter.Seq2[[]byte, error]) error {
	var first []byte
	n := 0
	x := exchangeOf(r.Context())
	for part, err := range parts {
		if err != nil && n < 2 {
			return fmt.Errorf("make the answer: %w", err)
		}
		if err != nil {
			x.log.LogAttrs(r.Context(), slog.LevelError, "the answer was cut off",
				slog.String("request_id", x.id), slog.String("route", routePattern(r)), slog.Any("error", err))
			panic(http.ErrAbortHandler)
		}
		if n++; n == 1 {
			first = bytes.Clone(part)
			continue
		}
		if n == 2 {
			w.Header().Set("Content-Type", "application/json")
			if _, err := w.Write(first); err != nil {
				return nil // the client has gone
			}
			first = nil
		}
		if x.charge != nil {
			x.charge()
		}
		if _, err := w.Write(part); err != nil {
			return nil
		}
	}
	if n == 1 {
		RawJSON(w, http.StatusOK, first)
		return nil
	}
	_, _ = w.Write([]byte{'\n'})
	return nil
}
