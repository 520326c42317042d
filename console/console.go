// Package console is the website of the service at /console, for people who would rather look
// than read. It is a client of the API: every page is made of what the API's own handler
// answers to the person's token, so that there is no second copy of a query, a rule or a right.
// It keeps nothing but what is in the person's cookies.
package console

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"folio/admission"
)

// Path is where the console is served.
const Path = "/console"

// Config is what the console needs.
type Config struct {
	// API is the service's own handler; both the reading and the writing endpoints must be in it.
	API http.Handler
	// Secure says whether a request came over TLS, so that its cookies never leave it.
	Secure func(*http.Request) bool
	// Countries are those that are served. Times of others are shown in UTC.
	Countries []Country
	// Mail says that there is a mail server: without one no invoice can be sent by e-mail.
	Mail bool
	// Sandbox says that the authorities are those of the sandbox: every page tells that no document has fiscal value.
	Sandbox bool
	// Log takes what is a fault of the console itself; nil means slog.Default.
	Log *slog.Logger
	// Clock is time.Now unless given.
	Clock func() time.Time
}

// Country is what the pages know of a country besides the API's catalogues.
type Country struct {
	Code, Name string
	Identifier string         // the kind of its companies' tax identifiers
	Asked      string         // the kind of document that its first document type asks of a recipient; "" for none
	Zone       *time.Location // where its fiscal day is counted
	Credited   []string       // the types of document that have a credit note
	Numbers    []string       // the paths of its documents' own members that are numbers in JSON
}

// country is the one of a code, nameless and in UTC for one that is not served.
func (c Config) country(code string) Country {
	for _, x := range c.Countries {
		if x.Code == code {
			return x
		}
	}
	return Country{Code: code, Zone: time.UTC}
}

type console struct {
	Config
	views func() map[string]views // by language
	forms *admission.Gate         // of forms that are being read, in bytes
	guard func(http.Handler) http.Handler
}

// New is the handler of Path and everything below.
func New(c Config) http.Handler {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	guard := http.NewCrossOriginProtection()
	s := &console{Config: c, views: sync.OnceValue(readViews), guard: guard.Handler,
		forms: admission.New("console forms", admission.Limits{All: 16 << 20, Each: 2 << 20, Line: 20, Lines: 200,
			Patience: 5 * time.Second})}
	guard.SetDenyHandler(http.HandlerFunc(s.refuseOtherSite))
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path+"/static/{file}", static)
	mux.HandleFunc("GET "+Path+"/language", s.chooseLanguage)
	mux.HandleFunc("GET "+Path+"/login", s.loginPage)
	mux.HandleFunc("POST "+Path+"/login", s.login)
	for pattern, h := range s.pages() {
		method, path, _ := strings.Cut(pattern, " ")
		mux.Handle(method+" "+Path+path, s.page(h))
	}
	mux.HandleFunc(Path+"/", func(w http.ResponseWriter, r *http.Request) { s.visit(w, r).missing() })
	mux.HandleFunc(Path, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, Path+"/", http.StatusSeeOther)
	})
	return s.secured(mux)
}

// handler makes one page, or says what the API refused.
type handler func(*visit) error

// pages are those that need a session. A path names its company with {company}.
func (s *console) pages() map[string]handler {
	return map[string]handler{
		"GET /{$}":            (*visit).companies,
		"POST /logout":        (*visit).logout,
		"GET /companies/new":  (*visit).newCompany,
		"POST /companies/new": (*visit).makeCompany,
		"GET /status":         (*visit).status,

		"GET /c/{company}/{$}": (*visit).overview,

		"GET /c/{company}/settings":                                    (*visit).settings,
		"POST /c/{company}/settings/profile":                           (*visit).saveProfile,
		"POST /c/{company}/settings/certificate":                       (*visit).uploadCertificate,
		"POST /c/{company}/settings/logo":                              (*visit).uploadLogo,
		"POST /c/{company}/settings/certificates/{certificate}/remove": (*visit).removeCertificate,

		"GET /c/{company}/numbering":                (*visit).numbering,
		"POST /c/{company}/numbering/upload":        (*visit).uploadRange,
		"POST /c/{company}/numbering/{range}/start": (*visit).startRange,

		"GET /c/{company}/contingency":                         (*visit).contingency,
		"POST /c/{company}/contingency":                        (*visit).setContingency,
		"POST /c/{company}/contingency/{point}/open":           (*visit).openContingency,
		"POST /c/{company}/contingency/{point}/close":          (*visit).closeContingency,
		"POST /c/{company}/contingency/outages":                (*visit).openOutage,
		"POST /c/{company}/contingency/outages/{outage}/close": (*visit).closeOutage,

		"GET /c/{company}/invoices":                        (*visit).invoices,
		"GET /c/{company}/invoices/new":                    (*visit).newInvoice,
		"POST /c/{company}/invoices/new":                   (*visit).issueInvoice,
		"POST /c/{company}/invoices/sums":                  (*visit).invoiceSums,
		"GET /c/{company}/invoices/{invoice}":              (*visit).invoice,
		"POST /c/{company}/invoices/{invoice}/process":     (*visit).processInvoice,
		"POST /c/{company}/invoices/{invoice}/credit":      (*visit).creditInvoice,
		"POST /c/{company}/invoices/{invoice}/email":       (*visit).emailInvoice,
		"GET /c/{company}/invoices/{invoice}/pdf":          (*visit).invoicePDF,
		"GET /c/{company}/invoices/{invoice}/ticket":       (*visit).invoiceTicket,
		"GET /c/{company}/invoices/{invoice}/xml":          (*visit).invoiceXML,
		"GET /c/{company}/invoices/{invoice}/calls/{body}": (*visit).invoiceCall,

		"GET /c/{company}/webhooks":                                (*visit).webhooks,
		"POST /c/{company}/webhooks":                               (*visit).saveWebhook,
		"POST /c/{company}/webhooks/{hook}/ping":                   (*visit).pingWebhook,
		"POST /c/{company}/webhooks/{hook}/secret":                 (*visit).rotateSecret,
		"POST /c/{company}/webhooks/{hook}/remove":                 (*visit).removeWebhook,
		"POST /c/{company}/webhooks/{hook}/replays":                (*visit).startReplay,
		"POST /c/{company}/webhooks/{hook}/replays/{replay}/stop":  (*visit).stopReplay,
		"GET /c/{company}/webhooks/{hook}/deliveries/{id}":         (*visit).delivery,
		"POST /c/{company}/webhooks/{hook}/deliveries/{id}/resend": (*visit).resend,

		"GET /c/{company}/keys":               (*visit).keys,
		"POST /c/{company}/keys":              (*visit).makeKey,
		"POST /c/{company}/keys/{key}/revoke": (*visit).revokeKey,
	}
}

// policy lets the pages load what this service serves, and nothing else: no inline script and
// no inline style.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// secured puts the headers on every answer, and refuses what another site sends.
func (s *console) secured(next http.Handler) http.Handler {
	guarded := s.guard(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if s.Secure != nil && s.Secure(r) {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		guarded.ServeHTTP(w, r)
	})
}
