package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/events"
)

// vandal does random harm to the log: foreign, broken, cut and deleted things. What it does
// to Folio's own streams it does to those of one company.
type vandal struct {
	hand
	random *rand.Rand
	victim company
	known  []string // invoices of the victim
	did    []string
}

// pick is any of some.
func pick[T any](r *rand.Rand, some []T) T { return some[r.IntN(len(some))] }

// does one thing.
func (v *vandal) does() {
	switch n := v.random.IntN(10); {
	case n < 2: // another application on the same server
		stream := pick(v.random, []string{"shop-", "invoices-", "Invoice-", "company", "-", "numbering_"}) +
			fmt.Sprint(v.random.IntN(3))
		v.write(stream)
	case n < 7:
		v.write(v.stream())
	case n < 9:
		stream := v.stream()
		v.did = append(v.did, "cut "+stream)
		v.cuts(stream, func(m *esdb.StreamMetadata) {
			if v.random.IntN(2) == 0 {
				m.SetMaxCount(uint64(1 + v.random.IntN(2)))
			} else {
				m.SetTruncateBefore(uint64(1 + v.random.IntN(3)))
			}
		})
	default:
		stream := v.stream()
		v.did = append(v.did, "delete "+stream)
		o := esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}
		_, _ = v.client.DeleteStream(v.t.Context(), stream, o) // it may not exist, or be gone already
	}
}

// stream is one of the victim's, or one that nobody has.
func (v *vandal) stream() string {
	id := v.victim.id
	return pick(v.random, []string{
		"company-" + id, "numbering-" + id + "-Production-1-1", "numbering-" + id + "-Production-6-1", "numbering-" + id,
		"numbering-nonsense",
		"webhook-" + id, "invoice-" + pick(v.random, v.known), "invoice-" + pick(v.random, v.known),
		"invoice-01K0000000000000000000000" + fmt.Sprint(v.random.IntN(9)),
		"dailyreport-" + id + "-Production-2026-01-01", "delivery-" + fmt.Sprint(v.random.IntN(3)), "replay-1",
		"taxpayer-AR-1", "purchase-" + id + "-1",
		"certificate-1", "apikey-nobody", "idempotency-" + id + "-1", "quarantine-company-" + id, "quarantine-", "invoice-",
	})
}

func (v *vandal) write(stream string) {
	kind := "Unheard"
	if v.random.IntN(8) > 0 {
		kind = pick(v.random, events.Catalog()).Name
	}
	// A pair that belongs together does the most harm.
	if category := events.Category(stream); v.random.IntN(3) > 0 {
		var fitting []string
		for _, e := range events.Catalog() {
			if e.Category == category {
				fitting = append(fitting, e.Name)
			}
		}
		if len(fitting) > 0 {
			kind = pick(v.random, fitting)
		}
	}
	data := v.data(kind)
	metadata := pick(v.random, []string{ours, ours, ours, `{}`, ``, `[`, `{"schema":99}`, `{"schema":-1}`,
		`{"schema":"x"}`})
	v.did = append(v.did, fmt.Sprintf("write %s to %s: %.80s", kind, stream, data))
	// tombstoned, perhaps
	_, _ = v.client.AppendToStream(v.t.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}},
		esdb.EventData{EventType: kind, ContentType: esdb.ContentTypeJson, Data: []byte(data), Metadata: []byte(metadata)})
}

// data is the example of a type with some member at fault, or something else altogether.
func (v *vandal) data(kind string) string {
	nonsense := []string{`{}`, `[]`, `null`, `7`, `"x"`, `{`, ``, `{"company":"` + v.victim.id + `"}`,
		`{"company":["` + v.victim.id + `"]}`, "\x00\xff"}
	raw, err := os.ReadFile(filepath.Join("..", "events", "testdata", kind+".v1.json"))
	var stored map[string]json.RawMessage
	if err != nil || v.random.IntN(4) == 0 || json.Unmarshal(raw, &stored) != nil || len(stored) == 0 {
		return pick(v.random, nonsense)
	}
	for name := range stored {
		switch v.random.IntN(6) {
		case 0:
			delete(stored, name)
		case 1:
			stored[name] = json.RawMessage(pick(v.random,
				[]string{`null`, `[]`, `{}`, `""`, `-1`, `99999999999999999999`, `"x"`, `[null]`, `{"":{}}`}))
		}
	}
	if _, ok := stored["company"]; ok && v.random.IntN(2) == 0 {
		stored["company"], _ = json.Marshal(v.victim.id)
	}
	out, _ := json.Marshal(stored)
	return string(out)
}

// TestAVandalCostsNobodyButItsVictim: whatever is done to the log around one company's
// streams, another company's answers, the order of its numbers and its latency stay.
func TestAVandalCostsNobodyButItsVictim(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{1, 2, 3, 4} {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			vandalised(t, seed)
		})
	}
}

func vandalised(t *testing.T, seed uint64) {
	const rounds, perRound = 12, 3
	dir := t.TempDir()
	holdsForeign(t, dir)
	r := receive(t)
	flags := append([]string{allowLoopback}, unlimited...)
	p := serve(t, dir, flags...)
	a, b := issuing(t, p, dir, 1), issuing(t, p, dir, 2)
	b.subscribe(t, r.URL, "ISE")
	v := &vandal{hand: handOn(t, dir), random: rand.New(rand.NewPCG(seed, 1)), victim: a}
	for n := range 3 {
		v.known = append(v.known, a.issue(t, body("FCA", 1, fmt.Sprint(n))).ID)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("done to the log:\n%s", strings.Join(v.did, "\n"))
		}
	})
	var ids []string
	var took []time.Duration
	for round := range rounds {
		for range perRound {
			v.does()
		}
		began := time.Now()
		ids = append(ids, b.post(t, body([]string{"FCA", "FCB"}[round%2], 1, fmt.Sprint(round))).ID)
		took = append(took, time.Since(began))
		v.victimIsToldTheTruth(round)
		if round == rounds/2 {
			p.kill()
			p = serve(t, dir, flags...)
			a.base, b.base, v.victim.base = p.base, p.base, p.base
			v.hand = handOn(t, dir)
		}
	}
	for _, id := range ids {
		b.accepted(t, id)
	}
	slices.Sort(took)
	if median := took[len(took)/2]; median > prompt {
		t.Errorf("POSTs of the other company took %s: half of them more than %s", took, prompt)
	}
	all := b.all(t)
	slices.Reverse(all)
	if len(all) != rounds {
		t.Fatalf("the other company has %d invoices, want %d", len(all), rounds)
	}
	for n, i := range all {
		if want := fmt.Sprintf("0001-%08d", n/2+1); i.ID != ids[n] || *i.Number != want {
			t.Errorf("invoice %d of the other company is %s, want %s with number %s", n, i, ids[n], want)
		}
	}
	r.await(t, 2*rounds, verdictLimit)
	if out := ready(t, p.base); strings.Contains(out, `"quarantine":{"held":0`) {
		t.Errorf("nothing is held: the vandal did no harm, or nobody noticed: %s", out)
	}
}

// victimIsToldTheTruth: its requests may be refused for now, never answered with a fault of
// the service, and what exists is never denied.
func (v *vandal) victimIsToldTheTruth(round int) {
	v.t.Helper()
	got := must(v.victim.send(http.MethodPost, "/api/invoices", body("FCA", 1, fmt.Sprint("v", round))))
	if got.status != http.StatusCreated && got.status != http.StatusServiceUnavailable &&
		got.status != http.StatusUnprocessableEntity {
		v.t.Errorf("round %d: POST of the victim: %d %s", round, got.status, got.body)
	}
	id := pick(v.random, v.known)
	got = must(v.victim.send(http.MethodGet, "/api/invoices/"+id, nil))
	if got.status != http.StatusOK && got.status != http.StatusServiceUnavailable {
		v.t.Errorf("round %d: GET of the victim's invoice %s: %d %s", round, id, got.status, got.body)
	}
}
