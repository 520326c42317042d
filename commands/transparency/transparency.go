// Package transparency decides what a log's notary may record: each tree begins once, its checkpoints only grow,
// and no size has two roots.
package transparency

import (
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is the tree that is kept now.
type State struct {
	events.TreeHead // the last checkpoint recorded; size 0 before the first
	Salts           string
	Trees           int // begun in this log so far
	RecordedAt      time.Time
	Rotations       []events.NotaryKeyRotated // of this tree, oldest first

	at time.Time // of the event that is folded next
}

// Command is what a notary, or its operator, asks for.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Faults of a notary.
var (
	ErrForked = fault.New(fault.Conflict, "TREE_FORKED",
		"A checkpoint of that size is recorded with another root: the log is not the one that was signed. Run 'folio verify'.")
	ErrOtherTree = fault.New(fault.Conflict, "OTHER_TREE", "Another tree has begun meanwhile.")
)

// Begin begins a tree. A tree that has begun is nothing new.
type Begin struct{ Tree events.TreeBegun }

func (c Begin) decide(s State) ([]events.Event, error) {
	if s.Tree == c.Tree.Tree {
		return nil, nil
	}
	return []events.Event{c.Tree}, nil
}

// Record records a checkpoint. One of a size that was passed already is nothing new, unless that very size had
// another root. Nor is one recorded behind a checkpoint that whoever asks has not held against its own leaves.
type Record struct {
	Tree  string
	After int64 // size of the last checkpoint that is known to be right
	Size  int64
	Root  string
}

func (c Record) decide(s State) ([]events.Event, error) {
	switch {
	case c.Tree != s.Tree:
		return nil, ErrOtherTree
	case c.Size == s.Size && c.Root != s.Root:
		return nil, ErrForked
	case c.Size <= s.Size, c.After != s.Size:
		return nil, nil
	}
	return []events.Event{events.CheckpointRecorded{Tree: c.Tree, Size: c.Size, Root: c.Root}}, nil
}

// Cosign records what witnesses signed of a checkpoint that is recorded.
type Cosign struct {
	Tree       string
	Size       int64
	Signatures []string
}

func (c Cosign) decide(s State) ([]events.Event, error) {
	if c.Tree != s.Tree || c.Size > s.Size {
		return nil, ErrOtherTree
	}
	if len(c.Signatures) == 0 {
		return nil, nil
	}
	return []events.Event{events.CheckpointCosigned{Tree: c.Tree, Size: c.Size, Signatures: c.Signatures}}, nil
}

// Rotate replaces the key that signs. From is the one that the statement was signed with: when another rotation
// came first, nothing is recorded.
type Rotate struct {
	Tree, From, Key, Statement, Reason string
}

func (c Rotate) decide(s State) ([]events.Event, error) {
	if c.Tree != s.Tree || c.From != s.Key {
		return nil, ErrOtherTree
	}
	return []events.Event{events.NotaryKeyRotated{Tree: c.Tree, Key: c.Key, Statement: c.Statement, Reason: c.Reason}}, nil
}

// Decider is the whole behaviour of a log's trees. The stream is transparency-<id of the log>.
var Decider = commands.Decider[State, Command]{
	Category: "transparency",
	Decide:   Command.decide,
	Evolve:   evolve,
	Dated: func(s State, at time.Time) State {
		s.at = at
		return s
	},
}

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.TreeBegun:
		return State{TreeHead: events.TreeHead{Tree: e.Tree, Origin: e.Origin, Key: e.Key}, Salts: e.Salts,
			Trees: s.Trees + 1}
	case events.CheckpointRecorded:
		s.Size, s.Root, s.RecordedAt = e.Size, e.Root, s.at
	case events.NotaryKeyRotated:
		s.Key = e.Key
		s.Rotations = append(s.Rotations[:len(s.Rotations):len(s.Rotations)], e)
	}
	return s
}
