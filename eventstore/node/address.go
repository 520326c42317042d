package node

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"folio/eventstore/node/storage"
)

const (
	socketName   = "node.sock"
	addressName  = "node.addr"
	maxSocket    = 100 // the kernel takes 108 bytes; the rest is for the name it is first made under
	targetScheme = "unix://"
)

// ErrNotRunning says that no node serves a data folder at the moment.
var ErrNotRunning = errors.New("no event store node is running")

// FindAddress answers the gRPC target of the node that serves the data folder dir, for another process of the same
// user. It answers ErrNotRunning when none listens, or only that of the folder of which dir is a copy.
func FindAddress(dir string) (string, error) {
	note := filepath.Join(dir, addressName)
	text, err := os.ReadFile(note)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w on %s", ErrNotRunning, dir)
	}
	if err != nil {
		return "", fmt.Errorf("read the node's address: %w", err)
	}
	target := strings.TrimSpace(string(text))
	path, ok := strings.CutPrefix(target, targetScheme)
	if !ok {
		return "", fmt.Errorf("%s holds no address: start the service again", note)
	}
	dialer := net.Dialer{Timeout: time.Second}
	conn, err := dialer.DialContext(context.Background(), "unix", path)
	if err != nil {
		return "", fmt.Errorf("%w on %s (%w)", ErrNotRunning, dir, err)
	}
	if err := conn.Close(); err != nil {
		return "", fmt.Errorf("close the connection to the node: %w", err)
	}
	// A folder that was copied beside a running service has the note of that service's node, which answers: what is
	// asked of the copy, or written to it, would go to the live log.
	locked, err := storage.Locked(dir)
	if err != nil {
		return "", err
	}
	if !locked {
		return "", fmt.Errorf("%w on %s: %s is of the folder that this one was copied from", ErrNotRunning, dir, note)
	}
	return target, nil
}

// socket is where the node listens.
type socket struct {
	listener net.Listener
	path     string
	folder   string // private folder made for the socket, removed with it
	note     string
}

// openSocket listens at path, or in dir, or, when that path is too long for a socket, in a private
// temporary folder. The caller holds the lock of dir, so a socket found there is a dead one's.
func openSocket(dir, path string) (_ *socket, err error) {
	s := &socket{path: path, note: filepath.Join(dir, addressName)}
	if s.path == "" {
		s.path = filepath.Join(dir, socketName)
	}
	if len(s.path) > maxSocket {
		if path != "" {
			return nil, fmt.Errorf("the socket's path has %d bytes, at most %d are possible: choose a shorter one", len(path),
				maxSocket)
		}
		if s.folder, err = privateFolder(); err != nil {
			return nil, err
		}
		s.path = filepath.Join(s.folder, socketName)
	}
	if err := s.listen(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if err := os.WriteFile(s.note, []byte(targetScheme+s.path+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("note the node's address: %w", err), s.close())
	}
	return s, nil
}

func privateFolder() (string, error) {
	const fallback = "/tmp"
	folder, err := os.MkdirTemp("", "folio-node-")
	if err == nil && len(folder)+len(socketName)+1 > maxSocket {
		err = os.Remove(folder)
		if err == nil {
			folder, err = os.MkdirTemp(fallback, "folio-node-")
		}
	}
	if err != nil {
		return "", fmt.Errorf("make a folder for the node's socket: %w", err)
	}
	return folder, nil
}

// listen makes the socket under another name in a folder that only this user can enter, protects it and
// then moves it to its place: at no moment can anyone else connect.
func (s *socket) listen() error {
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the old socket: %w", err)
	}
	making, err := os.MkdirTemp(filepath.Dir(s.path), ".")
	if err != nil {
		return fmt.Errorf("make the node's socket: %w", err)
	}
	defer func() { _ = os.RemoveAll(making) }()
	hidden := filepath.Join(making, "s")
	if len(hidden) > 107 {
		hidden = s.path // too long by the temporary name: its folder is private or the user's own choice
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", hidden)
	if err != nil {
		return fmt.Errorf("listen on the node's socket: %w", err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	s.listener = l
	if err := os.Chmod(hidden, 0o600); err != nil {
		return fmt.Errorf("protect the node's socket: %w", err)
	}
	if hidden != s.path {
		if err := os.Rename(hidden, s.path); err != nil {
			return fmt.Errorf("place the node's socket: %w", err)
		}
	}
	return nil
}

func (s *socket) close() error {
	var err error
	if s.listener != nil {
		if err = s.listener.Close(); errors.Is(err, net.ErrClosed) {
			err = nil
		}
		err = errors.Join(err, ignoreMissing(os.Remove(s.path)), ignoreMissing(os.Remove(s.note)))
	}
	if s.folder != "" {
		err = errors.Join(err, os.RemoveAll(s.folder))
	}
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
