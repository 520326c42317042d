package ferret

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
)

// front passes the commands of all clients on to the server, and those that write one after the other. So an update,
// which FerretDB 1.24 makes of a read and a write, has no other in between: what MongoDB promises of one document holds
// for several processes, too. It is slower by that, and measures nothing.
type front struct {
	backend string // host:port
	turn    sync.Mutex
}

// maxMessage is MongoDB's own limit of a message, 48,000,000 bytes, and a header.
const maxMessage = 48_000_000 + 16

// serve passes until ctx ends, and returns when every connection is closed.
func (f *front) serve(ctx context.Context, l net.Listener) {
	var running sync.WaitGroup
	defer running.Wait()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		running.Go(func() {
			defer client.Close()
			server, err := (&net.Dialer{}).DialContext(ctx, "tcp", f.backend)
			if err != nil {
				return
			}
			defer server.Close()
			stop := context.AfterFunc(ctx, func() { _, _ = client.Close(), server.Close() })
			defer stop()
			for f.command(client, server) == nil {
			}
		})
	}
}

// command passes one command and its reply.
func (f *front) command(client, server net.Conn) error {
	request, err := message(client)
	if err != nil {
		return err
	}
	reply, err := f.exchange(server, request)
	if err != nil || reply == nil {
		return err
	}
	_, err = client.Write(reply)
	return err
}

func (f *front) exchange(server net.Conn, request []byte) ([]byte, error) {
	if writes(request) {
		f.turn.Lock()
		defer f.turn.Unlock()
	}
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	if unanswered(request) {
		return nil, nil
	}
	return message(server)
}

// message reads one of MongoDB's wire protocol: its length comes first.
func message(from net.Conn) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n < 16 || n > maxMessage {
		return nil, fmt.Errorf("a message of %d bytes", n)
	}
	out := make([]byte, n)
	copy(out, length[:])
	_, err := io.ReadFull(from, out[4:])
	return out, err
}

const (
	opMsg      = 2013   // the kind of message that every command is since MongoDB 3.6
	moreToCome = 1 << 1 // its flag: the sender wants no reply
	body       = 20     // where its first section begins, after header and flags
)

// unanswered says that the sender wants no reply.
func unanswered(m []byte) bool {
	return isMsg(m) && binary.LittleEndian.Uint32(m[16:])&moreToCome != 0
}

// writes says that a command may change something. Its name is that of the first field of the first section: a byte
// says what kind of section it is, four how long the document, and one which type the field has.
func writes(m []byte) bool {
	const name = body + 1 + 4 + 1
	if !isMsg(m) || len(m) <= name || m[body] != 0 {
		return false
	}
	command, _, _ := bytes.Cut(m[name:], []byte{0})
	switch string(command) {
	case "insert", "update", "delete", "findAndModify", "findandmodify":
		return true
	}
	return false
}

func isMsg(m []byte) bool { return len(m) > body && binary.LittleEndian.Uint32(m[12:]) == opMsg }
