package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"folio/events"
	"folio/transparency"
)

// saved is from where an interrupted run goes on. States of streams are not kept: they are read again when they are
// needed.
type saved struct {
	Log       string          `json:"log"`
	At        events.Position `json:"at"`
	Last      place           `json:"last"`
	Report    Report          `json:"report"`
	Trees     []savedTree     `json:"trees"`
	Taxpayers taxpayers       `json:"taxpayers"`
}

type place struct {
	Stream   string          `json:"stream"`
	Revision uint64          `json:"revision"`
	Position events.Position `json:"position"`
}

func placeOf(r events.Recorded) place { return place{r.Stream, r.Revision, r.Position} }

func (p place) recorded() events.Recorded {
	return events.Recorded{Stream: p.Stream, Revision: p.Revision, Position: p.Position}
}

type savedTree struct {
	Tree      string   `json:"tree"`
	Size      int64    `json:"size"`
	Edge      [][]byte `json:"edge"`
	Confirmed int64    `json:"confirmed"`
	Sure      place    `json:"sure"`
}

// save writes how far the run came. The file replaces the one before whole.
func (r *run) save() error {
	if r.State == "" {
		return nil
	}
	if err := r.models.settle(); err != nil {
		return err
	}
	s := saved{Log: r.Logs[len(r.Logs)-1], At: r.at, Last: placeOf(r.last), Report: r.report,
		Taxpayers: r.taxpayers}
	for _, t := range r.trees {
		s.Trees = append(s.Trees, savedTree{t.Tree, t.roots.Size(), t.roots.Edge(), t.confirmed, placeOf(t.sure)})
	}
	text, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(r.State+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(r.State+".new", r.State)
	}
	if err != nil {
		return fmt.Errorf("note how far the verification came: %w", err)
	}
	return nil
}

// resume goes on from what was saved of the same log; from the beginning, if that was of other trees.
func (r *run) resume() error {
	if r.State == "" || len(r.Held) > 0 { // what others hold is of any size
		return nil
	}
	text, err := os.ReadFile(r.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var s saved
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return fmt.Errorf("read how far the verification came: %w; delete the file to begin again", err)
	}
	if s.Log != r.Logs[len(r.Logs)-1] || len(s.Trees) != len(r.trees) || r.end.Before(s.At) || s.Taxpayers.Of == nil {
		return nil
	}
	for i, t := range r.trees {
		if t.Tree != s.Trees[i].Tree {
			return nil
		}
	}
	for i, t := range r.trees {
		if err := t.resume(s.Trees[i]); err != nil {
			return err
		}
	}
	notes := r.report.Notes
	r.at, r.last, r.report, r.taxpayers = s.At, s.Last.recorded(), s.Report, s.Taxpayers
	r.report.Notes = notes
	return nil
}

func (t *tree) resume(s savedTree) (err error) {
	if t.roots, err = transparency.ResumeRoots(s.Size, s.Edge); err != nil {
		return err
	}
	t.confirmed, t.sure = s.Confirmed, s.Sure.recorded()
	for t.recorded != nil && t.recorded.Size <= s.Size {
		if err := t.advance(); err != nil {
			return err
		}
	}
	for len(t.said) > 0 && t.said[0].size <= s.Size {
		t.said = t.said[1:]
	}
	return nil
}

// forget removes what an interrupted run would have gone on from.
func (r *run) forget() error {
	if r.State == "" {
		return nil
	}
	if err := os.Remove(r.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove how far the verification came: %w", err)
	}
	return nil
}
