// Package node is an event store that speaks EventStoreDB's gRPC protocol and keeps its log in an
// SQLite database. It serves one data folder over a unix socket that only its user can open, so that
// the released EventStoreDB clients cannot tell it from a server. This package is the side of gRPC;
// the log itself is package storage, persistent subscriptions are package groups.
//
// An append is answered when it is on disk: SQLite in WAL mode with synchronous=FULL, one transaction for
// all appends that wait. A sync that fails stops the node (see Failed); a full disk does not.
//
// Every event carries a CRC-32C of all its fields and its position, the position of the event before it
// and its revision; all are verified on every read, so a damaged file is reported (storage.ErrDamaged) and never
// half-read. SQLite ends its write-ahead log at the first frame that does not check without saying so:
// the file events.mark, written at most a second behind the commits, notices at start. What nobody
// notices: the loss of the last second before a crash, by a disk that said it had written it and had not
// or by damage to exactly that tail; and a bit in a part of the files that holds nothing.
//
// What the node does not have: clusters, access lists and JavaScript projections.
package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"folio/eventstore/node/groups"
	"folio/eventstore/node/protocol"
	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/gossip"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/persistent"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/serverfeatures"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/gofrs/flock"
	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
)

// Options choose how a node runs. Only Dir is required.
type Options struct {
	Dir              string           // data folder, made with mode 0700 when missing; one process at a time
	Socket           string           // path of the unix socket, at most 100 bytes; empty for a place in or noted in Dir
	Logger           *slog.Logger     // where it reports; nil discards
	Now              func() time.Time // clock of events and of $maxAge; nil is time.Now
	MaxAppendSize    int              // bytes of one append: data, metadata and types; 0 is 1 MiB
	Network          Network          // where it listens on TCP too; the zero value: nowhere
	MaxSubscriptions int              // live subscriptions at a time; 0 is 10,000
}

const (
	maxMessage         = 17 << 20 // what the clients accept too
	maxConcurrentCalls = 20_000   // of one connection
)

// Node is a running event store. Its methods named like calls of the protocol are for gRPC.
type Node struct {
	streams.UnimplementedStreamsServer
	options       Options
	store         *storage.Store
	groups        *groups.Groups
	lock          *flock.Flock
	socket        *socket
	network       net.Listener // nil without one
	servers       []*grpc.Server
	instance      uuid.UUID
	closing       chan struct{}
	serving       sync.WaitGroup
	subscriptions atomic.Int64
	closed        atomic.Bool
}

// Open starts a node on a data folder. It refuses a folder that another process has open (storage.ErrInUse) and
// a log that is damaged or shorter than what was acknowledged (storage.ErrDamaged).
func Open(ctx context.Context, o Options) (_ *Node, err error) {
	if o.Dir == "" {
		return nil, errors.New("open the event store node: the data folder is missing")
	}
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return nil, fmt.Errorf("find the data folder: %w", err)
	}
	// gRPC's unix targets need the whole path.
	if o.Socket != "" {
		if o.Socket, err = filepath.Abs(o.Socket); err != nil {
			return nil, fmt.Errorf("find the socket: %w", err)
		}
	}
	o.setDefaults()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	n := &Node{options: o, instance: uuid.New(), closing: make(chan struct{})}
	if n.lock, err = storage.LockFolder(o.Dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.lock.Close())
		}
	}()
	if n.store, err = storage.Open(o.Dir, storage.WalReserve, o.Now, o.Logger); err != nil {
		return nil, fmt.Errorf("open the event log in %s: %w", o.Dir, err)
	}
	n.groups = groups.New(n.store, o.Logger, n.closing)
	if err = n.groups.Load(ctx); err != nil {
		close(n.closing)
		n.groups.Wait()
		return nil, errors.Join(err, n.store.Close(context.WithoutCancel(ctx)))
	}
	if err = n.listen(ctx); err != nil {
		close(n.closing)
		n.groups.Wait()
		return nil, errors.Join(err, n.store.Close(context.WithoutCancel(ctx)))
	}
	return n, nil
}

// listen opens the socket and, where one is wanted, the port, and serves on both.
func (n *Node) listen(ctx context.Context) (err error) {
	var options []grpc.ServerOption
	if n.options.Network.Address != "" {
		if n.network, options, err = n.options.Network.listen(ctx); err != nil {
			return err
		}
		if err := listUsers(ctx, n.store, n.options.Network.Users.names); err != nil {
			return errors.Join(err, n.network.Close())
		}
	}
	if n.socket, err = openSocket(n.options.Dir, n.options.Socket); err != nil {
		if n.network != nil {
			err = errors.Join(err, n.network.Close())
		}
		return err
	}
	n.serve(n.socket.listener)
	if n.network != nil {
		n.serve(n.network, options...)
	}
	return nil
}

func (o *Options) setDefaults() {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxAppendSize <= 0 {
		o.MaxAppendSize = 1 << 20
	}
	if o.MaxSubscriptions <= 0 {
		o.MaxSubscriptions = 10_000
	}
}

func (n *Node) serve(on net.Listener, more ...grpc.ServerOption) {
	server := grpc.NewServer(append([]grpc.ServerOption{
		grpc.ForceServerCodecV2(newCodec()),
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage), grpc.MaxConcurrentStreams(maxConcurrentCalls),
		// The clients ping every 10 s, the Go client also without a call; gRPC's default would hang up on it.
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Second, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: 30 * time.Second, Timeout: 20 * time.Second}),
		grpc.WriteBufferSize(64 << 10), grpc.ReadBufferSize(64 << 10),
		grpc.ChainUnaryInterceptor(protocol.Unary), grpc.ChainStreamInterceptor(protocol.Stream),
	}, more...)...)
	streams.RegisterStreamsServer(server, n)
	persistent.RegisterPersistentSubscriptionsServer(server, persistentService{node: n})
	serverfeatures.RegisterServerFeaturesServer(server, featuresService{})
	gossip.RegisterGossipServer(server, gossipService{node: n, at: on.Addr()})
	n.servers = append(n.servers, server)
	n.serving.Go(func() { n.answer(server, on) })
}

// answer serves until the node is closed. A close that comes before the server has begun is no failure.
func (n *Node) answer(server *grpc.Server, on net.Listener) {
	if err := server.Serve(on); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		n.store.Fail(fmt.Errorf("serve on %s: %w", on.Addr(), err))
	}
}

// Address is the gRPC target of the node, such as unix:///var/lib/folio/node.sock.
func (n *Node) Address() string { return targetScheme + n.socket.path }

// Network is the address that the node listens on with TCP, nil without one.
func (n *Node) Network() net.Addr {
	if n.network == nil {
		return nil
	}
	return n.network.Addr()
}

// Failed is closed when the node stopped by itself, after a write or a sync that failed. Start again to
// read what is really on disk.
func (n *Node) Failed() <-chan struct{} { return n.store.Failed }

// Err is why the node stopped by itself, nil while it has not.
func (n *Node) Err() error {
	select {
	case <-n.store.Failed:
		return n.store.Failure
	default:
		return nil
	}
}

// Close ends subscriptions, lets running calls finish until ctx ends, and frees the data folder. Every
// append that was answered is on disk. Closing twice is harmless.
func (n *Node) Close(ctx context.Context) error {
	if !n.closed.CompareAndSwap(false, true) {
		return nil
	}
	// A graceful stop waits for every call, and subscriptions never end by themselves.
	close(n.closing)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for _, s := range n.servers {
			s.GracefulStop()
		}
	}()
	select {
	case <-finished:
	case <-ctx.Done():
		for _, s := range n.servers {
			s.Stop()
		}
		<-finished
	}
	n.serving.Wait()
	n.groups.Wait()
	err := errors.Join(n.store.Close(ctx), n.socket.close(), n.lock.Close())
	if err != nil {
		return fmt.Errorf("close the event store node: %w", err)
	}
	return nil
}

// admitSubscription counts a subscription in; the caller counts it out.
func (n *Node) admitSubscription() error {
	if n.subscriptions.Add(1) > int64(n.options.MaxSubscriptions) {
		n.subscriptions.Add(-1)
		return &protocol.Refusal{Code: codes.ResourceExhausted,
			Message: fmt.Sprintf("The node serves %d subscriptions already: "+
				"end one first.", n.options.MaxSubscriptions)}
	}
	return nil
}
