package writeapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// row is a line of a batch.
func row(t testing.TB, key string, changes ...string) string {
	return strings.ReplaceAll(sample(t, append(changes, "idempotency_key", `"`+key+`"`)...), "\n", "")
}

const lines = "Content-Type: application/x-ndjson"

func (w *world) batch(s shop, rows ...string) []map[string]any {
	w.t.Helper()
	got := w.call("POST", "/api/invoices/batch", strings.Join(rows, "\n"), s.key, lines).want(200)
	var all []map[string]any
	for line := range strings.Lines(got.Body.String()) {
		all = append(all, decoded(w.t, line))
	}
	return all
}

func TestABatchAnswersEachRow(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	got := w.batch(s, row(t, "a"), `{`, "", row(t, "b", "invoice_type", `"XXX"`), `[]`, row(t, "", "currency", ""),
		row(t, "c"), row(t, "a"), row(t, "a", "observations", `"other"`),
		`{"idempotency_key":"`+strings.Repeat("x", 300<<10)+`"}`)
	var all []string
	for _, r := range got {
		all = append(all, encoded(t, r["row"])+":"+encoded(t, r["status"]))
	}
	if text := strings.Join(all, " "); text != "1:201 2:400 4:422 5:422 6:422 7:201 8:201 9:422 10:413" {
		t.Fatal(text)
	}
	first := got[0]["invoice"].(map[string]any)
	if again := got[6]; again["replayed"] != true || again["invoice"].(map[string]any)["id"] != first["id"] {
		t.Errorf("%v", again)
	}
	if p := got[2]["problem"].(map[string]any); p["message"] != "VALIDATION_FAILED" {
		t.Errorf("%v", p)
	}
	if w.invoices() != 2 {
		t.Errorf("%d invoices", w.invoices())
	}
	// A row's key is the one of a create.
	same := w.call("POST", "/api/invoices", sample(t), s.key, "Idempotency-Key: a").want(201)
	if same.text("id") != first["id"] {
		t.Errorf("%s is not %s", same.text("id"), first["id"])
	}
	at := "Folio-Min-Position: " + got[0]["position"].(string)
	w.call("GET", "/api/invoices/"+first["id"].(string), "", s.key, at).want(200)
}

// How long the log may be waited for is counted for each row anew: a long batch is no request that waited too long.
func TestEachRowOfABatchIsACallOfItsOwn(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.log.calls = nil
	before := w.calls.Load()
	w.batch(s, row(t, "a"), row(t, "b"), row(t, "c"))
	want := map[any]bool{before + 2: true, before + 3: true, before + 4: true} // behind the request itself
	got := map[any]bool{}
	for _, n := range w.log.calls {
		got[n] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("appends were made under the calls %v, not %v", got, want)
	}
}

func TestBatchesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.call("POST", "/api/invoices/batch", "{}", s.key).fails(415, "LINES_REQUIRED")
	if got := w.batch(s); len(got) != 0 {
		t.Errorf("%v", got)
	}
	got := w.batch(s, strings.Split(strings.Repeat("{}\n", 1001), "\n")...)
	last := got[len(got)-1]
	if p, _ := last["problem"].(map[string]any); len(got) != 1001 || p["message"] != "TOO_MANY_ROWS" {
		t.Errorf("%d rows, the last %v", len(got), last)
	}
}

// stream begins a batch whose rows are sent one after the other, and waits for the answer to the first.
func (s shop) stream(ctx context.Context, t *testing.T, url, first string) (*io.PipeWriter, *http.Response) {
	t.Helper()
	body, rows := io.Pipe()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/invoices/batch", body)
	check(t, err)
	for _, line := range []string{s.key, lines} {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	go func() { _, _ = io.WriteString(rows, first+"\n") }()
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	return rows, answer
}

// Whoever holds all places open and sends nothing keeps nobody out: those batches end, and say so.
func TestBatchesThatSendNothingGiveTheirPlaces(t *testing.T) {
	w := newWorld(t)
	server := httptest.NewServer(w.router)
	t.Cleanup(server.Close)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	ends := make(chan string, 32)
	for range 16 {
		s := w.company()
		for range 2 {
			_, held := s.stream(ctx, t, server.URL, "{}")
			go func() {
				last := bufio.NewScanner(held.Body)
				for text := ""; ; text = last.Text() {
					if !last.Scan() {
						ends <- text
						return
					}
				}
			}()
		}
	}
	if got := w.batch(w.company(), row(t, "a")); encoded(t, got[0]["status"]) != "201" {
		t.Fatalf("who came last: %v", got)
	}
	last := decoded(t, <-ends)
	if p, _ := last["problem"].(map[string]any); encoded(t, last["row"]) != "2" || p["message"] != "BUSY" {
		t.Errorf("the end of one that sent nothing: %v", last)
	}
}

// The caller reads a row's answer while it has not sent the next one, and what it leaves unsent
// is not issued.
func TestABatchIsStreamed(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	server := httptest.NewServer(w.router)
	t.Cleanup(server.Close)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	rows, answer := s.stream(ctx, t, server.URL, row(t, "0"))
	read := bufio.NewScanner(answer.Body)
	read.Buffer(nil, 1<<20)
	for n := range 3 {
		if !read.Scan() || encoded(t, decoded(t, read.Text())["row"]) != fmt.Sprint(n+1) {
			t.Fatalf("row %d: %v %s", n, read.Err(), read.Text())
		}
		if n < 2 {
			_, err := io.WriteString(rows, row(t, fmt.Sprint(n+1))+"\n")
			check(t, err)
		}
	}
	leave()
	_ = answer.Body.Close()
	server.Close() // waits for the handler
	if w.invoices() != 3 {
		t.Errorf("%d invoices", w.invoices())
	}
}
