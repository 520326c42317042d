package dgi

import (
	"encoding/json"
	"fmt"
	"testing"

	"folio/authority"
	"folio/events"
)

// envelope is a receipt of n documents from a number on, in a state.
func envelope(first int64, n int, state string) receipt {
	r := receipt{SHA256: fmt.Sprint("hash ", first), Envelope: fmt.Sprint(790000000 + first)}
	for i := range int64(n) {
		r.Documents = append(r.Documents, kept{signed: signed{Type: 111, Series: "A", Number: first + i},
			Invoice: fmt.Sprint("invoice ", first+i), State: state})
	}
	return r
}

func documentOf(number int64) authority.Document {
	return authority.Document{Invoice: fmt.Sprint("invoice ", number), Number: number,
		Document: events.Document{OfficialCode: 111}}
}

// What DGI has decided on goes soon; what it has not decided on stays while there is room.
func TestReceiptsDoNotPileUp(t *testing.T) {
	var rs receipts
	rs.begin(envelope(1, 1, ""))
	for first := int64(2); first <= 50; first++ {
		rs.begin(envelope(first, 1, "AE"))
	}
	if n := len(rs.Envelopes); n > recent+2 {
		t.Errorf("%d receipts are kept", n)
	}
	if r, _ := rs.about(documentOf(1)); r == nil {
		t.Error("the one that is not decided was let go")
	}
	for first := int64(1000); first < 5000; first += 250 {
		rs.begin(envelope(first, 250, ""))
	}
	documents := 0
	for _, r := range rs.Envelopes {
		documents += len(r.Documents)
	}
	if r, _ := rs.about(documentOf(4999)); documents > maxKept || r == nil {
		t.Errorf("%d documents are kept, the last one: %v", documents, r)
	}
}

// What an earlier version kept is read: one envelope, in the place of the list.
func TestAReceiptOfAnEarlierVersion(t *testing.T) {
	blob, err := json.Marshal(struct {
		receipt
		Alone []receipt `json:"alone,omitempty"`
	}{envelope(1, 2, ""), []receipt{envelope(2, 1, "")}})
	if err != nil {
		t.Fatal(err)
	}
	var rs receipts
	if err := rs.read(blob); err != nil || len(rs.Envelopes) != 1 || len(rs.Envelopes[0].Documents) != 2 ||
		len(rs.Alone) != 1 {
		t.Errorf("%+v, %v", rs, err)
	}
}

// A document that went out in a new envelope is asked for there, and not in the one before.
func TestADocumentIsInTheEnvelopeThatCarriesItNow(t *testing.T) {
	rs := receipts{Envelopes: []receipt{envelope(1, 1, "")}}
	renewed := envelope(1, 1, "")
	renewed.SHA256 = "anew"
	doc := documentOf(1)
	doc.Envelope = "anew"
	if r, _ := rs.about(doc); r != nil {
		t.Errorf("it was not sent yet, and is found in %s", r.SHA256)
	}
	rs.begin(renewed)
	if r, _ := rs.about(doc); r == nil || r.SHA256 != "anew" {
		t.Errorf("%+v", r)
	}
}

// The numbers of renewed envelopes are nobody else's.
func TestRenewedEnvelopesHaveNumbersOfTheirOwn(t *testing.T) {
	for _, code := range issued {
		for letter := 'A'; letter <= 'Z'; letter++ {
			series := string(letter)
			for n := 1; n <= maxRenewed; n++ {
				id := renewedID(code, series, 7, n)
				if id > 9_999_999_999 || !ourEnvelope(id, code, series, 9) || ourEnvelope(id, code, series, 6) {
					t.Fatalf("%d%s, the %d. time: %d", code, series, n, id)
				}
				for _, other := range issued {
					if slot := id/perSlot - 1; slot == envelopeID(other, series, 0)/perSlot-1 || id == aloneID(other, series, 7) {
						t.Fatalf("%d%s, the %d. time: %d is one of %d", code, series, n, id, other)
					}
				}
			}
		}
	}
}
