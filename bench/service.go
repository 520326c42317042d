package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	email    = "bench@folio.example"
	password = "correct horse battery staple"

	// pure is all that a POST needs; all is a service as it comes.
	pure = "write,read,projections,node,sandbox"
	all  = "write,read,projections,processors,node,sandbox"
)

// process is a program under test.
type process struct {
	cmd     *exec.Cmd
	address string    // http://HOST:PORT
	input   io.Closer // its standard input; the ceiling ends with it
	lines   *bufio.Scanner
	errors  *os.File     // its standard error
	helpers func() []int // process ids whose processor time is its own, too; nil for none
}

// service starts folio on a data folder without a rate limit, with more flags if there are
// any, and waits for its address.
func (b *bench) service(ctx context.Context, data, roles string, more ...string) (*process, error) {
	return b.serviceOf(ctx, b.folio, data, roles, more...)
}

// serviceOf is service of another build.
func (b *bench) serviceOf(ctx context.Context, program, data, roles string, more ...string) (*process, error) {
	p, err := b.start(ctx, program, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", data, "--roles", roles,
		"--rate-limit-second", "0", "--rate-limit-minute", "0"}, more...)...)
	if err != nil {
		return nil, err
	}
	for p.lines.Scan() {
		if _, address, ok := strings.Cut(p.lines.Text(), "listening on "); ok {
			p.address = address
			return p, nil
		}
	}
	return nil, errors.Join(errors.New("the service ended at once"), p.stop())
}

// ceiling starts this program as the handler without storage.
func (b *bench) ceiling(ctx context.Context) (*process, place, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, place{}, err
	}
	return b.placed(ctx, self, "--"+ceilingFlag)
}

// placed starts a program that tells its place in one line.
func (b *bench) placed(ctx context.Context, program string, args ...string) (*process, place, error) {
	var at place
	p, err := b.start(ctx, program, args...)
	if err != nil {
		return nil, at, err
	}
	if !p.lines.Scan() {
		return nil, at, errors.Join(fmt.Errorf("%s ended at once", filepath.Base(program)), p.stop())
	}
	if err := json.Unmarshal(p.lines.Bytes(), &at); err != nil {
		return nil, at, errors.Join(err, p.stop())
	}
	p.address = at.Address
	return p, at, nil
}

func (b *bench) start(ctx context.Context, program string, args ...string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, program, args...)}
	p.cmd.Env = append(os.Environ(), "FOLIO_BOOTSTRAP_EMAIL="+email, "FOLIO_BOOTSTRAP_PASSWORD="+password,
		"FOLIO_DRAIN=0s")
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 15 * time.Second
	var err error
	if p.errors, err = os.CreateTemp(b.dir, "stderr-*"); err != nil {
		return nil, err
	}
	p.cmd.Stderr = p.errors
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.input, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	p.lines = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	return p, nil
}

// stop ends the program the way an operator does. What it wrote to standard error is
// told when it ended badly.
func (p *process) stop() error {
	_ = p.input.Close()
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // the only failure is that it has ended
	err := p.cmd.Wait()
	if err == nil {
		return p.errors.Close()
	}
	text, _ := os.ReadFile(p.errors.Name())
	return errors.Join(fmt.Errorf("%s: %w: %s", filepath.Base(p.cmd.Path), err, text[max(0, len(text)-2000):]),
		p.errors.Close())
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// cpu is the processor time of the program and its helpers so far.
func (p *process) cpu() time.Duration {
	total := cpuOf(p.pid())
	if p.helpers != nil {
		for _, pid := range p.helpers() {
			total += cpuOf(pid)
		}
	}
	return total
}

// charged runs a load and adds the processor time that the program took for it.
func (p *process) charged(load func(context.Context, time.Duration) (sample, error)) func(context.Context,
	time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (sample, error) {
		before := p.cpu()
		s, err := load(ctx, d)
		s.cpu = p.cpu() - before
		return s, err
	}
}
