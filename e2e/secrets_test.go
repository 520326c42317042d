package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	tokenForm = regexp.MustCompile(`<(?:[a-z]+:)?Token>([^<]+)<`)
	signForm  = regexp.MustCompile(`<(?:[a-z]+:)?Sign>([^<]+)<`)
)

// tickets adds tokens and signatures that went over the wire to the secrets.
func (w *walk) tickets(t *testing.T) {
	t.Helper()
	for _, r := range w.authority.said() {
		for name, form := range map[string]*regexp.Regexp{"ticket token": tokenForm, "ticket sign": signForm} {
			if m := form.FindStringSubmatch(r); m != nil {
				w.secrets[name+" "+m[1][max(0, len(m[1])-12):]] = m[1]
			}
		}
	}
	if w.authority.count("FECAESolicitar") == 0 {
		t.Error("no submission was seen on the wire")
	}
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
		for form, text := range map[string]string{"": secret, " in base64": coded[:len(coded)/4*4-4],
			" in hexadecimal": hex.EncodeToString([]byte(secret))} {
			if bytes.Contains(content, []byte(text)) {
				t.Errorf("%s holds the %s%s", where, name, form)
			}
		}
	}
}
