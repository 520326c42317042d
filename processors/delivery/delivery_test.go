package delivery_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"folio/commands/delivery"
	"folio/events"
	"folio/outbound"
)

const minute = time.Minute

func TestEveryChangeOfStatusIsToldOnceInOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.live()
		w.create("C1", "I1")
		w.start("I1")
		w.start("I1") // sent again, since the authority did not process it
		w.accept("I1")
		w.create("C1", "I2")
		w.start("I2")
		time.Sleep(minute)
		w.reject("I2")
		w.create("C1", "I3")
		w.refuse("I3") // without a number
		time.Sleep(minute)
		list(t, "told of I3", w.toldOf("I3"), "I3 Rejected 1")
		for invoice, last := range map[string]string{"I1": "Accepted", "I2": "Rejected"} {
			list(t, "told of "+invoice, w.toldOf(invoice), invoice+" In process 1", invoice+" "+last+" 1")
		}
		for _, id := range w.deliveries() {
			same(t, id, w.state(id).Status, delivery.Delivered)
		}
	})
}

func TestThePayloadIsThatOfTheSpecification(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.live()
		w.create("C1", "I1")
		w.create("C1", "I2")
		w.start("I1")
		w.record("invoice-I1", events.NumberAssigned{BranchOffice: 3, Number: 7})
		w.accept("I1")
		w.start("I2")
		w.reject("I2")
		time.Sleep(minute)
		got := map[string]string{}
		for _, c := range w.got() {
			got[c.document+c.status] = string(c.body)
		}
		for key, want := range map[string]string{
			"I1Accepted": `{"document_id":"I1","event":"ISE","external_reference":"ref-I1","status":"Accepted","authorization_type":"CAE",` +
				`"authorization_code":"75123456789012","authorization_expiration_date":"11/01/2000 00:00:00",` +
				`"authorization_qr":"https://www.arca.gob.ar/fe/qr/?p=eyJ2ZXIiOjF9&x=ñ","error_message":"","attempt":1,"created_at":"2000-01-01T00:00:00.000Z",` +
				`"number":"0003-00000007","id_company":"C1","environment":"Testing","no_fiscal_value":true}`,
			"I1In process": `{"document_id":"I1","event":"ISE","external_reference":"ref-I1","status":"In process","authorization_type":"",` +
				`"authorization_code":"","authorization_expiration_date":"","authorization_qr":"","error_message":"","attempt":1,"created_at":"2000-01-01T00:00:00.000Z",` +
				`"number":"","id_company":"C1","environment":"Testing"}`,
			"I2Rejected": `{"document_id":"I2","event":"ISE","external_reference":"ref-I2","status":"Rejected","authorization_type":"",` +
				`"authorization_code":"","authorization_expiration_date":"","authorization_qr":"","error_message":"10016: Fecha <mala>; 10048: Importe","attempt":1,"created_at":"2000-01-01T00:00:00.000Z",` +
				`"number":"","id_company":"C1","environment":"Testing"}`,
		} {
			var a, b map[string]any
			if err := json.Unmarshal([]byte(got[key]), &a); err != nil {
				t.Fatalf("%s: %v in %q", key, err, got[key])
			}
			if err := json.Unmarshal([]byte(want), &b); err != nil {
				t.Fatal(err)
			}
			same(t, key, fmt.Sprint(a), fmt.Sprint(b))
		}
	})
}

func TestOnlyWhatWasSubscribedWhenItHappenedIsTold(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, i := range []string{"I1", "I2", "I3", "I4"} {
			w.create("C1", i)
		}
		w.start("I1") // before the subscription
		w.subscribe("C1", "CER", "ENU")
		w.start("I2") // another code
		w.record("webhook-C1", events.WebhookChanged{URL: "https://C1", Events: []string{"ISE"}, Status: "active"})
		w.start("I3")
		w.record("webhook-C1", events.WebhookChanged{URL: "https://C1", Events: []string{"CER"}, Status: "active"})
		w.start("I4")
		w.live() // long afterwards, with all of it to hear
		time.Sleep(minute)
		list(t, "told", w.told(), "I3 In process 1")
		w.accept("I3")
		time.Sleep(minute)
		list(t, "told", w.told(), "I3 In process 1")
	})
}

func TestHearingTheLogAgainSendsNothingAgain(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.live()
		w.create("C1", "I1")
		w.start("I1")
		w.accept("I1")
		time.Sleep(minute)
		w.p.stop()
		events, calls := len(w.log.facts("")), len(w.got())
		same(t, "calls", calls, 2)
		if err := forget(w); err != nil {
			t.Fatal(err)
		}
		w.live()
		time.Sleep(48 * time.Hour)
		same(t, "events", len(w.log.facts("")), events)
		same(t, "calls", len(w.got()), calls)
	})
}

func TestDeliveriesAreSignedAsStandardWebhooksSays(t *testing.T) {
	const next = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.live()
		w.answers(func(c call) (outbound.Ending, time.Duration) {
			return map[bool]outbound.Ending{true: outbound.Delivered, false: outbound.Status}[c.attempt > 2], 0
		})
		w.create("C1", "I1")
		w.reject2(t)
		time.Sleep(time.Second)
		w.record("webhook-C1", events.WebhookSecretRotated{Secret: next, Overlap: time.Now().Add(30 * time.Second)})
		time.Sleep(2 * minute)
		calls := w.got()
		same(t, "calls", len(calls), 3)
		for i, c := range calls {
			for name, valid := range map[string]bool{secret: i < 2, next: i > 0} {
				v, err := standardwebhooks.NewWebhook(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := v.VerifyIgnoringTimestamp(c.body, c.header); (err == nil) != valid {
					t.Errorf("attempt %d with %s: %v", i+1, name, err)
				}
			}
			same(t, "timestamp", c.header.Get("webhook-timestamp"), fmt.Sprint(c.at.Unix()))
			same(t, "id", c.id, w.deliveries()[0])
			same(t, "body apart from the attempt",
				strings.Replace(string(c.body), fmt.Sprintf(`"attempt":%d`, i+1), `"attempt":1`, 1), string(calls[0].body))
		}
	})
}

// reject2 rejects I1 with texts that JSON writers like to escape.
func (w *world) reject2(t *testing.T) {
	t.Helper()
	w.start("I1")
	w.record("webhook-C1", events.WebhookChanged{URL: "https://C1", Events: []string{"ISE"}, Description: "ñ € / < &",
		Status: "active"})
}

func TestALifeOfElevenAttempts(t *testing.T) {
	intervals := []time.Duration{0, 5 * time.Second, 60 * time.Second, 300 * time.Second, 1200 * time.Second,
		3600 * time.Second,
		24 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour}
	for name, restart := range map[string]bool{"in one life": false, "killed in every gap": true} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.subscribe("C1", "ISE")
				w.answers(func(call) (outbound.Ending, time.Duration) { return outbound.Status, 20 * time.Millisecond })
				w.create("C1", "I1")
				id := w.start("I1")
				begun := time.Now()
				w.live()
				for i, d := range intervals {
					time.Sleep(d)
					time.Sleep(100 * time.Millisecond)
					synctest.Wait()
					same(t, "attempts", len(w.attempts(id)), i+1)
					if restart {
						w.p.stop()
						w.live()
					}
				}
				time.Sleep(240 * time.Hour)
				calls, attempts := w.got(), w.attempts(id)
				same(t, "calls", len(calls), 11)
				same(t, "attempts", len(attempts), 11)
				at := begun
				for i, a := range attempts {
					at = at.Add(intervals[i])
					if off := a.Started.Sub(at); off < 0 || off > 2*time.Second {
						t.Errorf("attempt %d began %s after its time", i+1, off)
					}
					at = a.Started
					same(t, "number", calls[i].attempt, i+1)
					if i < 10 {
						same(t, "next", a.Next.Sub(a.Started), intervals[i+1])
					} else if a.Next != nil {
						t.Errorf("a twelfth attempt is due at %s", a.Next)
					}
				}
				same(t, "status", w.state(id).Status, delivery.Exhausted)
			})
		})
	}
}

func TestAnAttemptThatFellDueDuringDowntimeIsMadeAtTheStart(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.answers(func(call) (outbound.Ending, time.Duration) { return outbound.Timeout, time.Second })
		w.create("C1", "I1")
		id := w.start("I1")
		w.live()
		time.Sleep(2 * time.Second)
		w.p.stop()
		time.Sleep(7 * 24 * time.Hour)
		w.live()
		started := time.Now()
		time.Sleep(2 * time.Second)
		a := w.attempts(id)
		same(t, "attempts", len(a), 2)
		if late := a[1].Started.Sub(started); late > time.Second {
			t.Errorf("made %s after the start", late)
		}
		same(t, "next", a[1].Next.Sub(a[1].Started), time.Minute)
	})
}
