package e2e

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// visitor is a browser without scripts: it keeps cookies and follows redirects.
type visitor struct {
	base string
	http *http.Client
}

// shown is a page as a visitor gets it.
type shown struct {
	status int
	path   string // where the redirects ended, with the query
	body   string
	header http.Header
}

func newVisitor(t testing.TB, base string) visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return visitor{base, &http.Client{Jar: jar}}
}

func (v visitor) do(t testing.TB, method, path, kind string, body io.Reader) shown {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.base+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	a, err := v.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	content, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return shown{a.StatusCode, a.Request.URL.RequestURI(), string(content), a.Header}
}

func (v visitor) get(t testing.TB, path string) shown {
	t.Helper()
	return v.do(t, http.MethodGet, path, "", nil)
}

var csrfInput = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// post sends a form with the token of the page that it is on.
func (v visitor) post(t testing.TB, page, path string, fields ...string) shown {
	t.Helper()
	form := url.Values{}
	if m := csrfInput.FindStringSubmatch(v.get(t, page).body); m != nil {
		form.Set("csrf", m[1])
	}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return v.do(t, http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// upload sends a form with a file.
func (v visitor) upload(t testing.TB, page, path, file string, content []byte, fields ...string) shown {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	if token := csrfInput.FindStringSubmatch(v.get(t, page).body); token != nil {
		fields = append(fields, "csrf", token[1])
	}
	for i := 0; i+1 < len(fields); i += 2 {
		must(0, m.WriteField(fields[i], fields[i+1]))
	}
	part := must(m.CreateFormFile(file, file+".bin"))
	must(part.Write(content))
	must(0, m.Close())
	return v.do(t, http.MethodPost, path, m.FormDataContentType(), &b)
}

func (s shown) want(t testing.TB, status int, parts ...string) shown {
	t.Helper()
	if s.status != status {
		t.Errorf("%s: %d, want %d", s.path, s.status, status)
	}
	for _, p := range parts {
		if !strings.Contains(s.body, p) {
			t.Errorf("%s lacks %q", s.path, p)
		}
	}
	if t.Failed() {
		t.Fatalf("the page is\n%s", s.body)
	}
	return s
}

func (v visitor) login(t testing.TB, email, password string) shown {
	t.Helper()
	return v.post(t, "/console/login", "/console/login", "email", email, "password", password)
}
