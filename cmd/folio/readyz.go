package main

import (
	"encoding/json"
	"net/http"
	"time"

	"folio/authority/circuit"
	"folio/country/figures"
	"folio/eventstore"
	"folio/processors/reactor"
	"folio/projections/engine"
	"folio/version"
)

// readiness is the answer of readyz. Authorities do not decide: while one is down invoices
// queue, and callers are served.
type readiness struct {
	Status      string          `json:"status"`
	Version     string          `json:"version"`
	Log         logState        `json:"log"`
	Stores      []storeState    `json:"stores"`
	Feeds       []feed          `json:"feeds"`
	Authorities []circuit.State `json:"authorities"`
	// Quarantine does not decide either: what is held is of one stream each.
	Quarantine quarantined `json:"quarantine"`
	// Series that stand do not decide either: each is one company's.
	Series seriesStates `json:"series"`
	// Outages do not decide either: each is one company's.
	Outages outageStates `json:"outages"`
	// MissingFigures do not decide either: those of an earlier year are used.
	MissingFigures []figures.Missing `json:"missing_figures"`
}

// logState is what the process knows of the event log.
type logState struct {
	State    string    `json:"state"`
	Since    time.Time `json:"since"`
	Answered time.Time `json:"answered,omitzero"` // last
	Fault    string    `json:"fault,omitempty"`
}

// storeState is one of the stores beside the log.
type storeState struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Fault string `json:"fault,omitempty"`
}

// feed is one line of readyz.
type feed struct {
	Name     string    `json:"name"`
	State    string    `json:"state"`
	CaughtUp bool      `json:"caught_up"`
	New      bool      `json:"new,omitempty"` // a projection that is built for the first time: it does not decide
	Position string    `json:"position,omitempty"`
	Lag      string    `json:"lag,omitempty"`
	Since    time.Time `json:"since"`
	Fault    string    `json:"fault,omitempty"`
}

// readyz says whether each role of this process can do its work, and with 503 why one cannot.
// Reading needs the tables and the vault; folding and everything that appends needs the log,
// too. So one outage of the log takes writers out of a load balancer and leaves the readers.
func (s *service) readyz(w http.ResponseWriter, r *http.Request) {
	health := s.log.Health()
	out := readiness{Status: "ready", Version: version.Number(), Log: describe(health), Authorities: []circuit.State{},
		Quarantine: s.quarantined(r.Context()), Series: s.seriesStates(r.Context()),
		Outages: s.outageStates(r.Context()), MissingFigures: s.figures.Missing(todayIn)}
	for _, name := range storesBeside {
		state := storeState{Name: name, State: "ok"}
		if err := s.well.fault(name); err != nil {
			state.State, state.Fault = "away", databaseAway(err.Error())
		}
		out.Stores = append(out.Stores, state)
	}
	out.Feeds, _ = s.feeds(health.Reads())
	for _, c := range s.circuits {
		out.Authorities = append(out.Authorities, c.States()...)
	}
	w.Header().Set("Content-Type", "application/json")
	stopping := s.isStopping()
	if stopping || !s.ready() {
		out.Status = "not ready"
		if stopping {
			out.Status = "stopping"
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if err := json.NewEncoder(w).Encode(out); err != nil {
		s.logger.Debug("readyz was not read", "error", err)
	}
}

// storesBeside are the stores beside the log, as readyz and metrics name them.
var storesBeside = []string{"tables", "vault", "disk"}

// ready says whether each role of this process can do its work.
func (s *service) ready() bool {
	health := s.log.Health()
	ready := !s.flags.has(roleRead) || health.Condition != eventstore.Replaced
	if s.flags.has(roleWrite) || s.flags.has(roleProcessors) {
		ready = ready && health.Appends() && s.well.fault("disk") == nil
	}
	if s.flags.has(roleProjections) {
		ready = ready && health.Reads()
	}
	for _, name := range storesBeside {
		ready = ready && (name == "disk" || s.well.fault(name) == nil)
	}
	_, fed := s.feeds(health.Reads())
	return ready && fed
}

func describe(h eventstore.Health) logState {
	l := logState{State: string(h.Condition), Since: h.Since, Answered: h.Answered}
	if h.Err != nil && h.Condition != eventstore.Well {
		l.Fault = h.Err.Error()
	}
	return l
}

// feeds are what follows the log, and whether all of it is up to date. Nobody knows that
// while the log cannot be read.
func (s *service) feeds(reads bool) (all []feed, ready bool) {
	all, ready = []feed{}, true
	add := func(f feed, standby bool) {
		f.CaughtUp = f.CaughtUp && reads
		ready = ready && (f.New || f.Fault == "" && (f.CaughtUp || standby || reads && f.State == madeAnew))
		all = append(all, f)
	}
	if s.flags.has(roleProjections) {
		for _, p := range s.runner.Status() {
			add(projectionFeed(p), p.Condition == engine.Standby)
		}
	}
	if s.flags.has(roleProcessors) {
		for _, p := range s.processors {
			f := processorFeed(p.Status())
			add(f, f.State == standby)
		}
	}
	return all, ready
}

func projectionFeed(p engine.Status) feed {
	f := feed{Name: "projection " + p.Name, State: string(p.Condition), CaughtUp: p.CaughtUp, New: p.New,
		Position: p.Position.String(), Since: p.Since}
	if p.Lag > 0 {
		f.Lag = p.Lag.Round(time.Millisecond).String()
	}
	if p.Err != nil {
		f.Fault = databaseAway(p.Err.Error())
	}
	return f
}

const (
	// standby is the state of a processor that another process runs, or will run.
	standby = "standby"
	// madeAnew is the state of one whose worklists are made anew because somebody asked: what it does waits, and
	// nothing that a request needs.
	madeAnew = "rebuilding"
)

func processorFeed(p reactor.Status) feed {
	state := standby
	switch {
	case p.Anew:
		state = madeAnew
	case p.Owner:
		state = "working"
	case p.Fault != "":
		state = "failed"
	}
	return feed{Name: "processor " + p.Name, State: state, CaughtUp: p.CaughtUp, Since: p.Since,
		Fault: databaseAway(p.Fault)}
}
