package audit

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Event is a line of events.ndjson: a fact of the log, byte for byte.
type Event struct {
	Leaf     int64  `json:"leaf"`      // its place in the tree
	Position string `json:"position"`  // its place in the log
	LoggedAt string `json:"logged_at"` // by the log's clock; no leaf has it
	Stream   string `json:"stream"`
	Revision uint64 `json:"revision"` // in its stream, from 0
	Type     string `json:"type"`
	ID       string `json:"id"`
	Data     string `json:"data"`               // the bytes as they are stored, as text
	Metadata string `json:"metadata"`           // likewise
	Encoding string `json:"encoding,omitempty"` // base64: of both, where they are no text
}

// Plain decodes data and metadata where they are no text.
func (e *Event) Plain() error {
	switch e.Encoding {
	case "":
		return nil
	case "base64":
		data, err := base64.StdEncoding.DecodeString(e.Data)
		metadata, err2 := base64.StdEncoding.DecodeString(e.Metadata)
		e.Data, e.Metadata = string(data), string(metadata)
		return errors.Join(err, err2)
	}
	return fmt.Errorf("the encoding %q is not known", e.Encoding)
}

// maxRecord bounds a line, a row of a table and an element of a list; the log takes events of 1 MiB at most, which text
// may make six times as long.
const maxRecord = 16 << 20

// bounded ends a file with an error where one of its records is longer than any that an export has: a small archive
// may unpack to a record that no memory holds.
type bounded struct {
	in   io.Reader
	left int // of the record
}

func newBounded(in io.Reader) *bounded { return &bounded{in, maxRecord} }

// next begins another record.
func (b *bounded) next() { b.left = maxRecord }

func (b *bounded) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("a record is longer than %d bytes", maxRecord)
	}
	n, err := b.in.Read(into[:min(len(into), b.left)])
	b.left -= n
	return n, err
}

// lines reads a file line by line.
type lines struct {
	name string
	n    int
	in   *bufio.Scanner
}

func newLines(name string, in io.Reader) *lines {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), maxRecord)
	return &lines{name: name, in: s}
}

// next decodes a line into v; false at the end.
func (l *lines) next(v any) (bool, error) {
	if !l.in.Scan() {
		if errors.Is(l.in.Err(), bufio.ErrTooLong) {
			return false, differs(l.name, l.n+1, "the line is longer than %d bytes", maxRecord)
		}
		return false, l.in.Err()
	}
	l.n++
	d := json.NewDecoder(bytes.NewReader(l.in.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return false, differs(l.name, l.n, "it cannot be read: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return false, differs(l.name, l.n, "more than one value stands in the line")
	}
	return true, nil
}

// events verifies that each event is in the tree, in the order of the log and of its stream.
func (v *verifier) events() error {
	return v.read(EventsName, func(in io.Reader) error {
		return v.read(ProofsName, func(in2 io.Reader) error {
			return v.inclusion(newLines(EventsName, in), newLines(ProofsName, in2))
		})
	})
}

func (v *verifier) inclusion(all, proofs *lines) error {
	v.facts = newFacts(v.report.Manifest)
	last := int64(-1)
	for {
		var e Event
		more, err := all.next(&e)
		if err != nil {
			return err
		}
		var p Proof
		proved, err := proofs.next(&p)
		switch {
		case err != nil:
			return err
		case !more && !proved:
			return v.counted(all.n)
		case !more:
			return differs(ProofsName, proofs.n, "it is of an event that is not there: leaf %d", p.Leaf)
		case !proved:
			return differs(ProofsName, proofs.n+1, "a proof is missing: that of leaf %d, %s revision %d", e.Leaf,
				e.Stream, e.Revision)
		case p.Leaf > e.Leaf:
			return differs(ProofsName, proofs.n, "the proof of leaf %d is missing here, that of %s revision %d", e.Leaf,
				e.Stream,
				e.Revision)
		case p.Leaf < e.Leaf:
			return differs(EventsName, all.n, "the event of leaf %d is missing here: its proof is there", p.Leaf)
		case e.Leaf <= last:
			return differs(EventsName, all.n, "leaf %d stands behind leaf %d", e.Leaf, last)
		}
		last = e.Leaf
		if err := e.Plain(); err != nil {
			return differs(EventsName, all.n, "%v", err)
		}
		if err := v.trust.included(e, p); err != nil {
			return differs(EventsName, all.n,
				"it is not the event that the checkpoint has as leaf %d (%s, revision %d): %v", e.Leaf, e.Stream,
				e.Revision, err)
		}
		if wrong := v.facts.add(e, all.n); wrong != "" {
			return differs(EventsName, all.n, "%s", wrong)
		}
		v.report.LastLogged = e.LoggedAt
	}
}

// counted compares what was read with what the manifest says.
func (v *verifier) counted(n int) error {
	v.report.Events = n
	if m := v.report.Manifest; m.Events != n || m.Invoices != len(v.facts.order) {
		return differs(EventsName, n, "it ends with %d events of %d invoices, and the manifest says %d of %d: "+
			"some are "+
			"missing",
			n, len(v.facts.order), m.Events, m.Invoices)
	}
	return nil
}
