//go:build long

package e2e

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

func readAll(t testing.TB, a *http.Response) []byte {
	t.Helper()
	content, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// notHere are the alerts whose fault cannot be switched on in a running program; promtool tries them in
// deploy/prometheus/alerts_test.yml.
var notHere = map[string]string{
	"FigureMissing":     "it comes with a new year",
	"ProjectionStopped": "no known fault makes documents disagree with their log",
	"StateOld":          "SQLite lets readers read whatever writers do; it takes MongoDB that is away",
}

// exempt says whether an alert is not tried here. On the first day of a fortnight nothing of its code is reported.
func exempt(alert string) bool {
	_, never := notHere[alert]
	return never || firstOfFortnight() && (alert == "ContingencyReportsLate" || alert == "ContingencyReportRefused")
}

// fault is something that an operator must be told.
type fault struct {
	alerts []string
	begin  func(t *testing.T)
	end    func(t *testing.T)
}

// estate is Folio in three processes, and who watches it.
type estate struct {
	t                    *testing.T // of the whole estate: what is started for it outlives a part of the test
	dir                  string
	node, front, workers *process
	watchman
	argentina []company
	uruguay   company
	receiver  *receiver
	refuses   atomic.Bool // the receiver
	office    *postOffice
	workFlags []string
}

func newEstate(t *testing.T) *estate {
	e := &estate{t: t, dir: t.TempDir(), receiver: receive(t), office: &postOffice{}}
	e.receiver.respond = func(w http.ResponseWriter, _ heard) {
		if e.refuses.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
	shared := append([]string{"--metrics-every", "200ms", "--retry-base", "100ms", allowLoopback},
		slices.Concat(unlimited, e.office.open(t))...)
	e.node = serve(t, e.dir, append(shared, "--roles", "node,sandbox")...)
	e.front = serve(t, e.dir, append(shared, "--roles", "write,read,projections")...)
	e.workFlags = append(shared, "--roles", "processors", "--stands-after", "2s", "--daily-report-after", "1s")
	e.workers = serve(t, e.dir, e.workFlags...)
	for n := range 3 { // as many as it takes to open a circuit
		e.argentina = append(e.argentina, issuing(t, e.front, e.dir, n+1))
	}
	e.uruguay = uruguayan(t, e.front, e.dir)
	e.uruguay.enumerate(t, http.StatusCreated, 111, cae(t, e.dir, rucIssuer, 111, "A", 1, 100))
	e.argentina[0].subscribe(t, e.receiver.URL, "ISE")
	e.argentina[0].issue(t, body("FCA", 1, "before"))
	e.watchman = watch(t, e.node.base, e.front.base, e.workers.base)
	return e
}

// Every shipped alert fires while its fault lasts and clears after it, as Debian's Prometheus sees the real program.
func TestEveryAlertFiresAndClears(t *testing.T) {
	e, began := newEstate(t), time.Now()
	faults := e.faults()
	maps.Copy(faults, e.ofMail())
	maps.Copy(faults, e.ofContingency())
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		f := faults[name]
		for _, a := range f.alerts {
			told[a] = true
		}
		t.Run(name, func(t *testing.T) {
			e.tells(t, false, f.alerts...)
			f.begin(t)
			e.tells(t, true, f.alerts...)
			f.end(t)
			e.tells(t, false, f.alerts...)
		})
	}
	content, err := os.ReadFile("../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`alert: Folio(\w+)`).FindAllStringSubmatch(string(content), -1) {
		if told[m[1]] == exempt(m[1]) {
			t.Errorf("%s: tried %v, exempt %v", m[1], told[m[1]], exempt(m[1]))
		}
	}
	e.metricsAreDocumented(t)
	e.showsAll(t, began)
}

// metricsAreDocumented wants every metric of a service that has worked in docs/metrics.md.
func (e *estate) metricsAreDocumented(t *testing.T) {
	t.Helper()
	docs, err := os.ReadFile("../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*process{e.node, e.front, e.workers} {
		shown := client{base: p.base}.want(t, http.StatusOK, http.MethodGet, "/metrics", nil).body
		for _, m := range regexp.MustCompile(`(?m)^# TYPE (folio_\w+)`).FindAllSubmatch(shown, -1) {
			if !strings.Contains(string(docs), "`"+string(m[1])+"`") {
				t.Errorf("docs/metrics.md does not have %s", m[1])
			}
		}
	}
}

func (e *estate) faults() map[string]fault {
	ar, uy := e.argentina, e.uruguay
	arca := nation{admin: "/admin/arca/faults"}
	cure := func(n nation) func(t *testing.T) {
		return func(t *testing.T) { n.administer(t, e.dir, http.MethodDelete, nil) }
	}
	var lacks company
	var release func()
	series := ar[0].id + "-Production-6-1"
	const report = "EFACRECEPCIONREPORTE"
	return map[string]fault{
		"a company has no certificate": {[]string{"InvoicesWaitForCompany"}, func(t *testing.T) {
			lacks = register(t, login(t, e.front.base, email, password), cuit(50))
			lacks.post(t, body("FCA", 1, "waits"))
		}, func(t *testing.T) { lacks.certify(t, e.dir); lacks.settle(t, verdictLimit) }},
		"a certificate ends in three days": {[]string{"CertificateExpires"}, func(t *testing.T) {
			form, kind := multipartForm(t, certificateFields(3), "certificate", certificate(t, e.dir, "ar", ar[2].cuit, 3))
			ar[2].with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, ar[2].path("/certificates"), form)
		}, func(t *testing.T) { ar[2].certify(t, e.dir) }},
		"numbers and their range run out": {[]string{"NumbersRunOut", "RangeExpires"}, func(t *testing.T) {
			uy.enumerate(t, http.StatusCreated, 112, cae(t, e.dir, rucIssuer, 112, "B", 1, 10, "--valid-days=1"))
		}, func(t *testing.T) {
			uy.enumerate(t, http.StatusCreated, 112, cae(t, e.dir, rucIssuer, 112, "B", 11, 200))
		}},
		"the authority is down": {[]string{"AuthorityDown", "AuthorityFails", "InvoicesWait", "SeriesStands"},
			func(t *testing.T) {
				arca.script(t, e.dir, map[string]any{"effect": "down"})
				for _, c := range ar {
					c.post(t, body("FCA", 1, "down"))
				}
			}, func(t *testing.T) {
				cure(arca)(t)
				for _, c := range ar {
					c.settle(t, alertLimit)
				}
			}},
		"the authority does not decide": {[]string{"InvoicesUndecided"}, func(t *testing.T) {
			uy.post(t, marked(1, "stick"))
		}, func(t *testing.T) {
			nation{admin: "/admin/dgi/stuck"}.administer(t, e.dir, http.MethodDelete, nil)
			uy.settle(t, verdictLimit)
		}},
		"the authority rejects": {[]string{"InvoicesRejected"}, func(t *testing.T) {
			arca.script(t, e.dir, map[string]any{"effect": "reject", "code": 10195})
			for n := range 6 {
				ar[0].post(t, body("FCA", 1, fmt.Sprint("rejected", n)))
			}
		}, cure(arca)},
		"a series is held": {[]string{"SeriesHeld"}, func(t *testing.T) {
			ar[0].issue(t, body("FCB", 1, "held"))
			succeed(t, "series", "hold", series, "--reason", "looking", "--data", e.dir)
		}, func(t *testing.T) {
			succeed(t, "series", "release", series, "--reason", "looked", "--data", e.dir)
		}},
		"a stream cannot be read": {[]string{"StreamsQuarantined"}, func(t *testing.T) {
			handOn(t, e.dir).writes(brokenStream, "InvoiceCreated", `{"company":"`+ar[1].id+`","document":[]}`, ours)
		}, func(t *testing.T) {
			succeed(t, "quarantine", "skip", brokenStream, "--reason", "nobody's", "--data", e.dir)
		}},
		"a receiver is broken": {[]string{"DeliveriesFail"}, func(t *testing.T) {
			e.refuses.Store(true)
			ar[0].issue(t, body("FCA", 1, "refused"))
		}, func(t *testing.T) {
			e.refuses.Store(false)
			ar[0].issue(t, body("FCA", 1, "taken"))
		}},
		// First no report arrives, then each is refused.
		"daily reports cannot be sent": {[]string{"DailyReportLate"}, func(t *testing.T) {
			uruguay.script(t, e.dir, map[string]any{"operation": report, "effect": "http500", "for": "30s"},
				map[string]any{"operation": report, "effect": "cover", "code": "R04"})
			uy.ticketsOf(t, e.dir, beforeYesterday())
		}, func(*testing.T) {}},
		"daily reports that are refused": {[]string{"DailyReportRefused"}, func(t *testing.T) {
			succeed(t, "daily-report", "retry", uy.id, "Production", beforeYesterday().Format(time.DateOnly),
				"--reason", "lifted, they say", "--data", e.dir)
		}, cure(uruguay)},
		"nobody works": {[]string{"Down", "ProcessorIdle", "DeliveriesWait", "EmailsWait"}, func(t *testing.T) {
			e.refuses.Store(true) // so that the delivery is due again when nobody is there, like the message
			e.office.closes()
			e.mails(t, ar[0].issue(t, body("FCA", 1, "nobody")).ID, "nobody@b.example")
			e.workers.kill()
		}, func(*testing.T) {
			e.refuses.Store(false)
			e.office.opens()
			flags := append(e.workFlags, "--addr", strings.TrimPrefix(e.workers.base, "http://"))
			e.workers = begin(e.t, append([]string{"serve", "--data", e.dir}, flags...)...)
			e.workers.base = e.workers.await(e.t, "listening on ")
		}},
		"the tables take no writes": {[]string{"StoreAway", "NotReady", "FeedBehind", "ProcessorFailing"},
			func(t *testing.T) {
				release = lockTables(t, e.dir)
				_, err := ar[1].once(http.MethodPost, "/api/invoices", written(t, body("FCA", 1, "locked")))
				if err != nil {
					t.Fatal(err)
				}
			}, func(t *testing.T) { release() }},
		"the log stands still": {[]string{"LogAway", "ServerErrors", "Slow"}, func(t *testing.T) {
			e.signal(t, e.node, syscall.SIGSTOP)
			release = e.knocks(ar[2])
		}, func(t *testing.T) { release(); e.signal(t, e.node, syscall.SIGCONT) }},
	}
}

// knocks sends requests for as long as a fault lasts, as callers do: a rate is not that of one moment.
func (e *estate) knocks(c company) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ctx.Err() == nil; n++ {
			content, err := json.Marshal(body("FCA", 1, fmt.Sprint("knock", n)))
			if err == nil {
				_, err = c.once(http.MethodPost, "/api/invoices", content)
			}
			if err != nil {
				e.t.Error(err)
				return
			}
			select {
			case <-time.After(300 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	return func() { cancel(); <-done }
}

func written(t *testing.T, body map[string]any) []byte {
	t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

const brokenStream = "invoice-01K00000000000000000000000"

func (e *estate) signal(t *testing.T, p *process, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// lockTables holds SQLite's lock of writers, as a copy or a stuck tool would.
func lockTables(t *testing.T, dir string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "tables.db")+"?_txlock=immediate&_pragma=busy_timeout(30000)")
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
