package e2e

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/clock/clocktest"
	"folio/eventstore/node"
)

// hand is somebody who writes to the log with other tools than Folio's.
type hand struct {
	t      testing.TB
	client *esdb.Client
}

func handOn(t testing.TB, dir string) hand {
	t.Helper()
	address, err := node.FindAddress(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return handAt(t, address)
}

func handAt(t testing.TB, address string) hand {
	t.Helper()
	config, err := esdb.ParseConnectionString("esdb://localhost:2113?tls=false")
	if err != nil {
		t.Fatal(err)
	}
	config.Address, config.Logger = address, func(esdb.LogLevel, string, ...any) {}
	c, err := esdb.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return hand{t, c}
}

const ours = `{"schema":1,"actor":"somebody","at":"2026-03-01T12:00:00Z"}`

func (h hand) writes(stream, kind, data, metadata string) {
	h.t.Helper()
	_, err := h.client.AppendToStream(context.Background(), stream,
		esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}},
		esdb.EventData{EventType: kind, ContentType: esdb.ContentTypeJson, Data: []byte(data), Metadata: []byte(metadata)})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h hand) cuts(stream string, set func(*esdb.StreamMetadata)) {
	h.t.Helper()
	var m esdb.StreamMetadata
	set(&m)
	if _, err := h.client.SetStreamMetadata(context.Background(), stream,
		esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}}, m); err != nil {
		h.t.Fatal(err)
	}
}

func (h hand) deletes(stream string) {
	h.t.Helper()
	if _, err := h.client.DeleteStream(context.Background(), stream,
		esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		h.t.Fatal(err)
	}
}

func (h hand) tombstones(stream string) {
	h.t.Helper()
	if _, err := h.client.TombstoneStream(context.Background(), stream,
		esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		h.t.Fatal(err)
	}
}

// prompt is how long a POST of somebody whom the trouble is not about may take. It is below
// the two seconds for which a write waits for its read model.
const prompt = 1500 * time.Millisecond

// unharmed issues an invoice for a company that has nothing to do with the trouble.
func unharmed(t testing.TB, c company, reference string) invoice {
	t.Helper()
	began := time.Now()
	i := c.post(t, body("FCA", 1, reference))
	if time.Since(began) > prompt { // the machine may have been slow
		n := 0
		clocktest.Prompt(t, "a POST of another company", prompt, func() {
			n++
			c.post(t, body("FCB", 2, fmt.Sprint(reference, n)))
		})
	}
	if got := c.accepted(t, i.ID); got.Number == nil {
		t.Errorf("accepted without a number: %s", got)
	} else {
		i = got
	}
	return i
}

func ready(t testing.TB, base string) string {
	t.Helper()
	a := client{base: base}.want(t, http.StatusOK, http.MethodGet, "/readyz", nil)
	return string(a.body)
}

// TestTheTroubleOfOneStreamStaysItsOwn: what another application or an operator does to the
// log costs the company whose stream it is, and nobody else.
func TestTheTroubleOfOneStreamStaysItsOwn(t *testing.T) {
	t.Parallel()
	series := func(c company) string { return "numbering-" + c.id + "-Production-1-1" }
	for name, x := range map[string]struct {
		harm    func(h hand, a company, old invoice)
		stream  func(a company, old invoice) string // that is held; nil: none
		refused bool                                // POSTs of the company are
		skip    bool                                // and an operator's skip cures it
		mend    func(h hand, a company)             // puts the stream right, so that a retry cures it
		watched bool                                // it is held before anybody asks for it
	}{
		"another application's InvoiceCreated": {
			harm: func(h hand, a company, _ invoice) { h.writes("shop-1", "InvoiceCreated", `{"total":12}`, `{}`) },
		},
		"another application's event in a company's stream": {
			harm: func(h hand, a company, _ invoice) { h.writes("company-"+a.id, "Visited", `{"by":"crm"}`, `{}`) },
		},
		"an event of a newer Folio in a company's stream": {
			harm:   func(h hand, a company, _ invoice) { h.writes("company-"+a.id, "CompanyMerged", `{}`, ours) },
			stream: func(a company, _ invoice) string { return "company-" + a.id }, refused: true, skip: true,
		},
		"a broken event in a company's stream": {
			harm: func(h hand, a company, _ invoice) {
				h.writes("company-"+a.id, "FiscalProfileSet", `{"profile":7}`, ours)
			},
			stream: func(a company, _ invoice) string { return "company-" + a.id }, refused: true, skip: true,
		},
		"a broken event in an invoice's stream": {
			harm: func(h hand, _ company, old invoice) {
				h.writes("invoice-"+old.ID, "AuthorityAccepted", `{"authorization":7}`, ours)
			},
			stream: func(_ company, old invoice) string { return "invoice-" + old.ID }, skip: true,
		},
		"an invoice that cannot be read": {
			harm: func(h hand, a company, _ invoice) {
				h.writes("invoice-01K00000000000000000000000", "InvoiceCreated", `{"company":"`+a.id+`","document":[]}`, ours)
			},
			stream: func(company, invoice) string { return "invoice-01K00000000000000000000000" }, skip: true,
		},
		"$maxCount on a numbering stream": {
			harm: func(h hand, a company, _ invoice) {
				h.cuts(series(a), func(m *esdb.StreamMetadata) { m.SetMaxCount(1) })
			},
			stream: func(a company, _ invoice) string { return series(a) },
			mend:   func(h hand, a company) { h.cuts(series(a), func(*esdb.StreamMetadata) {}) },
		},
		"a company's stream is deleted": {
			harm:   func(h hand, a company, _ invoice) { h.deletes("company-" + a.id) },
			stream: func(a company, _ invoice) string { return "company-" + a.id }, refused: true, watched: true,
		},
		"a company's stream is tombstoned": {
			harm:   func(h hand, a company, _ invoice) { h.tombstones("company-" + a.id) },
			stream: func(a company, _ invoice) string { return "company-" + a.id }, refused: true, watched: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r := receive(t)
			flags := append([]string{allowLoopback}, unlimited...)
			p := serve(t, dir, flags...)
			a, b := issuing(t, p, dir, 1), issuing(t, p, dir, 2)
			b.subscribe(t, r.URL, "ISE")
			old := a.issue(t, body("FCA", 1, "old"))
			unharmed(t, b, "before")
			x.harm(handOn(t, dir), a, old)
			if x.watched {
				eventually(t, startLimit, "the company is held at once", func() (string, bool) {
					out := ready(t, p.base)
					return out, strings.Contains(out, `"stream":"company-`+a.id+`"`)
				})
				a.refused(t, http.StatusServiceUnavailable, "RECORDS_HELD", http.MethodPost, "/api/invoices",
					body("FCA", 1, "too late"))
			}
			if got := unharmed(t, b, "after"); *got.Number != "0001-00000002" {
				t.Errorf("the other company's second invoice is %s", got)
			}
			p.kill()
			p = serve(t, dir, flags...)
			a.base, b.base = p.base, p.base
			if got := unharmed(t, b, "after a restart"); *got.Number != "0001-00000003" {
				t.Errorf("the other company's third invoice is %s", got)
			}
			r.await(t, 6, verdictLimit)
			if x.stream == nil {
				if got := a.issue(t, body("FCA", 1, "new")); *got.Number != "0001-00000002" {
					t.Errorf("the company's second invoice is %s", got)
				}
				return
			}
			stream := x.stream(a, old)
			if x.refused {
				a.refused(t, http.StatusServiceUnavailable, "RECORDS_HELD", http.MethodPost, "/api/invoices", body("FCA", 1, "new"))
			} else if got := must(a.send(http.MethodPost, "/api/invoices",
				body("FCA", 1, "new"))); got.status != http.StatusCreated {
				t.Fatalf("%d %s", got.status, got.body)
			}
			if id, ok := strings.CutPrefix(stream, "invoice-"); ok {
				if got := must(a.send(http.MethodGet, "/api/invoices/"+id, nil)); got.status != http.StatusOK &&
					got.status != http.StatusServiceUnavailable {
					t.Errorf("GET of the invoice: %d %s", got.status, got.body)
				}
			}
			eventually(t, startLimit, "the quarantine is told of", func() (string, bool) {
				out := ready(t, p.base)
				return out, strings.Contains(out, `"stream":"`+stream+`"`)
			})
			if out := succeed(t, "quarantine", "list", "--data", dir); !strings.Contains(out, stream) {
				t.Errorf("quarantine list says\n%s", out)
			}
			succeed(t, "quarantine", "show", stream, "--data", dir)
			switch {
			case x.mend != nil:
				x.mend(handOn(t, dir), a)
				succeed(t, "quarantine", "retry", stream, "--reason", "a test wrote it", "--data", dir)
			case x.skip:
				succeed(t, "quarantine", "skip", stream, "--reason", "a test wrote it", "--data", dir)
			default:
				return
			}
			if got := a.issue(t, body("FCA", 1, "at last")); got.Number == nil {
				t.Errorf("after the decision: %s", got)
			}
			a.settle(t, verdictLimit)
			consecutive(t, a.all(t))
			eventually(t, startLimit, "nothing is held", func() (string, bool) {
				out := ready(t, p.base)
				return out, strings.Contains(out, `"quarantine":{"held":0`)
			})
			if out := succeed(t, "quarantine", "show", stream, "--data", dir); x.skip &&
				!strings.Contains(out, "a test wrote it") {
				t.Errorf("the decision is not shown:\n%s", out)
			}
		})
	}
}
