package engine

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"folio/tables"
)

// replica keeps documents for a folder and for nobody else: in tables without lists or attributes, whose indexes would
// cost more than the documents. List, ordinal and attributes stand before the body, each with a NUL behind it.
type replica struct{ tables.Store }

// define makes tables in place of those that a reader would need.
func (s replica) define(ctx context.Context, schemas []tables.Schema) error {
	for _, schema := range schemas {
		if err := s.Define(ctx, tables.Schema{Name: schema.Name}); err != nil {
			return fmt.Errorf("define the tables of the replay: %w", err)
		}
	}
	return nil
}

// GetMany implements getter.
func (s replica) GetMany(ctx context.Context, table string, ids []string) (map[string]tables.Document, error) {
	found, err := s.Store.GetMany(ctx, table, ids)
	if err != nil {
		return nil, err
	}
	for id, d := range found {
		if found[id], err = openReplica(d); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// write keeps what folders wrote.
func (s replica) write(ctx context.Context, writes []tables.Write) error {
	if len(writes) == 0 {
		return nil
	}
	for _, w := range writes {
		for i, d := range w.Documents {
			w.Documents[i] = sealReplica(d)
		}
	}
	return s.Apply(ctx, tables.Batch{Writes: writes})
}

// sealReplica puts all of a document into its body.
func sealReplica(d tables.Document) tables.Document {
	size := len(d.List) + len("\x00-9223372036854775808\x00\x00") + len(d.Body)
	for name, value := range d.Attributes {
		size += len(name) + len("=") + len(value) + len("\x00")
	}
	body := make([]byte, 0, size)
	body = append(append(body, d.List...), 0)
	body = append(strconv.AppendInt(body, d.Ordinal, 10), 0)
	for name, value := range d.Attributes {
		body = append(append(append(append(body, name...), '='), value...), 0)
	}
	body = append(append(body, 0), d.Body...)
	return tables.Document{ID: d.ID, At: d.At, Body: body}
}

// openReplica reads what sealReplica wrote.
func openReplica(d tables.Document) (tables.Document, error) {
	list, rest, ok := bytes.Cut(d.Body, []byte{0})
	ordinal, rest, ok2 := bytes.Cut(rest, []byte{0})
	n, err := strconv.ParseInt(string(ordinal), 10, 64)
	if !ok || !ok2 || err != nil {
		return d, fmt.Errorf("the replay's document %.80q is damaged: %w", d.ID, err)
	}
	d.List, d.Ordinal = string(list), n
	for {
		var one []byte
		if one, rest, ok = bytes.Cut(rest, []byte{0}); !ok {
			return d, fmt.Errorf("the replay's document %.80q is damaged", d.ID)
		}
		if len(one) == 0 {
			break
		}
		if name, value, ok := bytes.Cut(one, []byte{'='}); ok {
			if d.Attributes == nil {
				d.Attributes = map[string]string{}
			}
			d.Attributes[string(name)] = string(value)
		}
	}
	if d.Body = rest; len(rest) == 0 {
		d.Body = nil
	}
	return d, nil
}
