package dgi

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// numbered are the document types that Idemisor counts, in DGI's order.
var numbered = [...]int{101, 102, 103, 111, 112, 113, 121, 122, 123, 124, 131, 132, 133, 141, 142, 143, 151, 152, 153,
	181, 182}

// issued are those of them that Folio issues, in an order that must stay: Idemisor of what
// goes alone counts them.
var issued = [...]int{101, 102, 103, 111, 112, 113, 121, 122, 123, 124, 181}

// Idemisor is a slot and the seven digits of NroCFE: slot 0 is other systems', one belongs
// to each type and series of one letter, and the last ones are shared by documents that go
// alone and by all other series.
const (
	perSlot   = 10_000_000
	letters   = 'Z' - 'A' + 1
	ownSlots  = len(numbered) * letters
	lastSlot  = 998 // ten digits
	restSlots = lastSlot - ownSlots
)

// envelopeID is Idemisor: at most ten digits that no other envelope of the RUC may have
// (SOB5; S08 and 108 refuse a repetition). It follows from type, series and first number,
// which no two submissions share, so that the same submission keeps it and no counter has
// to be kept. Series of two characters, which follow after 26 times ten million documents,
// would have to fall on the same slot and the same first number to share one. All are
// above 10,000,000, where the counters of other systems do not come.
func envelopeID(code int, series string, first int64) int64 {
	slot, ok := place(numbered[:], code, series)
	if !ok {
		slot = ownSlots + rest(code, series)
	}
	return int64(1+slot)*perSlot + first
}

// aloneID is Idemisor of the envelope in which a document goes alone after DGI refused the
// one that it shared: another one than that had, which DGI may count as used. It follows
// from type, series and number. Each type that is issued has another slot for it in each
// series of one letter; for series of two characters it is as with envelopeID.
func aloneID(code int, series string, number int64) int64 {
	slot, ok := place(issued[:], code, series)
	if !ok {
		slot = (rest(code, series) + 1) % restSlots
	}
	return int64(1+ownSlots+slot)*perSlot + number
}

// maxRenewed is how many new envelopes the documents of one may get, one after the other.
const maxRenewed = 9

// renewedID is Idemisor of the n-th envelope in which documents go out anew, because DGI
// says that it had the one before and denies its documents. It is in the slots of types
// that Folio does not issue, where none of its envelopes is otherwise. Two types and series
// may fall on the same slot; they would have to be renewed with the same first number to
// share an Idemisor, and the next envelope falls on another one.
func renewedID(code int, series string, first int64, n int) int64 {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%d%s/%d", code, series, n) // a hash takes everything
	others := slices.DeleteFunc(slices.Clone(numbered[:]), func(t int) bool { return slices.Contains(issued[:], t) })
	at := int(h.Sum32() % uint32(len(others)*letters))
	slot, _ := place(numbered[:], others[at/letters], string(rune('A'+at%letters)))
	return int64(1+slot)*perSlot + first
}

// place is that of a type and a series of one letter among those of some types.
func place(types []int, code int, series string) (int, bool) {
	i := slices.Index(types, code)
	if i < 0 || len(series) != 1 || series[0] < 'A' || series[0] > 'Z' {
		return 0, false
	}
	return i*letters + int(series[0]-'A'), true
}

// rest is the place of any other type and series among the shared slots.
func rest(code int, series string) int {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%d%s", code, series) // a hash takes everything
	return int(h.Sum32() % uint32(restSlots))
}

// ourEnvelope says whether an Idemisor is one that this package gives to an envelope with
// the number in it.
func ourEnvelope(id int64, code int, series string, number int64) bool {
	holds := func(first int64) bool { return first >= 1 && first <= number && number-first < maxBatch }
	if holds(id-envelopeID(code, series, 0)) || id == aloneID(code, series, number) {
		return true
	}
	for n := 1; n <= maxRenewed; n++ {
		if holds(id - renewedID(code, series, 0, n)) {
			return true
		}
	}
	return false
}
