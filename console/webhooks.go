package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// webhook is the company's subscription.
type webhook struct {
	ID          json.Number `json:"id"`
	URL         string      `json:"url"`
	Description string      `json:"description"`
	Events      []string    `json:"events"`
	Status      string      `json:"status"`
	Secret      string      `json:"secret"`
	Until       *time.Time  `json:"previous_secret_until"`
}

// Has says that it asks for an event; a new one asks for the changes of invoices.
func (w webhook) Has(event string) bool {
	return slices.Contains(w.Events, event) || w.URL == "" && event == "ISE"
}

// subscribable is an event that can be subscribed to.
type subscribable struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

type delivery struct {
	ID         string          `json:"id"`
	Event      string          `json:"event"`
	Document   *string         `json:"document_id"`
	Status     string          `json:"status"`
	CreatedAt  time.Time       `json:"created_at"`
	Next       *time.Time      `json:"next_attempt_at"`
	Superseded *string         `json:"superseded_by"`
	Payload    json.RawMessage `json:"payload"`
	Attempts   []struct {
		Series    int       `json:"series"`
		Attempt   int       `json:"attempt"`
		URL       string    `json:"url"`
		StartedAt time.Time `json:"started_at"`
		Latency   int64     `json:"latency_ms"`
		Outcome   string    `json:"outcome"`
		Status    *int      `json:"response_status"`
		Body      string    `json:"response_body"`
		Fault     string    `json:"fault"`
	} `json:"attempts"`
}

// Trouble is what went wrong with the last attempt.
func (d delivery) Trouble() string {
	if len(d.Attempts) == 0 {
		return ""
	}
	return d.Attempts[len(d.Attempts)-1].Fault
}

type replay struct {
	ID        string     `json:"id"`
	Status    string     `json:"status"`
	From      *time.Time `json:"from"`
	To        *time.Time `json:"to"`
	Since     *string    `json:"since_position"`
	Events    []string   `json:"events"`
	Planned   int64      `json:"planned"`
	Done      int64      `json:"done"`
	CreatedAt time.Time  `json:"created_at"`
}

// shownOnce is what only the answer to this form says.
type shownOnce struct {
	Secret  string
	Counted bool
	Planned int64 // deliveries that a replay would send
}

func (v *visit) webhooks() error { return v.showWebhooks(http.StatusOK, shownOnce{}) }

// deliveryFilters are the API's parameters that the list of deliveries has fields for.
var deliveryFilters = []string{"status", "event", "document_id"}

// showWebhooks has the subscription, its deliveries and its replays.
func (v *visit) showWebhooks(status int, once shownOnce) error {
	var hooks []webhook
	if err := v.get(route("companies", v.company, "webhooks"), &hooks); err != nil {
		return err
	}
	var events []subscribable
	if err := v.get(route("companies", "webhooks", "events"), &events); err != nil {
		return err
	}
	data := struct {
		shownOnce
		Hook       webhook
		At         string // where its forms are posted
		States     []option
		Events     []subscribable
		Deliveries list[delivery]
		Statuses   []option
		Filter     url.Values
		Replays    []replay
		Pages      pager
	}{shownOnce: once, Events: events, Statuses: withAny(v, []string{"pending", "delivered", "exhausted", "superseded",
		"cancelled"}), Filter: v.r.URL.Query(), States: withAny(v, []string{"active", "paused"})[1:]}
	if len(hooks) == 0 {
		v.render(status, "webhooks", "Webhooks", data)
		return nil
	}
	data.Hook = hooks[0]
	data.At = Path + v.within("webhooks", data.Hook.ID.String())
	at := v.hookRoute(data.Hook.ID.String())
	q := url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(pageOf(v.r))}}
	for _, name := range deliveryFilters {
		if text := strings.TrimSpace(v.r.URL.Query().Get(name)); text != "" {
			q.Set(name, text)
		}
	}
	if err := v.get(at+"/deliveries?"+q.Encode(), &data.Deliveries); err != nil {
		return err
	}
	var replays list[replay]
	if err := v.get(at+"/replays?per_page=5", &replays); err != nil {
		return err
	}
	data.Replays, data.Pages = replays.Data, pagerOf(v.r, data.Deliveries.Page, data.Deliveries.Pages)
	v.render(status, "webhooks", "Webhooks", data)
	return nil
}

// hookRoute is the API's path of a subscription.
func (v *visit) hookRoute(hook string, more ...string) string {
	return route(append([]string{"companies", v.company, "webhooks", hook}, more...)...)
}

func (v *visit) hook(more ...string) string { return v.hookRoute(v.r.PathValue("hook"), more...) }

// refusedWebhook shows the page again with what was refused.
func (v *visit) refusedWebhook(err error) error {
	return v.again(err, func(status int) error { return v.showWebhooks(status, shownOnce{}) })
}

// saveWebhook makes the subscription, or replaces what it says. The secret of a new one is shown
// in this answer and never again.
func (v *visit) saveWebhook() error {
	id := v.form.Get("_id")
	if id != "" {
		if err := v.put(v.hookRoute(id), v.body()); err != nil {
			return v.refusedWebhook(err)
		}
		return v.done(v.within("webhooks"), "webhook")
	}
	var made webhook
	if err := v.post(route("companies", v.company, "webhooks"), v.body(), &made); err != nil {
		return v.refusedWebhook(err)
	}
	v.form = nil
	return v.showWebhooks(http.StatusCreated, shownOnce{Secret: made.Secret})
}

func (v *visit) pingWebhook() error {
	if err := v.post(v.hook("ping"), nil, nil); err != nil {
		return v.refusedWebhook(err)
	}
	return v.done(v.within("webhooks"), "ping")
}

func (v *visit) rotateSecret() error {
	var changed webhook
	if err := v.post(v.hook("rotate-secret"), v.body(), &changed); err != nil {
		return v.refusedWebhook(err)
	}
	v.form = nil
	return v.showWebhooks(http.StatusOK, shownOnce{Secret: changed.Secret})
}

func (v *visit) removeWebhook() error {
	if err := v.remove(v.hook()); err != nil {
		return v.refusedWebhook(err)
	}
	return v.done(v.within("webhooks"), "removed")
}

func (v *visit) delivery() error {
	var d delivery
	if err := v.get(v.hook("deliveries", v.r.PathValue("id")), &d); err != nil {
		return err
	}
	payload, err := json.MarshalIndent(d.Payload, "", "  ")
	if err != nil {
		return err
	}
	v.render(http.StatusOK, "delivery", "Delivery", struct {
		Delivery delivery
		Payload  string
		Hook     string
	}{d, string(payload), v.r.PathValue("hook")})
	return nil
}

func (v *visit) resend() error {
	id := v.r.PathValue("id")
	if err := v.post(v.hook("deliveries", id, "resend"), nil, nil); err != nil {
		return err
	}
	return v.done(v.within("webhooks", v.r.PathValue("hook"), "deliveries", id), "resent")
}

// startReplay counts what a replay would send, or begins it. The browser's fields have no time
// zone; days are the API's, in UTC.
func (v *visit) startReplay() error {
	body := v.body()
	count := v.form.Get("_count") != ""
	if count {
		body["dry_run"] = true
	}
	for _, name := range []string{"from", "to"} {
		if text, ok := body[name].(string); ok && len(text) == len(time.DateOnly) {
			body[name] = text + "T00:00:00Z"
		}
	}
	var plan replay
	if err := v.post(v.hook("replays"), body, &plan); err != nil {
		return v.refusedWebhook(err)
	}
	if count {
		return v.showWebhooks(http.StatusOK, shownOnce{Counted: true, Planned: plan.Planned})
	}
	return v.done(v.within("webhooks"), "replay")
}

func (v *visit) stopReplay() error {
	if err := v.remove(v.hook("replays", v.r.PathValue("replay"))); err != nil {
		return v.refusedWebhook(err)
	}
	return v.done(v.within("webhooks"), "stopped")
}
