package e2e

import (
	"bytes"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// incident runs the commands of one section of docs/incidents.md, block by block, with
// the variables that the section speaks of.
type incident struct {
	t      *testing.T
	blocks []string
	vars   map[string]string
	path   string // PATH, with the program in it
}

var incidentBlocks = regexp.MustCompile("(?s)<!-- walk: ([a-z-]+) -->\n```sh\n(.*?)\n```")

// walkIncident reads the section's blocks. All of them must be run before the test ends.
func walkIncident(t *testing.T, name, dir string) *incident {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "incidents.md"))
	if err != nil {
		t.Fatal(err)
	}
	i := &incident{t: t, vars: map[string]string{"FOLIO_DATA": dir}, path: filepath.Dir(program) + ":" + os.Getenv("PATH")}
	for _, m := range incidentBlocks.FindAllStringSubmatch(string(page), -1) {
		if m[1] == name {
			i.blocks = append(i.blocks, m[2])
		}
	}
	if len(i.blocks) == 0 {
		t.Fatalf("docs/incidents.md has no commands for %s", name)
	}
	t.Cleanup(func() {
		if len(i.blocks) > 0 && !t.Failed() {
			t.Errorf("%d blocks of %s were never run", len(i.blocks), name)
		}
	})
	return i
}

// next runs the next block as it is in the page, and gives what it printed.
func (i *incident) next() string {
	i.t.Helper()
	if len(i.blocks) == 0 {
		i.t.Fatal("the page has no further block")
	}
	block := i.blocks[0]
	i.blocks = i.blocks[1:]
	c := exec.CommandContext(i.t.Context(), "bash", "-euo", "pipefail", "-c", block)
	c.Env = environ("PATH=" + i.path)
	for _, name := range slices.Sorted(maps.Keys(i.vars)) {
		c.Env = append(c.Env, name+"="+i.vars[name])
	}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		i.t.Fatalf("%v from\n%s\n%s%s", err, block, out.String(), errs.String())
	}
	return out.String()
}

// stops waits until a credential is refused: another process recorded that, and its news
// take the time of a subscription.
func (c client) stops(t *testing.T, path string) {
	t.Helper()
	eventually(t, startLimit, "the credential stops", func() (string, bool) {
		a := must(c.send("GET", path, nil))
		return string(a.body), a.status == http.StatusUnauthorized
	})
}

func TestIncidentStolenKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	bearer := login(t, p.base, email, password)
	c := register(t, bearer, cuit(1))
	c.certify(t, dir)
	stolen := withKey(t, bearer, c)
	made := stolen.issue(t, body("FCB", 1, "by the thief"))
	i := walkIncident(t, "stolen-key", dir)
	maps.Copy(i.vars, map[string]string{"API": p.base, "TOKEN": bearer.token, "KEY": c.key, "COMPANY": c.id,
		"STOLEN":  stolen.key,
		"INVOICE": made.ID, "SINCE": time.Now().UTC().AddDate(0, 0, -2).Format(time.DateOnly)})
	if out := i.next(); strings.Contains(out, stolen.key) ||
		strings.Contains(strings.SplitN(out, "KEY ", 2)[1], stolen.keyID) || !strings.Contains(out, c.keyID) {
		t.Errorf("after the revocation the list is %s", out)
	}
	stolen.stops(t, "/api/invoices?per_page=1")
	if out := i.next(); !strings.Contains(out, `"api_key":"fk_`) {
		t.Errorf("the new key is %s", out)
	}
	if out := i.next(); !strings.Contains(out, made.ID) || !strings.Contains(out, "key:"+stolen.keyID) {
		t.Errorf("what was done with it is not shown: %s", out)
	}
	p.stop(t)
}

func TestIncidentStolenAccount(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	const heir, next = "heredera@folio.example", "la-clave-nueva-4471"
	succeed(t, "account", "add", heir, "--password", password, "--data", dir)
	thief := login(t, p.base, email, password)
	c := register(t, thief, cuit(1))
	stolen := withKey(t, thief, c)
	account := strings.Fields(strings.SplitN(succeed(t, "account", "list", "--data", dir), "\n", 3)[1])[0]
	i := walkIncident(t, "stolen-account", dir)
	maps.Copy(i.vars, map[string]string{"API": p.base, "EMAIL": email, "ACCOUNT": account, "COMPANY": c.id, "HEIR": heir,
		"STOLEN": stolen.keyID, "PASSWORD": next})
	out := i.next()
	code := regexp.MustCompile(`reset code, .*: ([A-Z2-7]+)\n`).FindStringSubmatch(out)
	if code == nil || !strings.Contains(out, stolen.keyID) {
		t.Fatalf("no code, or not its keys, in %s", out)
	}
	thief.stops(t, "/api/companies")
	stolen.stops(t, "/api/invoices?per_page=1")
	nobody := client{base: p.base}
	nobody.refused(t, 401, "LOGIN_FAILED", "POST", "/api/login", map[string]string{"email": email, "password": password})
	i.vars["CODE"] = code[1]
	i.next()
	owner := login(t, p.base, email, next)
	if out := i.next(); !strings.Contains(out, "API keys revoked: 1") {
		t.Errorf("the one key that was left: %s", out)
	}
	owner.stops(t, "/api/companies")
	c.stops(t, "/api/invoices?per_page=1")
	her := login(t, p.base, heir, password)
	eventually(t, startLimit, "the heir sees the company", func() (string, bool) {
		a := must(her.send("GET", "/api/companies", nil))
		return string(a.body), strings.Contains(string(a.body), c.id)
	})
	c = withKey(t, her, c)
	if got := get[companyRecord](t, c.client, c.path("")); got.ID != c.id {
		t.Errorf("the new key reads %q", got.ID)
	}
	p.stop(t)
}

// copyKey copies a master key, as an operator keeps one elsewhere.
func copyKey(t *testing.T, dir string) string {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(dir, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "master.key.copy")
	if err := os.WriteFile(path, key, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pfx is the certificate of a company as a file, with the variables of its upload.
func (i *incident) pfx(file []byte) {
	i.t.Helper()
	path := filepath.Join(i.t.TempDir(), "certificate.pfx")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		i.t.Fatal(err)
	}
	fields := certificateFields(certificateDays)
	maps.Copy(i.vars, map[string]string{"PFX": path, "PFX_PASSWORD": certificatePassword, "FROM": fields["from_date"],
		"TO": fields["expiration_date"]})
}

func TestIncidentLostMasterKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	c := register(t, login(t, p.base, email, password), cuit(1))
	file := certificate(t, dir, "ar", c.cuit, certificateDays)
	c.certifyWith(t, file)
	old := c.issue(t, body("FCB", 1, "before"))
	p.stop(t)
	i := walkIncident(t, "lost-master-key", dir)
	i.pfx(file)
	maps.Copy(i.vars, map[string]string{"MASTER_KEY": copyKey(t, dir), "INVOICE": old.ID, "EMAIL": email,
		"PASSWORD": "la-clave-nueva-4471",
		"COMPANY":  c.id, "KEY": c.key})
	key := filepath.Join(dir, "master.key")
	lose := func() {
		t.Helper()
		if err := os.Remove(key); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := command(t, "serve", "--data", dir, "--addr", "127.0.0.1:0"); code == 0 ||
			!strings.Contains(errs, "no new master key is made") {
			t.Fatalf("without its key the service ends with %d: %s", code, errs)
		}
	}
	lose()
	if out := i.next(); !strings.Contains(out, "AuthorityAccepted") {
		t.Errorf("with the copy the history is %s", out)
	}
	if _, errs, code := command(t, "vault", "renew", "--give-up-secrets", "--data", dir); code == 0 ||
		!strings.Contains(errs, "nothing to give up") {
		t.Errorf("a vault that opens was given up: %d %s", code, errs)
	}
	lose()
	i.next()
	p = serve(t, dir)
	c.base, i.vars["API"] = p.base, p.base
	client{base: p.base}.refused(t, 401, "LOGIN_FAILED", "POST", "/api/login",
		map[string]string{"email": email, "password": password})
	waits := c.post(t, body("FCB", 1, "after"))
	if out := i.next(); !strings.Contains(out, `"fingerprint":`) || !strings.Contains(out, "FCB") &&
		!strings.Contains(out, "-6-1") {
		t.Errorf("the uploads and the series: %s", out)
	}
	login(t, p.base, email, "la-clave-nueva-4471")
	if got := c.accepted(t, waits.ID); *got.Number != "0001-00000002" {
		t.Errorf("the next invoice is %s", got)
	}
	c.pdf(t, http.MethodPost, old.ID, "/download-pdf/A4")
	p.stop(t)
}

func TestIncidentStolenVault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	bearer := login(t, p.base, email, password)
	c := issuing(t, p, dir, 1)
	i := walkIncident(t, "stolen-vault", dir)
	stolen := copyKey(t, dir)
	i.next()
	if _, errs, code := command(t, "account", "list", "--data", dir, "--master-key-file", stolen); code == 0 ||
		!strings.Contains(errs, "does not open this vault") {
		t.Errorf("the stolen key opens the vault: %d %s", code, errs)
	}
	c.issue(t, body("FCB", 1, "goes on"))
	i.next()
	bearer.stops(t, "/api/companies")
	p.stop(t)
	p = serve(t, dir)
	c.base = p.base
	login(t, p.base, email, password)
	c.issue(t, body("FCB", 1, "after"))
	p.stop(t)
}

func TestIncidentWrongCertificate(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := register(t, login(t, p.base, email, password), cuit(1))
	// of an authority that this one does not trust
	c.certifyWith(t, certificate(t, elsewhere, "ar", c.cuit, certificateDays))
	waiting := c.post(t, body("FCB", 1, "waits"))
	c.waits(t, waiting.ID, "CERTIFICATE_REFUSED")
	i := walkIncident(t, "wrong-certificate", dir)
	i.pfx(certificate(t, dir, "ar", c.cuit, certificateDays))
	maps.Copy(i.vars, map[string]string{"API": p.base, "KEY": c.key, "COMPANY": c.id})
	if out := i.next(); !strings.Contains(out, "CERTIFICATE_REFUSED") || !strings.Contains(out, `"valid_to"`) {
		t.Errorf("what is wrong is not shown: %s", out)
	}
	i.next()
	if got := c.accepted(t, waiting.ID); *got.Number != "0001-00000001" {
		t.Errorf("it was accepted as %s", got)
	}
	p.stop(t)
}
