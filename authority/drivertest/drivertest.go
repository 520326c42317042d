// Package drivertest is what submission relies on in an authority's driver, as suites
// that every driver passes against its sandbox: Run where the authority counts the
// numbers, RunRanged where they come from files and a verdict may come later, and
// RunContingency where codes are given ahead.
package drivertest

import (
	"maps"
	"testing"

	"folio/authority"
	"folio/events"
)

// Authority is a driver and the authority that it speaks to, fresh for one case: no
// number of Series is taken.
type Authority struct {
	Driver     authority.Driver
	Credential authority.Credential
	Series     authority.Series
	// Document is the i-th of different documents that the authority accepts, under a
	// number, with its Range where there is one. Each i is another invoice.
	Document func(i int, number int64) authority.Document

	// Lose lets the next documents be processed and their answer be lost.
	Lose func()
	// Ignore lets the next documents arrive, not be processed, and not be answered.
	Ignore func()
	// Refuse lets the i-th document of the next call be refused for reasons of its own.
	Refuse func(i int)
	// RefuseAll lets the next call be refused as a whole: of drivers that are an
	// authority.Splitter.
	RefuseAll func()
	// Take lets another system take the next number of Series.
	Take func()
	// Cut keeps every call from reaching the authority, or ends that.
	Cut func(cut bool)
	// Refused is a credential that the authority does not take.
	Refused authority.Credential
	// Secrets must be in no exchange.
	Secrets func() []string

	// Wait lets the time pass until the authority decides, and Restart is another driver
	// with the same vault, as after a restart. Printed is what tells two signed documents
	// apart in their authorizations. All three only of RunRanged.
	Wait    func()
	Restart func() authority.Driver
	Printed func(events.Authorization) string
}

// Run runs the suite of drivers whose authority counts the numbers.
func Run(t *testing.T, open func(*testing.T) Authority) {
	run(t, open, counted)
}

// RunRanged runs the suite of drivers whose numbers come from files: a number never leaves
// its document, and what was prepared is sent again as it is.
func RunRanged(t *testing.T, open func(*testing.T) Authority) {
	run(t, open, ranged)
}

func run(t *testing.T, open func(*testing.T) Authority, own map[string]func(*bench)) {
	all := maps.Clone(shared)
	maps.Copy(all, own)
	for name, f := range all {
		t.Run(name, func(t *testing.T) { f(&bench{Authority: open(t), t: t}) })
	}
}

var shared = map[string]func(*bench){
	"a new series ends at 0 and says how much a call takes":  (*bench).newSeries,
	"what is prepared is the same each time, without a call": (*bench).prepares,
	"what was never sent is not found":                       (*bench).findsNothing,
	"a credential that is refused is told apart":             (*bench).refusedCredential,
}

var counted = map[string]func(*bench){
	"documents are accepted in order, and found":             (*bench).accepts,
	"another document under the number is told apart":        (*bench).tellsApart,
	"a refusal leaves those behind it unprocessed":           (*bench).refuses,
	"a lost answer is ambiguous, and the document is found":  (*bench).losesAnswer,
	"no answer is ambiguous, and nothing is found":           (*bench).ignored,
	"sending again is refused, and nothing is issued twice":  (*bench).sendsTwice,
	"a number that another system took is refused":           (*bench).takenNumber,
	"an authority out of reach was surely not sent anything": (*bench).outOfReach,
	"a caller that leaves is not waited for":                 (*bench).cancelled,
	"many ask at once":                                       (*bench).concurrent,
	"exchanges are kept, once each, without secrets":         (*bench).records,
}

var ranged = map[string]func(*bench){
	"documents are accepted, now or later, and found":           (*bench).decides,
	"another document under the number is told apart":           (*bench).tellsApartLater,
	"a refusal is of one document alone":                        (*bench).refusesOne,
	"what was refused together goes alone":                      (*bench).goesAlone,
	"a lost answer is ambiguous, and the document is found":     (*bench).losesAnswerLater,
	"no answer is ambiguous, and the same bytes go out again":   (*bench).ignoredOnce,
	"sending again issues nothing twice":                        (*bench).sendsAgain,
	"a number that another system took never becomes ours":      (*bench).takenFromRange,
	"an authority out of reach was surely not sent anything":    (*bench).outOfReachOfRange,
	"a caller that leaves is not waited for":                    (*bench).leaves,
	"many ask at once":                                          (*bench).manyAsk,
	"exchanges are kept, and hold no secrets":                   (*bench).recordsAll,
	"what was sent is known again by a driver that starts anew": (*bench).restarts,
}
