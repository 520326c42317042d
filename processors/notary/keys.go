package notary

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/commands"
	decide "folio/commands/transparency"
	"folio/events"
	"folio/fault"
	"folio/transparency"
)

// ErrNoTree: nothing was begun that could be changed.
var ErrNoTree = fault.New(fault.NotFound, "NO_TREE", "This log has no tree yet: a service with the role processors "+
	"begins it.")

// Trees is what an operator does to the trees of a log, beside a running notary or without one.
type Trees struct {
	Executor *commands.Executor
	Secrets  transparency.Secrets
	Log      string // id of the event log
	Actor    string
	Now      func() time.Time
}

// Rotate replaces the key that signs checkpoints: the old one signs the new one, and what is signed from the next
// checkpoint on is signed with that. It gives the old and the new verifier key.
func (t Trees) Rotate(ctx context.Context, reason string) (from, to string, err error) {
	trees := commands.Bind(t.Executor, decide.Decider)
	s, found, err := trees.Load(ctx, t.Log)
	if err == nil && !found {
		err = ErrNoTree
	}
	if err != nil {
		return "", "", err
	}
	signer, verifier, err := transparency.DrawKey(s.Origin)
	if err == nil {
		err = transparency.SealKey(ctx, t.Secrets, verifier, signer)
	}
	if err != nil {
		return "", "", err
	}
	statement, err := transparency.Sign(ctx, t.Secrets, s.Key, transparency.Rotation(s.Tree, s.Key, verifier))
	if err != nil {
		return "", "", err
	}
	c := decide.Rotate{Tree: s.Tree, From: s.Key, Key: verifier, Statement: statement, Reason: reason}
	if _, err := trees.Execute(ctx, t.Log, c, t.request("rotate", verifier)); err != nil {
		return "", "", fmt.Errorf("record the new key: %w", err)
	}
	return s.Key, verifier, nil
}

// BeginAgain begins another tree over the same log, for a log or a vault that is an older copy. The tree commits to
// the last checkpoint that was signed before.
func (t Trees) BeginAgain(ctx context.Context, reason string) (decide.State, error) {
	return t.beginAgain(ctx, reason, func(decide.State, transparency.Salts) bool { return true })
}

// BeginAfter begins the first tree of a log that is filled with events of another one. It commits to a checkpoint of
// that.
func (t Trees) BeginAfter(ctx context.Context, origin string, previous events.TreeHead, reason string) (decide.State,
	error) {
	salts, err := transparency.OpenSalts(ctx, t.Secrets)
	if err != nil {
		return decide.State{}, err
	}
	return begin{t, salts, origin}.tree(ctx, events.TreeBegun{Tree: t.Log, Previous: &previous, Reason: reason})
}

// NewVault is BeginAgain if the vault is a new one, whose salts are others, and the log has a tree.
func (t Trees) NewVault(ctx context.Context, reason string) error {
	_, err := t.beginAgain(ctx, reason, func(s decide.State, salts transparency.Salts) bool {
		return s.Salts != salts.Fingerprint()
	})
	if errors.Is(err, ErrNoTree) {
		return nil
	}
	return err
}

func (t Trees) beginAgain(ctx context.Context, reason string,
	needed func(decide.State, transparency.Salts) bool) (decide.State, error) {
	s, found, err := commands.Bind(t.Executor, decide.Decider).Load(ctx, t.Log)
	if err == nil && !found {
		err = ErrNoTree
	}
	if err != nil {
		return s, err
	}
	salts, err := transparency.OpenSalts(ctx, t.Secrets)
	if err != nil || !needed(s, salts) {
		return s, err
	}
	previous := s.TreeHead
	mark, err := transparency.ReadMark(ctx, t.Secrets, s.Tree)
	if err != nil {
		return s, err
	}
	if mark.Size > previous.Size {
		previous.Size, previous.Root = mark.Size, mark.Root
	}
	e := events.TreeBegun{Tree: fmt.Sprintf("%s/%d", t.Log, s.Trees+1), Previous: &previous, Reason: reason}
	return begin{t, salts, strings.TrimSuffix(s.Origin, "/"+s.Tree)}.tree(ctx, e)
}

func (t Trees) request(step ...string) commands.Request {
	r := request(t.Now(), step...)
	r.Actor = t.Actor
	return r
}

// begin is how a tree begins.
type begin struct {
	Trees
	salts  transparency.Salts
	origin string // what it begins with
}

func (b begin) tree(ctx context.Context, e events.TreeBegun) (s decide.State, err error) {
	e.Origin, e.Leaf, e.Salts = b.origin+"/"+e.Tree, transparency.LeafVersion, b.salts.Fingerprint()
	if e.Key, err = transparency.FirstKey(ctx, b.Secrets, e.Tree, e.Origin); err != nil {
		return s, err
	}
	out, err := commands.Bind(b.Executor, decide.Decider).Execute(ctx, b.Log, decide.Begin{Tree: e},
		b.request("begin", e.Tree))
	if err != nil {
		return s, fmt.Errorf("begin the tree: %w", err)
	}
	return out.State, nil
}
