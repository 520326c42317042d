package node

import (
	"time"

	"folio/eventstore/node/storage"
)

// Stats say what a node has done since it was opened.
type Stats struct {
	Appends       uint64            // changes answered, refused ones included
	Events        uint64            // events written
	Reads         uint64            // calls that read, subscriptions included
	Batches       uint64            // transactions; Appends/Batches is how well commits are shared
	Fsyncs        uint64            // commits that reached the disk
	CommitTime    time.Duration     // spent in commits
	Latency       storage.Histogram // seconds from a change's arrival to its answer
	BatchSizes    storage.Histogram // changes of one transaction
	LastPosition  uint64            // of the newest event
	Subscriptions int               // live now, subscribers of groups included
	Groups        int               // persistent subscriptions
	Lag           time.Duration     // how long the slowest live subscription has not taken an event that waits for it
}

// Stats answers what the node has done. It costs nothing worth saving.
func (n *Node) Stats() Stats {
	c := &n.store.Stats
	return Stats{Appends: c.Changes.Load(), Events: c.Events.Load(), Reads: c.Reads.Load(), Batches: c.Batches.Load(),
		Fsyncs:     c.Syncs.Load(),
		CommitTime: time.Duration(c.CommitNanos.Load()), Latency: c.LatencyHistogram(),
		BatchSizes:   c.BatchSizeHistogram(),
		LastPosition: n.store.Last.Load(), Subscriptions: int(n.subscriptions.Load()), Groups: n.groups.Count(),
		Lag: n.store.Hub.Lag(time.Now())}
}
