package writeapi

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/commands/delivery"
	"folio/commands/webhook"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"

	"github.com/go-chi/chi/v5"
	"github.com/oklog/ulid/v2"
)

// Webhooks is what subscriptions need of the world.
type Webhooks struct {
	// NewSecret draws a signing secret, "whsec_" and base64.
	NewSecret func() (string, error)
	// Check looks at a callback URL; a problem is told by code and text.
	Check func(url string) (code, text string)
	// Planned counts the deliveries that a replay would send again.
	Planned func(ctx context.Context, plan events.ReplayStarted) (int64, error)
	// End is the position of the log's last event.
	End func(ctx context.Context) (events.Position, error)
	// Running is a replay of the company that goes on as far as is shown, "" for none.
	Running func(ctx context.Context, company string) (id string, err error)
}

// webhookRoutes are all below RequireCompany.
func (a api) webhookRoutes(handle func(method, path string, h httpapi.Handler)) {
	const one = "/api/companies/{id_company}/webhooks/{id_webhook}"
	handle(http.MethodPost, "/api/companies/{id_company}/webhooks", a.subscribe)
	handle(http.MethodPut, one, a.changeWebhook)
	handle(http.MethodDelete, one, a.removeWebhook)
	handle(http.MethodPost, one+"/rotate-secret", a.rotateSecret)
	handle(http.MethodPost, one+"/ping", a.ping)
	handle(http.MethodPost, one+"/deliveries/{id_delivery}/resend", a.resend)
	handle(http.MethodPost, one+"/replays", a.startReplay)
	handle(http.MethodDelete, one+"/replays/{id_replay}", a.cancelReplay)
}

// epoch is where the time in a webhook's id begins.
var epoch = time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)

// newWebhookID is an integer that is the company's alone: the milliseconds since epoch
// and twelve random bits of a ULID, in the 53 bits that every JSON reader keeps exactly.
func newWebhookID(at time.Time, id string) int64 {
	u := ulid.MustParse(id)
	return at.Sub(epoch).Milliseconds()<<12 | int64(binary.BigEndian.Uint16(u[14:])&0xfff)
}

// readSubscription reads the members that a caller chooses.
func (a api) readSubscription(o strict.Object) events.WebhookChanged {
	e := events.WebhookChanged{
		URL:         o.String("url", strict.Required, strict.MaxLen(2048)),
		Description: o.String("description", strict.MaxLen(500)),
		Status:      webhook.Active,
		Events:      readCodes(o, strict.Required, strict.MinItems(1)),
	}
	if e.URL != "" {
		if code, text := a.Webhooks.Check(e.URL); code != "" {
			o.Fail("url", code, text)
		}
	}
	return e
}

// readCodes reads the codes of "events", each once, in any case of letters.
func readCodes(o strict.Object, rules ...strict.Rule) (codes []string) {
	for i, code := range o.Strings("events", append(rules, strict.MaxItems(20))...) {
		code = strings.ToUpper(code)
		switch {
		case !slices.Contains(webhook.Codes, code):
			o.FailElement("events", i, strict.CodeNotAllowed,
				"must be one of "+strings.Join(webhook.Codes, ", ")+": see GET /api/companies/webhooks/events")
		case !slices.Contains(codes, code):
			codes = append(codes, code)
		}
	}
	return codes
}

func (a api) readSubscribe(o strict.Object) events.WebhookChanged {
	o.MustBeEmpty("id", "created_at", "secret", "previous_secret_until")
	chosen := a.readSubscription(o)
	chosen.Status = cmp.Or(o.String("status", strict.OneOf(webhook.Active)), chosen.Status)
	return chosen
}

// readChange takes what a read answers, and what of it cannot be chosen changes nothing.
func (a api) readChange(o strict.Object) events.WebhookChanged {
	chosen := a.readSubscription(o)
	chosen.Status = cmp.Or(o.String("status", strict.OneOf(webhook.Active, webhook.Paused)), chosen.Status)
	o.Int("id")
	o.String("created_at")
	o.String("previous_secret_until")
	o.MustBeEmpty("secret")
	return chosen
}

func (a api) subscribe(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	company := httpapi.Caller(r.Context()).Company
	if s, _, err := a.log.Webhooks.Load(r.Context(), company); err != nil || s.Exists() && !repeats(r) {
		return orElse(err, webhook.ErrExists)
	}
	o := body.Object()
	chosen := a.readSubscribe(o)
	if err := o.Done(); err != nil {
		return err
	}
	id := newWebhookID(httpapi.Started(r.Context()), newID(r))
	secret, ref, err := a.sealSecret(r.Context(), company, id)
	if err != nil {
		return err
	}
	out, err := a.log.Webhooks.Execute(r.Context(), company, webhook.Subscribe{
		Webhook: events.WebhookSubscribed{Company: company, Webhook: id, URL: chosen.URL, Events: chosen.Events,
			Description: chosen.Description, Secret: ref}}, request(r))
	if err != nil {
		return err
	}
	if err := showOnce(r, fault.Words("webhook %d", id), recordedSecret(out.Events), ref); err != nil {
		return err
	}
	a.shown(w, r, "webhooks", out.Position)
	record := webhookRecord(r, out.State)
	record.Secret = secret
	w.Header().Set("Location", "/api/companies/"+company+"/webhooks/"+strconv.FormatInt(record.ID, 10))
	w.Header().Set("Cache-Control", "no-store")
	return httpapi.JSON(w, http.StatusCreated, record)
}

// orElse is err unless it is nil.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// webhookRecord is the subscription at the time of a request. It takes the time of the
// creation from the id, which begins with it.
func webhookRecord(r *http.Request, s webhook.State) resource.Webhook {
	out := resource.Webhook{ID: s.Webhook, URL: s.URL, Description: s.Description, Events: s.Events, Status: s.Status,
		CreatedAt: epoch.Add(time.Duration(s.Webhook>>12) * time.Millisecond)}
	if until, signs := s.PreviousUntil(httpapi.Started(r.Context())); signs {
		out.PreviousSecretUntil = &until
	}
	return out
}

// sealSecret draws a secret and keeps it in the vault under a reference of its own.
func (a api) sealSecret(ctx context.Context, company string, id int64) (secret, ref string, err error) {
	if secret, err = a.Webhooks.NewSecret(); err != nil {
		return "", "", err
	}
	ref = "company/" + company + "/webhook/" + strconv.FormatInt(id, 10) + "/" + ulid.Make().String()
	return secret, ref, a.Vault.Seal(ctx, ref, []byte(secret))
}

// webhookID is the path's, 0 for what can be none.
func webhookID(r *http.Request) int64 {
	id, err := strconv.ParseInt(chi.URLParam(r, "id_webhook"), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// webhook is the company's subscription, if the path names it.
func (a api) webhook(r *http.Request) (webhook.State, error) {
	s, _, err := a.log.Webhooks.Load(r.Context(), httpapi.Caller(r.Context()).Company)
	if err == nil && (!s.Exists() || s.Webhook != webhookID(r)) {
		err = webhook.ErrUnknown
	}
	return s, err
}

func (a api) changeWebhook(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	s, err := a.webhook(r)
	if err != nil {
		return err
	}
	o := body.Object()
	chosen := a.readChange(o)
	if err := o.Done(); err != nil {
		return err
	}
	out, err := a.log.Webhooks.Execute(r.Context(), s.Company,
		webhook.Change{Webhook: s.Webhook, To: chosen}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "webhooks", out.Position)
	return httpapi.JSON(w, http.StatusOK, webhookRecord(r, out.State))
}

func (a api) removeWebhook(w http.ResponseWriter, r *http.Request) error {
	out, err := a.log.Webhooks.Execute(r.Context(), httpapi.Caller(r.Context()).Company,
		webhook.Remove{Webhook: webhookID(r)}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "webhooks", out.Position)
	httpapi.NoContent(w)
	return nil
}

// The overlap of two secrets, in hours: what it is unless the caller chooses, and the
// longest.
const (
	overlapHours    = 24
	maxOverlapHours = 24 * 30
)

func readOverlap(o strict.Object) int64 {
	if given := o.Int("overlap_hours", strict.Between(0, maxOverlapHours)); o.Has("overlap_hours") {
		return given
	}
	return overlapHours
}

func (a api) rotateSecret(w http.ResponseWriter, r *http.Request) error {
	s, err := a.webhook(r)
	if err != nil {
		return err
	}
	hours := int64(overlapHours)
	body, err := httpapi.ReadOptionalJSON(w, r)
	if err != nil {
		return err
	}
	if body != nil {
		o := body.Object()
		hours = readOverlap(o)
		if err := o.Done(); err != nil {
			return err
		}
	}
	secret, ref, err := a.sealSecret(r.Context(), s.Company, s.Webhook)
	if err != nil {
		return err
	}
	overlap := httpapi.Started(r.Context()).UTC().Add(time.Duration(hours) * time.Hour)
	out, err := a.log.Webhooks.Execute(r.Context(), s.Company,
		webhook.Rotate{Webhook: s.Webhook, Secret: ref, Overlap: overlap}, request(r))
	if err != nil {
		return err
	}
	if err := showOnce(r, fault.Words("webhook %d", s.Webhook), recordedSecret(out.Events), ref); err != nil {
		return err
	}
	a.shown(w, r, "webhooks", out.Position)
	record := webhookRecord(r, out.State)
	record.Secret = secret
	w.Header().Set("Cache-Control", "no-store")
	return httpapi.JSON(w, http.StatusOK, record)
}

// recordedSecret is the reference to the secret that a request recorded.
func recordedSecret(recorded []events.Event) string {
	for _, e := range recorded {
		switch e := e.(type) {
		case events.WebhookSubscribed:
			return e.Secret
		case events.WebhookSecretRotated:
			return e.Secret
		}
	}
	return ""
}

// accepted answers for a delivery that is on its way.
func (a api) accepted(w http.ResponseWriter, r *http.Request, id string, at events.Position) error {
	a.shown(w, r, "deliveries", at)
	path := strings.TrimSuffix(strings.TrimSuffix(r.URL.Path, "/ping"), "/deliveries/"+id+"/resend")
	w.Header().Set("Location", path+"/deliveries/"+id)
	return httpapi.JSON(w, http.StatusAccepted, struct {
		Delivery string `json:"delivery_id"`
	}{id})
}

// ping owes the receiver a trial, which is sent once.
func (a api) ping(w http.ResponseWriter, r *http.Request) error {
	s, err := a.webhook(r)
	if err != nil {
		return err
	}
	q, at := step(r, "ping"), httpapi.Started(r.Context()).UTC()
	payload, err := json.Marshal(struct {
		Event     string `json:"event"`
		Webhook   int64  `json:"webhook_id"`
		CreatedAt string `json:"created_at"`
	}{delivery.Ping, s.Webhook, resource.Instant(at)})
	if err != nil {
		return err
	}
	id := q.ID.String()
	out, err := a.log.Deliveries.ExecuteNew(r.Context(), id, delivery.Schedule{
		Delivery: id, Company: s.Company, Webhook: s.Webhook, Code: delivery.Ping, Payload: payload, Due: at}, q)
	if err != nil {
		return err
	}
	return a.accepted(w, r, id, out.Position)
}

func (a api) resend(w http.ResponseWriter, r *http.Request) error {
	s, err := a.webhook(r)
	if err != nil {
		return err
	}
	id, err := httpapi.PathID(r, "id_delivery")
	if err != nil {
		return delivery.ErrUnknown
	}
	out, err := a.log.Deliveries.Execute(r.Context(), id, delivery.Resend{
		Company: s.Company, Webhook: s.Webhook, Due: httpapi.Started(r.Context()).UTC()}, request(r))
	if err != nil {
		return err
	}
	return a.accepted(w, r, id, out.Position)
}
