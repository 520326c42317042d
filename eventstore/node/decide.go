package node

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// apply carries out one change inside the open transaction. Its error means that the transaction is
// lost; a refusal, or a read that failed before anything was written, is an outcome.
func (w *writer) apply(c *change) (outcome, error) {
	if c.kind == importEvents {
		return w.applyImport(c)
	}
	h, meta, err := w.state(c.stream)
	if err != nil {
		return outcome{err: err}, nil
	}
	if c.kind != appendEvents {
		return w.applyDelete(c, h, meta)
	}
	if c.expected <= expectAny && h.num != 0 && !h.keepsIDs && !h.tombstoned() && len(c.events) > 0 {
		if err := w.keepIDs(c.stream, h); err != nil {
			return outcome{}, err
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
func (w *writer) applyAppend(c *change, h *head, meta *streamMeta) (outcome, error) {
	before, created := h.last, ticks(w.store.now())
	for _, r := range c.events {
		r.stream, r.rev, r.created = []byte(c.stream), uint64(h.last+1), created
		if err := w.insert(h, r); err != nil {
			return outcome{}, err
		}
	}
	out := outcome{current: h.last, pos: w.last}
	if original, ok := strings.CutPrefix(c.stream, metadataPrefix); ok {
		return out, w.metadataAppended(original, h, c.events)
	}
	if meta.softDeleted() {
		return out, w.undelete(c.stream, meta, before+1)
	}
	return out, nil
}

// undelete brings a stream back with what was before revision tb hidden. Metadata that no bound can be put into
// is left, and then hides nothing: the server does the same.
func (w *writer) undelete(stream string, meta *streamMeta, tb int64) error {
	data, ok := meta.withTruncateBefore(tb)
	if !ok {
		return nil
	}
	return w.writeMetadata(stream, data)
}

// metadataAppended takes in new metadata. Metadata written to a soft-deleted stream undeletes it; the events
// from before the deletion stay hidden.
func (w *writer) metadataAppended(original string, h *head, events []record) error {
	if len(events) == 0 {
		return nil
	}
	old := h.meta
	m := parseMeta(events[len(events)-1].data)
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
	h, err := w.head(metadataPrefix + stream)
	if err != nil {
		return err
	}
	m := parseMeta(data)
	r := record{id: uuid.New(), json: true, kind: []byte(metadataType), data: data,
		stream: []byte(metadataPrefix + stream),
		rev:    uint64(h.last + 1), created: ticks(w.store.now())}
	if err := w.insert(h, r); err != nil {
		return err
	}
	w.store.hasMeta.Store(true)
	h.meta = &m
	return nil
}

// decide applies the server's rules of idempotent appends. It answers whether to write.
func (w *writer) decide(c *change, h *head, meta *streamMeta) (outcome, bool) {
	wrong := outcome{current: h.last, wrong: true}
	switch {
	case h.tombstoned():
		return outcome{err: errStreamDeleted}, false
	case c.expected == expectExists && meta.softDeleted():
		return outcome{err: errStreamDeleted}, false
	case c.expected == expectExists && h.last < 0 && !meta.exists:
		return wrong, false
	case c.expected > h.last: // an exact revision that is not reached yet
		return wrong, false
	// At the exact revision ids are not compared: the same id may be stored twice.
	// An append of nothing writes nothing, but undeletes.
	case c.expected == h.last || len(c.events) == 0 && c.expected <= expectAny:
		return outcome{current: h.last, pos: w.last}, len(c.events) > 0 || meta.softDeleted()
	case c.expected <= expectAny:
		return w.decideByID(c, h)
	case len(c.events) == 0:
		return wrong, false
	}
	// The revision has passed: the same events stored there are a repetition of this very append.
	out, first := w.compareStored(c, h)
	if first && c.expected == expectNoStream && meta.softDeleted() {
		return out, true
	}
	return out, false
}

// compareStored looks whether exactly these events were stored after the expected revision before. It
// answers whether the very first one differed.
func (w *writer) compareStored(c *change, h *head) (out outcome, first bool) {
	wrong := outcome{current: h.last, wrong: true}
	from, matched := c.expected+1, 0
	differs := false
	err := w.db.each(func(row []driver.Value) (bool, error) {
		r, err := parseRow(row)
		if err != nil {
			return false, err
		}
		differs = int64(r.rev) != from+int64(matched) || !bytes.Equal(r.id[:], c.events[matched].id[:])
		if !differs {
			matched++
			out = outcome{current: int64(r.rev), pos: r.pos}
		}
		return !differs && matched < len(c.events), nil
	}, "SELECT pos, rec FROM events WHERE stream = ? AND rev >= ? ORDER BY rev LIMIT ?", h.num, from, int64(len(c.events)))
	switch {
	case err != nil:
		return outcome{err: fmt.Errorf("compare an append with what is stored: %w", err)}, false
	case matched == len(c.events):
		return out, false
	}
	return wrong, matched == 0
}

// decideByID is for appends without an exact expectation: known ids mean a repetition, of the first append
// that brought them.
func (w *writer) decideByID(c *change, h *head) (outcome, bool) {
	if h.num == 0 {
		return outcome{}, true
	}
	last := int64(-1)
	for i := range c.events {
		rev, known, err := w.db.number("SELECT min(rev) FROM ids WHERE stream = ? AND id = ?", h.num, c.events[i].id[:])
		switch {
		case err != nil:
			return outcome{err: fmt.Errorf("look up an event id: %w", err)}, false
		case !known && i == 0:
			return outcome{}, true
		case !known:
			return outcome{current: h.last, wrong: true}, false
		}
		last = rev
	}
	pos, _, err := w.db.number("SELECT pos FROM events WHERE stream = ? AND rev = ?", h.num, last)
	if err != nil {
		return outcome{err: fmt.Errorf("look up a repeated append: %w", err)}, false
	}
	return outcome{current: last, pos: uint64(pos)}, false
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
func (w *writer) applyDelete(c *change, h *head, meta *streamMeta) (outcome, error) {
	known := h.last >= 0 || meta.exists
	switch {
	case h.tombstoned():
		return outcome{err: errStreamDeleted}, nil
	case c.expected == expectExists && meta.softDeleted():
		return outcome{err: errStreamDeleted}, nil
	case c.expected == expectExists && !known, c.expected >= expectNoStream && c.expected != h.last,
		c.kind == softDelete && !known:
		return outcome{current: h.last, wrong: true}, nil
	}
	if c.kind == softDelete {
		err := w.writeMetadata(c.stream, []byte(`{"$tb":9223372036854775807}`))
		return outcome{current: h.last, pos: w.last}, err
	}
	err := w.insert(h, record{id: uuid.New(), kind: []byte(tombstoneType), stream: []byte(c.stream), rev: tombstoneRev,
		json: true, created: ticks(w.store.now())})
	return outcome{current: h.last, pos: w.last}, err
}

// state loads what the rules need to know about a stream. While no stream has metadata, which is the
// usual case, the look-up of metadata is saved.
func (w *writer) state(stream string) (*head, *streamMeta, error) {
	h, err := w.head(stream)
	if err != nil {
		return nil, nil, fmt.Errorf("look up the end of stream %q: %w", stream, err)
	}
	if original, ok := strings.CutPrefix(stream, metadataPrefix); ok {
		if err := w.loadMeta(h); err != nil {
			return nil, nil, err
		}
		if of, err := w.head(original); err != nil || of.tombstoned() {
			return of, &streamMeta{}, err // the metadata of a tombstoned stream is tombstoned with it
		}
		w.store.hasMeta.Store(true)
		return h, &streamMeta{}, nil
	}
	if !w.store.hasMeta.Load() {
		return h, &streamMeta{}, nil
	}
	metaHead, err := w.head(metadataPrefix + stream)
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
	m := streamMeta{}
	if h.last >= 0 && !h.tombstoned() {
		r, err := recordAt(w.db, h.num, h.last)
		if err != nil {
			return err
		}
		m = parseMeta(r.data)
	}
	h.meta = &m
	return nil
}
