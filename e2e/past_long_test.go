//go:build long

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// scenario is what three companies do, one of each country, with what reads gave meanwhile.
type scenario struct {
	t         *testing.T
	r         *rand.Rand
	dir       string
	companies []company
	bodies    []func(n int) map[string]any // of a company's invoice
	ids       [][]string                   // of a company's invoices
	reads     []recordedRead
}

// recordedRead is what a read gave, between two times.
type recordedRead struct {
	company   int
	path      string
	status    int
	body      string
	asOf      string // position that it names itself
	from, to  time.Time
	undoubted bool // nothing was recorded meanwhile: the answer at to is the same
}

// TestThePastIsWhatReadsGave records answers while companies of all three countries issue,
// are rejected, correct and change their profiles at random, and asks for each of them again
// at the end: by the position that it named, by a position, and by time.
func TestThePastIsWhatReadsGave(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--retry-base", "50ms"}, unlimited...)...)
	x := &scenario{t: t, r: rand.New(rand.NewPCG(seed, 5)), dir: dir, ids: make([][]string, 3)}
	cl, uy := chilean(t, p, dir), uruguayan(t, p, dir)
	x.companies = []company{issuing(t, p, dir, 77), cl, uy}
	chile.number(t, cl, dir, 33, 1, 100)
	x.read(1)
	uruguay.number(t, uy, dir, 111, 1, 100)
	x.bodies = []func(int) map[string]any{
		func(n int) map[string]any { return body([]string{"FCA", "FCB"}[n%2], 1, fmt.Sprint("pedido-", n)) },
		func(n int) map[string]any { return chile.body(33, n) },
		func(n int) map[string]any { return uruguay.body(111, n) },
	}
	chile.script(t, dir, chile.final)
	for n := range 45 {
		x.step(n)
		x.read(x.r.IntN(3))
		if n%15 == 14 {
			for c := range x.companies {
				x.companies[c].settle(t, verdictLimit)
				x.quiet(c)
			}
		}
	}
	for c := range x.companies {
		x.compare(c)
	}
	x.proven()
	p.stop(t)
}

// step is something that a company does.
func (x *scenario) step(n int) {
	c := x.r.IntN(3)
	co := x.companies[c]
	if c == 0 && x.r.IntN(4) == 0 && len(x.ids[0]) > 0 { // a note on an invoice, once it is accepted
		id := x.ids[0][0]
		if i := co.read(x.t, id); i.Status == "Accepted" && i.InvoiceType == "FCA" {
			note := body("NCA", 1, fmt.Sprint("nota-", n))
			note["billing_reference"] = []map[string]any{{"invoice_id": id}}
			x.ids[0] = append(x.ids[0][1:], co.post(x.t, note).ID)
			return
		}
	}
	if c == 0 && x.r.IntN(5) == 0 {
		co.want(x.t, http.StatusOK, http.MethodPut, co.path("/fiscal-profile"), map[string]any{
			"address": map[string]any{"country": "AR", "region": "AR-C", "address": fmt.Sprint("Calle ", n), "phone": ""}})
		return
	}
	if c != 0 && x.r.IntN(5) == 0 { // what the profile answers may be sent again
		profile := get[map[string]any](x.t, co.client, co.path("/fiscal-profile"))
		address, _ := profile["address"].(map[string]any)
		address["phone"] = fmt.Sprint("+56 2 2345 ", 1000+n)
		co.want(x.t, http.StatusOK, http.MethodPut, co.path("/fiscal-profile"), profile)
		return
	}
	x.ids[c] = append(x.ids[c], co.post(x.t, x.bodies[c](n)).ID)
}

// read keeps the answer to one of a company's reads.
func (x *scenario) read(c int) {
	paths := []string{"/api/invoices", "/api/invoices?per_page=3&page=2", "/api/invoices?status=accepted&per_page=5",
		"/api/invoices?status=pending", "/api/invoices?status=in%20process", "/api/companies/" + x.companies[c].id}
	for _, id := range x.ids[c] {
		paths = append(paths, "/api/invoices/"+id, "/api/invoices?references="+id)
	}
	x.reads = append(x.reads, x.ask(c, paths[x.r.IntN(len(paths))]))
}

func (x *scenario) ask(c int, path string) recordedRead {
	x.t.Helper()
	from := time.Now()
	a, err := x.companies[c].send(http.MethodGet, path, nil)
	if err != nil {
		x.t.Fatal(err)
	}
	return recordedRead{
		company: c,
		path:    path,
		status:  a.status,
		body:    x.comparable(a.body),
		asOf:    a.header.Get("Folio-As-Of"),
		from:    from,
		to:      time.Now(),
	}
}

// comparable is an answer without what is no fact.
func (x *scenario) comparable(raw []byte) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		x.t.Fatalf("%v in %s", err, raw)
	}
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "pending_reason")
			for _, m := range v {
				strip(m)
			}
		case []any:
			for _, m := range v {
				strip(m)
			}
		}
	}
	strip(v)
	out, err := json.Marshal(v)
	if err != nil {
		x.t.Fatal(err)
	}
	return string(out)
}

// quiet keeps the answers of a moment at which nothing is recorded of the company.
func (x *scenario) quiet(c int) {
	paths := []string{"/api/invoices", "/api/invoices?status=rejected", "/api/companies/" + x.companies[c].id}
	for _, id := range x.ids[c] {
		paths = append(paths, "/api/invoices/"+id)
	}
	for _, path := range paths {
		eventually(x.t, verdictLimit, "nothing is recorded during a read", func() (string, bool) {
			before := x.positions(c)
			last := before[len(before)-1]
			client := x.companies[c].client
			x.companies[c].client = client.with("Folio-Min-Position", last.Position)
			got := x.ask(c, path)
			x.companies[c].client = client
			after := x.positions(c)
			got.undoubted = true
			if after[len(after)-1] != last || got.status == http.StatusServiceUnavailable {
				return last.Position, false
			}
			x.reads = append(x.reads, got)
			return "", true
		})
	}
}

// recordedAt is where a fact stands.
type recordedAt struct {
	Position string
	Logged   time.Time
}

// positions are those of everything that was recorded of a company.
func (x *scenario) positions(c int) (out []recordedAt) {
	x.t.Helper()
	for line := range strings.Lines(succeed(x.t, "history", "--data", x.dir, "--json", "--company", x.companies[c].id)) {
		var r struct {
			Position string
			Logged   time.Time `json:"logged_at"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			x.t.Fatal(err)
		}
		out = append(out, recordedAt{r.Position, r.Logged})
	}
	return out
}

// compare asks for every recorded answer of a company again.
func (x *scenario) compare(c int) {
	all := x.positions(c)
	compared := 0
	for _, r := range x.reads {
		if r.company != c {
			continue
		}
		compared++
		switch {
		case r.undoubted:
			x.same(r, r.to.UTC().Format(time.RFC3339Nano))
			fallthrough
		case r.asOf != "":
			if r.asOf != "" {
				x.same(r, r.asOf)
			}
		default:
			x.sameSomewhere(r, all)
		}
	}
	if compared == 0 {
		x.t.Errorf("nothing was read of company %d", c)
	}
}

// at is the answer of the past.
func (x *scenario) at(r recordedRead, moment string) (int, string) {
	x.t.Helper()
	sign := "?"
	if strings.Contains(r.path, "?") {
		sign = "&"
	}
	got := x.ask(r.company, r.path+sign+"at="+url.QueryEscape(moment))
	return got.status, got.body
}

func (x *scenario) same(r recordedRead, moment string) {
	x.t.Helper()
	if status, body := x.at(r, moment); status != r.status || body != r.body {
		x.t.Errorf("%s at %s: %d %s\na read gave then: %d %s", r.path, moment, status, body, r.status, r.body)
	}
}

// lag is how long a read model may be behind the log on a busy machine.
const lag = 10 * time.Second

// sameSomewhere looks at the moments at which the answer may have been given, the latest first.
func (x *scenario) sameSomewhere(r recordedRead, all []recordedAt) {
	x.t.Helper()
	last := ""
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Logged.After(r.to) {
			continue
		}
		status, body := x.at(r, all[i].Position)
		if status == r.status && body == r.body {
			return
		}
		if last == "" {
			last = body
		}
		if all[i].Logged.Before(r.from.Add(-lag)) {
			break
		}
	}
	x.t.Errorf("%s: at no moment before %s was it %s; the last one was %s", r.path, r.to, r.body, last)
}

// proven recomputes the leaf of every fact of an invoice from its stored bytes, as
// docs/transparency.md defines it, and finds explanation and ledger of each country.
func (x *scenario) proven() {
	for c, co := range x.companies {
		id := x.ids[c][len(x.ids[c])-1]
		facts := get[struct {
			Data []struct {
				ID, Type, Stream string
				Revision         uint64
				Leaf             string `json:"leaf_hash"`
				Salt             []byte
				Stored           struct{ Data, Metadata []byte }
			}
		}](x.t, co.client, "/api/invoices/"+id+"/events?stored=true")
		for _, f := range facts.Data {
			event := bytes.Clone(f.Salt)
			for _, field := range []string{f.Stream, fmt.Sprint(f.Revision), f.Type, f.ID, string(f.Stored.Data),
				string(f.Stored.Metadata)} {
				event = append(binary.BigEndian.AppendUint64(event, uint64(len(field))), field...)
			}
			entry := sha256.Sum256(event)
			leaf := sha256.Sum256(append([]byte{0}, entry[:]...))
			if got := base64.StdEncoding.EncodeToString(leaf[:]); got != f.Leaf {
				x.t.Errorf("%s@%d: the leaf is %s, its bytes make %s", f.Stream, f.Revision, f.Leaf, got)
			}
		}
		x.told(co, id)
	}
}

// told looks at what is told of one invoice and its series.
func (x *scenario) told(co company, id string) {
	explained := get[struct {
		Series   string
		Attempts []struct {
			Number      int64
			Certificate *struct{ ID string }
			Calls       []struct{ Operation string }
		}
	}](x.t, co.client, "/api/invoices/"+id+"/explain")
	if len(explained.Attempts) == 0 || explained.Attempts[0].Certificate == nil || len(explained.Attempts[0].Calls) == 0 {
		x.t.Fatalf("%s: %+v", id, explained)
	}
	series := co.path("/numbering/" + explained.Series)
	gaps := get[struct {
		Accepted int
		Gaps     []struct{ Explained bool }
	}](x.t, co.client, series+"/gaps")
	table := co.want(x.t, http.StatusOK, http.MethodGet, series+"/ledger?format=csv", nil)
	if n := strings.Count(string(table.body), ",accepted,"); n != gaps.Accepted || n == 0 {
		x.t.Errorf("%s: %d accepted in the ledger, %d in the report", series, n, gaps.Accepted)
	}
	for _, g := range gaps.Gaps {
		if !g.Explained {
			x.t.Errorf("%s: %+v", series, gaps)
		}
	}
	calls := get[struct {
		Data []struct {
			Answer *string `json:"answer_sha256"`
		}
	}](x.t, co.client, "/api/invoices/"+id+"/calls")
	if len(calls.Data) == 0 || calls.Data[0].Answer == nil {
		x.t.Fatalf("%s: %+v", id, calls)
	}
	said := co.want(x.t, http.StatusOK, http.MethodGet, "/api/invoices/"+id+"/calls/"+*calls.Data[0].Answer, nil)
	if sum := fmt.Sprintf("%x", sha256.Sum256(said.body)); sum != *calls.Data[0].Answer {
		x.t.Errorf("%s: the answer has the hash %s", id, sum)
	}
}
