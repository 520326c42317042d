package node

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
)

func TestKilledNodeKeepsWhatItAcknowledged(t *testing.T) { killRounds(t, 5) }

// killRounds kills a serving process at a random moment during concurrent appends, again and again on
// one folder. Every acknowledged append must be there, whole and in order.
func killRounds(t *testing.T, rounds int) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(7, uint64(rounds)))
	l := &ledger{acked: map[string]uint64{}}
	for round := range rounds {
		c := spawn(t, dir)
		address := c.address(t)
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		client := bareAt(t, address)
		for w := range 8 {
			group.Go(func() { l.appendUntilDead(ctx, client, fmt.Sprintf("r%d-w%d", round, w)) })
		}
		time.Sleep(time.Duration(20+rng.IntN(180)) * time.Millisecond)
		c.kill(t)
		cancel()
		group.Wait()
		l.verify(t, dir)
	}
	if len(l.acked) == 0 {
		t.Fatal("nothing was acknowledged: the test proves nothing")
	}
	t.Logf("%d appends acknowledged in %d rounds", len(l.acked), rounds)
}

// ledger is what clients know to be stored: the last acknowledged revision of each stream.
type ledger struct {
	mu    sync.Mutex
	acked map[string]uint64
}

const perAppend = 3

// appendUntilDead writes streams of five appends with three events each. It uses no esdb.Client: that
// one can hang for ever when its server dies, whatever the context says.
func (l *ledger) appendUntilDead(ctx context.Context, c streams.StreamsClient, worker string) {
	for i := 0; ctx.Err() == nil; i++ {
		stream := fmt.Sprintf("%s-%d", worker, i/5)
		from := i % 5 * perAppend
		resp, err := appendBare(ctx, c, stream, from-1, events("E", stream, from, from+perAppend))
		if err != nil || resp.GetSuccess() == nil {
			return
		}
		l.mu.Lock()
		l.acked[stream] = resp.GetSuccess().GetCurrentRevision()
		l.mu.Unlock()
	}
}

func appendBare(ctx context.Context, c streams.StreamsClient, stream string, expected int,
	es []esdb.EventData) (*streams.AppendResp, error) {
	call, err := c.Append(ctx)
	if err != nil {
		return nil, err
	}
	options := appendOptions(stream)
	options.GetOptions().ExpectedStreamRevision = &streams.AppendReq_Options_Revision{Revision: uint64(expected)}
	if expected < 0 {
		options.GetOptions().ExpectedStreamRevision = &streams.AppendReq_Options_NoStream{NoStream: &shared.Empty{}}
	}
	_ = call.Send(options) // the answer tells what went wrong
	for _, e := range es {
		m := proposed(e.Data, goodMeta)
		m.GetProposedMessage().Id = &shared.UUID{Value: &shared.UUID_String_{String_: e.EventID.String()}}
		_ = call.Send(m)
	}
	return call.CloseAndRecv()
}

func (l *ledger) verify(t *testing.T, dir string) {
	t.Helper()
	s, err := smallStore(t, dir)
	if err != nil {
		t.Fatalf("open after the kill: %v", err)
	}
	defer closeStore(t, s)
	if _, err := content(s, 0); err != nil {
		t.Fatalf("read after the kill: %v", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for stream, acked := range l.acked {
		end, err := s.StreamEnd(context.Background(), stream)
		if err != nil {
			t.Fatal(err)
		}
		if end.Last < int64(acked) {
			t.Fatalf("%s ends at %d, %d was acknowledged", stream, end.Last, acked)
		}
		if (end.Last+1)%perAppend != 0 {
			t.Fatalf("%s holds half an append: it ends at %d", stream, end.Last)
		}
		es, _, err := s.StreamPage(context.Background(),
			storage.Span{Stream: stream, Num: end.Num, From: 0, To: end.Last, Step: 1, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for i := range es {
			if es[i].ID != testID(stream, i) {
				t.Fatalf("%s@%d is another event", stream, i)
			}
		}
	}
}

func TestFailedWriteStopsTheNode(t *testing.T) {
	dir := t.TempDir()
	// SQLite's log has this much room; a write past the limit fails as one to a broken disk does.
	c := spawn(t, dir, fmt.Sprintf("%s=%d", childLimit, storage.WalReserve))
	client := connect(t, c.address(t))
	l := &ledger{acked: map[string]uint64{}}
	big := event("Big", 1)
	big.Data = make([]byte, 900_000)
	var err error
	for i := 0; err == nil && i < 50; i++ {
		stream := fmt.Sprintf("big-%d", i)
		big.EventID = testID(stream, 0)
		if _, err = client.AppendToStream(t.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}},
			big); err == nil {
			l.acked[stream] = 0
		}
	}
	if code(err) != esdb.ErrorUnavailable || !strings.Contains(err.Error(), "stopped") {
		t.Fatalf("got %v, want unavailable and why", err)
	}
	if word, why := c.line(t); word != "failed" || !strings.Contains(why, "check the disk") {
		t.Errorf("the node says %q %q", word, why)
	}
	client = connect(t, "unix://"+filepath.Join(dir, socketName))
	_, err = client.AppendToStream(t.Context(), "small", esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}},
		event("E", 1))
	if code(err) != esdb.ErrorUnavailable {
		t.Errorf("a node that failed must not go on: %v", err)
	}
	c.kill(t)
	s, err := smallStore(t, dir)
	if err != nil {
		t.Fatalf("start again: %v", err)
	}
	defer closeStore(t, s)
	for stream := range l.acked {
		if end, err := s.StreamEnd(t.Context(), stream); err != nil || end.Last != 0 {
			t.Errorf("%s was acknowledged and is gone: %+v, %v", stream, end, err)
		}
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	c := spawn(t, dir)
	address := c.address(t)
	_, err := Open(t.Context(), Options{Dir: dir})
	if !errors.Is(err, storage.ErrInUse) || !strings.Contains(err.Error(), dir) ||
		!strings.Contains(err.Error(), fmt.Sprint(c.cmd.Process.Pid)) {
		t.Errorf("got %v, want a refusal that names the folder and the process", err)
	}
	if found, err := FindAddress(dir); err != nil || found != address {
		t.Errorf("found %q (%v), want %q", found, err, address)
	}
	write(t, connect(t, address), "s", esdb.NoStream{}, event("E", 1))
	c.kill(t)
	if _, err := FindAddress(dir); !errors.Is(err, ErrNotRunning) {
		t.Errorf("after the kill: %v", err)
	}
	n := start(t, Options{Dir: dir}) // the dead one's socket and lock are no obstacle
	if info, err := os.Stat(filepath.Join(dir, socketName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v, %v", info.Mode(), err)
	}
	if es, err := drainRead(connect(t, n.Address()).ReadStream(t.Context(), "s", esdb.ReadStreamOptions{},
		10)); err != nil || len(es) != 1 {
		t.Errorf("%d events, %v", len(es), err)
	}
}

func TestLongFolderGetsAPrivateSocket(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long/", 30))
	n, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(n.Address(), targetScheme)
	if len(path) > maxSocket {
		t.Errorf("%s is too long", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("its folder: %v, %v", info.Mode(), err)
	}
	if found, err := FindAddress(dir); err != nil || found != n.Address() {
		t.Errorf("found %q, %v", found, err)
	}
	write(t, connect(t, n.Address()), "s", esdb.NoStream{}, event("E", 1))
	stop(t, n)
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the private folder is still there: %v", err)
	}
	if _, err := Open(t.Context(), Options{Dir: t.TempDir(), Socket: path + strings.Repeat("x", 100)}); err == nil {
		t.Error("a chosen path that is too long was taken")
	}
}
