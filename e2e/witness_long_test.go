//go:build long

package e2e

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/mod/sumdb/note"

	cosignature "github.com/transparency-dev/formats/note"
)

// litewitness is a witness that others wrote and publish, in its version of go.mod.
const litewitness = "filippo.io/torchwood/cmd/litewitness@v0.6.1"

// published is litewitness as a process. Its key is in an SSH agent, as it wants it.
type published struct {
	t         *testing.T
	dir, vkey string
	address   string
	cmd       *exec.Cmd
}

// newLitewitness installs litewitness and starts it. It knows no log.
func newLitewitness(t *testing.T) *published {
	t.Helper()
	p := &published{t: t, dir: t.TempDir(), address: freeAddress(t)}
	install := exec.CommandContext(t.Context(), "go", "install", litewitness)
	install.Env, install.Dir = append(os.Environ(), "GOBIN="+p.dir, "GOFLAGS="), p.dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("install %s: %v\n%s", litewitness, err, out)
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.CommandContext(t.Context(), filepath.Join(p.dir, "litewitness"), "-name", "witness.example.com/w",
		"-db", p.db(), "-ssh-agent", agentOf(t, private), "-key", ssh.FingerprintSHA256(signer.PublicKey()),
		"-listen", p.address)
	said, err := p.cmd.StderrPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	lines := bufio.NewScanner(said)
	for !strings.Contains(lines.Text(), "listening") {
		if !lines.Scan() {
			t.Fatal("litewitness ended")
		}
		if _, key, ok := strings.Cut(lines.Text(), "vkey="); ok {
			p.vkey = strings.Trim(strings.Fields(key)[0], `"`)
		}
	}
	go func() {
		for lines.Scan() { // what it says later must not block it
		}
	}()
	return p
}

func (p *published) db() string { return filepath.Join(p.dir, "witness.db") }

// agentOf is the socket of an SSH agent that has one key.
func agentOf(t *testing.T, private ed25519.PrivateKey) string {
	t.Helper()
	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: private}); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "agent") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(keys, c) }()
		}
	}()
	return l.Addr().String()
}

// trusts tells the witness of a log and its key, which is what its operator does.
func (p *published) trusts(key string) {
	p.t.Helper()
	origin, _, _ := strings.Cut(key, "+")
	db, err := sql.Open("sqlite", p.db())
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []struct {
		text string
		args []any
	}{
		{"INSERT INTO log (origin, tree_size, tree_hash) VALUES (?, 0, ?)",
			[]any{origin, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}}, // RFC 6962: that of the empty tree
		{"INSERT INTO key (origin, key) VALUES (?, ?)", []any{origin, key}},
	} {
		if _, err := db.ExecContext(p.t.Context(), q.text, q.args...); err != nil {
			p.t.Fatal(err)
		}
	}
}

// A witness that others wrote cosigns each checkpoint of a running Folio, which it does only when each continues what
// it saw before; the cosignature is verified by a library that others wrote, too.
func TestAPublishedWitnessCosigns(t *testing.T) {
	w := newLitewitness(t)
	dir := t.TempDir()
	p := serve(t, dir, "--checkpoint-every", "300ms", "--rate-limit-second", "0", "--rate-limit-minute", "0",
		"--witness", w.vkey+" http://"+w.address, "--webhook-allow", "127.0.0.0/8")
	a := newAuditor(t, p.base)
	w.trusts(a.key)
	c := issuing(t, p, dir, 73)
	verifier, err := cosignature.NewVerifierForCosignatureV1(w.vkey)
	if err != nil {
		t.Fatal(err)
	}
	cosigned := func() (size int64) {
		t.Helper()
		eventually(t, verdictLimit, "a cosigned checkpoint of all", func() (string, bool) {
			n, err := note.Open(a.endpoint("checkpoint"), note.VerifierList(verifier))
			if err != nil {
				return err.Error(), false
			}
			tree, err := a.tree()
			size = tree.N
			return fmt.Sprint(len(n.Sigs), err), err == nil && len(n.Sigs) == 1
		})
		return size
	}
	first := cosigned()
	for i := range 20 {
		c.issue(t, body("FCA", 1, fmt.Sprint("witnessed-", i)))
	}
	a.reach(first + 40)
	if second := cosigned(); second <= first {
		t.Errorf("sizes %d and %d were cosigned", first, second)
	}
	p.kill()
	p = serve(t, dir, "--checkpoint-every", "300ms", "--witness", w.vkey+" http://"+w.address, "--webhook-allow",
		"127.0.0.0/8")
	a.base = p.base
	if a = newAuditor(t, p.base); cosigned() < first {
		t.Error("nothing is cosigned after the death")
	}
	p.stop(t)
}
