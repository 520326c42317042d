package e2e

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// deadly is a service that is killed at one step of a submission.
type deadly struct {
	t   *testing.T
	n   nation
	dir string
	spy *spy
	p   *process
	c   company
}

// steps are those of a submission, in their order. Each waits for its moment and kills.
var steps = []struct {
	name string
	arm  func(d *deadly)
}{
	{"the signed bytes are stored", func(d *deadly) { d.whenStored() }},
	{"the numbers are taken", func(d *deadly) { d.whenLogged("SubmissionOpened") }},
	{"the invoices are told", func(d *deadly) { d.whenLogged("SubmissionStarted") }},
	{"the upload is on its way", func(d *deadly) { d.atCall(d.n.upload, false) }},
	{"the upload arrived and its answer did not", func(d *deadly) { d.atCall(d.n.upload, true) }},
	{"the verdict is about to be asked for", func(d *deadly) { d.atCall(d.n.verdict, false) }},
	{"the verdict was given and is not recorded", func(d *deadly) { d.atCall(d.n.verdict, true) }},
	{"the submission is settled", func(d *deadly) { d.whenLogged("SubmissionSettled") }},
	{"the copies are made", func(d *deadly) { d.whenLogged("AuthorityAccepted") }},
}

// atCall kills before a call reaches the authority, or once it has answered.
func (d *deadly) atCall(call string, answered bool) {
	d.spy.moment.Store(&moment{call: call, answered: answered, act: d.p.kill})
}

// whenLogged kills as soon as the log on the disk holds a new event of a type.
func (d *deadly) whenLogged(event string) {
	d.when("log/events.db", "SELECT coalesce(max(pos), 0) FROM events",
		"SELECT count(*) FROM events WHERE pos > ? AND instr(rec, CAST('"+event+"' AS BLOB))")
}

// whenStored kills as soon as the vault on the disk holds something new.
func (d *deadly) whenStored() {
	d.when("vault.db", "SELECT count(*) FROM sealed", "SELECT count(*) > ? FROM sealed")
}

// when kills once a question to a database, with the answer to the one before it as its
// argument, is no longer answered with 0.
func (d *deadly) when(file, before, now string) {
	d.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(d.dir, file)+"?mode=ro")
	if err != nil {
		d.t.Fatal(err)
	}
	var start int64
	if err := db.QueryRowContext(d.t.Context(), before).Scan(&start); err != nil {
		d.t.Fatal(err)
	}
	p := d.p
	go func() {
		defer db.Close()
		tick := time.NewTicker(500 * time.Microsecond)
		defer tick.Stop()
		for found := int64(0); found == 0; {
			select {
			case <-p.done: // killed otherwise: the test ended
				return
			case <-tick.C:
			}
			if db.QueryRowContext(context.Background(), now, start).Scan(&found) != nil {
				found = 0 // it is being written
			}
		}
		p.kill()
	}()
}

// killed goes through steps, with invoices under way at each, and wants everything right
// at the end: no number used twice, every document final, and at the authority nothing
// but the bytes that were stored before the numbers were taken.
func killed(t *testing.T, n nation, at func(step int) bool, troubles ...map[string]any) {
	d := &deadly{t: t, n: n, dir: t.TempDir()}
	d.spy = spyOn(t, d.dir)
	flags := append([]string{"--authority-url", d.spy.URL, "--retry-base", "100ms", "--log-level", "warn",
		"--sandbox-latency", "10ms"}, unlimited...)
	d.p = serve(t, d.dir, flags...)
	d.c = n.company(t, d.p, d.dir)
	code := n.kinds[0]
	n.number(t, d.c, d.dir, code, 1, 200)
	d.c.issue(t, n.body(code, 0)) // so that a session with the authority is there
	made := 1
	for i, step := range steps {
		if !at(i) {
			continue
		}
		const together = 3
		n.script(t, d.dir, troubles...) // a sandbox that is killed forgets them
		step.arm(d)
		d.post(made, together, false)
		d.p.dies(t, step.name)
		d.p.clean(t)
		d.p = serve(t, d.dir, flags...)
		d.c.base = d.p.base
		d.post(made, together, true)
		made += together
		d.c.settle(t, verdictLimit)
		if t.Failed() {
			t.Fatalf("after the kill when %s", step.name)
		}
	}
	d.check(code, made)
}

// post creates invoices, each once however often it is asked for. Whoever is killed may
// not answer.
func (d *deadly) post(first, count int, must bool) {
	d.t.Helper()
	for i := first; i < first+count; i++ {
		c := d.c
		c.client = c.with("Idempotency-Key", fmt.Sprint("kill-", i))
		a, err := c.send(http.MethodPost, "/api/invoices", d.n.body(d.n.kinds[0], i))
		if must && (err != nil || a.status != http.StatusCreated) {
			d.t.Fatalf("invoice %d: %d %v %s", i, a.status, err, a.body)
		}
	}
}

func (d *deadly) check(code, made int) {
	d.t.Helper()
	all := d.c.all(d.t)
	if got := consecutive(d.t, all); len(all) != made || len(got) != 1 {
		d.t.Errorf("%d invoices of %d, in %v", len(all), made, got)
	}
	d.p.stop(d.t)
	stored := map[int64]string{}
	for _, i := range all {
		sent := sentAs(d.t, code, history(d.t, d.dir, i.ID), i.ID)
		if len(sent) != 1 {
			d.t.Errorf("%s was part of %d submissions", i, len(sent))
			continue
		}
		if before, twice := stored[sent[0].number]; twice {
			d.t.Errorf("number %d was taken twice: %s and %s", sent[0].number, before, sent[0].sha256)
		}
		stored[sent[0].number] = sent[0].sha256
	}
	var came []int64
	for _, a := range d.n.arrived(d.t, d.dir) {
		if a.code != code || stored[a.number] != a.sha256 {
			d.t.Errorf("the authority has %+v, the log %q", a, stored[a.number])
		}
		came = append(came, a.number)
	}
	slices.Sort(came)
	if came = slices.Compact(came); len(came) != made {
		d.t.Errorf("the authority has %d of %d documents: %v", len(came), made, came)
	}
}

// The steps around the call itself; crash_long_test.go has all of them.
func TestKilledAroundTheCall(t *testing.T) {
	t.Parallel()
	eachNation(t, func(t *testing.T, n nation) {
		killed(t, n, func(step int) bool { return step == 1 || step == 4 })
	})
}
