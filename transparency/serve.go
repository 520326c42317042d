package transparency

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"folio/events"
)

// Published is what the handler reads; *Store is one.
type Published interface {
	Head(ctx context.Context) (Head, error)
	Tile(ctx context.Context, tree string, t tlog.Tile) ([]byte, error)
}

// Caching of answers: a tile never changes, a checkpoint is replaced.
const (
	forEver    = "public, max-age=31536000, immutable"
	fewSeconds = "public, max-age=2"
)

// Handler serves the log by C2SP tlog-tiles, to be mounted under a prefix that was cut off: checkpoint, tile/<L>/<N>,
// tile/entries/<N>, and besides key, the verifier key, and rotations, the notes with which keys handed over. Fail
// answers an error: ErrNone and ErrUnknownPath, or one of the tables.
func Handler(p Published, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head, err := p.Head(r.Context())
		if err != nil {
			fail(w, r, err)
			return
		}
		switch path := strings.TrimPrefix(r.URL.Path, "/"); path {
		case "checkpoint":
			answer(w, "text/plain; charset=utf-8", fewSeconds, []byte(head.Note))
		case "key":
			answer(w, "text/plain; charset=utf-8", fewSeconds, []byte(head.Key+"\n"))
		case "rotations":
			answer(w, "text/plain; charset=utf-8", fewSeconds, []byte(Statements(head.Rotations)))
		default:
			data, err := tile(r.Context(), p, head, path)
			if err != nil {
				fail(w, r, err)
				return
			}
			answer(w, "application/octet-stream", forEver, data)
		}
	})
}

func answer(w http.ResponseWriter, kind, caching string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", caching)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the only failure is a client that has gone
}

// Statements are the notes of rotations, oldest first, with a line between that no note has.
func Statements(rotations []events.NotaryKeyRotated) string {
	notes := make([]string, len(rotations))
	for i, e := range rotations {
		notes[i] = e.Statement
	}
	return strings.Join(notes, "\n--\n\n")
}

// ErrUnknownPath: the published tree has nothing there.
var ErrUnknownPath = errors.New("the published tree has no such tile")

// tile reads what the path names, within the published tree.
func tile(ctx context.Context, p Published, head Head, path string) ([]byte, error) {
	t, err := torchwood.ParseTilePath(path)
	if err != nil || torchwood.TilePath(t) != path {
		return nil, ErrUnknownPath
	}
	hashes := head.Size
	for range t.L {
		hashes /= torchwood.TileWidth
	}
	if t.N > hashes/torchwood.TileWidth || t.N*torchwood.TileWidth+int64(t.W) > hashes {
		return nil, ErrUnknownPath
	}
	data, err := p.Tile(ctx, head.Tree, t)
	if errors.Is(err, ErrIncomplete) {
		return nil, ErrNone // the tables are being built anew
	}
	return data, err
}
