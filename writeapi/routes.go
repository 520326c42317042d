// Package writeapi holds the endpoints that record facts: decode, command, answer. It
// never reads a read model; what it needs of the other side are the small interfaces
// of Config.
package writeapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"folio/admission"
	"folio/commands"
	"folio/commands/account"
	"folio/commands/aggregates"
	"folio/commands/company"
	"folio/country"
	"folio/events"
	"folio/httpapi"
	"folio/scope"
)

// Config is what the endpoints are made of.
type Config struct {
	Executor  *commands.Executor
	Countries country.Registry
	Rules     country.Config // figures of the law
	Trust     country.Trust  // of numbering files, besides the authorities' own keys
	Sandbox   bool           // the authority is one of trial, in Production too
	Login     Login
	Vault     Vault
	Shown     Shown
	Index     Index
	Webhooks  Webhooks
	Purchases Verifier // nil: no authority is asked about purchases
	Mail      Mail     // nil: there is no mail server
	Points    Points   // nil: no authority is asked about contingency points
	// NewKey draws an API key of a public id, whose prefix tells the environment: the key and
	// the hash to keep.
	NewKey   func(id, environment string) (key, hash string, err error)
	Holdings Holdings
	// Work admits to what takes a core and much memory, counted in bytes.
	Work *admission.Gate
	// LogoMemory is what Logo will take of an image, in bytes; its fault is the caller's.
	LogoMemory func(image []byte) (int64, error)
	// Logo makes an uploaded image fit for documents, or ends with ctx; its fault is the
	// caller's.
	Logo func(ctx context.Context, image []byte) (normal []byte, width, height int, err error)
	// Preview draws the document that an invoice would be, and says on it that it is none.
	Preview func(ctx context.Context, e events.InvoiceCreated, at time.Time) ([]byte, error)
	// Certificate opens a .pfx file with its password; its fault is the caller's.
	Certificate func(pfx []byte, password string, at time.Time) (Certificate, error)
}

// Login lets accounts in.
type Login interface {
	Login(ctx context.Context, email, password, remote string) (token string, expiresIn int, err error)
	Logout(ctx context.Context, token string, r commands.Request) error
	ChangePassword(ctx context.Context, to account.Renewal, r commands.Request) error
	ResetPassword(ctx context.Context, to account.Renewal, r commands.Request) error
}

// Verifier asks authorities about documents that others issued.
type Verifier interface {
	// Verify says how far a purchase is verified once the authority of that name was
	// asked; false when there is nobody to ask. An authority that is away is no error.
	Verify(ctx context.Context, c company.State, authority string, p country.Purchase,
		at time.Time) (events.PurchaseVerified, bool, error)
}

// Points asks authorities about points of sale.
type Points interface {
	// Contingency refuses a company's point of sale of which the authority of that name takes no
	// contingency documents, and says what its registry calls one of which it does. One that names no points at all
	// refuses none.
	Contingency(ctx context.Context, c company.State, authority string, point int,
		at time.Time) (emission string, err error)
}

// Vault keeps secrets and files.
type Vault interface {
	Seal(ctx context.Context, ref string, secret []byte) error
	Delete(ctx context.Context, ref string) error
	StoreFile(ctx context.Context, content []byte) (sha256 string, err error)
}

// Shown waits until the read model of that name shows a position, at most two
// seconds. Its error only says that it does not yet; the write stands.
type Shown interface {
	WaitFor(ctx context.Context, projection string, at events.Position) error
}

// Index finds what a request names by a part of its name, as far as is shown.
type Index interface {
	// FindIssued is the invoice id of a company's own document by its coordinates, "" for
	// none. A rejected one is found where no other has its number.
	FindIssued(ctx context.Context, company, environment string, ref events.Reference) (id string, err error)
	// FindInPeriod are the numbers of the accepted documents of like's type to its recipient,
	// in the reference's period: a few, and whether there are more. Nobody is like anybody
	// who is not identified.
	FindInPeriod(ctx context.Context, company, environment string, like events.Document,
		period events.Reference) (numbers []string, more bool, err error)
	// FindCompanies are the ids of an account's companies with a country's tax identifier.
	FindCompanies(ctx context.Context, account, country, identifier string) (ids []string, err error)
	// FindRange is the series of a company's uploaded range, "" for none.
	FindRange(ctx context.Context, company, id string) (series string, err error)
	// FindOpen are the times at which the submissions of a company that are open were opened, by environment.
	FindOpen(ctx context.Context, company string) (map[string][]time.Time, error)
}

// Certificate is what opening a .pfx file gives. Sealed is key and chain, for the
// vault alone.
type Certificate struct {
	SerialNumber, Subject, Issuer string
	TaxIdentifier                 string // of the subject, digits; empty without one
	ValidFrom, ValidTo            time.Time
	Fingerprint                   string
	Sealed                        []byte
}

// Holdings is how much an account and a company may have, and have as far as is shown.
// What is not counted is not bounded.
type Holdings struct {
	MaxKeys      int64 // of a company that work
	Keys         func(ctx context.Context, company string) (int64, error)
	MaxCompanies int64 // of an account
	Companies    func(ctx context.Context, account string) (int64, error)
	// The log itself counts these; 0 is no bound.
	MaxCertificates int // of a company that have not expired
	MaxRanges       int // of a company's document type with numbers left
}

// api is what handlers have. It is as large as a pointer, for each of their calls, and each request under way, has one.
type api struct{ *wiring }

type wiring struct {
	Config
	log aggregates.Log
	// additions lets a company or account add one thing at a time to what is counted, so
	// that what was counted is still right when it is added.
	additions *admission.Gate
	uses      *admission.Gate // of Idempotency-Keys
	batches   *admission.Gate
}

// Routes adds the endpoints to a router of httpapi.NewRouter.
func Routes(r chi.Router, c Config) {
	a := api{&wiring{c, aggregates.In(c.Executor), admission.New("additions",
		admission.Limits{All: 100, Each: 1, Line: 100, Lines: 1000, Patience: 10 * time.Second}),
		admission.New("idempotency", usesLimits), newBatchGate()}}
	handle := func(r chi.Router, method, path string, h httpapi.Handler) {
		if method == http.MethodPost {
			r.Method(method, path, Keyed{a, h})
			return
		}
		r.Method(method, path, httpapi.Plain(h))
	}

	handle(r, http.MethodPost, "/api/login", a.login)
	handle(r, http.MethodPut, "/api/account/password", a.changePassword)
	handle(r, http.MethodPost, "/api/account/password-reset", a.resetPassword)
	r.With(httpapi.RequireBearer).Method(http.MethodPost, "/api/logout", httpapi.Plain(a.logout)) // a token ends once
	// Whose company it is about is in the body, so its handler looks at the scopes.
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireBearer)
		handle(r, http.MethodPost, "/api/companies/apikey", a.issueKey)
	})
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireBearer, httpapi.RequireScope(scope.Manage))
		handle(r, http.MethodPost, "/api/companies", a.registerCompany)
		handle(r, http.MethodDelete, "/api/companies/{id_company}/apikeys/{key_id}", a.revokeKey)
		handle(r, http.MethodPost, "/api/companies/{id_company}/apikeys/{key_id}/rotate", a.rotateKey)
		handle(r, http.MethodPost, "/api/companies/{id_company}/members", a.grantAccess)
		handle(r, http.MethodDelete, "/api/companies/{id_company}/members/{id_account}", a.withdrawAccess)
	})
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireCompany(scope.Manage))
		handle(r, http.MethodPut, "/api/companies/{id_company}/fiscal-profile", a.setProfile)
		handle(r, http.MethodPut, "/api/companies/{id_company}/branches/{number}", a.setBranch)
		handle(r, http.MethodPut, "/api/companies/{id_company}/contingency/{point_of_sale}", a.configureContingency)
		handle(r, http.MethodPost, "/api/companies/{id_company}/contingency/{point_of_sale}/open", a.openContingency)
		handle(r, http.MethodPost, "/api/companies/{id_company}/contingency/{point_of_sale}/close", a.closeContingency)
		handle(r, http.MethodPost, "/api/companies/{id_company}/logo", a.uploadLogo)
		handle(r, http.MethodPost, "/api/companies/{id_company}/certificates", a.uploadCertificate)
		handle(r, http.MethodDelete, "/api/companies/{id_company}/certificates/{id_certificate}", a.removeCertificate)
		handle(r, http.MethodPost, "/api/companies/{id_company}/enumeration/upload", a.uploadEnumeration)
		handle(r, http.MethodPut, "/api/companies/{id_company}/enumeration/{id_enumeration}/config", a.configureEnumeration)
		handle(r, http.MethodPost, "/api/companies/{id_company}/outages", a.openOutage)
		handle(r, http.MethodPost, "/api/companies/{id_company}/outages/{id_outage}/close", a.closeOutage)
		a.webhookRoutes(func(method, path string, h httpapi.Handler) { handle(r, method, path, h) })
	})
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireCompany(scope.Issue))
		handle(r, http.MethodPost, "/api/companies/{id_company}/purchases", a.receivePurchase)
		handle(r, http.MethodPost, "/api/invoices", a.createInvoice)
		handle(r, http.MethodPost, "/api/invoices/{invoice_id}/credit-note", a.creditNote)
		// These make nothing that a key could stand for, or keep a key a row.
		r.Method(http.MethodPost, "/api/invoices/batch", httpapi.Plain(a.createBatch))
		r.Method(http.MethodPost, "/api/invoices/calculate", httpapi.Plain(a.calculateInvoice))
		r.Method(http.MethodPost, "/api/invoices/preview", httpapi.Plain(a.previewInvoice))
		r.Method(http.MethodPost, "/api/invoices/validate", httpapi.Plain(a.validateInvoice))
		handle(r, http.MethodPost, "/api/invoices/{invoice_id}/process", a.processInvoice)
		handle(r, http.MethodPost, "/api/invoices/{invoice_id}/email", a.emailInvoice)
	})
}

// foreignFileMemory is what taking a stranger's file of 200 KB apart takes, when it was
// made to cost; it also takes a fifth of a second of a core.
const foreignFileMemory = 20 << 20

// work runs f, which takes so many bytes of memory and a core, when it is the caller's
// turn, unless the caller has gone.
func (a api) work(ctx context.Context, memory int64, f func() error) error {
	return a.Work.Pass(ctx, httpapi.Caller(ctx).Party(), memory, f)
}

// request is the identity of this HTTP request as an execution: its id is the one that
// the server gave it, its time that of its arrival.
func request(r *http.Request) commands.Request {
	id := httpapi.RequestID(r.Context())
	u, err := ulid.ParseStrict(id)
	if err != nil {
		u = ulid.Make() // outside the router, as in a test of one handler
	}
	q := commands.Request{ID: uuid.UUID(u), Correlation: id, Actor: httpapi.Caller(r.Context()).Actor(),
		At: httpapi.Started(r.Context())}
	if use := useOf(r.Context()); use != nil && !use.left() {
		q.ID, q.Before, q.Again = commands.Derived("use", use.id), use.accept, use.again
	}
	return q
}

// step is the identity of one of several executions of a request.
func step(r *http.Request, name string) commands.Request {
	q := request(r)
	q.ID = commands.Derived(q.ID.String(), name)
	return q
}

// shown waits for the read model and names the position that reads may ask for.
func (a api) shown(w http.ResponseWriter, r *http.Request, projection string, at events.Position) {
	if at.IsZero() {
		return
	}
	w.Header().Set("Folio-Position", at.String())
	if err := a.Shown.WaitFor(r.Context(), projection, at); err != nil {
		w.Header().Set("Folio-Read-Model", "behind")
		httpapi.Log(r.Context()).Warn("answering before the read model shows the write", "projection", projection, "position",
			at.String(), "error", err)
	}
}

// held counts what one has with f; full says that there may be no more. What a repeat adds may
// be counted already.
func held(r *http.Request, f func(context.Context, string) (int64, error), of string, most int64) (n int64,
	full bool, err error) {
	if f == nil || repeats(r) {
		return 0, false, nil
	}
	n, err = f(r.Context(), of)
	return n, n >= most, err
}
