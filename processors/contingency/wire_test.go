package contingency_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"folio/authority"
	"folio/vault"
)

// wire carries a process's calls to the sandbox without a network.
type wire struct{ *process }

var errUnreachable = errors.New("connection refused")

func (t wire) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	w := t.w
	w.mu.Lock()
	lost, beforehand := !w.quit && w.rnd.Float64() < w.lose, w.only == "" && w.rnd.IntN(2) == 0
	w.call++
	operation := fmt.Sprint(r.Header)
	away := w.away || w.deaf != "" && strings.Contains(operation, w.deaf)
	lost = lost && strings.Contains(operation, w.only)
	w.mu.Unlock()
	if away || lost && beforehand {
		return nil, errUnreachable
	}
	err = t.step("call", func() error {
		in := r.Clone(r.Context())
		in.Header = http.Header{}
		for name, values := range r.Header {
			in.Header[http.CanonicalHeaderKey(name)] = values
		}
		in.Body = io.NopCloser(bytes.NewReader(body))
		rec := httptest.NewRecorder()
		w.authority.ServeHTTP(rec, in)
		if answer = rec.Result(); lost {
			return errUnreachable
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// files are a vault in memory.
type files struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (f *files) StoreFile(_ context.Context, content []byte) (string, error) {
	name := authority.Prepare(content).SHA256
	f.mu.Lock()
	defer f.mu.Unlock()
	f.m[name] = bytes.Clone(content)
	return name, nil
}

func (f *files) File(_ context.Context, name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.m[name]
	if !ok {
		return nil, vault.ErrNotFound
	}
	return content, nil
}

func (f *files) Open(ctx context.Context, ref string) ([]byte, error) { return f.File(ctx, ref) }

func (f *files) Seal(_ context.Context, ref string, blob []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.m[ref] = bytes.Clone(blob)
	return nil
}

// stepped are the files as a process sees them.
type stepped struct{ *process }

func (s stepped) StoreFile(ctx context.Context, content []byte) (name string, err error) {
	err = s.step("store", func() (err error) { name, err = s.w.files.StoreFile(ctx, content); return err })
	return name, err
}

func (s stepped) File(ctx context.Context, name string) ([]byte, error) {
	return s.w.files.File(ctx, name)
}
