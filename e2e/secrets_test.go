package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// spy stands between the service and its sandbox and keeps what was said.
type spy struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
	answers  []string
}

// spyOn listens for a service that has the sandbox of the data folder in itself.
func spyOn(t testing.TB, dir string) *spy {
	t.Helper()
	s := &spy{}
	s.Server = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			address, err := os.ReadFile(filepath.Join(dir, "sandbox", "address"))
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
			r.Out.Header.Del("Accept-Encoding") // so that answers can be read here
			r.Out.Body = s.keep(r.Out.Body, &s.requests)
		},
		ModifyResponse: func(r *http.Response) error {
			r.Body = s.keep(r.Body, &s.answers)
			return nil
		},
	})
	t.Cleanup(s.Close)
	return s
}

func (s *spy) keep(body io.ReadCloser, in *[]string) io.ReadCloser {
	raw, _ := io.ReadAll(body) // a short one fails at its reader
	body.Close()
	s.mu.Lock()
	*in = append(*in, string(raw))
	s.mu.Unlock()
	return io.NopCloser(bytes.NewReader(raw))
}

// requestOf is a request that holds every one of the texts.
func (s *spy) requestOf(texts ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
next:
	for _, r := range s.requests {
		for _, text := range texts {
			if !strings.Contains(r, text) {
				continue next
			}
		}
		return r
	}
	return ""
}

var (
	tokenForm = regexp.MustCompile(`<(?:[a-z]+:)?Token>([^<]+)<`)
	signForm  = regexp.MustCompile(`<(?:[a-z]+:)?Sign>([^<]+)<`)
)

// tickets adds tokens and signatures that went over the wire to the secrets.
func (w *walk) tickets(t *testing.T) {
	t.Helper()
	w.authority.mu.Lock()
	defer w.authority.mu.Unlock()
	for _, r := range w.authority.requests {
		for name, form := range map[string]*regexp.Regexp{"ticket token": tokenForm, "ticket sign": signForm} {
			if m := form.FindStringSubmatch(r); m != nil {
				w.secrets[name+" "+m[1][max(0, len(m[1])-12):]] = m[1]
			}
		}
	}
	if w.authority.requestOfLocked("FECAESolicitar") == "" {
		t.Error("no submission was seen on the wire")
	}
}

func (s *spy) requestOfLocked(text string) string {
	for _, r := range s.requests {
		if strings.Contains(r, text) {
			return r
		}
	}
	return ""
}

// noSecret searches every file that the service wrote, as it stands on the disk, and
// both of its outputs. Nothing is excluded: the sandbox keeps no ticket either.
func (w *walk) noSecret(t *testing.T) {
	w.tickets(t)
	if len(w.secrets) < 10 {
		t.Errorf("only %d secrets are known", len(w.secrets))
	}
	files, facts := 0, false
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		facts = facts || filepath.Base(filepath.Dir(path)) == "log" && bytes.Contains(content, []byte(w.early.ID))
		w.noSecretIn(t, filepath.Base(path), content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 6 || !facts {
		t.Errorf("%d files were searched, events to be read among them: %v", files, facts)
	}
	w.noSecretIn(t, "standard output", []byte(w.p.stdout.String()))
	w.noSecretIn(t, "standard error", []byte(w.p.stderr.String()))
	if !strings.Contains(w.p.stderr.String(), "level=DEBUG") {
		t.Error("the log was to be searched with its least important lines")
	}
}

// noSecretIn looks for each secret as it is, in base64 and in hexadecimal.
func (w *walk) noSecretIn(t *testing.T, where string, content []byte) {
	t.Helper()
	for name, secret := range w.secrets {
		coded := base64.StdEncoding.EncodeToString([]byte(secret))
		for form, text := range map[string]string{"": secret, " in base64": coded[:len(coded)/4*4-4], " in hexadecimal": hex.EncodeToString([]byte(secret))} {
			if bytes.Contains(content, []byte(text)) {
				t.Errorf("%s holds the %s%s", where, name, form)
			}
		}
	}
}
