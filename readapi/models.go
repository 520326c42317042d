package readapi

import (
	"context"
	"net/http"

	"folio/httpapi"
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
}

// Models tells how every read model stands.
type Models func(context.Context) ([]Model, error)

// modelsMemory is what looking at all of them takes: a few rows each.
const modelsMemory = 1 << 20

// listModels says how far the read models are. They are the service's, and no company's.
func (a api) listModels(w http.ResponseWriter, r *http.Request) error {
	if err := noParameters(r); err != nil {
		return err
	}
	var all []Model
	if err := a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), modelsMemory, func() (err error) {
		all, err = a.Models(r.Context())
		return err
	}); err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, struct {
		Data []Model `json:"data"`
	}{all})
}
