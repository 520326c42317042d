package exports

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"folio/audit"
	"folio/papers"
	"folio/past"
)

// attachments writes the files that events name, and the table of the exchanges with the authority.
func (w *writer) attachments(ctx context.Context) error {
	in, err := w.named.rewound()
	if err != nil {
		return err
	}
	rows, err := w.spool()
	if err != nil {
		return err
	}
	exchanges := &exchanges{out: past.NewCSV(rows.w)}
	exchanges.out.Header("\ufefftime,operation,fault,stream,revision,position,request,answer")
	lines := bufio.NewScanner(in)
	for n := 0; lines.Scan(); n++ {
		var ref reference
		if err := json.Unmarshal(lines.Bytes(), &ref); err != nil {
			return err
		}
		if ref.Name != "" {
			w.tell(Progress{Step: "files", Done: n, Total: w.files})
			if ref.Name, err = w.attach(ctx, ref); err != nil {
				return err
			}
		}
		exchanges.add(ref)
	}
	exchanges.end()
	if err := lines.Err(); err != nil {
		return err
	}
	if err := exchanges.out.Flush(); err != nil {
		return err
	}
	return w.archive.spooled(audit.CallsName, rows)
}

// attach writes one file and gives its whole name.
func (w *writer) attach(ctx context.Context, ref reference) (name string, err error) {
	var content []byte
	if err := w.turn(ctx, papers.EnvelopeMemory, func() (err error) {
		content, err = w.Secrets.File(ctx, ref.SHA256)
		return err
	}); err != nil {
		return "", fmt.Errorf("the file %s, which %s revision %d names: %w", ref.SHA256, ref.Stream, ref.Revision, err)
	}
	name = ref.Name + extension(content)
	return name, w.archive.bytes(name, content)
}

// extension is what the file is to be opened with: one of audit.Extensions.
func extension(content []byte) string {
	text := bytes.ToLower(bytes.TrimSpace(content[:min(len(content), 200)]))
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG")):
		return ".png"
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		return ".jpg"
	case bytes.HasPrefix(text, []byte("<!doctype html")), bytes.HasPrefix(text, []byte("<html")):
		return ".html"
	case bytes.HasPrefix(text, []byte("<")):
		return ".xml"
	case bytes.HasPrefix(text, []byte("{")), bytes.HasPrefix(text, []byte("[")):
		return ".json"
	}
	return ".txt"
}

// exchanges is the table of calls: both sides of one stand in one row.
type exchanges struct {
	out             *past.CSV
	last            reference
	request, answer string
}

// add takes the next file, or a call of which nothing was kept.
func (x *exchanges) add(ref reference) {
	if ref.Call == 0 {
		return
	}
	if ref.Stream != x.last.Stream || ref.Revision != x.last.Revision || ref.Call != x.last.Call {
		x.end()
		x.last = ref
	}
	if ref.Answer {
		x.answer = ref.Name
	} else {
		x.request = ref.Name
	}
}

// end writes the row that was begun.
func (x *exchanges) end() {
	if x.last.Call > 0 {
		x.out.Row(x.last.At.Format(time.RFC3339Nano), x.last.Operation, x.last.Fault, x.last.Stream,
			strconv.FormatUint(x.last.Revision, 10), x.last.Position, x.request, x.answer)
	}
	x.last, x.request, x.answer = reference{}, "", ""
}
