package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// receiver is a company's callback URL.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	got     []heard
	respond func(w http.ResponseWriter, h heard)
}

// heard is one delivery that it got.
type heard struct {
	header http.Header
	body   string
	event  payload
}

// payload is that of ISE.
type payload struct {
	DocumentID        string `json:"document_id"`
	Event             string `json:"event"`
	ExternalReference string `json:"external_reference"`
	Status            string `json:"status"`
	Type              string `json:"authorization_type"`
	Code              string `json:"authorization_code"`
	Expires           string `json:"authorization_expiration_date"`
	QR                string `json:"authorization_qr"`
	ErrorMessage      string `json:"error_message"`
	Attempt           int    `json:"attempt"`
	CreatedAt         string `json:"created_at"`
}

func receive(t testing.TB) *receiver { return receiveOn(t, localListener(t)) }

// localListener listens on a free port of loopback.
func localListener(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// serveOn serves on a listener until the server is closed.
func serveOn(l net.Listener, h http.Handler) *httptest.Server {
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
	s.Start()
	return s
}

func receiveOn(t testing.TB, l net.Listener) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = serveOn(l, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		content, err := io.ReadAll(q.Body)
		if err != nil || q.Method != http.MethodPost {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		h := heard{header: q.Header.Clone(), body: string(content)}
		h.event, err = parse[payload](answer{body: content})
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		r.got = append(r.got, h)
		respond := r.respond
		r.mu.Unlock()
		if respond != nil {
			respond(w, h)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []heard {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]heard{}, r.got...)
}

// await waits until the receiver has got n deliveries.
func (r *receiver) await(t testing.TB, n int, limit time.Duration) []heard {
	t.Helper()
	eventually(t, limit, fmt.Sprintf("the receiver has got %d deliveries", n), func() (string, bool) {
		got := r.all()
		return fmt.Sprintf("%d", len(got)), len(got) >= n
	})
	return r.all()
}

type webhook struct {
	ID          int64
	URL, Status string
	Description string
	Events      []string
	Secret      string

	PreviousUntil *time.Time `json:"previous_secret_until"`
}

type deliveries struct {
	TotalResults int `json:"total_results"`
	Data         []struct {
		ID, Event, Status string
		DocumentID        string `json:"document_id"`
		Attempts          []struct {
			Attempt, Series int
			Outcome         string
			ResponseStatus  *int   `json:"response_status"`
			ResponseBody    string `json:"response_body"`
		}
	}
}

const allowLoopback = "--webhook-allow=127.0.0.0/8"

func (c company) subscribe(t testing.TB, url string, codes ...string) webhook {
	t.Helper()
	return decode[webhook](t, c.want(t, http.StatusCreated, http.MethodPost, c.path("/webhooks"),
		map[string]any{"url": url, "events": codes, "description": "Tienda"}))
}

func (w webhook) path(c company, rest string) string {
	return c.path(fmt.Sprintf("/webhooks/%d%s", w.ID, rest))
}

func TestWebhooksTellEveryStatusSignedAndInOrder(t *testing.T) {
	t.Parallel()
	dir, r := t.TempDir(), receive(t)
	p := serve(t, dir, allowLoopback)
	c := issuing(t, p, dir, 81)
	hook := c.subscribe(t, r.URL+"/folio", "ISE")
	if hook.Status != "active" || hook.ID <= 0 || hook.ID >= 1<<53 || !strings.HasPrefix(hook.Secret, "whsec_") {
		t.Fatalf("the subscription is %+v", hook)
	}
	first := c.issue(t, body("FCB", 1, "pedido-1"))
	got := r.await(t, 2, verdictLimit)
	v, err := standardwebhooks.NewWebhook(hook.Secret)
	if err != nil {
		t.Fatal(err)
	}
	for i, status := range []string{"In process", "Accepted"} {
		e := got[i].event
		if e.DocumentID != first.ID || e.Event != "ISE" || e.ExternalReference != "pedido-1" || e.Status != status ||
			e.Attempt != 1 || e.ErrorMessage != "" {
			t.Errorf("delivery %d: %s", i, got[i].body)
		}
		if err := v.Verify([]byte(got[i].body), got[i].header); err != nil {
			t.Errorf("delivery %d: %v", i, err)
		}
		if _, err := time.Parse(time.RFC3339, e.CreatedAt); err != nil {
			t.Error(err)
		}
	}
	e, a := got[1].event, first.Authorization
	day, err := time.Parse("02/01/2006 15:04:05", e.Expires)
	if err != nil || e.Type != "CAE" || e.Code != a.Code || e.QR != a.QR || day.Format(time.DateOnly) != a.ExpirationDate {
		t.Errorf("%s beside %+v: %v", got[1].body, a, err)
	}
	secretStaysInside(t, c, hook)
	p.stop(t)
}

// secretStaysInside wants the signing secret in no answer but the first.
func secretStaysInside(t *testing.T, c company, hook webhook) {
	t.Helper()
	for _, path := range []string{c.path("/webhooks"), hook.path(c, ""), hook.path(c, "/deliveries")} {
		if a := c.want(t, http.StatusOK, http.MethodGet, path, nil); strings.Contains(string(a.body), hook.Secret) {
			t.Errorf("%s shows the secret", path)
		}
	}
}

func TestWebhookSubscriptionsAreKeptByTheRules(t *testing.T) {
	t.Parallel()
	dir, r := t.TempDir(), receive(t)
	p := serve(t, dir, allowLoopback)
	bearer := login(t, p.base, email, password)
	c, other := register(t, bearer, cuit(82)), register(t, bearer, cuit(83))

	listed := get[[]struct {
		Code, Description string
		Example           any
	}](t, c.client, "/api/companies/webhooks/events")
	if len(listed) != 5 || listed[0].Code != "ISE" || listed[0].Example == nil {
		t.Errorf("the events are %+v", listed)
	}
	for url, constant := range map[string]string{"http://10.0.0.5/": "PRIVATE_ADDRESS",
		"http://169.254.169.254/": "PRIVATE_ADDRESS", "ftp://a.example/": "BAD_SCHEME",
		"http://2130706433/": "BAD_HOST", "https://u:p@a.example/": "CREDENTIALS_IN_URL",
		"http://[::ffff:10.0.0.1]/": "PRIVATE_ADDRESS", p.base + "/api/login": "OWN_ADDRESS"} {
		problem := c.refused(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED", http.MethodPost, c.path("/webhooks"),
			map[string]any{"url": url, "events": []string{"ISE"}})
		if len(problem.Errors) != 1 || problem.Errors[0].Path != "url" || problem.Errors[0].Code != constant {
			t.Errorf("%s: %+v", url, problem.Errors)
		}
	}
	c.refused(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED", http.MethodPost, c.path("/webhooks"),
		map[string]any{"url": r.URL, "events": []string{"XYZ"}})
	hook := c.subscribe(t, r.URL, "ISE", "CER")
	c.refused(t, http.StatusConflict, "WEBHOOK_SUSCRIPTION_ALREADY_EXISTS", http.MethodPost, c.path("/webhooks"),
		map[string]any{"url": r.URL, "events": []string{"ISE"}})
	other.refused(t, http.StatusForbidden, "OTHER_COMPANY", http.MethodGet, hook.path(c, ""), nil)
	other.refused(t, http.StatusNotFound, "WEBHOOK_NOT_FOUND", http.MethodGet, hook.path(other, ""), nil)

	changed := decode[webhook](t, c.want(t, http.StatusOK, http.MethodPut, hook.path(c, ""),
		map[string]any{"url": r.URL + "/new", "events": []string{"ISE"}}))
	if read := get[webhook](t, c.client, hook.path(c, "")); read.URL != r.URL+"/new" || len(read.Events) != 1 ||
		read.ID != hook.ID || changed.URL != read.URL {
		t.Errorf("after PUT it is %+v", read)
	}
	c.want(t, http.StatusAccepted, http.MethodPost, hook.path(c, "/ping"), nil)
	if got := r.await(t, 1, verdictLimit); got[0].event.Event != "PING" {
		t.Errorf("the ping was %s", got[0].body)
	}
	rotated := decode[webhook](t, c.want(t, http.StatusOK, http.MethodPost, hook.path(c, "/rotate-secret"), nil))
	if read := get[webhook](t, c.client, hook.path(c, "")); rotated.PreviousUntil == nil || read.PreviousUntil == nil ||
		!read.PreviousUntil.Equal(*rotated.PreviousUntil) {
		t.Errorf("the secret before signs until %v, read as %v", rotated.PreviousUntil, read.PreviousUntil)
	}
	// what was read can be written
	c.want(t, http.StatusOK, http.MethodPut, hook.path(c, ""), get[map[string]any](t, c.client, hook.path(c, "")))
	c.want(t, http.StatusAccepted, http.MethodPost, hook.path(c, "/ping"), nil)
	ping := r.await(t, 2, verdictLimit)[1]
	for _, secret := range []string{hook.Secret, rotated.Secret} {
		v, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Verify([]byte(ping.body), ping.header); err != nil {
			t.Errorf("during the overlap: %v", err)
		}
	}
	c.want(t, http.StatusNoContent, http.MethodDelete, hook.path(c, ""), nil)
	c.refused(t, http.StatusNotFound, "WEBHOOK_NOT_FOUND", http.MethodGet, hook.path(c, ""), nil)
	if again := c.subscribe(t, r.URL, "ISE"); again.ID == hook.ID {
		t.Error("two subscriptions have one id")
	}
	p.stop(t)
}

func TestAFailedDeliveryIsLoggedRetriedAfterAKillResentAndReplayed(t *testing.T) {
	t.Parallel()
	failedDelivery(t)
}

func failedDelivery(t *testing.T, flags ...string) {
	flags = append(flags, allowLoopback)
	dir, r := t.TempDir(), receive(t)
	r.respond = func(w http.ResponseWriter, h heard) {
		if h.event.Attempt == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, "not now")
		}
	}
	p := serve(t, dir, flags...)
	c := issuing(t, p, dir, 84)
	hook := c.subscribe(t, r.URL, "ISE")
	i := c.issue(t, body("FCB", 1, "pedido-9"))
	r.await(t, 1, verdictLimit)
	p.kill()
	p = serve(t, dir, flags...)
	c.client.base = p.base
	log := settledDeliveries(t, c, hook, 2)
	for _, d := range log.Data {
		if d.DocumentID != i.ID || len(d.Attempts) != 2 || d.Attempts[0].Outcome != "status" ||
			*d.Attempts[0].ResponseStatus != 500 ||
			d.Attempts[0].ResponseBody != "not now" || d.Attempts[1].Attempt != 2 || d.Attempts[1].Outcome != "delivered" {
			t.Errorf("%+v", d)
		}
	}
	if n := get[deliveries](t, c.client, hook.path(c, "/deliveries?status=exhausted")).TotalResults; n != 0 {
		t.Errorf("%d are exhausted", n)
	}
	r.mu.Lock()
	r.respond = nil
	r.mu.Unlock()
	before := len(r.all())
	c.want(t, http.StatusAccepted, http.MethodPost, hook.path(c, "/deliveries/"+log.Data[0].ID+"/resend"), nil)
	if got := r.await(t, before+1, verdictLimit)[before]; got.header.Get("webhook-id") != log.Data[0].ID ||
		got.event.Attempt != 1 {
		t.Errorf("resent: %s", got.body)
	}
	for _, everything := range []map[string]any{{}, {"from": nil}, {"from": "", "since_position": ""},
		{"to": "2020-01-01T00:00:00Z"}} {
		c.refused(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED", http.MethodPost, hook.path(c, "/replays"),
			everything)
	}
	plan := map[string]any{"from": "2020-01-01T00:00:00Z", "dry_run": true}
	type replay struct {
		ID, Status    string
		Planned, Done int
	}
	if planned := decode[replay](t, c.want(t, http.StatusOK, http.MethodPost, hook.path(c, "/replays"),
		plan)); planned.Planned != 2 {
		t.Errorf("planned %+v", planned)
	}
	delete(plan, "dry_run")
	run := decode[replay](t, c.want(t, http.StatusCreated, http.MethodPost, hook.path(c, "/replays"), plan))
	eventually(t, verdictLimit, "the replay is finished", func() (string, bool) {
		now := get[replay](t, c.client, hook.path(c, "/replays/"+run.ID))
		return fmt.Sprintf("%+v", now), now.Status == "finished" && now.Done == 2
	})
	again := r.await(t, before+3, verdictLimit)[before+1:]
	if again[0].event.Status != "In process" || again[1].event.Status != "Accepted" {
		t.Errorf("replayed %s and %s", again[0].body, again[1].body)
	}
	p.stop(t)
}

// settledDeliveries waits until all of n deliveries arrived.
func settledDeliveries(t testing.TB, c company, hook webhook, n int) (log deliveries) {
	t.Helper()
	eventually(t, verdictLimit, "every delivery arrived", func() (string, bool) {
		log = get[deliveries](t, c.client, hook.path(c, "/deliveries?status=delivered"))
		return fmt.Sprintf("%+v", log), log.TotalResults == n
	})
	return log
}
