package node

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Users are who may use a node over the network. The zero value has none.
type Users struct {
	hashes  map[string][]byte
	readers map[string]bool
	names   []string
}

const maxUsers = 1000

// ParseUsers reads one user a line: NAME:HASH, as `htpasswd -nB NAME` writes it (bcrypt), and
// NAME:HASH:read for one who may read and subscribe but not write. Empty lines and lines that begin with #
// are left out. Errors name the line, never its contents.
func ParseUsers(r io.Reader) (Users, error) {
	u := Users{hashes: map[string][]byte{}, readers: map[string]bool{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, ":")
		switch {
		case len(parts) < 2 || len(parts) > 3 || parts[0] == "":
			return Users{}, fmt.Errorf("line %d of the node's users is not NAME:HASH or NAME:HASH:read", n)
		case len(parts) == 3 && parts[2] != "read":
			return Users{}, fmt.Errorf("line %d of the node's users: the only right that can be given is read", n)
		case u.hashes[parts[0]] != nil:
			return Users{}, fmt.Errorf("line %d of the node's users: the name is there already", n)
		case len(u.names) == maxUsers:
			return Users{}, fmt.Errorf("the node takes %d users at most", maxUsers)
		}
		if _, err := bcrypt.Cost([]byte(parts[1])); err != nil {
			return Users{}, fmt.Errorf("line %d of the node's users has no bcrypt hash: make one with htpasswd -nB NAME", n)
		}
		u.hashes[parts[0]] = []byte(parts[1])
		u.readers[parts[0]] = len(parts) == 3
		u.names = append(u.names, parts[0])
	}
	if err := lines.Err(); err != nil {
		return Users{}, fmt.Errorf("read the node's users: %w", err)
	}
	return u, nil
}

// guard lets calls in by their basic authentication. One password is hashed at a time, so that guessing
// cannot take the processor; those who are known do not wait for it.
type guard struct {
	users   Users
	unknown []byte
	hashing sync.Mutex
	mu      sync.Mutex
	known   map[[32]byte]struct{} // credentials that were verified, hashed
}

// newGuard hashes once: what names that are not there are compared with costs as much as the others.
func newGuard(u Users) (*guard, error) {
	cost := bcrypt.MinCost
	for _, hash := range u.hashes {
		if c, err := bcrypt.Cost(hash); err == nil {
			cost = max(cost, c)
		}
	}
	unknown, err := bcrypt.GenerateFromPassword([]byte(uuid.NewString()), cost)
	if err != nil {
		return nil, fmt.Errorf("prepare the node's users: %w", err)
	}
	return &guard{users: u, known: map[[32]byte]struct{}{}, unknown: unknown}, nil
}

// public are the services that tell nothing of the log; clients ask them before they send credentials.
var public = []string{"/event_store.client.server_features.", "/event_store.client.gossip."}

// reading are the calls that change nothing.
var reading = map[string]bool{
	"/event_store.client.streams.Streams/Read":                                     true,
	"/event_store.client.persistent_subscriptions.PersistentSubscriptions/GetInfo": true,
	"/event_store.client.persistent_subscriptions.PersistentSubscriptions/List":    true,
}

func (g *guard) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if err := g.admit(ctx, info.FullMethod); err != nil {
		return nil, err
	}
	return next(ctx, req)
}

func (g *guard) stream(srv any, call grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	if err := g.admit(call.Context(), info.FullMethod); err != nil {
		if info.IsClientStream && !info.IsServerStream {
			drainUnread(call)
		}
		return err
	}
	return next(srv, call)
}

const (
	refusedBytes = 2 << 20
	refusedTime  = 2 * time.Second
)

// drainUnread takes in what a refused append still sends, as drain does, but less of it and undecoded. It ends
// in time whatever the client does: the call's end ends the reading.
func drainUnread(call grpc.ServerStream) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for size := 0; size < refusedBytes; {
			var m emptypb.Empty
			if call.RecvMsg(&m) != nil {
				return
			}
			size += 256 + len(m.ProtoReflect().GetUnknown())
		}
	}()
	select {
	case <-done:
	case <-time.After(refusedTime):
	}
}

func (g *guard) admit(ctx context.Context, method string) error {
	for _, prefix := range public {
		if strings.HasPrefix(method, prefix) {
			return nil
		}
	}
	md, _ := metadata.FromIncomingContext(ctx)
	sent := md.Get("authorization")
	if len(sent) != 1 {
		return &protocol.Refusal{Code: codes.Unauthenticated,
			Message: "Authentication is required: send a user name and a password."}
	}
	name, ok := g.verify(sent[0])
	if !ok {
		return &protocol.Refusal{Code: codes.Unauthenticated, Message: "The user name or the password is wrong."}
	}
	if g.users.readers[name] && !reading[method] {
		return protocol.AccessDenied("Access Denied: this user may only read.")
	}
	return nil
}

func (g *guard) verify(header string) (string, bool) {
	scheme, text, _ := strings.Cut(header, " ")
	decoded, err := base64.StdEncoding.DecodeString(text)
	name, password, found := strings.Cut(string(decoded), ":")
	if !strings.EqualFold(scheme, "basic") || err != nil || !found {
		return "", false
	}
	key := sha256.Sum256(decoded)
	if g.isKnown(key) {
		return name, true
	}
	hash, exists := g.users.hashes[name]
	if !exists {
		hash = g.unknown // so that a name that is not there takes as long as a wrong password
	}
	g.hashing.Lock()
	defer g.hashing.Unlock()
	if g.isKnown(key) { // while we waited
		return name, true
	}
	if bcrypt.CompareHashAndPassword(hash, []byte(password)) != nil || !exists {
		return "", false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known[key] = struct{}{} // at most one for each user: only right passwords come here
	return name, true
}

func (g *guard) isKnown(key [32]byte) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.known[key]
	return ok
}

const usersStream = "$users"

// listUsers makes the stream in which the server names its users; clients take it for a sign that the
// server is ready.
func listUsers(ctx context.Context, s *storage.Store, names []string) error {
	if _, found, err := s.Newest(ctx, usersStream); err != nil || found {
		return err
	}
	if len(names) == 0 {
		names = []string{"admin"}
	}
	for _, name := range names {
		data, err := json.Marshal(name)
		if err != nil {
			return err
		}
		if err := s.AppendOwn(ctx, usersStream, storage.Record{Kind: []byte("$User"), JSON: true, Data: data}); err != nil {
			return fmt.Errorf("list the node's users: %w", err)
		}
	}
	return nil
}
