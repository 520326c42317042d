package delivery_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/commands"
	"folio/commands/delivery"
	"folio/commands/replay"
	"folio/commands/webhook"
	"folio/events"
	"folio/outbound"
)

// integrator is one who does everything at once to a service that is killed and loses its
// tables, before a receiver that is slow, refuses and is away.
type integrator struct {
	*world
	r       *rand.Rand
	hook    int64 // 0: no subscription
	url     string
	status  string
	n       int // of subscriptions and URLs
	started []string
	created int
	replays int
	away    bool      // the receiver
	since   time.Time // the last change of the subscription or life of the process
}

// TestWhateverIsDoneAtOnceDeliveriesStayLawful checks after each step what check says, and
// in the end that nothing is owed any more.
func TestWhateverIsDoneAtOnceDeliveriesStayLawful(t *testing.T) {
	for seed := range uint64(modelSeeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inWorld(t, func(w *world) {
				m := &integrator{world: w, r: rand.New(rand.NewPCG(seed, 7))}
				m.receive(rand.New(rand.NewPCG(seed, 8)))
				m.live()
				m.hear()
				for range 150 {
					time.Sleep(m.pause())
					m.check()
					m.step()
				}
				m.answers(func(call) (outbound.Ending, time.Duration) { return outbound.Delivered, time.Millisecond })
				if m.hook == 0 {
					m.hear()
				}
				m.change(webhook.Active)
				time.Sleep(20 * 24 * time.Hour)
				m.check()
				for _, id := range m.deliveries() {
					if s := m.state(id); s.Status == delivery.Pending {
						t.Errorf("%s is still owed: %+v", id, s)
					}
				}
				for i := range m.replays {
					if s := m.replay(fmt.Sprint("R", i+1)); s.Status == replay.Running {
						t.Errorf("replay %d still runs", i+1)
					}
				}
			})
		})
	}
}

func (m *integrator) receive(fate *rand.Rand) {
	m.answers(func(call) (outbound.Ending, time.Duration) {
		m.mu.Lock()
		defer m.mu.Unlock()
		takes := time.Duration(5+fate.IntN(980)) * time.Millisecond
		switch {
		case m.away && fate.IntN(10) > 0:
			return outbound.Timeout, time.Second
		case fate.IntN(5) == 0:
			return outbound.Status, takes
		}
		return outbound.Delivered, takes
	})
}

func (m *integrator) pause() time.Duration {
	longest := []time.Duration{900 * time.Millisecond, 8 * time.Second, 5 * time.Minute, 3 * time.Hour}[m.r.IntN(4)]
	return time.Duration(m.r.Int64N(int64(longest)))
}

func (m *integrator) step() {
	switch n := m.r.IntN(100); {
	case n < 15:
		m.created++
		m.create("C1", fmt.Sprint("I", m.created))
		m.started = append(m.started, fmt.Sprint("I", m.created))
		m.start(fmt.Sprint("I", m.created))
	case n < 35 && len(m.started) > 0:
		i := m.r.IntN(len(m.started))
		m.accept(m.started[i])
		m.started = append(m.started[:i], m.started[i+1:]...)
	case n < 55 && m.hook != 0:
		m.resend()
	case n < 60 && m.hook != 0:
		m.replays++
		id := fmt.Sprint("R", m.replays)
		m.record("replay-"+id, events.ReplayStarted{Replay: id, Company: "C1", Webhook: m.hook, Planned: 1})
	case n < 65 && m.hook != 0:
		m.change(map[string]string{webhook.Active: webhook.Paused, webhook.Paused: webhook.Active}[m.status])
	case n < 68 && m.hook != 0:
		m.n++
		m.url = fmt.Sprint("https://u", m.n)
		m.change(m.status)
	case n < 75 && m.hook != 0:
		m.record("webhook-C1", events.WebhookRemoved{})
		m.hook, m.since = 0, time.Now()
	case n < 82 && m.hook == 0:
		m.hear()
	case n < 89:
		m.restart(n < 84)
	case n < 91:
		m.p.p.Evict()
	default:
		m.mu.Lock()
		m.away = !m.away
		m.mu.Unlock()
	}
}

func (m *integrator) hear() {
	m.n++
	m.hook, m.url, m.status, m.since = int64(m.n), fmt.Sprint("https://u", m.n), webhook.Active, time.Now()
	m.record("webhook-C1", events.WebhookSubscribed{Company: "C1", Webhook: m.hook, URL: m.url, Events: []string{"ISE"},
		Secret: secret})
}

func (m *integrator) change(status string) {
	m.status, m.since = status, time.Now()
	m.record("webhook-C1", events.WebhookChanged{URL: m.url, Events: []string{"ISE"}, Status: status})
}

func (m *integrator) resend() {
	all := m.deliveries()
	if len(all) == 0 {
		return
	}
	_, err := commands.Bind(m.p.executor(), delivery.Decider).Execute(context.Background(), all[m.r.IntN(len(all))],
		delivery.Resend{Company: "C1", Webhook: m.hook, Due: time.Now()}, commands.Request{ID: uuid.New(), At: time.Now()})
	if err != nil {
		m.t.Fatal(err)
	}
}

// restart kills the process, which may lose its tables.
func (m *integrator) restart(lost bool) {
	m.p.stop()
	if lost {
		if err := forget(m.world); err != nil {
			m.t.Fatal(err)
		}
	}
	m.live()
	m.since = time.Now()
}

// check is what holds at any time: nothing stays owed to a subscription that is gone, only
// the present one is called, no attempt comes early, none that is due is forgotten, and no
// status is told after a later one of its invoice unless somebody asks for it.
func (m *integrator) check() {
	rested := time.Since(m.since)
	for _, id := range m.deliveries() {
		s := m.state(id)
		if s.Status != delivery.Pending || m.hook != 0 && m.status == webhook.Paused {
			continue
		}
		if rested > 4*time.Second && s.Webhook != m.hook {
			m.t.Fatalf("%s is owed to subscription %d, the present one is %d", id, s.Webhook, m.hook)
		}
		// It may wait for three attempts of one that somebody asked for meanwhile.
		if late := min(rested, time.Since(s.Due), time.Since(m.asked(s.Document))); late > 150*time.Second {
			m.t.Fatalf("%s is late by %s", id, late)
		}
	}
	for _, c := range m.got() {
		if c.at.Sub(m.since) > 3*time.Second && (c.url != m.url || m.hook == 0 || m.status == webhook.Paused) {
			m.t.Fatalf("%s was called: %s", c.url, c)
		}
	}
	m.checkOrder()
}

// asked is when somebody last asked for a delivery of a document.
func (m *integrator) asked(document string) (at time.Time) {
	for _, r := range m.log.facts("") {
		if e, ok := r.Event.(events.DeliveryResent); ok && e.Document == document && e.Due.After(at) {
			at = e.Due
		}
	}
	return at
}

func (m *integrator) checkOrder() {
	type told struct {
		place int // in the order of the document
		at    time.Time
	}
	place, last, newest := map[string]int{}, map[string]events.DeliveryAttempted{}, map[string]told{}
	for i, r := range m.log.facts("") {
		id := strings.TrimPrefix(r.Stream, "delivery-")
		switch e := r.Event.(type) {
		case events.DeliveryScheduled:
			place[id] = i
		case events.DeliveryResent:
			if place[id] < newest[e.Document].place {
				delete(newest, e.Document)
			}
		case events.DeliveryAttempted:
			// the tables' times
			if before := last[id]; before.Series == e.Series &&
				e.Started.Sub(before.Started) < delivery.Intervals[e.Attempt-1]-time.Microsecond {
				m.t.Fatalf("attempt %d of %s is early", e.Attempt, id)
			}
			last[id] = e
			over := e.Started.Add(time.Duration(e.Milliseconds) * time.Millisecond)
			if n := newest[e.Document]; place[id] < n.place && e.Started.Sub(n.at) > 100*time.Millisecond {
				m.t.Fatalf("%s was told at %s, and a later status at %s", id, e.Started, n.at)
			} else if e.Delivered && place[id] >= n.place {
				newest[e.Document] = told{place[id], over}
			}
		}
	}
}
