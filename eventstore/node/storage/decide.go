package storage

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// apply carries out one change inside the open transaction. Its error means that the transaction is
// lost; a refusal, or a read that failed before anything was written, is an outcome.
func (w *writer) apply(c *Change) (Result, error) {
	if c.Kind == importEvents {
		return w.applyImport(c)
	}
	h, meta, err := w.state(c.Stream)
	if err != nil {
		return Result{Err: err}, nil
	}
	if c.Kind != AppendEvents {
		return w.applyDelete(c, h, meta)
	}
	if c.Expected <= ExpectAny && h.num != 0 && !h.keepsIDs && !h.tombstoned() && len(c.Events) > 0 {
		if err := w.keepIDs(c.Stream, h); err != nil {
			return Result{}, err
		}
	}
	out, write := w.decide(c, h, meta)
	if !write {
		return out, nil
	}
	return w.applyAppend(c, h, meta)
}

// applyAppend writes after the rules said so. An append to a soft-deleted stream brings it back with the
// old events hidden: that is one more event, in the metadata.
func (w *writer) applyAppend(c *Change, h *head, meta *StreamMeta) (Result, error) {
	before, created := h.last, Ticks(w.store.Now())
	for _, r := range c.Events {
		r.Stream, r.Rev, r.Created = []byte(c.Stream), uint64(h.last+1), created
		if err := w.insert(h, r); err != nil {
			return Result{}, err
		}
	}
	out := Result{Current: h.last, Pos: w.last}
	if original, ok := strings.CutPrefix(c.Stream, MetadataPrefix); ok {
		return out, w.metadataAppended(original, h, c.Events)
	}
	if meta.softDeleted() {
		return out, w.undelete(c.Stream, meta, before+1)
	}
	return out, nil
}

// undelete brings a stream back with what was before revision tb hidden. Metadata that no bound can be put into
// is left, and then hides nothing: the server does the same.
func (w *writer) undelete(stream string, meta *StreamMeta, tb int64) error {
	data, ok := meta.withTruncateBefore(tb)
	if !ok {
		return nil
	}
	return w.writeMetadata(stream, data)
}

// metadataAppended takes in new metadata. Metadata written to a soft-deleted stream undeletes it; the events
// from before the deletion stay hidden.
func (w *writer) metadataAppended(original string, h *head, events []Record) error {
	if len(events) == 0 {
		return nil
	}
	old := h.meta
	m := parseMeta(events[len(events)-1].Data)
	h.meta = &m
	if old == nil || !old.softDeleted() || m.softDeleted() {
		return nil
	}
	originalHead, err := w.head(original)
	if err != nil {
		return err
	}
	return w.undelete(original, &m, originalHead.last+1)
}

func (w *writer) writeMetadata(stream string, data []byte) error {
	h, err := w.head(MetadataPrefix + stream)
	if err != nil {
		return err
	}
	m := parseMeta(data)
	r := Record{ID: uuid.New(), JSON: true, Kind: []byte(MetadataType), Data: data,
		Stream: []byte(MetadataPrefix + stream),
		Rev:    uint64(h.last + 1), Created: Ticks(w.store.Now())}
	if err := w.insert(h, r); err != nil {
		return err
	}
	w.store.hasMeta.Store(true)
	h.meta = &m
	return nil
}

// decide applies the server's rules of idempotent appends. It answers whether to write.
func (w *writer) decide(c *Change, h *head, meta *StreamMeta) (Result, bool) {
	wrong := Result{Current: h.last, Wrong: true}
	switch {
	case h.tombstoned():
		return Result{Err: ErrStreamDeleted}, false
	case c.Expected == ExpectExists && meta.softDeleted():
		return Result{Err: ErrStreamDeleted}, false
	case c.Expected == ExpectExists && h.last < 0 && !meta.exists:
		return wrong, false
	case c.Expected > h.last: // an exact revision that is not reached yet
		return wrong, false
	// At the exact revision ids are not compared: the same id may be stored twice.
	// An append of nothing writes nothing, but undeletes.
	case c.Expected == h.last || len(c.Events) == 0 && c.Expected <= ExpectAny:
		return Result{Current: h.last, Pos: w.last}, len(c.Events) > 0 || meta.softDeleted()
	case c.Expected <= ExpectAny:
		return w.decideByID(c, h)
	case len(c.Events) == 0:
		return wrong, false
	}
	// The revision has passed: the same events stored there are a repetition of this very append.
	out, first := w.compareStored(c, h)
	if first && c.Expected == ExpectNoStream && meta.softDeleted() {
		return out, true
	}
	return out, false
}

// compareStored looks whether exactly these events were stored after the expected revision before. It
// answers whether the very first one differed.
func (w *writer) compareStored(c *Change, h *head) (out Result, first bool) {
	wrong := Result{Current: h.last, Wrong: true}
	from, matched := c.Expected+1, 0
	differs := false
	err := w.db.each(func(row []driver.Value) (bool, error) {
		r, err := parseRow(row)
		if err != nil {
			return false, err
		}
		differs = int64(r.Rev) != from+int64(matched) || !bytes.Equal(r.ID[:], c.Events[matched].ID[:])
		if !differs {
			matched++
			out = Result{Current: int64(r.Rev), Pos: r.Pos}
		}
		return !differs && matched < len(c.Events), nil
	}, "SELECT pos, rec FROM events WHERE stream = ? AND rev >= ? ORDER BY rev LIMIT ?", h.num, from, int64(len(c.Events)))
	switch {
	case err != nil:
		return Result{Err: fmt.Errorf("compare an append with what is stored: %w", err)}, false
	case matched == len(c.Events):
		return out, false
	}
	return wrong, matched == 0
}

// decideByID is for appends without an exact expectation: known ids mean a repetition, of the first append
// that brought them.
func (w *writer) decideByID(c *Change, h *head) (Result, bool) {
	if h.num == 0 {
		return Result{}, true
	}
	last := int64(-1)
	for i := range c.Events {
		rev, known, err := w.db.number("SELECT min(rev) FROM ids WHERE stream = ? AND id = ?", h.num, c.Events[i].ID[:])
		switch {
		case err != nil:
			return Result{Err: fmt.Errorf("look up an event id: %w", err)}, false
		case !known && i == 0:
			return Result{}, true
		case !known:
			return Result{Current: h.last, Wrong: true}, false
		}
		last = rev
	}
	pos, _, err := w.db.number("SELECT pos FROM events WHERE stream = ? AND rev = ?", h.num, last)
	if err != nil {
		return Result{Err: fmt.Errorf("look up a repeated append: %w", err)}, false
	}
	return Result{Current: last, Pos: uint64(pos)}, false
}

// keepIDs starts the index of event ids of a stream. Streams that are always appended to with an
// exact expectation never need one.
func (w *writer) keepIDs(stream string, h *head) error {
	// The id is at bytes 7 to 22 of a stored record.
	err := w.db.exec("INSERT OR IGNORE INTO ids (stream, id, rev) SELECT stream, substr(rec, 7, 16), rev FROM events "+
		"WHERE stream = ?", h.num)
	if err == nil {
		err = w.db.exec("UPDATE streams SET keeps_ids = 1 WHERE name = ?", stream)
	}
	h.keepsIDs = err == nil
	return err
}

// applyDelete writes the metadata that hides a stream, or the event that ends it for ever.
func (w *writer) applyDelete(c *Change, h *head, meta *StreamMeta) (Result, error) {
	known := h.last >= 0 || meta.exists
	switch {
	case h.tombstoned():
		return Result{Err: ErrStreamDeleted}, nil
	case c.Expected == ExpectExists && meta.softDeleted():
		return Result{Err: ErrStreamDeleted}, nil
	case c.Expected == ExpectExists && !known, c.Expected >= ExpectNoStream && c.Expected != h.last,
		c.Kind == SoftDelete && !known:
		return Result{Current: h.last, Wrong: true}, nil
	}
	if c.Kind == SoftDelete {
		err := w.writeMetadata(c.Stream, []byte(`{"$tb":9223372036854775807}`))
		return Result{Current: h.last, Pos: w.last}, err
	}
	err := w.insert(h, Record{ID: uuid.New(), Kind: []byte(tombstoneType), Stream: []byte(c.Stream),
		Rev:  TombstoneRevision,
		JSON: true, Created: Ticks(w.store.Now())})
	return Result{Current: h.last, Pos: w.last}, err
}

// state loads what the rules need to know about a stream. While no stream has metadata, which is the
// usual case, the look-up of metadata is saved.
func (w *writer) state(stream string) (*head, *StreamMeta, error) {
	h, err := w.head(stream)
	if err != nil {
		return nil, nil, fmt.Errorf("look up the end of stream %q: %w", stream, err)
	}
	if original, ok := strings.CutPrefix(stream, MetadataPrefix); ok {
		if err := w.loadMeta(h); err != nil {
			return nil, nil, err
		}
		if of, err := w.head(original); err != nil || of.tombstoned() {
			return of, &StreamMeta{}, err // the metadata of a tombstoned stream is tombstoned with it
		}
		w.store.hasMeta.Store(true)
		return h, &StreamMeta{}, nil
	}
	if !w.store.hasMeta.Load() {
		return h, &StreamMeta{}, nil
	}
	metaHead, err := w.head(MetadataPrefix + stream)
	if err == nil {
		err = w.loadMeta(metaHead)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("look up the metadata of stream %q: %w", stream, err)
	}
	return h, metaHead.meta, nil
}

// head looks in the cache first; the database answers for the open transaction too.
func (w *writer) head(stream string) (*head, error) {
	if h := w.heads.get(stream); h != nil {
		return h, nil
	}
	h := &head{last: -1}
	err := w.db.each(func(row []driver.Value) (bool, error) {
		h.num, h.keepsIDs = row[0].(int64), row[1].(int64) != 0
		return false, nil
	}, "SELECT num, keeps_ids FROM streams WHERE name = ?", stream)
	if err != nil {
		return nil, err
	}
	if h.num != 0 {
		last, ok, err := w.db.number("SELECT max(rev) FROM events WHERE stream = ?", h.num)
		if err != nil {
			return nil, err
		}
		if ok {
			h.last = last
		}
	}
	w.heads.put(stream, h)
	return h, nil
}

func (w *writer) loadMeta(h *head) error {
	if h.meta != nil {
		return nil
	}
	m := StreamMeta{}
	if h.last >= 0 && !h.tombstoned() {
		r, err := recordAt(w.db, h.num, h.last)
		if err != nil {
			return err
		}
		m = parseMeta(r.Data)
	}
	h.meta = &m
	return nil
}
