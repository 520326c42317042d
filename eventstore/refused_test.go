package eventstore_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/gossip"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"

	"folio/eventstore"
	"folio/faultproxy"
	"folio/faultproxy/calls"
)

func TestAStartThatIsRefusedSaysWhatToDo(t *testing.T) {
	plain := nodeIn(t, t.TempDir()).Network().String()
	for _, c := range []struct {
		name, address string
		answer        calls.Answer
		says          string
	}{
		{"wrong password", "", calls.Unauthenticated(), "password"},
		{"no right on $all", "", calls.AccessDenied(), `setStreamMetadata("$all", {acl: {readRoles:`},
		{"TLS for a server without", "esdb://ana:s3cret@" + plain, calls.Answer{}, "tls=false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.address == "" {
				p := calls.New(t, nodeIn(t, t.TempDir()).Address())
				p.Answer("Read", c.answer)
				c.address = p.Address()
			}
			_, err := eventstore.Open(t.Context(),
				eventstore.Options{Address: c.address, ConnectTimeout: 500 * time.Millisecond})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want something with %q", err, c.says)
			}
			if err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "sorry")) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// An address may stand in the network's own words, too.
func TestAServerThatIsGoneIsToldWithoutItsAddress(t *testing.T) {
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := closed.Addr().String()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	resets := faultproxy.New(t, "tcp", at)
	resets.Refuse()
	socket := filepath.Join(t.TempDir(), "none.sock")
	for _, c := range []struct{ address, secret, says string }{
		{"esdb://" + at + "?tls=false", at, "start the server"},
		{"esdb://" + resets.Address() + "?tls=false", resets.Address(), "unavailable"},
		{"unix://" + socket, socket, "start the process that has it"},
	} {
		j := &journal{}
		_, err := eventstore.Open(t.Context(), eventstore.Options{Address: c.address, ConnectTimeout: 300 * time.Millisecond,
			Logger: slog.New(slog.NewTextHandler(j, nil))})
		if !errors.Is(err, eventstore.ErrUnavailable) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want something with %q", err, c.says)
		}
		if err != nil && strings.Contains(err.Error()+j.text.String(), c.secret) {
			t.Errorf("the address is quoted: %v\n%s", err, &j.text)
		}
	}
}

func TestOneLineSaysThatAStartWaits(t *testing.T) {
	f, j := newFake(t), &journal{}
	_, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), ConnectTimeout: time.Second,
		AwayAfter: 100 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(j, nil))})
	if !errors.Is(err, eventstore.ErrUnavailable) {
		t.Error(err)
	}
	if n := j.lines("", ""); n != 1 || j.lines("WARN", "waiting for it") != 1 {
		t.Errorf("%d lines:\n%s", n, &j.text)
	}
}

// members answers the client's question for the cluster's nodes.
type members struct {
	gossip.UnimplementedGossipServer
	state atomic.Int32
	host  string
	port  uint32
}

func (m *members) Read(context.Context, *shared.Empty) (*gossip.ClusterInfo, error) {
	return &gossip.ClusterInfo{Members: []*gossip.MemberInfo{{IsAlive: true,
		State:        gossip.MemberInfo_VNodeState(m.state.Load()),
		HttpEndPoint: &gossip.EndPoint{Address: m.host, Port: m.port}}}}, nil
}

// "No nodes are eligible" has no status of gRPC, and is no reason to give up.
func TestAStartWaitsForALeader(t *testing.T) {
	f, m := newFake(t), &members{host: "127.0.0.1"}
	m.state.Store(int32(gossip.MemberInfo_Unknown))
	f.gossip = m
	at := f.listen(t, "tcp", "127.0.0.1:0")
	m.port = portOf(at)
	_, err := eventstore.Open(t.Context(), eventstore.Options{Address: "esdb+discover://" + at.String() + "?tls=false",
		ConnectTimeout: 400 * time.Millisecond})
	if !errors.Is(err, eventstore.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "no nodes") {
		t.Errorf("without a leader: %v", err)
	}
	opened := make(chan error, 1)
	go func() {
		l, err := eventstore.Open(t.Context(), eventstore.Options{Address: "esdb+discover://" + at.String() + "?tls=false",
			ConnectTimeout: 20 * time.Second})
		if err == nil {
			err = l.Close()
		}
		opened <- err
	}()
	m.state.Store(int32(gossip.MemberInfo_Leader))
	if err := <-opened; err != nil {
		t.Errorf("once there is a leader: %v", err)
	}
}
