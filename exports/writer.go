package exports

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"folio/audit"
	"folio/events"
	"folio/eventstore"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/transparency"
)

// writer is one export that is being written.
type writer struct {
	Source
	Order
	archive *archive
	prover  *transparency.Prover
	salts   transparency.Salts
	scratch string
	tell    func(Progress)
	own     *owner
	aside   []*spool

	company  projections.Company
	events   int
	invoices []string          // ids, in the order in which they were created
	open     map[string]bool   // submissions that are not settled: whether their files are wanted
	sent     map[string]string // what submissions with documents of the export sent, by its hash
	named    *spool            // files that events name
	files    int
}

// reference is a file that an event names.
type reference struct {
	Name      string    `json:"name"` // in the archive, without an extension
	SHA256    string    `json:"sha256"`
	Stream    string    `json:"stream"`
	Revision  uint64    `json:"revision"`
	Position  string    `json:"position"`
	Call      int       `json:"call,omitempty"`   // which of the event's calls, from 1; 0: it is of none
	Answer    bool      `json:"answer,omitempty"` // it is the answer of the call, not the request
	Operation string    `json:"operation,omitempty"`
	At        time.Time `json:"at,omitzero"`
	Fault     string    `json:"fault,omitempty"`
}

func (w *writer) spool() (*spool, error) {
	s, err := newSpool(w.scratch)
	if err == nil {
		w.aside = append(w.aside, s)
	}
	return s, err
}

func (w *writer) close() error {
	errs := []error{w.archive.list.close()}
	for _, s := range w.aside {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// run writes everything but the manifest.
func (w *writer) run(ctx context.Context) (err error) {
	if w.salts, err = transparency.ReadSalts(ctx, w.Secrets); err != nil {
		return err
	}
	at := events.Moment{Position: w.prover.Last}
	w.company, err = engine.GetAt[projections.Company](ctx, w.Documents, projections.Companies, w.Company, at)
	if errors.Is(err, engine.ErrNotFound) {
		return fmt.Errorf("%w: %w", ErrNoCheckpoint, err)
	}
	if err != nil {
		return err
	}
	if err := w.archive.bytes("README.txt", w.readme()); err != nil {
		return err
	}
	if w.named, err = w.spool(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{w.facts, w.documents, w.attachments} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	head := w.prover.Head
	if err := w.archive.bytes(audit.CheckpointName, []byte(head.Note)); err != nil {
		return err
	}
	return w.archive.bytes(audit.RotationsName, []byte(transparency.Statements(head.Rotations)))
}

func (w *writer) manifest(at time.Time) audit.Manifest {
	return audit.Manifest{Format: audit.Format, Company: w.Company, LegalName: w.company.LegalName,
		TaxIdentifier: w.company.TaxIdentifier, Country: w.company.Country, From: w.From, To: w.To,
		MadeAt: at.UTC().Format(time.RFC3339), Log: w.LogID, Tree: w.prover.Head.Tree, Until: w.prover.Last.String(),
		Events: w.events, Invoices: len(w.invoices)}
}

// facts writes the events and, aside, their proofs.
func (w *writer) facts(ctx context.Context) error {
	proofs, err := w.spool()
	if err != nil {
		return err
	}
	if err := w.archive.add(audit.EventsName, func(to io.Writer) error {
		for r, err := range w.Log.All(ctx, events.Position{}, eventstore.Filter{Streams: w.own.prefixes()}) {
			if err != nil {
				return fmt.Errorf("read the log: %w", err)
			}
			if w.prover.Last.Before(r.Position) {
				return nil
			}
			if err := w.fact(ctx, r, to, proofs); err != nil {
				return fmt.Errorf("%s revision %d: %w", r.Stream, r.Revision, err)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return w.archive.spooled(audit.ProofsName, proofs)
}

// fact writes one event if it is in the export.
func (w *writer) fact(ctx context.Context, r events.Recorded, to io.Writer, proofs *spool) error {
	mine, err := w.own.counts(ctx, r)
	if err != nil || !mine || !transparency.Counts(r) {
		return err
	}
	in, err := w.prover.Prove(ctx, r.Position)
	if err != nil {
		return err
	}
	salt := w.salts.Of(r.Stream, r.Revision)
	path := make([]string, len(in.Path))
	for i, h := range in.Path {
		path[i] = h.String()
	}
	if err := proofs.line(audit.Proof{Leaf: in.Index, Salt: base64.StdEncoding.EncodeToString(salt[:]),
		Path: path}); err != nil {
		return err
	}
	if err := encode(to, line(r, in.Index)); err != nil {
		return err
	}
	if w.events++; w.events%500 == 0 {
		w.tell(Progress{Step: "events", Done: w.events})
	}
	opened, err := events.Open(r)
	if err != nil {
		return nil // it is exported as it is stored; what this program cannot read names no file that it knows
	}
	return w.note(ctx, opened)
}

// line is an event as it stands in an export.
func line(r events.Recorded, leaf int64) audit.Event {
	e := audit.Event{Leaf: leaf, Position: r.Position.String(), LoggedAt: r.When().UTC().Format(time.RFC3339Nano),
		Stream: r.Stream, Revision: r.Revision, Type: r.Type, ID: r.ID, Data: string(r.Raw),
		Metadata: string(r.RawMeta)}
	if !utf8.ValidString(e.Data) || !utf8.ValidString(e.Metadata) {
		e.Encoding = "base64"
		e.Data = base64.StdEncoding.EncodeToString(r.Raw)
		e.Metadata = base64.StdEncoding.EncodeToString(r.RawMeta)
	}
	return e
}

// note remembers what the other files of the export need of an event.
func (w *writer) note(ctx context.Context, r events.Recorded) error {
	if e, created := r.Event.(events.InvoiceCreated); created {
		if w.invoices = append(w.invoices, e.Invoice); len(w.invoices) > MaxFiles {
			return ErrTooLarge
		}
	}
	if wanted, err := w.wanted(ctx, r); err != nil || !wanted {
		return err
	}
	if e, opened := r.Event.(events.SubmissionOpened); opened {
		w.sent[e.Submission] = e.SHA256
	}
	calls, withFiles := events.CallsOf(r.Event), map[int]bool{}
	for _, f := range past.FilesOf(r.Event) {
		ref := refer(r)
		ref.Name, ref.SHA256 = fmt.Sprintf("%s%s/%06d-%s", audit.Attachments, r.Stream, r.Revision,
			audit.Plain(f.Name)),
			f.SHA256
		if f.Call > 0 {
			ref.of(f.Call, calls[f.Call-1])
			ref.Answer = f.Answer
			withFiles[f.Call] = true
		}
		if w.files++; w.files > MaxFiles {
			return ErrTooLarge
		}
		if err := w.named.line(ref); err != nil {
			return err
		}
	}
	for i, c := range calls {
		if ref := refer(r); !withFiles[i+1] {
			ref.of(i+1, c)
			if err := w.named.line(ref); err != nil {
				return err
			}
		}
	}
	return nil
}

func refer(r events.Recorded) reference {
	return reference{Stream: r.Stream, Revision: r.Revision, Position: r.Position.String()}
}

// of says which call of the event it is about.
func (f *reference) of(n int, c events.Call) {
	f.Call, f.Operation, f.At, f.Fault = n, c.Operation, c.At.UTC(), c.Fault
}

// wanted says whether the files of an event are in the export: in one of a period those of a series only where the
// submission has a document of the period.
func (w *writer) wanted(ctx context.Context, r events.Recorded) (bool, error) {
	if w.Whole() || events.Category(r.Stream) != "numbering" {
		return true, nil
	}
	switch e := r.Event.(type) {
	case events.SubmissionOpened:
		for _, id := range e.Invoices {
			in, err := w.own.has(ctx, "invoice-"+id)
			if err != nil {
				return false, err
			}
			if in {
				w.open[e.Submission] = true
				return true, nil
			}
		}
	case events.SubmissionSplit:
		return w.open[e.Submission], nil
	case events.EnvelopeRenewed:
		return w.open[e.Submission], nil
	case events.SubmissionSettled:
		in := w.open[e.Submission]
		delete(w.open, e.Submission)
		return in, nil
	}
	return false, nil
}
