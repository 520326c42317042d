package eventstore

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"

	"folio/events"
)

// ProbeHeader is a header of the calls that only ask whether the log is there.
const ProbeHeader = "folio-probe"

// overslept is how late the end of a probe must be for this process to have stood still itself.
const overslept = 2 * time.Second

// watch asks the log in short intervals whether it still reads and appends, unless a call has
// just shown it: followers and idle processes notice nothing by themselves. It ends with Close.
func (l *Log) watch() {
	tick := time.NewTicker(l.o.ProbeEvery)
	defer tick.Stop()
	suspicion := l.suspicion // heard once between two ticks
	for {
		select {
		case <-suspicion:
			suspicion = nil
		case <-tick.C:
			suspicion = l.suspicion
			if l.Health().Condition == Well && time.Since(l.appended()) < l.o.ProbeEvery {
				continue
			}
		case <-l.ctx.Done():
			return
		}
		l.probe()
	}
}

// appended is when an append was answered last.
func (l *Log) appended() time.Time { return time.Unix(0, l.lastAppend.Load()) }

// probe asks both uses at once, so that a log that keeps silent is found out in one wait.
func (l *Log) probe() {
	began := time.Now()
	ctx, cancel := context.WithTimeout(asProbe(l.ctx), l.o.AwayAfter)
	defer cancel()
	s, err := l.acquire(ctx)
	if err != nil {
		f := explain(err)
		l.judge(began, f, f)
		return
	}
	defer s.leave()
	var read, append *failure
	var both sync.WaitGroup
	both.Go(func() {
		_, err := guarded(ctx, s, func() (events.Position, error) { return lastPosition(ctx, s.client) })
		read = l.concluded(began, s, err, &l.lastAppend, &l.lastRead)
	})
	both.Go(func() {
		_, err := guarded(ctx, s, func() (*esdb.WriteResult, error) { return l.impossible(ctx, s.client) })
		append = l.concluded(began, s, err, &l.lastAppend)
	})
	both.Wait()
	l.judge(began, read, append)
}

// impossible is an append that every server must refuse, because the stream is not at that
// revision: whoever says so could have appended.
func (l *Log) impossible(ctx context.Context, client *esdb.Client) (*esdb.WriteResult, error) {
	limit := l.o.AwayAfter
	opts := esdb.AppendToStreamOptions{ExpectedRevision: esdb.Revision(math.MaxInt64 - 1), Deadline: &limit}
	return client.AppendToStream(ctx, l.name(StoreStream), opts, esdb.EventData{
		EventID: uuid.NewSHA1(uuid.NameSpaceOID, []byte("probe of Folio")), EventType: "Probe",
		ContentType: esdb.ContentTypeJson, Data: []byte("{}"),
	})
}

// concluded is what a probe's call says of its use. On a busy machine a probe may be the one that waits longest: where
// a call that shows the same was answered since the probe began, it says nothing. The connection that any answer came
// through meanwhile stays: to replace it would break the reads that move on through it.
func (l *Log) concluded(began time.Time, s *session, err error, shows ...*atomic.Int64) *failure {
	if err == nil {
		return nil
	}
	f := explain(err)
	if f.broken && l.ctx.Err() == nil && !l.stoodStill(began) && !since(began, &l.lastAppend, &l.lastRead) {
		l.distrust(s)
	}
	if f.kind == ErrUnavailable && since(began, shows...) {
		return nil
	}
	return f
}

// since says whether any of the answers came after a time.
func since(began time.Time, answers ...*atomic.Int64) bool {
	return slices.ContainsFunc(answers, func(at *atomic.Int64) bool { return at.Load() > began.UnixNano() })
}

// judge feeds outcomes to the health. A process that was stopped (SIGSTOP) finds every deadline
// passed when it goes on, which is no fault of the log: the next probe tells.
func (l *Log) judge(began time.Time, read, append *failure) {
	failed := read != nil && !read.answer() || append != nil && !append.answer()
	if !failed || !l.stoodStill(began) {
		l.monitor.probed(began, read, append)
	}
}

func (l *Log) stoodStill(began time.Time) bool { return time.Since(began) >= l.o.AwayAfter+overslept }
