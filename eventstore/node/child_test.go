package node

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const (
	childDir   = "FOLIO_NODE_TEST_DIR"   // the test binary serves this folder instead of running tests
	childLimit = "FOLIO_NODE_TEST_LIMIT" // bytes that its files may have once it serves
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(serveChild(dir))
	}
	os.Exit(m.Run())
}

func serveChild(dir string) int {
	n, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		fmt.Println("error", err)
		return 1
	}
	if limit := os.Getenv(childLimit); limit != "" {
		var size uint64
		if _, err := fmt.Sscan(limit, &size); err != nil {
			return 2
		}
		signal.Ignore(syscall.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: math.MaxUint64}); err != nil {
			fmt.Println("error", err)
			return 2
		}
	}
	fmt.Println("listening", n.Address())
	go func() {
		<-n.Failed()
		fmt.Println("failed", strings.ReplaceAll(n.Err().Error(), "\n", " "))
	}()
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent closes it
	if err := n.Close(context.Background()); err != nil {
		fmt.Println("error", err)
		return 1
	}
	return 0
}

// child is a node in a process of its own.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer
	lines *bufio.Scanner
}

func spawn(t testing.TB, dir string, env ...string) *child {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(append(os.Environ(), childDir+"="+dir), env...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: cmd, stdin: stdin, lines: bufio.NewScanner(stdout)}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return c
}

// line is the child's next word and the rest of its line.
func (c *child) line(t testing.TB) (word, rest string) {
	t.Helper()
	if !c.lines.Scan() {
		t.Fatalf("the child ended: %v", c.lines.Err())
	}
	word, rest, _ = strings.Cut(c.lines.Text(), " ")
	return word, rest
}

func (c *child) address(t testing.TB) string {
	t.Helper()
	word, address := c.line(t)
	if word != "listening" {
		t.Fatalf("the child says %s %s", word, address)
	}
	return address
}

func (c *child) kill(t testing.TB) {
	t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = c.cmd.Wait()
}
