// Package drivertest is what submission relies on in an authority's driver, as a suite
// that every driver passes against its sandbox.
package drivertest

import (
	"testing"

	"folio/authority"
)

// Authority is a driver and the authority that it speaks to, fresh for one case: no
// number of Series is taken.
type Authority struct {
	Driver     authority.Driver
	Credential authority.Credential
	Series     authority.Series
	// Document is the i-th of different documents that the authority accepts, under a number.
	Document func(i int, number int64) authority.Document

	// Lose lets the next documents be processed and their answer be lost.
	Lose func()
	// Ignore lets the next documents arrive, not be processed, and not be answered.
	Ignore func()
	// Refuse lets the i-th of the next documents be refused for reasons of its own.
	Refuse func(i int)
	// Take lets another system take the next number of Series.
	Take func()
	// Cut keeps every call from reaching the authority, or ends that.
	Cut func(cut bool)
	// Refused is a credential that the authority does not take.
	Refused authority.Credential
	// Secrets must be in no exchange.
	Secrets func() []string
}

// Run runs the suite.
func Run(t *testing.T, open func(*testing.T) Authority) {
	for name, f := range cases {
		t.Run(name, func(t *testing.T) { f(&bench{Authority: open(t), t: t}) })
	}
}

var cases = map[string]func(*bench){
	"a new series ends at 0 and says how much a call takes":  (*bench).newSeries,
	"what is prepared is the same each time, without a call": (*bench).prepares,
	"documents are accepted in order, and found":             (*bench).accepts,
	"what was never sent is not found":                       (*bench).findsNothing,
	"another document under the number is told apart":        (*bench).tellsApart,
	"a refusal leaves those behind it unprocessed":           (*bench).refuses,
	"a lost answer is ambiguous, and the document is found":  (*bench).losesAnswer,
	"no answer is ambiguous, and nothing is found":           (*bench).ignored,
	"sending again is refused, and nothing is issued twice":  (*bench).sendsTwice,
	"a number that another system took is refused":           (*bench).takenNumber,
	"an authority out of reach was surely not sent anything": (*bench).outOfReach,
	"a credential that is refused is told apart":             (*bench).refusedCredential,
	"a caller that leaves is not waited for":                 (*bench).cancelled,
	"many ask at once":                                       (*bench).concurrent,
	"exchanges are kept, once each, without secrets":         (*bench).records,
}
