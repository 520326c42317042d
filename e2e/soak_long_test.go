//go:build long

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"folio/faultproxy"
	"folio/faultproxy/calls"
)

// endLimit is how long after the last fault every series may have something to do.
const endLimit = time.Minute

// pastLease is longer than a lease.
const pastLease = 12 * time.Second

// soakRounds are as many as fit into the long tests, or as FOLIO_SOAK_ROUNDS says.
func soakRounds(t *testing.T) int {
	if given := os.Getenv("FOLIO_SOAK_ROUNDS"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 {
			t.Fatalf("FOLIO_SOAK_ROUNDS is a count of rounds, not %q", given)
		}
		return n
	}
	return 20
}

// harm is one fault of log, tables or authorities.
type harm struct {
	name string
	do   func(x *soaking)
	lag  time.Duration // how long it lasts
	away string        // "log" or "tables" when it makes it unreachable for long enough to be told
}

const brief, long = 1500 * time.Millisecond, 8 * time.Second

var harms = []harm{
	{"log frozen", func(x *soaking) { x.log.Freeze() }, long, "log"},
	{"tables gone", func(x *soaking) { x.tables((*faultproxy.Proxy).Refuse) }, long, "tables"},
	{"authorities' answers lost", (*soaking).spoil, brief, ""},
	{"log's answers lost", func(x *soaking) { x.log.LoseAnswers() }, brief, ""},
	{"tables' answers lost", func(x *soaking) { x.tables((*faultproxy.Proxy).LoseAnswers) }, brief, ""},
	{"appends done and timed out", func(x *soaking) { x.calls.Answer("Append", calls.CommitTimeout(calls.Before)) }, brief,
		""},
	{"log gone", func(x *soaking) { x.log.Refuse() }, long, "log"},
	{"tables frozen", func(x *soaking) { x.tables((*faultproxy.Proxy).Freeze) }, long, "tables"},
	{"appends timed out and done later", func(x *soaking) { x.calls.Answer("Append", calls.CommitTimeout(calls.Later)) },
		brief, ""},
	{"log and tables cut", func(x *soaking) { x.log.Cut(); x.tables((*faultproxy.Proxy).Cut) }, 0, ""},
	{"log and tables gone", func(x *soaking) { x.log.Refuse(); x.tables((*faultproxy.Proxy).Refuse) }, brief, ""},
}

// spoil lets calls to the authorities go wrong without a decision about any document.
func (x *soaking) spoil() {
	nation{admin: "/admin/arca/faults"}.script(x.fleet.t, x.fleet.dir,
		map[string]any{"operation": "FECAESolicitar", "effect": "lose", "times": 2},
		map[string]any{"operation": "FECompUltimoAutorizado", "effect": "down", "times": 1})
	for _, n := range nations {
		n.script(x.fleet.t, x.fleet.dir, n.troubles[:2]...)
	}
}

// The members that are killed or stopped come in turns; with the harms, whose count has no
// divisor in common with theirs, every pair comes about in 176 rounds.
func (x *soaking) round(n int, random *rand.Rand) string {
	members := x.all()
	m, stopped := members[n/2%len(members)], n%2 == 1
	h := harms[n%len(harms)]
	var both sync.WaitGroup
	hurt := make(chan struct{})
	both.Go(func() {
		defer close(hurt)
		time.Sleep(time.Duration(random.IntN(600)) * time.Millisecond) // the random moment
		h.do(x)
		began := time.Now()
		x.told(h, m)
		time.Sleep(h.lag - time.Since(began)) // the length of the fault
		x.heal()
	})
	if stopped {
		x.signal(m, syscall.SIGSTOP)
		time.Sleep(pastLease) // stopped for longer than its leases
		x.signal(m, syscall.SIGCONT)
	} else {
		time.Sleep(300 * time.Millisecond) // before or after the other fault
		m.p.kill()
		m.p.clean(x.fleet.t)
		<-hurt // a start waits for its log and its tables, but a minute is for the series
		x.replace(m)
	}
	both.Wait()
	return fmt.Sprintf("%s %s, %s", m.name, map[bool]string{true: "stopped", false: "killed"}[stopped], h.name)
}

// told wants every other member's readyz to say what is away, by its role.
func (x *soaking) told(h harm, hurt *member) {
	for _, m := range x.all() {
		if h.away == "" || m == hurt || h.away == "tables" && x.mongo == nil { // SQLite's can be read
			continue
		}
		want := http.StatusServiceUnavailable
		if h.away == "log" && m.role == "read" {
			want = http.StatusOK
		}
		for began := time.Now(); ; time.Sleep(50 * time.Millisecond) { // polls, as a load balancer does
			status, log, body := x.readyz(m)
			if status == want && (h.away != "log" || log == "unreachable") {
				break
			}
			if time.Since(began) > tellLimit {
				x.fleet.t.Errorf("%s: readyz of %s is %d: %s", h.name, m.name, status, body)
				break
			}
		}
	}
}

// rest lets everything come to its end, and gives how long that took.
func (x *soaking) rest() time.Duration {
	x.gate.Lock() // what was begun is acknowledged, and nothing new comes
	defer x.gate.Unlock()
	took := x.settled(x.fleet.t, endLimit)
	x.ready(endLimit)
	x.alive()
	return took
}

func TestSoak(t *testing.T) {
	rounds, seed := soakRounds(t), seedOf()
	random := rand.New(rand.NewPCG(uint64(seed), 12))
	x := newSoaking(t)
	report := &strings.Builder{}
	say := func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		t.Log(line)
		fmt.Fprintln(report, line)
	}
	began := time.Now()
	say("%s: %d rounds, seed %d", began.UTC().Format(time.DateTime), rounds, seed)
	x.begin(3)
	slowest, done := time.Duration(0), 0
	for n := 0; n < rounds && !t.Failed(); n++ {
		name := x.round(n, random)
		took := x.rest()
		slowest, done = max(slowest, took), n+1
		say("%4d. %-60s settled in %5.1f s, %d acknowledged", n+1, name, took.Seconds(), x.count())
	}
	x.over.Store(true)
	x.clients.Wait()
	x.settled(t, endLimit)
	x.check()
	say("%d rounds in %s: %d acknowledged, slowest end of all series %.1f s after the last fault, failed: %v",
		done, time.Since(began).Round(time.Second), x.count(), slowest.Seconds(), t.Failed())
	if file := os.Getenv("FOLIO_SOAK_REPORT"); file != "" {
		if err := os.WriteFile(file, []byte(soakReport(report.String())), 0o644); err != nil {
			t.Error(err)
		}
	}
}

func soakReport(lines string) string {
	return "# The last soak\n\nTwo processes of each role, three countries and their webhooks, on one log behind a " +
		"proxy and shared tables.\n" +
		"Tables are SQLite, whose files are locked where it says that they are gone, frozen or cut; with FOLIO_TEST_MONGO " +
		"they are MongoDB's.\n" +
		"Each round kills or stops a process and harms log, tables or authorities at the same time. docs/operating.md " +
		"says what is promised.\n" +
		"Written by `make soak`.\n\n```\n" + lines + "```\n"
}
