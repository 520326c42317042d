package node

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"golang.org/x/sys/unix"
)

// rawRate is the ceiling of the disk: 512-byte writes, each followed by fdatasync, in a second.
func rawRate(b *testing.B) float64 {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	block := bytes.Repeat([]byte{7}, 512)
	n, begin := 0, time.Now()
	for ; time.Since(begin) < 500*time.Millisecond; n++ {
		if _, err := f.Write(block); err != nil {
			b.Fatal(err)
		}
		if err := unix.Fdatasync(int(f.Fd())); err != nil {
			b.Fatal(err)
		}
	}
	return float64(n) / time.Since(begin).Seconds()
}

// cpu is the processor time of this process, client and node together: on a shared machine it tells
// more than the clock does.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func body500(n int) esdb.EventData {
	return esdb.EventData{EventID: testID("bench", n), EventType: "InvoiceCreated", ContentType: esdb.ContentTypeJson,
		Data: []byte(fmt.Sprintf(`{"n":%d,"text":%q}`, n, bytes.Repeat([]byte{'x'}, 470)))}
}

func benchmarkAppend(b *testing.B, appenders int) {
	before := rawRate(b)
	n := start(b, Options{})
	clients := []*esdb.Client{connect(b, n.Address())}
	var next atomic.Int64
	var group sync.WaitGroup
	used := cpu(b)
	b.ResetTimer()
	for a := range appenders {
		client := clients[a%len(clients)]
		group.Go(func() {
			for {
				i := int(next.Add(1))
				if i > b.N {
					return
				}
				_, err := client.AppendToStream(b.Context(), fmt.Sprintf("invoice-%09d", i),
					esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}}, body500(i))
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.StopTimer()
	b.ReportMetric(float64((cpu(b)-used).Microseconds())/float64(b.N), "cpu-us/append")
	rate := float64(b.N) / b.Elapsed().Seconds()
	raw := (before + rawRate(b)) / 2
	s := n.Stats()
	b.ReportMetric(rate, "appends/s")
	b.ReportMetric(raw, "fdatasyncs/s")
	b.ReportMetric(rate/raw, "xRaw")
	b.ReportMetric(float64(s.Appends)/float64(s.Batches), "appends/batch")
}

func BenchmarkAppend1(b *testing.B)  { benchmarkAppend(b, 1) }
func BenchmarkAppend16(b *testing.B) { benchmarkAppend(b, 16) }
func BenchmarkAppend64(b *testing.B) { benchmarkAppend(b, 64) }

// storeAppend appends ten events to a stream of its own, without gRPC.
func storeAppend(b testing.TB, n *Node, stream, size int) {
	c := &storage.Change{Kind: storage.AppendEvents, Stream: fmt.Sprintf("invoice-%09d", stream),
		Expected: storage.ExpectNoStream}
	for i := range size {
		e := body500(stream*size + i)
		c.Events = append(c.Events, storage.Record{ID: e.EventID, JSON: true, Kind: []byte(e.EventType), Data: e.Data})
	}
	if out := n.store.Submit(b.Context(), c); out.Err != nil || out.Wrong {
		b.Error(out)
	}
}

// fill stores count events in streams of ten.
func fill(b testing.TB, n *Node, count int) {
	b.Helper()
	var next atomic.Int64
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			for i := int(next.Add(1)); i <= count/10; i = int(next.Add(1)) {
				storeAppend(b, n, i, 10)
			}
		})
	}
	group.Wait()
}

// BenchmarkAppendStore64 is BenchmarkAppend64 without gRPC: what the log alone can take.
func BenchmarkAppendStore64(b *testing.B) { benchmarkAppendStore(b, 64) }

// BenchmarkAppendStore1 is BenchmarkAppend1 without gRPC.
func BenchmarkAppendStore1(b *testing.B) { benchmarkAppendStore(b, 1) }

func benchmarkAppendStore(b *testing.B, appenders int) {
	raw := rawRate(b)
	n := start(b, Options{})
	var next atomic.Int64
	var group sync.WaitGroup
	b.ResetTimer()
	for range appenders {
		group.Go(func() {
			for i := int(next.Add(1)); i <= b.N; i = int(next.Add(1)) {
				storeAppend(b, n, i, 1)
			}
		})
	}
	group.Wait()
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "appends/s")
	b.ReportMetric(rate/raw, "xRaw")
}

// BenchmarkReadAll reads $all through the client. One iteration is one event.
func BenchmarkReadAll(b *testing.B) {
	raw := rawRate(b)
	n := start(b, Options{})
	const stored = 50_000
	fill(b, n, stored)
	client := connect(b, n.Address())
	used := cpu(b)
	b.ResetTimer()
	for read := 0; read < b.N; {
		s, err := client.ReadAll(b.Context(), esdb.ReadAllOptions{}, uint64(min(stored, b.N-read)))
		if err != nil {
			b.Fatal(err)
		}
		for ; read < b.N; read++ {
			if _, err := s.Recv(); err != nil {
				break
			}
		}
		s.Close()
	}
	b.ReportMetric(float64((cpu(b)-used).Nanoseconds())/1000/float64(b.N), "cpu-us/event")
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "events/s")
	b.ReportMetric(rate/raw, "xRaw")
}

// BenchmarkReadAllStore is the same walk without gRPC: what the database costs.
func BenchmarkReadAllStore(b *testing.B) {
	n := start(b, Options{})
	fill(b, n, 50_000)
	b.ResetTimer()
	for read := 0; read < b.N; {
		from := uint64(0)
		for more := true; more && read < b.N; {
			events, m, err := n.store.AllForward(b.Context(), from, 0, storage.PageEvents)
			if err != nil {
				b.Fatal(err)
			}
			read, more, from = read+len(events), m, events[len(events)-1].Pos+1
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
