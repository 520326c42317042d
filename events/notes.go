package events

import "folio/money"

// Portion is a part of a note's total that changes what is left of an earlier document.
type Portion struct {
	// Takes: the document has less left. A credit note takes from an invoice, a debit note
	// from a credit note that it gives back. Otherwise the document has more left.
	Takes  bool          `json:"takes,omitempty"`
	Amount money.Decimal `json:"amount"` // in the currency of both
	// Via is the note that the note names instead of the document: a debit note that names a
	// credit note gives back to the invoice what the credit note took. Empty: it names the
	// document itself. Of earlier releases: the last note between the two.
	Via string `json:"via,omitempty"`
	// AtMost: how much of Amount is for this document is not known. A note of before there were
	// reservations named several. It is not left for other notes, and nothing of it is credited.
	AtMost bool `json:"at_most,omitempty"`
}

// Correction is what a note changes of one earlier document of its company.
type Correction struct {
	Invoice  string    `json:"invoice"` // the earlier document
	Portions []Portion `json:"portions"`
}

// NoteReserved: a note that is about to be created will change this much of the document.
// What it takes is not left for other notes from now on; what it adds is not there before
// the note is accepted. A later one of the same note replaces it.
type NoteReserved struct {
	Fact     `json:"-"`
	Note     string    `json:"note"` // invoice id of the note
	Type     string    `json:"type"` // its invoice_type
	Attempt  int       `json:"attempt,omitempty"`
	Portions []Portion `json:"portions"`
}

var _ = define[NoteReserved]("invoice", "NoteReserved")

// NoteCounted: the authority accepted the note, so what it changes is final.
type NoteCounted struct {
	Fact     `json:"-"`
	Note     string    `json:"note"`
	Type     string    `json:"type"`
	Date     string    `json:"date"` // YYYY-MM-DD of the note
	Portions []Portion `json:"portions"`
}

var _ = define[NoteCounted]("invoice", "NoteCounted")

// NoteReleased: the note was rejected or never created; what it reserved is given back.
type NoteReleased struct {
	Fact    `json:"-"`
	Note    string `json:"note"`
	Attempt int    `json:"attempt,omitempty"`
}

var _ = define[NoteReleased]("invoice", "NoteReleased")

// CreationAbandoned: reservations were made for the document of this id, and the document
// was not recorded in time. Nobody may record it on those reservations any more.
type CreationAbandoned struct {
	Fact    `json:"-"`
	Attempt int `json:"attempt,omitempty"` // the one that was abandoned, from 0
}

var _ = define[CreationAbandoned]("invoice", "CreationAbandoned")
