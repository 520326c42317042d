package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"

	"folio/projections"
	"folio/projections/engine"
)

type projectionsDiffCmd struct {
	projectionFlag
	formatFlag
}

// Run compares the documents that are read with those of a rebuild, or else with those that
// were kept, or else with those of the version before, which are as old as its program's last
// run. Hold the rebuild to compare before it takes over.
func (c *projectionsDiffCmd) Run(ctx context.Context) error {
	return c.on(ctx, func(s *stores, p engine.Projection) error {
		b, err := engine.Inspect(ctx, s.tables, p)
		if err != nil {
			return err
		}
		name, other := "rebuilt", b.Building
		if other == "" {
			name, other = "kept", b.Kept
		}
		if other == "" && b.Ready {
			name = "before"
			if other, _, err = engine.Before(ctx, s.tables, p); err != nil {
				return err
			}
		}
		if other == "" {
			return fmt.Errorf("projection %s has nothing to compare with: rebuild it with --hold, or with --keep; "+
				"`folio replay --projection %s` compares what this program makes of the log", p.Name(), p.Name())
		}
		d := newDiffing(s, p, b.Table, name, engine.Side{Store: s.tables, Table: other})
		return d.show(ctx, os.Stdout, c.formatFlag, name+" "+other)
	})
}

// diffing is the comparison of what is read with something else.
type diffing struct {
	engine.Comparison
	right string // what the other side is called
}

func newDiffing(s *stores, p engine.Projection, live, right string, other engine.Side) diffing {
	return diffing{engine.Comparison{Projection: p, Owners: projections.Companies,
		Left: engine.Side{Store: s.tables, Table: live}, Right: other}, right}
}

// show prints what differs, and how much was compared with what.
func (d diffing) show(ctx context.Context, to io.Writer, f formatFlag, with string) error {
	var found []engine.Difference
	n, err := engine.Diff(ctx, d.Comparison, func(one engine.Difference) error {
		if len(found) == maxDifferences {
			return errManyDifferences
		}
		found = append(found, one)
		return nil
	})
	if err != nil && !errors.Is(err, errManyDifferences) {
		return err
	}
	columns, rows := []string{"id", "live", d.right}, [][]any(nil)
	if f.Format == "text" {
		columns = slices.Insert(columns, 1, "member")
	}
	for _, one := range found {
		rows = append(rows, differenceRows(f, one)...)
	}
	if len(rows) > 0 || f.Format != "text" {
		if err := f.print(to, columns, rows); err != nil {
			return err
		}
	}
	left := ""
	if err != nil {
		left = " so far; the first of them are shown, and no more were looked for"
	}
	fmt.Fprintf(os.Stderr, "%d documents compared, %d differ%s: live %s, %s\n", n.Documents, n.Differ, left, d.Left.Table,
		with)
	return nil
}

// maxDifferences is how many are shown; more say no more.
const maxDifferences = 10_000

var errManyDifferences = errors.New("more documents differ than are shown")

// differenceRows are a document's: as it is on both sides, or for reading, each member that
// differs.
func differenceRows(f formatFlag, d engine.Difference) [][]any {
	switch f.Format {
	case "json":
		return [][]any{{d.ID, rawOrNull(d.Left), rawOrNull(d.Right)}}
	case "csv":
		return [][]any{{d.ID, string(d.Left), string(d.Right)}}
	}
	if d.Left == nil || d.Right == nil {
		return [][]any{{d.ID, "whole document", presence(d.Left), presence(d.Right)}}
	}
	left, right := members(d.Left), members(d.Right)
	names := maps.Clone(left)
	maps.Copy(names, right)
	var rows [][]any
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if left[name] != right[name] {
			rows = append(rows, []any{d.ID, name, left[name], right[name]})
		}
	}
	if len(rows) == 0 {
		return [][]any{{d.ID, "attributes only", "", ""}}
	}
	return rows
}

// rawOrNull is a body as JSON.
func rawOrNull(body []byte) any {
	if body == nil {
		return nil
	}
	return json.RawMessage(body)
}

func presence(body []byte) string {
	if body == nil {
		return "missing"
	}
	return "there"
}

// members are the values of a body by their paths, such as taxes[0].base.
func members(body []byte) map[string]string {
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				walk(joinedPath(path, name), inner)
			}
		case []any:
			for i, inner := range v {
				walk(path+"["+strconv.Itoa(i)+"]", inner)
			}
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return map[string]string{"": string(body)}
	}
	walk("", v)
	return out
}

func joinedPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
