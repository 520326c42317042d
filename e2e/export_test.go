package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"folio/audit"
)

// exported is a service with a company of each kind of authority, and what its reads give.
type exportScene struct {
	dir, key  string
	p         *process
	ar, cl    company
	invoices  map[string][]byte // records, without what is no fact
	pdfs      map[string][]byte
	files     string // where exports are written
	submitted []string
}

func newExportScene(t *testing.T) *exportScene {
	t.Helper()
	s := &exportScene{dir: t.TempDir(), files: t.TempDir(), invoices: map[string][]byte{}, pdfs: map[string][]byte{}}
	s.p = serve(t, s.dir, append([]string{"--checkpoint-every", "200ms", "--retry-base", "50ms"}, unlimited...)...)
	s.ar = issuing(t, s.p, s.dir, 73)
	s.cl = chilean(t, s.p, s.dir)
	s.cl.enumerate(t, http.StatusCreated, 33, caf(t, s.dir, rutIssuer, 33, 1, 100))
	for _, reference := range []string{"=1+1", "scene", "third"} {
		i := s.ar.issue(t, body("FCA", 1, reference))
		s.submitted = append(s.submitted, i.ID)
		s.invoices[i.ID] = s.ar.want(t, 200, "GET", "/api/invoices/"+i.ID, nil).body
		s.pdfs[i.ID] = s.ar.pdf(t, "GET", i.ID, "/download-pdf/A4")
	}
	s.cl.issue(t, pesos("FAC", "scene-cl"))
	s.key = newAuditor(t, s.p.base).key
	return s
}

func (s *exportScene) file(name string) string { return filepath.Join(s.files, name) }

// verified wants an export that verifies, and gives what is told of it.
func (s *exportScene) verified(t *testing.T, file string) audit.Report {
	t.Helper()
	out := succeed(t, "verify-export", file, "--key", s.key)
	if !strings.Contains(out, "nothing differs") {
		t.Errorf("%s", out)
	}
	r, err := audit.VerifyFile(file, s.key)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Export, verify offline, import, verify, and the same reads with the same PDFs, byte for byte.
func TestAnExportIsVerifiedAndImported(t *testing.T) {
	t.Parallel()
	s := newExportScene(t)
	file := s.file("ar.zip")
	killed := file + ".12345.folio-part"
	if err := os.WriteFile(killed, []byte("half an export"), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "export", "company", s.ar.id, "--data", s.dir, "--out", file)
	if _, err := os.Stat(killed); err == nil {
		t.Error("what a killed export left is there still")
	}
	if r := s.verified(t, file); r.Invoices != 3 || r.Documents != 3 || r.Events < 20 {
		t.Errorf("%+v", r)
	}
	if _, errs, code := command(t, "export", "company", s.ar.id, "--data", s.dir, "--out", file); code != 1 ||
		!strings.Contains(errs, "is there already") {
		t.Errorf("over a file: %d, %s", code, errs)
	}
	s.contents(t, file)
	s.overHTTP(t, file)
	s.attacked(t, file)
	s.p.stop(t)

	dir := t.TempDir()
	_, advice, _ := strings.Cut(succeed(t, "import", file, "--key", s.key, "--data", dir), "folio serve --roles ")
	if out := succeed(t, "verify", "--data", dir); !strings.Contains(out, "nothing differs") {
		t.Errorf("%s", out)
	}
	if _, errs, code := command(t, "import", file, "--key", s.key, "--data", dir); code != 1 ||
		!strings.Contains(errs, "has events already") {
		t.Errorf("a second import: %d, %s", code, errs)
	}
	p := serve(t, dir, "--roles", strings.Fields(advice)[0])
	succeed(t, "company", "move", s.ar.id, email, "--data", dir)
	c := withKey(t, login(t, p.base, email, password), company{id: s.ar.id})
	for _, id := range s.submitted {
		if got := c.want(t, 200, "GET", "/api/invoices/"+id, nil).body; !bytes.Equal(got, s.invoices[id]) {
			t.Errorf("invoice %s reads\n%s\nand was\n%s", id, got, s.invoices[id])
		}
		if got := c.pdf(t, "GET", id, "/download-pdf/A4"); !bytes.Equal(got, s.pdfs[id]) {
			t.Errorf("the PDF of %s is another one", id)
		}
	}
	if list := c.all(t); len(list) != 3 {
		t.Errorf("the list has %d invoices", len(list))
	}
	p.stop(t)
	if out := succeed(t, "verify", "--data", dir); !strings.Contains(out, "nothing differs") {
		t.Errorf("%s", out)
	}
}

// contents looks at an export as a person does, and for what must not be there.
func (s *exportScene) contents(t *testing.T, file string) {
	t.Helper()
	a, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	pdfs := 0
	for _, f := range a.File {
		content := contentOf(t, f)
		for _, secret := range []string{s.ar.key, certificatePassword, s.cl.id} {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s has %q", f.Name, secret)
			}
		}
		for _, printed := range s.pdfs {
			if bytes.Equal(content, printed) {
				pdfs++
			}
		}
		if f.Name == audit.TableName {
			rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
			if err != nil || len(rows) != 4 || !strings.Contains(string(content), ",'=1+1,") ||
				!slices.Contains(rows[0], "no_fiscal_value") || !slices.Contains(rows[1], "true") {
				t.Errorf("%v\n%s", err, content)
			}
		}
	}
	if pdfs != 3 {
		t.Errorf("%d PDFs are those of the API", pdfs)
	}
}

func contentOf(t *testing.T, f *zip.File) []byte {
	t.Helper()
	in, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	content, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// overHTTP has the same made by the service, for the company's auditor, whose line the owner sees.
func (s *exportScene) overHTTP(t *testing.T, _ string) {
	t.Helper()
	owner := login(t, s.p.base, email, password)
	succeed(t, "account", "add", "eva@example.com", "--role", "auditor", "--password", password+"eva", "--data", s.dir)
	owner.want(t, 201, "POST", s.ar.path("/members"), map[string]string{"email": "eva@example.com", "role": "auditor"})
	eva := login(t, s.p.base, "eva@example.com", password+"eva").with("Folio-Company", s.ar.id)
	today := strings.Split(fmt.Sprint(body("FCA", 1, "")["invoice_date"]), " ")[0]
	for _, empty := range []string{"?date_to=", "?date_from=&date_to=" + today} {
		if p := eva.refused(t, 422, "VALIDATION_FAILED", "POST", "/api/exports"+empty, nil); len(p.Errors) != 1 ||
			p.Errors[0].Code != "NOT_A_DATE" || !strings.Contains(empty, p.Errors[0].Path+"=") {
			t.Errorf("%s: %+v", empty, p)
		}
	}
	for query, invoices := range map[string]int{"": 3, "?date_from=" + today + "&date_to=" + today: 3,
		"?date_to=2020-01-01": 0} {
		file := s.file(fmt.Sprint("http-", len(query), ".zip"))
		made := eva.want(t, 202, "POST", "/api/exports"+query, nil)
		path := made.header.Get("Location")
		record := eventuallyDone(t, eva, path)
		content := eva.want(t, 200, "GET", path+"/download", nil).body
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if r := s.verified(t, file); r.Invoices != invoices || int64(len(content)) != record.Size {
			t.Errorf("%s: %d invoices, %d bytes, %+v", query, r.Invoices, len(content), record)
		}
		if query != "" {
			if _, errs, code := command(t, "import", file, "--key", s.key, "--data", t.TempDir()); code != 1 ||
				!strings.Contains(errs, "whole history: POST /api/exports") {
				t.Errorf("the import of a period: %d, %s", code, errs)
			}
		}
		eva.with("Range", fmt.Sprintf("bytes=%d-", record.Size)).refused(t, 416, "RANGE_NOT_SATISFIABLE", "GET",
			path+"/download", nil)
		s.cl.refused(t, 404, "EXPORT_NOT_FOUND", "GET", path, nil)
		if got := eva.want(t, 204, "DELETE", path, nil); len(got.body) > 0 {
			t.Errorf("%s", got.body)
		}
		eva.refused(t, 404, "EXPORT_NOT_FOUND", "GET", path+"/download", nil)
	}
	theirs := s.ar.want(t, 202, "POST", "/api/exports", nil).header.Get("Location")
	eva.refused(t, 403, "SCOPE_MISSING", "DELETE", theirs, nil)
	owner.with("Folio-Company", s.ar.id).want(t, 204, "DELETE", theirs, nil)
	log := owner.want(t, 200, "GET", s.ar.path("/access-log"), nil).body
	if !strings.Contains(string(log), `"path":"/api/exports"`) || !strings.Contains(string(log), "date_to=2020-01-01") ||
		!strings.Contains(string(log), "/download") {
		t.Errorf("the access log does not tell of the exports:\n%s", log)
	}
}

type exportRecord struct {
	Status string
	Size   int64
}

func eventuallyDone(t *testing.T, c client, path string) (r exportRecord) {
	t.Helper()
	eventually(t, verdictLimit, "the export is done", func() (string, bool) {
		a := c.want(t, 200, "GET", path, nil)
		r = decode[exportRecord](t, a)
		return string(a.body), r.Status == "done"
	})
	return r
}

// attacked exchanges what is in a real export.
func (s *exportScene) attacked(t *testing.T, file string) {
	t.Helper()
	var pdfs []string
	a, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	parts := map[string][]byte{}
	for _, f := range a.File {
		parts[f.Name] = contentOf(t, f)
		if strings.HasSuffix(f.Name, ".pdf") {
			pdfs = append(pdfs, f.Name)
		}
	}
	for place, attack := range map[string]func(name string, content []byte) []byte{
		pdfs[1]: func(name string, content []byte) []byte {
			if name == pdfs[1] {
				return parts[pdfs[0]]
			}
			return content
		},
		"events.ndjson, line 2": func(name string, content []byte) []byte {
			if name != audit.EventsName {
				return content
			}
			lines := bytes.SplitAfter(content, []byte("\n"))
			lines[1] = bytes.Replace(lines[1], []byte(`"data":"{`), []byte(`"data":"{ `), 1)
			return bytes.Join(lines, nil)
		},
		"proofs.ndjson, line 3": func(name string, content []byte) []byte {
			if name != audit.ProofsName {
				return content
			}
			lines := bytes.SplitAfter(content, []byte("\n"))
			return bytes.Join(append(lines[:2:2], lines[3:]...), nil)
		},
	} {
		forged := s.file("forged.zip")
		out, err := os.Create(forged)
		if err != nil {
			t.Fatal(err)
		}
		w := zip.NewWriter(out)
		for name, content := range parts {
			f, err := w.Create(name)
			if err == nil {
				_, err = f.Write(attack(name, content))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := command(t, "verify-export", forged, "--key", s.key); code != 1 ||
			!strings.Contains(errs, place) {
			t.Errorf("want %s: %d, %s", place, code, errs)
		}
	}
}
