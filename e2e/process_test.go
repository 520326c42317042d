package e2e

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	email    = "ana@folio.example"
	password = "clave-de-la-cuenta-8341"
)

// startLimit is how long a start may take on a busy machine, stopLimit a stop: the 10 s that requests have, the drain,
// and a disk that others use.
const (
	startLimit = 60 * time.Second
	stopLimit  = 60 * time.Second
)

// process is a running program.
type process struct {
	base   string // http://HOST:PORT
	cmd    *exec.Cmd
	stdout *output
	stderr *output
	done   chan struct{}
	err    error // of the end, once done is closed
}

// output collects what a program writes and says when a line has come.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func newOutput() *output { return &output{changed: make(chan struct{}, 1)} }

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.changed <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// tail is the end of it, for failures.
func (o *output) tail() string {
	s := o.String()
	return s[max(0, len(s)-3000):]
}

// line is the rest of the first complete line that starts with prefix.
func (o *output) line(prefix string) (string, bool) {
	for l := range strings.Lines(o.String()) {
		if rest, ok := strings.CutPrefix(l, prefix); ok && strings.HasSuffix(l, "\n") {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// environ is ours without settings of Folio, and with those given.
func environ(extra ...string) []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FOLIO_") {
			out = append(out, v)
		}
	}
	return append(out, extra...)
}

// environment is what a test's service is given: its account, and that no load balancer has to notice a stop.
var environment = []string{"FOLIO_BOOTSTRAP_EMAIL=" + email, "FOLIO_BOOTSTRAP_PASSWORD=" + password, "FOLIO_DRAIN=0s"}

// begin starts the program without waiting for it.
func begin(t testing.TB, args ...string) *process {
	t.Helper()
	c := exec.Command(program, args...)
	c.Env = environ(environment...)
	return start(t, c)
}

// start starts a command, which ends with the test.
func start(t testing.TB, c *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: c, stdout: newOutput(), stderr: newOutput(), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("standard error of %v ended with\n%s", c.Args, p.stderr.tail())
		}
	})
	return p
}

// await waits for a line on standard output.
func (p *process) await(t testing.TB, prefix string) string {
	t.Helper()
	limit := time.After(startLimit)
	for {
		if rest, ok := p.stdout.line(prefix); ok {
			return rest
		}
		select {
		case <-p.stdout.changed:
		case <-p.done:
			t.Fatalf("the program ended before it printed %q: %v\n%s\n%s", prefix, p.err, p.stdout.tail(), p.stderr.tail())
		case <-limit:
			t.Fatalf("no line %q within %s\n%s\n%s", prefix, startLimit, p.stdout.tail(), p.stderr.tail())
		}
	}
}

// serve starts the service on a data folder and a free port.
func serve(t testing.TB, dir string, flags ...string) *process {
	t.Helper()
	keepsToSchemas(t, dir)
	p := begin(t, append([]string{"serve", "--data", dir, "--addr", "127.0.0.1:0"}, flags...)...)
	p.base = p.await(t, "listening on ")
	return p
}

// unlimited are the flags that lift the rate limits.
var unlimited = []string{"--rate-limit-second", "0", "--rate-limit-minute", "0"}

// stop asks the service to end, as an operator does, and wants a clean end in time.
func (p *process) stop(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("the service had ended before it was told to: %v\n%s", err, p.stderr.tail())
	}
	select {
	case <-p.done:
	case <-time.After(stopLimit):
		t.Fatalf("the service did not end within %s of SIGTERM\n%s", stopLimit, p.stderr.tail())
	}
	if p.err != nil {
		t.Errorf("the service ended with %v\n%s", p.err, p.stderr.tail())
	}
	p.clean(t)
}

// clean wants a log without panics, errors, and values that nobody has.
func (p *process) clean(t testing.TB) {
	t.Helper()
	for l := range strings.Lines(p.stderr.String()) {
		if strings.Contains(l, "level=ERROR") || strings.Contains(l, "panic") || strings.Contains(l, "DATA RACE") ||
			strings.Contains(l, "=<nil>") || strings.Contains(l, "!BADKEY") {
			t.Errorf("the service logged: %s", l)
		}
	}
}

// dies waits for a death that was arranged for a moment.
func (p *process) dies(t testing.TB, moment string) {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(verdictLimit):
		t.Fatalf("the moment did not come: %s", moment)
	}
}

// kill ends the process like a power cut.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

// command runs a subcommand to its end; one that goes on for too long is killed.
func command(t testing.TB, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return converse(t, "", args...)
}

// converse is command with what a person types.
func converse(t testing.TB, typed string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	c := exec.CommandContext(ctx, program, args...)
	var out, errs bytes.Buffer
	c.Env, c.Stdin, c.Stdout, c.Stderr = environ(), strings.NewReader(typed), &out, &errs
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// succeed runs a subcommand that must succeed and gives its standard output.
func succeed(t testing.TB, args ...string) string {
	t.Helper()
	out, errs, code := command(t, args...)
	if code != 0 {
		t.Fatalf("folio %v ended with %d:\n%s%s", args, code, out, errs)
	}
	return out
}
