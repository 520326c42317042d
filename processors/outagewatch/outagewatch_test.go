package outagewatch_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"folio/commands"
	"folio/commands/outage"
	"folio/events"
	"folio/eventstore"
	"folio/processors/outagewatch"
	"folio/processors/processortest"
)

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

func at(company string) outage.Place {
	return outage.Place{Company: company, Environment: "Production", Authority: "sii"}
}

// shaky is a log that refuses appends while it is away.
type shaky struct {
	*processortest.Log
	away    atomic.Bool
	refused chan struct{}
}

func (l *shaky) Append(ctx context.Context, stream string, expected int64,
	ps ...eventstore.Pending) (eventstore.Appended, error) {
	if l.away.Load() {
		select {
		case l.refused <- struct{}{}:
		default:
		}
		return eventstore.Appended{}, eventstore.ErrUnavailable
	}
	return l.Log.Append(ctx, stream, expected, ps...)
}

type world struct {
	t   *testing.T
	log *shaky
	ids atomic.Int64
}

func newWorld(t *testing.T) *world {
	return &world{t: t, log: &shaky{Log: processortest.NewLog(), refused: make(chan struct{}, 1)}}
}

// process is a watch that runs until the test ends.
func (w *world) process() *outagewatch.Watch {
	watch := outagewatch.New(outagewatch.Config{
		Executor:  commands.NewExecutor(w.log, func() time.Time { return noon }),
		Threshold: outage.Threshold{Calls: 3, After: 5 * time.Minute},
		NewID:     func() string { return fmt.Sprint(w.ids.Add(1)) },
		Clock:     processortest.At(noon), Logger: slog.New(slog.DiscardHandler), Retry: time.Millisecond,
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = watch.Run(ctx) }()
	w.t.Cleanup(func() { cancel(); <-done })
	return watch
}

func fail(watch *outagewatch.Watch, company string, minutes ...int) {
	for _, n := range minutes {
		watch.Failed(at(company), events.FailingCall{At: minute(n), Fault: "timeout"})
	}
}

func answer(watch *outagewatch.Watch, company string, n int) {
	watch.Answered(outage.Answered{Place: at(company), At: minute(n), Operation: "upload"})
}

// settled waits until the watch has recorded all that it heard: a company of its own has been.
func (w *world) settled(watch *outagewatch.Watch) {
	w.t.Helper()
	company := fmt.Sprint("probe", w.ids.Add(1))
	before := len(processortest.Facts[events.AuthorityOutageOpened](w.t, w.log.Log))
	fail(watch, company, 0, 1, 5)
	for n := before + 1; ; n++ {
		for _, e := range processortest.Await[events.AuthorityOutageOpened](w.t, w.log.Log, n) {
			if e.Company == company {
				return
			}
		}
	}
}

// edges are what the log says of a company.
func (w *world) edges(company string) (out []string) {
	for _, e := range processortest.Facts[events.AuthorityOutageOpened](w.t, w.log.Log) {
		if e.Company == company {
			out = append(out, fmt.Sprintf("open %s %d", e.Since.Format("15:04"), e.Calls))
		}
	}
	for _, e := range processortest.Facts[events.AuthorityOutageClosed](w.t, w.log.Log) {
		if e.Company == company {
			out = append(out, fmt.Sprintf("closed %s %s", e.Until.Format("15:04"), e.Cause))
		}
	}
	return out
}

func (w *world) want(company string, edges ...string) {
	w.t.Helper()
	if got := fmt.Sprint(w.edges(company)); got != fmt.Sprint(edges) {
		w.t.Errorf("%s: %s, want %s", company, got, edges)
	}
}

func TestOnlyTheEdgesAreRecorded(t *testing.T) {
	w := newWorld(t)
	watch := w.process()
	answer(watch, "A", 0)
	fail(watch, "A", 1, 2)
	answer(watch, "A", 3) // the tally begins anew
	for n := range 1000 {
		fail(watch, "A", 4+n)
		fail(watch, "B", 0)
	}
	w.settled(watch)
	for n := range 1000 {
		answer(watch, "A", 2000+n)
	}
	answer(watch, "B", 2000)
	w.settled(watch)
	w.want("B")
	if edges := w.edges("A"); len(edges) != 2 || !strings.HasPrefix(edges[1], "closed") {
		t.Errorf("%s: one edge each, whatever the number of calls", edges)
	}
}

func TestCompaniesAreIndependent(t *testing.T) {
	w := newWorld(t)
	watch := w.process()
	fail(watch, "A", 0, 1, 6)
	fail(watch, "B", 0, 1, 6)
	answer(watch, "B", 7)
	answer(watch, "C", 7)
	w.settled(watch)
	w.want("A", "open 12:00 3")
	w.want("C")
}

func TestTwoProcessesOpenAnOutageOnce(t *testing.T) {
	w := newWorld(t)
	one, two := w.process(), w.process()
	for n := range 20 {
		company := fmt.Sprint("A", n)
		done := make(chan struct{})
		go func() { defer close(done); fail(one, company, 0, 1, 5) }()
		fail(two, company, 0, 2, 6)
		<-done
	}
	w.settled(one)
	w.settled(two)
	for n := range 20 {
		if edges := w.edges(fmt.Sprint("A", n)); len(edges) != 1 {
			t.Errorf("%s: one opens it", edges)
		}
	}
	// The other one hears of it, and its call that gets through closes it.
	answer(two, "A0", 30)
	two.News("outage-A0-Production-sii")
	answer(two, "A0", 31)
	w.settled(two)
	if edges := w.edges("A0"); len(edges) != 2 {
		t.Errorf("%s: closed once", edges)
	}
}

func TestAStartFindsWhatIsOpen(t *testing.T) {
	w := newWorld(t)
	fail(w.process(), "A", 0, 1, 5)
	processortest.Await[events.AuthorityOutageOpened](t, w.log.Log, 1)
	next := w.process()
	fail(next, "A", 6, 7, 20)
	w.settled(next)
	answer(next, "A", 30)
	processortest.Await[events.AuthorityOutageClosed](t, w.log.Log, 1)
	w.want("A", "open 12:00 3", "closed 12:30 call")
}

func TestWhatTheLogDidNotTakeIsRecordedLater(t *testing.T) {
	w := newWorld(t)
	watch := w.process()
	w.log.away.Store(true)
	fail(watch, "A", 0, 1, 5)
	<-w.log.refused
	fail(watch, "A", 6)
	w.log.away.Store(false)
	w.settled(watch)
	if edges := w.edges("A"); len(edges) != 1 {
		t.Errorf("%s, want one", edges)
	}
	w.log.away.Store(true)
	answer(watch, "A", 10)
	<-w.log.refused
	w.log.away.Store(false)
	processortest.Await[events.AuthorityOutageClosed](t, w.log.Log, 1)
}

func TestAPersonsWordStands(t *testing.T) {
	w := newWorld(t)
	x := commands.NewExecutor(w.log, func() time.Time { return noon })
	outages := commands.Bind(x, outage.Decider)
	tell := func(company string, c outage.Command) {
		t.Helper()
		_, err := outages.Execute(t.Context(), at(company).ID(), c,
			commands.Request{ID: commands.Derived(fmt.Sprint(c)), At: noon})
		if err != nil {
			t.Fatal(err)
		}
	}
	watch := w.process()
	tell("A", outage.Open{Place: at("A"), Outage: "O", Reason: "r", Since: noon})
	answer(watch, "A", 10)
	w.settled(watch)
	w.want("A", "open 12:00 0")

	fail(watch, "B", 0, 1, 5)
	w.settled(watch)
	open := processortest.Facts[events.AuthorityOutageOpened](t, w.log.Log)
	tell("B", outage.Close{Place: at("B"), Outage: open[len(open)-2].Outage, Reason: "r", At: minute(6)})
	watch.News("outage-B-Production-sii")
	fail(watch, "B", 7, 8) // with those of before they would be enough
	w.settled(watch)
	w.want("B", "open 12:00 3", "closed 12:06 operator")
	fail(watch, "B", 9, 10, 15)
	w.settled(watch)
	if edges := w.edges("B"); len(edges) != 3 {
		t.Errorf("%s: it is away again", edges)
	}
}
