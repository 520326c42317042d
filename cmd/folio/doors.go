package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"folio/access"
	"folio/apidoc"
	"folio/commands/apikey"
	"folio/console"
	"folio/countries"
	"folio/country"
	"folio/eventstore"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
)

// doorFlags say how callers reach the service.
type doorFlags struct {
	TLSCert        string        `group:"http" name:"tls-cert" help:"PEM certificate chain: the service then speaks HTTPS. A changed file is taken up by itself." type:"path" placeholder:"FILE"`
	TLSKey         string        `group:"http" name:"tls-key" help:"PEM key of that certificate." type:"path" placeholder:"FILE"`
	TrustedProxies []string      `group:"http" help:"Networks of the reverse proxies whose X-Forwarded-For names the caller, such as 10.0.0.0/8. Without it all callers behind a proxy count as one address." placeholder:"CIDR"`
	AdminAddr      string        `group:"http" help:"Address of its own for /metrics and the details of /readyz; port 0 takes a free one. Empty: they are on --addr, for callers on this machine only." placeholder:"ADDRESS"`
	MetricsEvery   time.Duration `group:"http" help:"For how long /metrics shows what it read of the tables (invoices that wait, series, deliveries) before it reads again; certificates and ranges for 20 times as long." default:"15s"`
	Drain          time.Duration `group:"http" help:"How long the service goes on serving after SIGTERM, with readyz 503, so that load balancers take it out first. Ctrl-C does not wait." default:"5s"`
	OfflineReads   time.Duration `group:"http" help:"How long API keys and tokens that were good go on reading while the event log is away; nobody writes meanwhile. 0: for a minute, and only those that this process has checked." default:"24h"`
	NoConsole      bool          `group:"http" help:"Do not serve the website at /console."`
	MaxKeys        int           `group:"http" help:"API keys that a company may have at a time." default:"100"`
	MaxCompanies   int           `group:"http" help:"Companies that an account may have." default:"1000"`

	MaxCertificates int `group:"http" help:"Certificates that a company may have at a time, not counting those that have expired." default:"100"`
	MaxRanges       int `group:"http" help:"Numbering ranges with numbers left that a document type of a company may have." default:"100"`
}

func (f doorFlags) validate() error {
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key go together: give both, or neither for plain HTTP")
	}
	if _, err := httpapi.ParseProxies(f.TrustedProxies); err != nil {
		return fmt.Errorf("--trusted-proxies: %w", err)
	}
	if f.AdminAddr != "" {
		if err := listens("--admin-addr", f.AdminAddr); err != nil {
			return err
		}
	}
	if f.MetricsEvery < 0 {
		return errors.New("--metrics-every is a time, or 0 to read at every scrape")
	}
	if f.Drain < 0 {
		return errors.New("--drain is a time, or 0 for none")
	}
	if f.OfflineReads < 0 {
		return errors.New("--offline-reads is a time, or 0 for a minute")
	}
	if min(f.MaxKeys, f.MaxCompanies, f.MaxCertificates, f.MaxRanges) < 1 {
		return errors.New("--max-keys, --max-companies, --max-certificates and --max-ranges must be 1 at least")
	}
	return nil
}

// certificate is what HTTPS is spoken with; nil for plain HTTP.
func (f doorFlags) certificate(logger *slog.Logger) (*tls.Config, error) {
	if f.TLSCert == "" {
		return nil, nil //nolint:nilnil // plain HTTP is no failure
	}
	config, err := httpapi.ServerTLS(f.TLSCert, f.TLSKey, logger)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return config, nil
}

// listens refuses what cannot be listened at, before anything is opened.
func listens(flag, hostPort string) error {
	_, port, err := net.SplitHostPort(hostPort)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("%s: %q is not an address like 127.0.0.1:8080", flag, hostPort)
	}
	return nil
}

// doors are where callers come in.
type doors struct {
	listener net.Listener
	address  string      // http://HOST:PORT, or https
	tls      *tls.Config // nil: plain HTTP
	proxies  httpapi.Proxies
	admin    net.Listener // nil: what is the operator's is on listener, for this machine
}

// open listens; what is open already when it fails is closed with the service.
func (d *doors) open(ctx context.Context, s *service) (err error) {
	f := s.flags
	if d.proxies, err = httpapi.ParseProxies(f.TrustedProxies); err != nil {
		return fmt.Errorf("--trusted-proxies: %w", err)
	}
	if d.tls, err = f.certificate(s.logger); err != nil {
		return err
	}
	if d.listener, d.address, err = listenAt(ctx, "--addr", f.Addr); err != nil {
		return err
	}
	if d.tls != nil {
		d.address = "https" + strings.TrimPrefix(d.address, "http")
	}
	if f.AdminAddr == "" {
		return nil
	}
	var address string
	if d.admin, address, err = listenAt(ctx, "--admin-addr", f.AdminAddr); err != nil {
		return err
	}
	s.logger.Info("metrics and the details of readiness are here", "address", address)
	return nil
}

// listenAt listens at a flag's address.
func listenAt(ctx context.Context, flag, hostPort string) (net.Listener, string, error) {
	l, address, err := httpapi.Listen(ctx, hostPort)
	if err != nil {
		err = fmt.Errorf("%w: choose another address with %s", err, flag)
	}
	return l, address, err
}

func (d *doors) close() error {
	var errs []error
	for _, l := range []net.Listener{d.listener, d.admin} {
		if l == nil {
			continue
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// serve answers callers until ctx ends.
func (s *service) serve(ctx context.Context) error {
	server := httpapi.NewServer(httpapi.Closing(s.stopping, s.handler()), s.logger)
	server.TLSConfig = s.tls
	return httpapi.Serve(ctx, s.listener, server, httpapi.DrainTimeout)
}

// adminUntil serves the operator until ctx ends, and stops the service when it cannot.
func (s *service) adminUntil(ctx context.Context, stop context.CancelCauseFunc) error {
	if err := s.serveAdmin(ctx); untilDone(ctx, err) != nil {
		stop(fmt.Errorf("admin address: %w", err))
	}
	return nil
}

// serveAdmin answers the operator on an address of its own, if there is one.
func (s *service) serveAdmin(ctx context.Context) error {
	if s.admin == nil {
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", s.healthz)
	mux.HandleFunc("/readyz", s.readyz)
	mux.Handle("/metrics", s.metrics.handler())
	return httpapi.Serve(ctx, s.admin, httpapi.NewServer(mux, s.logger), time.Second)
}

// handler is the HTTP side: the roles' endpoints behind the shared layer. What only the
// operator may see is on an address of its own, or for callers on this machine.
func (s *service) handler() http.Handler {
	local := map[string]http.Handler{"/readyz": http.HandlerFunc(s.readyz), "/metrics": s.metrics.handler()}
	if s.admin != nil {
		local = nil
	}
	offline := access.Offline{For: s.flags.OfflineReads, Shown: shownKey(projections.NewReader(s.tables, nil))}
	s.accounts.Offline(offline)
	members := access.NewMembers(s.executor).Offline(offline)
	r := httpapi.NewRouter(httpapi.Config{
		Members: members, Seen: members.Saw,
		Auth: access.Door{Accounts: s.accounts, Keys: access.NewKeys(s.executor, s.usage).Offline(offline)},
		Limiter: httpapi.NewLimiter(httpapi.Limits{PerSecond: s.flags.RateLimitSecond, PerMinute: s.flags.RateLimitMinute},
			time.Now),
		Answered: s.answered, Log: s.logger, Proxies: s.proxies, Bodies: s.gates.bodies, Local: local,
		Spanish:    apidoc.Spanish,
		Context:    func(ctx context.Context) context.Context { return eventstore.WithBudget(ctx, callBudget) },
		Operations: map[string]http.Handler{"/healthz": http.HandlerFunc(s.healthz), "/readyz": plainReadyz(s.readyz)},
	})
	s.routes(r)
	return s.withConsole(r)
}

// withConsole puts the console beside the API that it calls. It needs both sides of it in this
// process: elsewhere its paths are not there.
func (s *service) withConsole(api http.Handler) http.Handler {
	if !s.flags.has(roleWrite) || !s.flags.has(roleRead) || s.flags.NoConsole {
		return api
	}
	pages := console.New(console.Config{API: api, Secure: s.proxies.Secure, Countries: served(time.Now()), Log: s.logger,
		Mail: s.mailbox() != nil, Sandbox: s.flags.Authority == "sandbox"})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == console.Path || strings.HasPrefix(r.URL.Path, console.Path+"/") {
			pages.ServeHTTP(w, r)
			return
		}
		if r.URL.Path == "/" && r.Method == http.MethodGet && httpapi.Browses(r) {
			http.Redirect(w, r, console.Path+"/", http.StatusSeeOther) // who opens the address that was printed
			return
		}
		api.ServeHTTP(w, r) // no mux before it: the API's paths are its own
	})
}

// zoneOf is where the fiscal day of a country is counted.
func zoneOf(code string) *time.Location {
	if rules, ok := countries.Rules().ByCode(code); ok {
		return rules.Location()
	}
	return time.UTC
}

// served are the countries as the console shows them. What the first type of document asks of a recipient is what its
// plain example has.
func served(today time.Time) (all []console.Country) {
	for _, rules := range countries.Rules() {
		c := console.Country{Code: rules.Code(), Name: country.SpanishName(rules.Code()), Identifier: rules.IdentifierName(),
			Zone: rules.Location(), Numbers: country.NumericMembers(rules)}
		first := rules.DocumentTypes()[0].InvoiceType
		for _, x := range rules.Examples(today) {
			if x.Name == first {
				c.Asked = x.Document.Recipient.DocumentType
			}
			if _, ok := rules.CreditForm(x.Document, true); ok && x.Name == x.Document.Type {
				c.Credited = append(c.Credited, x.Name)
			}
		}
		all = append(all, c)
	}
	return all
}

// shownKey looks keys up in the read model.
func shownKey(r *projections.Reader) func(context.Context, string) (apikey.State, error) {
	return func(ctx context.Context, id string) (apikey.State, error) {
		k, err := engine.Get[projections.APIKey](ctx, r, projections.APIKeys, id)
		// of the model's earlier versions, which had no hash or no scopes
		if err == nil && (k.SHA256 == "" || len(k.Scopes) == 0) {
			err = engine.ErrNotBuilt
		}
		return apikey.State{Key: k.ID, Company: k.Company, SHA256: k.SHA256, Scopes: apikey.Scopes(k.Scopes),
			Revoked: !k.RevokedAt.IsZero(), ExpiresAt: k.ExpiresAt}, err
	}
}

// plainReadyz is readyz without its details: the status alone, for callers elsewhere.
func plainReadyz(readyz http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		full := &kept{ResponseWriter: w, status: http.StatusOK}
		readyz(full, r)
		var body struct {
			Status string `json:"status"`
		}
		_ = json.Unmarshal(full.body, &body) // an empty status if it is no JSON
		w.WriteHeader(full.status)
		_ = json.NewEncoder(w).Encode(body) // the only failure is a client that has gone
	})
}

// kept keeps an answer instead of writing it; its headers are written.
type kept struct {
	http.ResponseWriter
	status int
	body   []byte
}

func (k *kept) WriteHeader(status int) { k.status = status }

func (k *kept) Write(b []byte) (int, error) {
	k.body = append(k.body, b...)
	return len(b), nil
}
