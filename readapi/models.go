package readapi

import (
	"cmp"
	"context"
	"net/http"

	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
)

// Model is how a read model stands: its state in a word, and how far behind the log it is.
type Model struct {
	Name    string `json:"name"`
	Version int    `json:"version"` // of its shape
	// State is ready, catching up, first build, rebuilding, rebuild paused or rebuild held.
	State    string  `json:"state"`
	Position *string `json:"position"` // the last event that it has; null while it has none
	// LagSeconds is the age of the oldest event that it lacks, 0 when it lacks none.
	LagSeconds float64 `json:"lag_seconds"`
	// CompanyKey is the member of its documents that names the company which reads them with
	// GET /api/projections/{name}; null: only the operator reads them.
	CompanyKey *string         `json:"company_key"`
	Fields     []engine.Member `json:"fields"`  // of its documents
	Filters    []ModelFilter   `json:"filters"` // parameters of GET /api/projections/{name}
}

// ModelFilter is a value by which documents are found.
type ModelFilter struct {
	Name string `json:"name"` // a parameter; with from_ and to_ before it, the ends of a range
	Type string `json:"type"` // text, decimal, date or time
	Sort bool   `json:"sort"` // sort= takes it
	Sum  bool   `json:"sum"`  // sum= takes it
}

// shape adds what can be read of the projection, and how.
func (m *Model) shape(p engine.Projection) {
	if key := p.OwnerMember(); key != "" {
		m.CompanyKey = &key
	}
	m.Fields = p.Members()
	m.Filters = []ModelFilter{}
	for _, at := range p.Attributes() {
		m.Filters = append(m.Filters, ModelFilter{at.Name, cmp.Or(string(at.Kind), "text"), sortable(at), summable(at)})
	}
}

// Models tells how every read model stands.
type Models func(context.Context) ([]Model, error)

// modelsMemory is what looking at all of them takes: a few rows each.
const modelsMemory = 1 << 20

// listModels says how far the read models are. They are the service's, and no company's.
func (a api) listModels(w http.ResponseWriter, r *http.Request) error {
	var all []Model
	if err := a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), modelsMemory, func() (err error) {
		all, err = a.Models(r.Context())
		return err
	}); err != nil {
		return err
	}
	for i := range all {
		if p, ok := projections.Named(all[i].Name); ok {
			all[i].shape(p)
		}
	}
	return httpapi.JSON(w, http.StatusOK, struct {
		Data []Model `json:"data"`
	}{all})
}
