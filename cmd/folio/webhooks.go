package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"folio/commands/webhook"
	"folio/country"
	"folio/events"
	"folio/outbound"
	"folio/processors/delivery"
	"folio/projections"
	"folio/projections/engine"
	"folio/writeapi"

	"github.com/prometheus/client_golang/prometheus"
)

// webhookFlags say how callback URLs are reached.
type webhookFlags struct {
	WebhookAllow    []string `group:"webhook" help:"Networks that callback URLs may point at although they are private, such as 10.1.0.0/16. All other private, local and reserved addresses are refused." placeholder:"CIDR"`
	WebhookSourceIP string   `group:"webhook" help:"Local address that deliveries come from. Empty: the system's choice." placeholder:"IP"`
	WebhookProxy    string   `group:"webhook" help:"Proxy that deliveries go through, with CONNECT: http://[user:password@]host:port." placeholder:"URL"`
}

func (f webhookFlags) validate() error {
	_, err := f.options()
	return err
}

// options are those of the client; the ports of our own are not known yet.
func (f webhookFlags) options() (o outbound.Options, err error) {
	if o.Allow, err = outbound.ParsePrefixes(f.WebhookAllow); err != nil {
		return o, fmt.Errorf("--webhook-allow: %w", err)
	}
	if f.WebhookSourceIP != "" {
		if o.SourceIP, err = netip.ParseAddr(f.WebhookSourceIP); err != nil {
			return o, fmt.Errorf("--webhook-source-ip: %q is not an IP address", f.WebhookSourceIP)
		}
	}
	if f.WebhookProxy != "" {
		o.Proxy, err = url.Parse(f.WebhookProxy)
		if err != nil || o.Proxy.Scheme != "http" || o.Proxy.Hostname() == "" {
			return o, errors.New("--webhook-proxy: want an address like http://proxy.example.com:3128")
		}
	}
	return o, nil
}

// openSender makes the client of deliveries and says what the processor has; the service listens already.
func (s *service) openSender() (delivery.Config, error) {
	o, err := s.flags.options()
	if err != nil {
		return delivery.Config{}, err
	}
	for _, address := range s.ownAddresses() {
		if _, port, err := net.SplitHostPort(address); err == nil {
			if n, err := strconv.ParseUint(port, 10, 16); err == nil {
				o.OwnPorts = append(o.OwnPorts, uint16(n))
			}
		}
	}
	s.outbound = outbound.New(o)
	s.measureDeliveries()
	return delivery.Config{Past: owed{projections.NewReader(s.tables, streams{s.log}), s.runner},
		Streams: s.log, Secrets: s.vault, Sender: s.outbound, Observe: s.observeDelivery}, nil
}

// owed lists what a company was owed by the read model.
type owed struct {
	reader *projections.Reader
	runner *engine.Runner
}

// pastBytes bounds what is read at a time: deliveries carry their payloads.
const pastBytes = 1 << 20

// Owed implements delivery.Past.
func (o owed) Owed(ctx context.Context, company string, after, until events.Position,
	limit int) ([]delivery.Owed, error) {
	if err := o.runner.WaitFor(ctx, projections.Deliveries.Name(), until); err != nil {
		return nil, err
	}
	list, err := o.reader.ListDeliveries(ctx, projections.DeliveryQuery{Company: company, Since: after, Until: until,
		Page: engine.Page{Limit: limit, OldestFirst: true, MaxBytes: pastBytes}})
	if err != nil {
		return nil, err
	}
	return country.Collect(list.Documents, func(d projections.Delivery) delivery.Owed {
		return delivery.Owed{Delivery: d.ID, Code: d.Code, At: d.CreatedAt, Scheduled: d.Scheduled}
	}), nil
}

// ownAddresses are where this process listens.
func (s *service) ownAddresses() []string {
	out := []string{s.listener.Addr().String()}
	if s.admin != nil {
		out = append(out, s.admin.Addr().String())
	}
	if s.sandbox != nil {
		if u, err := url.Parse(s.sandbox.address); err == nil {
			out = append(out, u.Host)
		}
	}
	return out
}

// webhooks is what writeapi needs of the world for subscriptions.
func (s *service) webhooks() writeapi.Webhooks {
	return writeapi.Webhooks{NewSecret: newWebhookSecret, Check: s.checkCallback, Planned: s.planReplay,
		End: s.log.End, Running: s.runningReplay}
}

// newWebhookSecret draws 256 bits in the form of Standard Webhooks.
func newWebhookSecret() (string, error) {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("draw a signing secret: %w", err)
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(b), nil
}

func (s *service) checkCallback(address string) (code, text string) {
	err := s.outbound.Check(address)
	if r := (*outbound.Refusal)(nil); errors.As(err, &r) {
		return r.Code, r.Text
	}
	return "", ""
}

// planReplay counts by the read model; the replay itself goes by the log.
func (s *service) planReplay(ctx context.Context, plan events.ReplayStarted) (int64, error) {
	reader := projections.NewReader(s.tables, streams{s.log})
	count := func(code string) (int64, error) {
		q := projections.DeliveryQuery{Company: plan.Company, Code: code, Since: plan.Since, Page: engine.Page{Limit: 1}}
		if plan.From != nil {
			q.From = *plan.From
		}
		if plan.To != nil {
			q.To = *plan.To
		}
		list, err := reader.ListDeliveries(ctx, q)
		return list.Total, err
	}
	codes := plan.Codes
	if len(codes) == 0 {
		codes = webhook.Codes
	}
	var total int64
	for _, c := range codes {
		n, err := count(c)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// recentReplays is how many of a company's newest replays are looked at.
const recentReplays = 50

// runningReplay is a replay of the company that goes on, by the read model.
func (s *service) runningReplay(ctx context.Context, company string) (string, error) {
	list, err := projections.NewReader(s.tables, streams{s.log}).ListReplays(ctx, company,
		engine.Page{Limit: recentReplays})
	for _, r := range list.Documents {
		if r.Status == "running" {
			return r.ID, nil
		}
	}
	return "", err
}

// deliveryMetrics count attempts by what came of them.
type deliveryMetrics struct {
	attempts *prometheus.CounterVec
	latency  prometheus.Histogram
}

func (s *service) measureDeliveries() {
	m := deliveryMetrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "folio", Name: "webhook_attempts_total",
			Help: "Attempts to deliver to callback URLs, by event and outcome."}, []string{"event", "outcome"}),
		latency: prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "folio", Name: "webhook_answer_seconds",
			Help:    "Time from the start of the connection to the receiver's headers.",
			Buckets: []float64{.01, .05, .1, .25, .5, .75, 1}}),
	}
	for _, o := range outbound.Endings {
		m.attempts.WithLabelValues("ISE", string(o)) // so that a rate can be told from the start
	}
	s.metrics.registry.MustRegister(m.attempts, m.latency)
	s.deliveries = m
}

func (s *service) observeDelivery(code string, r outbound.Result) {
	s.deliveries.attempts.WithLabelValues(code, string(r.Ending)).Inc()
	if r.Status != 0 {
		s.deliveries.latency.Observe(r.Latency.Round(time.Microsecond).Seconds())
	}
}
