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

// Caching of answers, in seconds: a checkpoint is replaced. The tiles of a tree never change, but after a restore
// another tree has them under the same address, and proofs from tiles of both would fail for as long as some are kept.
const (
	aMinute    = "max-age=60"
	fewSeconds = "max-age=2"
)

// Who keeps answers for others: anybody, or only whoever asked. A cache between would hand out what it keeps unasked.
const (
	ForAll    = "public"
	ForCaller = "private"
)

// Handler serves the log by C2SP tlog-tiles, to be mounted under a prefix that was cut off: checkpoint, tile/<L>/<N>,
// tile/entries/<N>, and besides key, the verifier key, and rotations, the notes with which keys handed over. Fail
// answers an error: ErrNone and ErrUnknownPath, or one of the tables. Caches is ForAll or ForCaller.
func Handler(p Published, caches string, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	answer := func(w http.ResponseWriter, kind, age string, body []byte) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", caches+", "+age)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body) // the only failure is a client that has gone
	}
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
			answer(w, "application/octet-stream", aMinute, data)
		}
	})
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
