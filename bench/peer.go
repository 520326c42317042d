package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errNoPostgres says why the peer is not measured.
var errNoPostgres = errors.New("PostgreSQL's programs are not installed (apt-get install postgresql)")

// postgres is a server with full durability on a unix socket in its own folder.
type postgres struct {
	cmd    *exec.Cmd
	folder string
}

// postgresPrograms finds PostgreSQL's programs, and installs Debian's when that is possible.
func postgresPrograms(ctx context.Context) (string, error) {
	find := func() string {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
		if len(found) == 0 {
			return ""
		}
		return filepath.Dir(found[len(found)-1])
	}
	if dir := find(); dir != "" {
		return dir, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		return "", errNoPostgres
	}
	install := exec.CommandContext(ctx, "apt-get", "install", "-y", "--no-install-recommends", "postgresql")
	install.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w; installing them failed: %.300s", errNoPostgres, out)
	}
	if dir := find(); dir != "" {
		return dir, nil
	}
	return "", errNoPostgres
}

// startPostgres makes a new database. PostgreSQL refuses to run as root, which becomes the user of Debian's package.
func (b *bench) startPostgres(ctx context.Context) (*postgres, error) {
	programs, err := postgresPrograms(ctx)
	if err != nil {
		return nil, err
	}
	s := &postgres{folder: filepath.Join(b.dir, "pg")}
	attributes := &syscall.SysProcAttr{}
	if err := os.Mkdir(s.folder, 0o700); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			return nil, fmt.Errorf("%w: there is no user postgres", errNoPostgres)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := errors.Join(os.Chmod(b.dir, 0o755), os.Chown(s.folder, uid, gid)); err != nil {
			return nil, err
		}
	}
	initdb := exec.CommandContext(ctx, filepath.Join(programs, "initdb"), "-D", s.folder, "-A", "trust", "-U", "postgres",
		"-E", "UTF8")
	initdb.SysProcAttr, initdb.Dir = attributes, s.folder
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	s.cmd = exec.CommandContext(ctx, filepath.Join(programs, "postgres"), "-D", s.folder, "-k", s.folder,
		"-c", "listen_addresses=", "-c", "shared_buffers=512MB", "-c", "max_connections=100", "-c", "log_min_messages=fatal")
	s.cmd.SysProcAttr, s.cmd.Dir = attributes, s.folder
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGINT) }
	s.cmd.WaitDelay = 15 * time.Second
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	return s, s.ready(ctx)
}

// ready waits until the server takes connections.
func (s *postgres) ready(ctx context.Context) error {
	for range 300 {
		if _, err := os.Stat(filepath.Join(s.folder, ".s.PGSQL.5432")); err == nil {
			return nil
		}
		if err := rest(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return errors.Join(errors.New("PostgreSQL did not start"), s.stop())
}

func (s *postgres) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGINT) // the only failure is that it has ended
	return s.cmd.Wait()
}

// pids are the server's processes: one a connection, and those that write in the background.
func (s *postgres) pids() []int {
	out := []int{s.cmd.Process.Pid}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", out[0], out[0]))
	for _, text := range strings.Fields(string(children)) {
		if pid, err := strconv.Atoi(text); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// peer builds and starts the other service before PostgreSQL.
func (b *bench) peer(ctx context.Context, s *postgres) (*process, place, error) {
	program := filepath.Join(b.dir, "peer")
	build := exec.CommandContext(ctx, "go", "build", "-C", "bench/peer", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, place{}, fmt.Errorf("build the peer: %w: %s", err, out)
	}
	p, at, err := b.placed(ctx, program, "--dsn", "host="+s.folder+" user=postgres dbname=postgres pool_max_conns=32",
		"--keys", strconv.Itoa(mostClients), "--companies", strconv.Itoa(loadCompanies))
	if err == nil {
		p.helpers = s.pids
	}
	return p, at, err
}
