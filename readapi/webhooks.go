package readapi

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

var (
	errNoWebhook = fault.New(fault.NotFound, "WEBHOOK_NOT_FOUND",
		"The company has no webhook subscription with this id: create one with POST /api/companies/{id_company}/webhooks.")
	errNoDelivery = fault.New(fault.NotFound, "DELIVERY_NOT_FOUND",
		"This webhook has no such delivery: list them with GET .../deliveries.")
	errNoReplay = fault.New(fault.NotFound, "REPLAY_NOT_FOUND", "This webhook has no such replay.")
)

// webhookRoutes are all below RequireCompany.
func (a api) webhookRoutes(r chi.Router) {
	const one = "/api/companies/{id_company}/webhooks/{id_webhook}"
	plain(r, "/api/companies/webhooks/events", a.listWebhookEvents)
	plain(r, "/api/companies/{id_company}/webhooks", a.listWebhooks)
	plain(r, one, a.readWebhook)
	get(r, one+"/events", a.webhookEvents)
	get(r, one+"/deliveries", a.listDeliveries)
	plain(r, one+"/deliveries/{id_delivery}", a.readDelivery)
	get(r, one+"/replays", a.listReplays)
	plain(r, one+"/replays/{id_replay}", a.readReplay)
}

func (a api) listWebhookEvents(w http.ResponseWriter, r *http.Request) error {
	return httpapi.JSON(w, http.StatusOK, resource.WebhookEvents)
}

// webhook is the company's subscription, if the path names it.
func (a api) webhook(r *http.Request) (projections.Webhook, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id_webhook"), 10, 64)
	if err != nil {
		return projections.Webhook{}, errNoWebhook
	}
	if err := a.fresh(r, projections.Webhooks.Name()); err != nil {
		return projections.Webhook{}, err
	}
	hook, err := a.Documents.GetWebhook(r.Context(), httpapi.Caller(r.Context()).Company)
	if err != nil {
		return hook, a.missing(r.Context(), err, errNoWebhook, "webhook-"+httpapi.Caller(r.Context()).Company)
	}
	if hook.ID != id {
		return hook, errNoWebhook
	}
	return hook, nil
}

func (a api) webhookRecord(ctx context.Context, h projections.Webhook) resource.Webhook {
	out := resource.Webhook{ID: h.ID, URL: callback(ctx, h.URL), Description: h.Description, Events: h.Events,
		Status:    h.Status,
		CreatedAt: h.CreatedAt}
	if h.Overlap.After(a.Clock()) {
		out.PreviousSecretUntil = &h.Overlap
	}
	return out
}

// listWebhooks answers with the subscription in a list, which is empty without one.
func (a api) listWebhooks(w http.ResponseWriter, r *http.Request) error {
	if err := a.fresh(r, projections.Webhooks.Name()); err != nil {
		return err
	}
	out := []resource.Webhook{}
	hook, err := a.Documents.GetWebhook(r.Context(), httpapi.Caller(r.Context()).Company)
	if err == nil {
		out = append(out, a.webhookRecord(r.Context(), hook))
	} else if err = a.missing(r.Context(), err, errNoWebhook,
		"webhook-"+httpapi.Caller(r.Context()).Company); err != error(errNoWebhook) {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

func (a api) readWebhook(w http.ResponseWriter, r *http.Request) error {
	hook, err := a.webhook(r)
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, a.webhookRecord(r.Context(), hook))
}

var deliveryStatuses = []string{projections.DeliveryPending, projections.DeliveryDelivered,
	projections.DeliveryExhausted,
	projections.DeliverySuperseded, projections.DeliveryCancelled}

// listDeliveries lists what is and was owed to the company, the newest first: also what
// an earlier subscription of the company was owed.
func (a api) listDeliveries(w http.ResponseWriter, r *http.Request) error {
	hook, err := a.webhook(r)
	if err != nil {
		return err
	}
	q := strict.ReadQuery(r)
	query := projections.DeliveryQuery{Company: hook.Company,
		Status: strings.ToLower(q.String("status", strict.MaxLen(20))), Code: q.String("event", strict.MaxLen(10)),
		Document: q.String("document_id", strict.MaxLen(64))}
	query.From, query.To = timesOf(q, wholeDay)
	if query.Status != "" && !slices.Contains(deliveryStatuses, query.Status) {
		q.Fail("status", strict.CodeNotAllowed, "Use one of "+strings.Join(deliveryStatuses, ", ")+".")
	}
	query.Code = strings.ToUpper(query.Code)
	if codes := deliveryCodes(); query.Code != "" && !slices.Contains(codes, query.Code) {
		q.Fail("event", strict.CodeNotAllowed, "Use one of "+strings.Join(codes, ", ")+".")
	}
	return answerList(a, w, r, q, listed(projections.Deliveries,
		func(ctx context.Context, p engine.Page) (engine.List[projections.Delivery], error) {
			query.Page = p
			return a.Documents.ListDeliveries(ctx, query)
		}, sure(func(d projections.Delivery) resource.Delivery { return deliveryRecord(r.Context(), d) })))
}

// deliveryCodes are those of the events, and the test call's.
func deliveryCodes() []string {
	codes := []string{"PING"}
	for _, e := range resource.WebhookEvents {
		codes = append(codes, e.Code)
	}
	return codes
}

func deliveryRecord(ctx context.Context, d projections.Delivery) resource.Delivery {
	out := resource.Delivery{ID: d.ID, Event: d.Code, DocumentID: pointer(d.Document), Status: d.Status,
		CreatedAt:    d.CreatedAt,
		SupersededBy: pointer(d.SupersededBy), Payload: d.Payload,
		Attempts: make([]resource.DeliveryAttempt, len(d.Attempts)),
		Position: d.Scheduled.String()}
	if !d.Due.IsZero() {
		out.NextAttempt = &d.Due
	}
	for i, t := range d.Attempts {
		out.Attempts[i] = resource.DeliveryAttempt{Series: t.Series, Attempt: t.Attempt, URL: callback(ctx, t.URL),
			StartedAt:     t.Started,
			LatencyMillis: t.Milliseconds, Outcome: t.Outcome, ResponseBody: t.Body, Fault: t.Fault}
		if t.Status != 0 {
			out.Attempts[i].ResponseStatus = &d.Attempts[i].Status
		}
	}
	return out
}

func (a api) readDelivery(w http.ResponseWriter, r *http.Request) error {
	hook, err := a.webhook(r)
	if err != nil {
		return err
	}
	id, err := httpapi.PathID(r, "id_delivery")
	if err != nil {
		return errNoDelivery
	}
	if err := a.fresh(r, projections.Deliveries.Name()); err != nil {
		return err
	}
	d, err := a.Documents.GetDelivery(r.Context(), id)
	if err != nil {
		return a.missing(r.Context(), err, errNoDelivery, "delivery-"+id)
	}
	if d.Company != hook.Company {
		return errNoDelivery
	}
	return httpapi.JSON(w, http.StatusOK, deliveryRecord(r.Context(), d))
}

func (a api) listReplays(w http.ResponseWriter, r *http.Request) error {
	hook, err := a.webhook(r)
	if err != nil {
		return err
	}
	return answerList(a, w, r, strict.ReadQuery(r),
		listed(projections.WebhookReplays, func(ctx context.Context,
			p engine.Page) (engine.List[projections.WebhookReplay], error) {
			return a.Documents.ListReplays(ctx, hook.Company, p)
		}, sure(replayRecord)))
}

func (a api) readReplay(w http.ResponseWriter, r *http.Request) error {
	hook, err := a.webhook(r)
	if err != nil {
		return err
	}
	id, err := httpapi.PathID(r, "id_replay")
	if err != nil {
		return errNoReplay
	}
	if err := a.fresh(r, projections.WebhookReplays.Name()); err != nil {
		return err
	}
	x, err := a.Documents.GetReplay(r.Context(), id)
	if err != nil {
		return a.missing(r.Context(), err, errNoReplay, "replay-"+id)
	}
	if x.Company != hook.Company {
		return errNoReplay
	}
	return httpapi.JSON(w, http.StatusOK, replayRecord(x))
}

func replayRecord(x projections.WebhookReplay) resource.Replay {
	out := resource.Replay{ID: x.ID, Status: x.Status, From: x.From, To: x.To, Events: x.Codes,
		Planned: x.Planned, Done: x.Done, CreatedAt: x.CreatedAt}
	if x.Since != (events.Position{}) {
		out.SincePosition = pointer(x.Since.String())
	}
	if !x.EndedAt.IsZero() {
		out.EndedAt = &x.EndedAt
	}
	return out
}
