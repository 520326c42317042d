// Package processors is the list of what reacts to facts with effects. Each processor folds events into a worklist of
// its own; lanes take what is due, act, and record what happened as commands. What they have in common is in reactor
// and lanes.
package processors

import (
	"folio/processors/contingency"
	"folio/processors/credits"
	"folio/processors/dailyreport"
	"folio/processors/delivery"
	"folio/processors/mail"
	"folio/processors/notary"
	"folio/processors/notices"
	"folio/processors/reactor"
	"folio/processors/submission"
)

// Config is what all processors are made of: what they share, and what some have beside.
type Config struct {
	reactor.Base
	Submission  submission.Config
	Delivery    delivery.Config
	DailyReport dailyreport.Config
	Contingency contingency.Config // its Queue is submission's
	Notary      *notary.Config     // nil: no tree is kept
	Mail        *mail.Config       // nil: there is no mail server, and what was asked for waits
	Keys        notices.Keys       // of certificates
}

// all is the one list of processors; what is not configured is nil. Who runs them, builds them anew, tells how they
// are or measures them goes by it.
var all = []struct {
	name string
	make func(Config) reactor.Processor
}{
	{submission.Name, func(c Config) reactor.Processor { return submission.New(c.Base, c.Submission) }},
	{delivery.Name, func(c Config) reactor.Processor { return delivery.New(c.Base, c.Delivery) }},
	{dailyreport.Name, func(c Config) reactor.Processor { return dailyreport.New(c.Base, c.DailyReport) }},
	{contingency.Name, func(c Config) reactor.Processor {
		c.Contingency.Queue = submission.Name
		return contingency.New(c.Base, c.Contingency)
	}},
	{notices.Name, func(c Config) reactor.Processor { return notices.New(c.Base, c.Keys) }},
	{credits.Name, func(c Config) reactor.Processor { return credits.New(c.Base) }},
	{notary.Name, func(c Config) reactor.Processor {
		if c.Notary == nil {
			return nil
		}
		return notary.New(c.Base, *c.Notary)
	}},
	{mail.Name, func(c Config) reactor.Processor {
		if c.Mail == nil {
			return nil
		}
		return mail.New(c.Base, *c.Mail)
	}},
}

// Names are those of all processors: of their checkpoints, leases and worklists.
func Names() []string {
	out := make([]string, len(all))
	for i, p := range all {
		out[i] = p.name
	}
	return out
}

// All makes every processor that is configured.
func All(c Config) (out []reactor.Processor) {
	for _, p := range all {
		if made := p.make(c); made != nil {
			out = append(out, made)
		}
	}
	return out
}

// Find is the processor of a type; its zero value when there is none.
func Find[P reactor.Processor](all []reactor.Processor) (found P) {
	for _, p := range all {
		if p, ok := p.(P); ok {
			return p
		}
	}
	return found
}
