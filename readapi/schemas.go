package readapi

import (
	"net/http"
	"strconv"

	"folio/events/schema"
	"folio/fault"
	"folio/httpapi"
)

// eventSchemas lists the JSON Schemas of events.
func (a api) eventSchemas(w http.ResponseWriter, r *http.Request) error {
	type line struct {
		schema.Entry
		Link string `json:"href"`
	}
	data := []line{}
	for _, e := range schema.All() {
		data = append(data, line{e, "/api/events/schemas/" + e.Name + "/" + strconv.Itoa(e.Version)})
	}
	return httpapi.JSON(w, http.StatusOK, map[string]any{"data": data})
}

var errNoSchema = fault.New(fault.NotFound, "SCHEMA_NOT_FOUND",
	"There is no event of this name and version: see GET /api/events/schemas.")

// eventSchema is the JSON Schema of an event's data, as it is stored under the version.
func (a api) eventSchema(w http.ResponseWriter, r *http.Request) error {
	name, err := httpapi.PathID(r, "name")
	if err != nil {
		return errNoSchema
	}
	text, err := httpapi.PathID(r, "version")
	if err != nil {
		return errNoSchema
	}
	version, err := strconv.Atoi(text)
	raw, ok := schema.Get(name, version)
	if err != nil || !ok {
		return errNoSchema
	}
	w.Header().Set("Content-Type", "application/schema+json")
	_, _ = w.Write(raw) // the only failure is a client that has gone
	return nil
}
