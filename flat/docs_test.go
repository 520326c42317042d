package flat_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"folio/flat"
)

var update = flag.Bool("update", false, "write the columns into docs/analysing.md")

// The page has the columns of the tables as they are written.
func TestThePageHasEachColumn(t *testing.T) {
	const page = "../docs/analysing.md"
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- columns -->\n", "<!-- end of columns -->"
	before, rest, _ := strings.Cut(string(raw), begin)
	old, after, whole := strings.Cut(rest, end)
	if !whole {
		t.Fatal("the page has no place for the columns")
	}
	want := columns[flat.Invoice]("invoices", "one document a row, in the order of creation") +
		columns[flat.Line]("lines", "one line of a document a row") +
		columns[flat.Event]("events", "one event a row, in the order of the log")
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if old != want {
		t.Error("docs/analysing.md has other columns: go test ./flat -update")
	}
}

func columns[T any](name, about string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n`%s.parquet`: %s.\n\n| column | type | |\n|---|---|---|\n", name, about)
	row := reflect.TypeFor[T]()
	for i, leaf := range parquet.SchemaOf(*new(T)).Fields() {
		kind := strings.ToLower(leaf.Type().Kind().String())
		if logical := leaf.Type().LogicalType(); logical != nil {
			kind, _, _ = strings.Cut(logical.String(), "(")
			if kind == "DECIMAL" {
				kind = logical.String()
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", leaf.Name(), strings.ToLower(kind), row.Field(i).Tag.Get("doc"))
	}
	return b.String()
}
