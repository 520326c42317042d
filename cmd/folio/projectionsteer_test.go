package main

import (
	"fmt"
	"strings"
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/tables"
)

// What is not the projection's own does not keep it from being whole.
func TestAProjectionIsDoneWhenNothingOfItsOwnFollows(t *testing.T) {
	log := projectiontest.NewSource(t,
		projectiontest.Given{Stream: "company-C1", Event: events.CompanyRegistered{Account: "A1", Country: "AR"}},
		projectiontest.Given{Stream: "apikey-K1", Event: events.APIKeyIssued{}},
		projectiontest.Given{Stream: "apikey-K2", Event: events.APIKeyIssued{}})
	end, err := log.End(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first := events.Position{Commit: 1, Prepare: 1}
	for _, x := range []struct {
		p    engine.Projection
		at   events.Position
		want string
	}{{projections.Companies, first, "100.0%"}, {projections.APIKeys, first, "33.3%"},
		{projections.APIKeys, end, "100.0%"},
		{projections.APIKeys, events.Position{}, "<nil>"}} {
		got, err := doneOf(t.Context(), log, x.p, x.at, end)
		if err != nil || fmt.Sprint(got) != x.want {
			t.Errorf("%s at %v: %v, %v, want %s", x.p.Name(), x.at, got, err, x.want)
		}
	}
}

func TestADocumentThatIsNotThereIsToldWithoutItsTable(t *testing.T) {
	c := projectionsShowCmd{projectionFlag: projectionFlag{Name: "vat_book"}, ID: "x"}
	err := c.missing(fmt.Errorf("get x of vat_book_v2_g2: %w", tables.ErrNotFound))
	if want := `projection vat_book has no document "x": without an id its documents are listed`; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestTablesInJSONHaveNumbers(t *testing.T) {
	row := []any{"facts", 2, percent(98.94), nil}
	columns := []string{"name", "version", "done", "built"}
	for format, want := range map[string]string{
		"json": `{"built":null,"done":98.9,"name":"facts","version":2}`,
		"csv":  "facts,2,98.9%,",
	} {
		var out strings.Builder
		if err := (formatFlag{format}).print(&out, columns, [][]any{row}); err != nil ||
			!strings.Contains(out.String(), want) {
			t.Errorf("%s: %s, %v, want %s", format, out.String(), err, want)
		}
	}
}
