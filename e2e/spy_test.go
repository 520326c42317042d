package e2e

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// spy stands between the service and its sandbox, keeps what was said and makes trouble.
type spy struct {
	*httptest.Server
	trouble  atomic.Pointer[trouble]
	moment   atomic.Pointer[moment]
	mu       sync.Mutex
	requests []string
	answered []string // those of them that the authority answered, whoever heard it
	callers  []string // addresses without the port, one of each request
	arrivals []sending
}

// sending is a call that its caller sent, whether the authority heard of it or not.
type sending struct{ caller, request string }

// trouble happens to calls of an operation ("" is any) so many times (0 is always).
type trouble struct {
	effect    effect
	operation string
	times     int64
	happened  atomic.Int64
}

// moment is when a test acts, once: as a call reaches the authority, which then never
// hears of it, or when the authority has answered, which nobody then hears.
type moment struct {
	call     string // part of its address or of its body
	answered bool
	act      func()
}

// at takes the moment of a call, nil when it is not this one's.
func (s *spy) at(address, body string) *moment {
	m := s.moment.Load()
	if m == nil || !strings.Contains(address+" "+body, m.call) || !s.moment.CompareAndSwap(m, nil) {
		return nil
	}
	return m
}

type effect string

// What may happen to a call: down never reaches the authority; the others lose an
// answer that it has given.
const (
	down effect = "down"
	lost effect = "lost"
	page effect = "a page"
	cut  effect = "cut short"
)

// strikes says whether the trouble happens to this call, and counts it.
func (x *trouble) strikes(request string) bool {
	if x == nil || x.operation != "" && !strings.Contains(request, "<"+x.operation) {
		return false
	}
	return x.times == 0 || x.happened.Add(1) <= x.times
}

var errLost = errors.New("the answer is lost")

// spyOn listens for a service that has the sandbox of the data folder in itself.
func spyOn(t testing.TB, dir string) *spy { return spyAt(t, dir, localListener(t)) }

func spyAt(t testing.TB, dir string, l net.Listener) *spy {
	t.Helper()
	s := &spy{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			address, err := os.ReadFile(filepath.Join(dir, "sandbox", "address"))
			if errors.Is(err, fs.ErrNotExist) {
				return // the service is stopping: the call has no host to go to
			}
			if err != nil {
				t.Error(err)
				return
			}
			target, err := url.Parse(strings.TrimSpace(string(address)))
			if err != nil {
				t.Error(err)
				return
			}
			r.SetURL(target)
		},
		ModifyResponse: s.spoil,
		ErrorHandler: func(_ http.ResponseWriter, r *http.Request, err error) {
			if m := momentOf(r.Context()); m != nil && !errors.Is(err, errLost) { // its answer was lost before it came here
				m.act()
			}
			panic(http.ErrAbortHandler)
		},
	}
	s.Server = serveOn(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a short one fails at the authority
		r.Body = io.NopCloser(bytes.NewReader(body))
		caller, _, _ := net.SplitHostPort(r.RemoteAddr)
		s.mu.Lock()
		s.arrivals = append(s.arrivals, sending{caller, string(body)})
		s.mu.Unlock()
		m := s.at(r.URL.Path, string(body))
		if m != nil && !m.answered {
			m.act()
			panic(http.ErrAbortHandler)
		}
		x := s.trouble.Load()
		if !x.strikes(string(body)) {
			x = nil
		}
		if x != nil && x.effect == down {
			http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
			return
		}
		s.mu.Lock()
		s.requests, s.callers = append(s.requests, string(body)), append(s.callers, caller)
		s.mu.Unlock()
		ctx := context.WithValue(withTrouble(r.Context(), x), momentKey{}, m)
		proxy.ServeHTTP(w, r.WithContext(context.WithValue(ctx, requestKey{}, string(body))))
	}))
	t.Cleanup(s.Close)
	return s
}

// spoil loses the answer of a call that is in trouble.
func (s *spy) spoil(r *http.Response) error {
	if body, ok := r.Request.Context().Value(requestKey{}).(string); ok {
		s.mu.Lock()
		s.answered = append(s.answered, body)
		s.mu.Unlock()
	}
	if m := momentOf(r.Request.Context()); m != nil {
		m.act()
		return errLost
	}
	x := troubleOf(r.Request.Context())
	if x == nil {
		return nil
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	switch x.effect {
	case page:
		raw = []byte("<html><body>Mantenimiento</body></html>")
		r.Header.Set("Content-Type", "text/html")
	case cut:
		raw = raw[:len(raw)/2]
	default:
		return errLost
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	r.Header.Del("Content-Length")
	return nil
}

// said is every request that reached the authority so far.
func (s *spy) said() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// arrived is every call so far, those that the authority never heard of among them.
func (s *spy) arrived() []sending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.arrivals)
}

// callersSince are who sent the requests that said has from an index on.
func (s *spy) callersSince(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.callers[n:])
}

// count is how many requests named an operation.
func (s *spy) count(operation string) (n int) {
	for _, r := range s.said() {
		if strings.Contains(r, "<"+operation) {
			n++
		}
	}
	return n
}

// requestOf is a request that holds every one of the texts.
func (s *spy) requestOf(texts ...string) string {
	for _, r := range s.said() {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(r, text) }) {
			return r
		}
	}
	return ""
}

type (
	troubleKey struct{}
	momentKey  struct{}
	requestKey struct{}
)

func withTrouble(ctx context.Context, x *trouble) context.Context {
	return context.WithValue(ctx, troubleKey{}, x)
}

func momentOf(ctx context.Context) *moment {
	m, _ := ctx.Value(momentKey{}).(*moment)
	return m
}

func troubleOf(ctx context.Context) *trouble {
	x, _ := ctx.Value(troubleKey{}).(*trouble)
	return x
}
