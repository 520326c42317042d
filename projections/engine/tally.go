package engine

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"

	"folio/tables"
)

// sum stands for any number of rows, whatever their order: the hashes of all of them, added up word by word.
type sum [sha256.Size / 8]uint64

func (s *sum) add(o sum) {
	for i := range s {
		s[i] += o[i]
	}
}

func (s *sum) take(o sum) {
	for i := range s {
		s[i] -= o[i]
	}
}

// digest hashes rows behind a key that is drawn anew for each run: whoever changes rows does not know it, and so cannot
// choose them such that their sum stays. It is not safe for concurrent use.
type digest struct {
	key  [sha256.Size]byte
	text []byte
}

func newDigest() *digest {
	d := &digest{}
	_, _ = rand.Read(d.key[:]) // never fails
	return d
}

// another hashes behind the same key, for a second goroutine.
func (d *digest) another() *digest { return &digest{key: d.key} }

// of is the hash of one row. Each field stands behind its length, so that no two rows are written alike.
func (d *digest) of(r tables.Document, kept []string) (out sum) {
	b := append(d.text[:0], d.key[:]...)
	b = field(field(b, r.ID), r.List)
	for _, n := range []uint64{r.At.Commit, r.At.Prepare, uint64(r.Ordinal), uint64(len(kept))} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	for _, k := range kept {
		b = field(b, k)
	}
	b = field(b, r.Body)
	d.text = b
	hash := sha256.Sum256(b)
	for i := range out {
		out[i] = binary.BigEndian.Uint64(hash[8*i:])
	}
	return out
}

func field[T ~string | ~[]byte](out []byte, f T) []byte {
	return append(binary.BigEndian.AppendUint64(out, uint64(len(f))), f...)
}

// tally is the sum of a table as a folder makes it. Nil is for a folder of which nobody asks it.
type tally struct {
	digest *digest
	schema tables.Schema
	rows   sum
}

// of is the hash of a row as a store would keep it.
func (t *tally) of(d tables.Document) (sum, error) {
	kept, err := t.schema.Kept(d)
	if err != nil {
		return sum{}, err
	}
	return t.digest.of(d, kept), nil
}

// replace counts a row in place of what it was; was is zero for a new one.
func (t *tally) replace(was *sum, d tables.Document) error {
	if t == nil {
		return nil
	}
	now, err := t.of(d)
	if err != nil {
		return err
	}
	t.rows.take(*was)
	t.rows.add(now)
	*was = now
	return nil
}

// found is the hash of a row that a folder reads again; zero for one that is not there.
func (t *tally) found(d tables.Document, there bool) (sum, error) {
	if t == nil || !there {
		return sum{}, nil
	}
	return t.of(d)
}
