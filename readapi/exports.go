package readapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/go-chi/chi/v5"

	"folio/exports"
	"folio/fault"
	"folio/httpapi"
	"folio/scope"
	"folio/strict"
)

// Exports makes exports in the background; *exports.Jobs is one.
type Exports interface {
	Start(o exports.Order) (e exports.Export, again bool, err error)
	List(company string) ([]exports.Export, error)
	Get(company, id string) (exports.Export, error)
	File(company, id string) (*os.File, error)
	Remove(company, id string) error
}

var (
	errNoExports = fault.New(fault.Conflict, "NO_TRANSPARENCY_LOG", "This service keeps no transparency log "+
		"(--transparency off), so nothing of an export could be proven. Ask its operator.")
	errNoExport = fault.New(fault.NotFound, "EXPORT_NOT_FOUND", "There is no such export among this company's: it has "+
		"expired, or there never was one. List them with GET /api/exports.")
	errExportNotDone = fault.New(fault.Conflict, "EXPORT_NOT_DONE",
		"The export is not finished: read it until its status is done.")
	errExportHasNoFile = fault.New(fault.Conflict, "EXPORT_HAS_NO_FILE",
		"The export was interrupted or failed, and has no "+
			"file: its record says why. Ask for another one.")
)

func (a api) exportRoutes(r chi.Router) {
	r.Method(http.MethodPost, "/api/exports", httpapi.Handler(a.startExport))
	plain(r, "/api/exports", a.listExports)
	plain(r, "/api/exports/{export_id}", a.readExport)
	plain(r, "/api/exports/{export_id}/download", a.downloadExport)
	r.Method(http.MethodDelete, "/api/exports/{export_id}", httpapi.Plain(a.removeExport))
}

// export is the record of one.
type export struct {
	ID         string     `json:"id"`
	Company    string     `json:"id_company"`
	From       *string    `json:"date_from"` // of the documents; both null: the whole history
	To         *string    `json:"date_to"`   // of the documents
	Status     string     `json:"status"`
	Progress   progress   `json:"progress"` // how far it has come
	CreatedAt  time.Time  `json:"created_at"`
	FinishedAt *time.Time `json:"finished_at"` // done, failed or interrupted
	ExpiresAt  *time.Time `json:"expires_at"`  // when it is removed
	Events     int        `json:"events"`
	Invoices   int        `json:"invoices"` // how many it has
	Until      *string    `json:"until"`    // position of the last event that the checkpoint covers
	Beyond     int        `json:"beyond"`   // facts that were there and are not in it: no checkpoint covered them in time
	Size       int64      `json:"size"`     // of the file, in bytes
	SHA256     *string    `json:"sha256"`
	Download   *string    `json:"download"` // path of the file
	Error      *string    `json:"error"`    // why it failed or was interrupted
}

type progress struct {
	Step  *string `json:"step"` // checkpoint, events, documents or files
	Done  int     `json:"done"`
	Total *int    `json:"total"` // null where it is not known
}

func exportOf(e exports.Export) export {
	out := export{ID: e.ID, Company: e.Company, From: pointer(e.From), To: pointer(e.To), Status: e.Status,
		Progress: progress{Step: pointer(e.Progress.Step), Done: e.Progress.Done}, CreatedAt: e.CreatedAt,
		Events:   e.Events,
		Invoices: e.Invoices, Until: pointer(e.Until), Beyond: e.Beyond, Size: e.Size, SHA256: pointer(e.SHA256),
		Error: pointer(e.Error)}
	if e.Progress.Total > 0 {
		out.Progress.Total = &e.Progress.Total
	}
	if !e.FinishedAt.IsZero() {
		out.FinishedAt, out.ExpiresAt = &e.FinishedAt, &e.ExpiresAt
	}
	if e.Status == exports.Done {
		out.Download = pointer("/api/exports/" + e.ID + "/download")
	}
	return out
}

// startExport begins an export of the caller's company. The period is in the query, where the access log shows it too.
func (a api) startExport(w http.ResponseWriter, r *http.Request) error {
	key, err := httpapi.IdempotencyKey(r)
	if err != nil {
		return err
	}
	q := strict.ReadQuery(r)
	who := httpapi.Caller(r.Context())
	o := exports.Order{Company: who.Company, Key: key, By: who.Actor()}
	o.From, o.To = datesOf(q)
	for _, name := range []string{"date_from", "date_to"} {
		if q.Given(name) && !q.Has(name) { // whoever asks for a period is not to get everything
			q.Fail(name, strict.CodeDate, "is empty: write a day as YYYY-MM-DD, or leave the parameter out")
		}
	}
	if err := q.Done(); err != nil {
		return err
	}
	if err := empty(r); err != nil {
		return err
	}
	if a.Exports == nil {
		return errNoExports
	}
	e, again, err := a.Exports.Start(o)
	if err != nil {
		return err
	}
	if again {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	w.Header().Set("Location", "/api/exports/"+e.ID)
	return httpapi.JSON(w, http.StatusAccepted, exportOf(e))
}

// empty refuses a body: what it says would not be heard.
func empty(r *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64))
	if body = bytes.TrimSpace(body); err == nil && (len(body) == 0 || string(body) == "{}") {
		return nil
	}
	return fault.Field("", strict.CodeNotAllowed, "Send the period as date_from and date_to in the query, and no body.")
}

func (a api) listExports(w http.ResponseWriter, r *http.Request) error {
	out := []export{}
	if a.Exports != nil {
		all, err := a.Exports.List(httpapi.Caller(r.Context()).Company)
		if err != nil {
			return err
		}
		for _, e := range all {
			out = append(out, exportOf(e))
		}
	}
	return httpapi.JSON(w, http.StatusOK, struct {
		Data []export `json:"data"`
	}{out})
}

// export is the one that the path names, if it is the caller's.
func (a api) export(r *http.Request) (e exports.Export, err error) {
	id, err := httpapi.PathID(r, "export_id")
	if err != nil || a.Exports == nil {
		return e, errNoExport
	}
	if e, err = a.Exports.Get(httpapi.Caller(r.Context()).Company, id); errors.Is(err, exports.ErrNone) {
		err = errNoExport
	}
	return e, err
}

func (a api) readExport(w http.ResponseWriter, r *http.Request) error {
	e, err := a.export(r)
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, exportOf(e))
}

// removeExport removes an export, or ends it while it is made, so that another one may be asked for. Who may only read
// removes his own: an auditor takes nothing away from the company.
func (a api) removeExport(w http.ResponseWriter, r *http.Request) error {
	e, err := a.export(r)
	if err != nil {
		return err
	}
	if who := httpapi.Caller(r.Context()); who.Actor() != e.By && !who.Scopes.Has(scope.Manage) {
		return httpapi.MissingScope(scope.Manage)
	}
	if err := a.Exports.Remove(e.Company, e.ID); err != nil && !errors.Is(err, exports.ErrNone) {
		return err
	}
	httpapi.NoContent(w)
	return nil
}

// downloadExport answers with the file, or with a part of it (Range), so that a download which broke goes on.
func (a api) downloadExport(w http.ResponseWriter, r *http.Request) (err error) {
	e, err := a.export(r)
	switch {
	case err != nil:
		return err
	case e.Status == exports.Waiting, e.Status == exports.Working:
		return errExportNotDone
	case e.Status != exports.Done:
		return errExportHasNoFile
	}
	f, err := a.Exports.File(e.Company, e.ID)
	if errors.Is(err, exports.ErrNone) {
		return errNoExport
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Cache-Control", "private, no-store")
	h.Set("ETag", `"`+e.SHA256+`"`)
	h.Set("Content-Disposition", `attachment; filename="`+exportName(e)+`.zip"`)
	return httpapi.ServeContent(&patient{ResponseWriter: w, ctx: r.Context()}, r, f)
}

// exportName is what the file is called: the company and the period.
func exportName(e exports.Export) string {
	name := e.Company
	if e.From+e.To != "" {
		name += "_" + e.From + "_" + e.To
	}
	return name
}

// patient gives each part of a long answer the time that a short answer has as a whole.
type patient struct {
	http.ResponseWriter
	ctx context.Context
}

// Write implements http.ResponseWriter.
func (p *patient) Write(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	// Where the connection has no deadline there is none to move.
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(httpapi.WriteTimeout))
	return p.ResponseWriter.Write(b)
}
