// Package readapi holds the endpoints that read: documents of the projections, lists
// PDFs and exports. It records no fact of its own; what the tables lack, projections.Reader reads from the log.
package readapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"folio/admission"
	"folio/cache"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/papers"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/scope"
	"folio/waiting"

	"github.com/go-chi/chi/v5"
)

// Config is what the endpoints are made of.
type Config struct {
	Documents   *projections.Reader
	Log         past.Log // the past of what Documents has
	Leaves      Leaves   // nil: there is no transparency log
	Exports     Exports  // nil: likewise
	Countries   country.Registry
	Notes       *waiting.Notes
	Authorities *waiting.Authorities
	Files       papers.Files
	Quarantine  Quarantine
	Rates       Rates
	Shown       Shown
	Keys        Keys
	Accounts    Accounts
	Models      Models
	// Folding folds the read models, in this process while it holds their leases; nil: another one does.
	Folding  *engine.Runner
	Told     Told
	Handover *Handover // nil: nothing is handed over before the verdict
	Clock    func() time.Time
	// Work admits to what takes a core and much memory, counted in bytes.
	Work *admission.Gate
}

// Leaves gives what a reader of facts needs to find them in the transparency log: of each its
// leaf and the salt of its commitment, in base64. The function is nil while there are none.
type Leaves func(context.Context) (func(events.Recorded) (leaf, salt string), error)

// Shown waits until a projection shows a position.
type Shown interface {
	WaitFor(ctx context.Context, projection string, at events.Position) error
	// Reached is WaitFor that says how far the projection came by then: at least to the position.
	Reached(ctx context.Context, projection string, at events.Position) (events.Position, error)
}

// Told knows which events companies are told of by webhooks.
type Told interface {
	// Types are those of the events.
	Types() []string
	// Again says of an event of those types, by type, stream and revision, that it repeats an
	// earlier one of its stream, so that nobody is told.
	Again(context.Context, events.Recorded) (bool, error)
}

// Keys knows on which day a key was last used.
type Keys interface {
	LastUsed(ctx context.Context, key string) (day string, err error)
	// Prefix begins the keys of an environment.
	Prefix(environment string) string
}

// cachedPDFs bounds the rendered documents that are kept, in bytes: an accepted invoice never
// changes, so the second download costs nothing.
const cachedPDFs = 32 << 20

// api is what handlers have. It is as large as a pointer, for each of their calls has one.
type api struct{ *wiring }

type wiring struct {
	Config
	papers  papers.Maker
	feed    *admission.Gate // of calls that wait for news
	pdfs    *cache.Cache[taggedFile]
	ledgers *cache.Cache[*past.Ledger] // where pages of ledgers ended
	hot     *engine.Hot[*ready]
}

// Routes adds the endpoints to a router of httpapi.NewRouter.
func Routes(r chi.Router, c Config) {
	hot, err := engine.NewHot(c.Folding, projections.Invoices, readyMemory, (*ready).size)
	if err != nil {
		panic(err) // a runner that does not know the invoices is a mistake of whoever made it
	}
	a := api{&wiring{c, papers.Maker{Countries: c.Countries, Files: c.Files}, newFeedGate(),
		cache.New(cachedPDFs, taggedFile.size), cache.New(cachedLedgers, (*past.Ledger).Size), hot}}
	get(r, "/api/document-types", a.documentTypes)
	plain(r, "/api/currencies", a.currencies)
	plain(r, "/api/catalogues/{country}", a.catalogue)
	plain(r, "/api/events/schemas", a.eventSchemas)
	plain(r, "/api/events/schemas/{name}/{version}", a.eventSchema)
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireBearer)
		get(r, "/api/companies", a.listCompanies)
		get(r, "/api/companies/{id_company}/apikeys", a.listKeys)
		plain(r, "/api/companies/{id_company}/members", a.listMembers)
		get(r, "/api/companies/{id_company}/access-log", a.listAccess)
		plain(r, "/api/account", a.readAccount)
	})
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireEither)
		plain(r, "/api/authority", a.authorities)
		plain(r, "/api/projections", a.listModels)
	})
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireEither, httpapi.RequireCompany(scope.Read))
		get(r, "/api/companies/{id_company}", a.readCompany)
		get(r, "/api/companies/{id_company}/events", a.companyEvents)
		get(r, "/api/companies/{id_company}/numbering", a.listSeries)
		get(r, "/api/companies/{id_company}/numbering/{series}/events", a.seriesEvents)
		get(r, "/api/companies/{id_company}/numbering/{series}/ledger", a.readLedger)
		get(r, "/api/companies/{id_company}/numbering/{series}/gaps", a.readGaps)
	})
	r.Group(func(r chi.Router) {
		r.Use(httpapi.RequireCompany(scope.Read))
		get(r, "/api/catalogues/{country}/rate", a.officialRate)
		get(r, "/api/companies/{id_company}/certificates", a.listCertificates)
		plain(r, "/api/companies/{id_company}/fiscal-profile", a.readProfile)
		get(r, "/api/companies/{id_company}/branches", a.listBranches)
		plain(r, "/api/companies/{id_company}/branches/{number}", a.readBranch)
		get(r, "/api/companies/{id_company}/enumeration", a.listEnumerations)
		get(r, "/api/companies/{id_company}/daily-reports", a.listDailyReports)
		get(r, "/api/companies/{id_company}/outages", a.listOutages)
		get(r, "/api/companies/{id_company}/contingency", a.listContingencies)
		get(r, "/api/companies/{id_company}/contingency/windows", a.listWindows)
		get(r, "/api/companies/{id_company}/contingency/codes", a.listCodes)
		get(r, "/api/companies/{id_company}/contingency/use", a.contingencyUse)
		get(r, "/api/companies/{id_company}/purchases", a.listPurchases)
		plain(r, "/api/companies/{id_company}/purchases/{purchase_id}", a.readPurchase)
		get(r, "/api/companies/{id_company}/purchases/{purchase_id}/events", a.purchaseEvents)
		plain(r, "/api/companies/{id_company}/purchases/{purchase_id}/calls", a.readPurchaseCalls)
		plain(r, "/api/companies/{id_company}/purchases/{purchase_id}/calls/{sha256}", a.readPurchaseCalls)
		a.reportRoutes(r)
		a.webhookRoutes(r)
		a.invoiceRoutes(r)
		a.exportRoutes(r)
	})
}

// get registers a read whose handler reads its query.
func get(r chi.Router, path string, h httpapi.Handler) { r.Method(http.MethodGet, path, h) }

// plain registers a read without query parameters.
func plain(r chi.Router, path string, h httpapi.Plain) { r.Method(http.MethodGet, path, h) }

// invoiceRoutes are those of one company's documents.
func (a api) invoiceRoutes(r chi.Router) {
	for _, path := range []string{"/invoice/list", "/api/invoice/list", "/api/invoices"} {
		get(r, path, a.listInvoices)
	}
	get(r, "/api/invoices/{invoice_id}", a.readInvoice)
	get(r, "/api/invoices/{invoice_id}/events", a.invoiceEvents)
	get(r, "/api/invoices/{invoice_id}/explain", a.explainInvoice)
	plain(r, "/api/invoices/{invoice_id}/emails", a.listEmails)
	plain(r, "/api/invoices/{invoice_id}/calls", a.readInvoiceCalls)
	plain(r, "/api/invoices/{invoice_id}/calls/{sha256}", a.readInvoiceCalls)
	plain(r, "/api/invoices/{invoice_id}/download-xml", a.downloadXML)
	for _, path := range []string{"/api/invoices/{invoice_id}/download-pdf/A4",
		"/api/invoices/{invoice_id}/download/A4"} {
		get(r, path, a.downloadPDF)
		r.Method(http.MethodPost, path, httpapi.Handler(a.downloadPDF))
	}
	const ticket = "/api/invoices/{invoice_id}/download-pdf/ticket"
	get(r, ticket, a.downloadTicket)
	r.Method(http.MethodPost, ticket, httpapi.Handler(a.downloadTicket))
}

// patience is how long a read waits for a position.
const patience = 2 * time.Second

// fresh waits until the projection shows what the header Folio-Min-Position names.
// A caller that has it from a write sees that write, or is told to come back.
func (a api) fresh(r *http.Request, projection string) error {
	header := r.Header.Get("Folio-Min-Position")
	if header == "" {
		return nil
	}
	at, err := events.ParsePosition(header)
	if err != nil {
		return fault.Field("Folio-Min-Position", "NOT_A_POSITION",
			"Send what a write answered in Folio-Position, such as C:12/P:12.")
	}
	return a.reaches(r.Context(), projection, at)
}

// reaches waits until the projection shows a position.
func (a api) reaches(ctx context.Context, projection string, at events.Position) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := a.Shown.WaitFor(ctx, projection, at); err != nil {
		return httpapi.ErrNotReached
	}
	return nil
}

// missing turns a document that is not there into the fault given, unless its stream is
// held: then nobody can say whether it is there.
func (a api) missing(ctx context.Context, err error, f *fault.Error, stream string) error {
	if s := (*engine.StoppedError)(nil); errors.As(err, &s) {
		return errHeld // the document's own stream was read, and cannot be folded
	}
	if !errors.Is(err, engine.ErrNotFound) {
		return err
	}
	if err := a.held(ctx, stream); err != nil {
		return err
	}
	return f
}

var (
	errNoInvoice     = fault.New(fault.NotFound, "INVOICE_NOT_FOUND", "There is no such invoice among this company's.")
	errNotYetInvoice = fault.New(fault.NotFound, "INVOICE_NOT_FOUND",
		"The log did not have the invoice at this moment. GET .../events lists its facts with their times.")
	errNotYetCompany = fault.New(fault.NotFound, "COMPANY_NOT_FOUND",
		"The log did not have the company at this moment. GET .../events lists its facts with their times.")
	errNoCompany = fault.New(fault.NotFound, "COMPANY_NOT_FOUND",
		"There is no such company among yours: list them with GET /api/companies.")
)
