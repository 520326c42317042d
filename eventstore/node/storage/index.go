package storage

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
)

// The server's system projections link every event into a stream of its category, its type and, for the
// first of each stream, into $streams. Here these streams are views: nothing is written to the log for
// them, and an index file is brought up to date when one of them is read. The file can be deleted at
// any time.
const (
	categoryIndex = "$ce-"
	typeIndex     = "$et-"
	streamsIndex  = "$streams"
	IndexFile     = "index.db"
	indexNum      = -1 // in place of the number of a stored stream
	indexPages    = 100
)

// LinkType is the type of an event that names another one.
const LinkType = "$>"

const indexSchema = `
CREATE TABLE IF NOT EXISTS names (name TEXT PRIMARY KEY, num INTEGER NOT NULL,
	count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS links (num INTEGER NOT NULL, n INTEGER NOT NULL, pos INTEGER NOT NULL,
	PRIMARY KEY (num, n)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY, pos INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
`

// IsIndex tells the names of views. A stored stream of such a name, which only an import can bring, is
// served instead of the view.
func IsIndex(stream string) bool {
	return stream == streamsIndex || strings.HasPrefix(stream, categoryIndex) && len(stream) > len(categoryIndex) ||
		strings.HasPrefix(stream, typeIndex) && len(stream) > len(typeIndex)
}

// index is the file behind the views, opened when first needed.
type index struct {
	store *Store
	mu    sync.Mutex
	db    *database
	pos   uint64 // of the last event it holds
	sum   uint32
}

// end answers how far a view reaches, after taking in what the log has more.
func (x *index) end(ctx context.Context, name string) (StreamEnd, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := StreamEnd{Num: indexNum, Last: -1}
	if err := x.update(ctx); err != nil {
		return e, err
	}
	count, _, err := x.db.number("SELECT count FROM names WHERE name = ?", name)
	e.Last = count - 1
	return e, x.explain(err)
}

// page reads a span of the links of a view.
func (x *index) page(ctx context.Context, of Span) (events []Record, more bool, err error) {
	low, high, order := of.ordered()
	x.mu.Lock()
	var places []int64
	err = x.db.each(func(row []driver.Value) (bool, error) {
		places = append(places, row[0].(int64))
		return true, nil
	}, "SELECT pos FROM links WHERE num = (SELECT num FROM names WHERE name = ?) AND n >= ? AND n <= ? "+
		"ORDER BY n "+order+" LIMIT ?", of.Stream, low, high, int64(of.Limit))
	x.mu.Unlock()
	if err != nil {
		return nil, false, x.explain(err)
	}
	size := 0
	err = x.store.readers.with(ctx, func(db *database) error {
		for i, pos := range places {
			target, found, err := recordAtPosition(db, uint64(pos))
			if err != nil || !found {
				return errors.Join(err, x.lost(found))
			}
			events = append(events, link(of.Stream, of.From+int64(i*of.Step), &target))
			if size += MemoryOf(&events[i]); size >= pageBytes {
				break
			}
		}
		return nil
	})
	return events, len(events) == of.Limit || len(events) < len(places), err
}

func (x *index) lost(found bool) error {
	if found {
		return nil
	}
	return fmt.Errorf("the index of categories and types does not fit the log: "+
		"stop the service, delete %s and start again", filepath.Join(x.store.dir, IndexFile))
}

// link is the event of a view; what it leads to is read only when links are resolved.
func link(name string, n int64, target *Record) Record {
	rev := strconv.FormatUint(target.Rev, 10)
	return Record{Pos: target.Pos, Rev: uint64(n), Created: target.Created,
		ID:     uuid.NewSHA1(uuid.NameSpaceOID, []byte(name+"/"+strconv.FormatInt(n, 10))),
		Stream: []byte(name), Kind: []byte(LinkType), Data: append([]byte(rev+"@"), target.Stream...)}
}

// update takes in what was appended since the last time.
func (x *index) update(ctx context.Context) error {
	if x.db == nil {
		if err := x.open(); err != nil {
			return err
		}
	}
	for more := x.pos < x.store.Last.Load(); more; {
		var err error
		if err = x.db.exec("BEGIN"); err != nil {
			return x.explain(err)
		}
		for page := 0; err == nil && more && page < indexPages; page++ {
			var events []Record
			if events, more, err = x.store.AllForward(ctx, x.pos+1, x.pos, PageEvents); err == nil {
				err = x.add(events)
			}
		}
		if err == nil {
			if err = x.db.exec("INSERT OR REPLACE INTO progress (one, pos, sum) VALUES (1, ?, ?)", int64(x.pos),
				int64(x.sum)); err == nil {
				err = x.db.exec("COMMIT")
			}
		}
		if err != nil { // opened again next time, where the file stands
			_ = x.db.exec("ROLLBACK")
			_ = x.db.close()
			x.db = nil
			return x.explain(err)
		}
	}
	return nil
}

// open takes up the file where it fits the log, and begins anew where it does not.
func (x *index) open() error {
	file := filepath.Join(x.store.dir, IndexFile)
	for attempt := 0; ; attempt++ {
		fits, err := x.tryOpen(file)
		if fits {
			return nil
		}
		if x.db != nil {
			_ = x.db.close()
			x.db = nil
		}
		if attempt > 0 {
			return x.explain(err)
		}
		for _, name := range []string{file, file + "-wal", file + "-shm"} {
			if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("begin the index of categories and types anew: %w", err)
			}
		}
	}
}

// tryOpen answers whether the file's last event is in the log as the file knows it.
func (x *index) tryOpen(file string) (bool, error) {
	db, err := openDatabase(file, "journal_mode(WAL)", "synchronous(OFF)", "cache_size(-4000)")
	if err != nil {
		return false, err
	}
	x.db, x.pos, x.sum = db, 0, 0
	if err := db.script(indexSchema); err != nil {
		return false, err
	}
	err = db.each(func(row []driver.Value) (bool, error) {
		x.pos, x.sum = uint64(row[0].(int64)), uint32(row[1].(int64))
		return false, nil
	}, "SELECT pos, sum FROM progress")
	if err != nil || x.pos == 0 {
		return err == nil, err
	}
	fits := false
	err = x.store.readers.with(context.Background(), func(db *database) error {
		r, found, err := recordAtPosition(db, x.pos)
		fits = found && r.sum == x.sum
		return err
	})
	return fits && err == nil, err
}

func (x *index) add(events []Record) error {
	for i := range events {
		e := &events[i]
		x.pos, x.sum = e.Pos, e.sum
		if Hidden(e) {
			continue
		}
		for _, name := range indexesOf(e) {
			err := x.db.exec("INSERT INTO names (name, num, count) VALUES (?, (SELECT coalesce(max(num), 0) + 1 FROM names), "+
				"1) ON CONFLICT (name) DO UPDATE SET count = count + 1", name)
			if err == nil {
				err = x.db.exec("INSERT INTO links (num, n, pos) SELECT num, count - 1, ? FROM names WHERE name = ?", int64(e.Pos),
					name)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// indexesOf are the views that an event belongs to, by the server's rules: links have no type index, and
// system streams no category.
func indexesOf(e *Record) (names []string) {
	if e.IsTombstone() {
		return []string{typeIndex + "$deleted"}
	}
	if kind := string(e.Kind); kind != LinkType {
		names = append(names, typeIndex+kind)
	}
	stream := string(e.Stream)
	if category, _, ok := strings.Cut(stream, "-"); ok && category != "" && stream[0] != '$' {
		names = append(names, categoryIndex+category)
	}
	if e.Rev == 0 {
		names = append(names, streamsIndex)
	}
	return names
}

// explain keeps the index's own damage apart from the log's: this file can be thrown away.
func (x *index) explain(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("the index of categories and types in %s: %v", x.store.dir, err)
}

func (x *index) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.db == nil {
		return nil
	}
	return x.db.close()
}
