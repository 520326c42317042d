package writeapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"folio/commands"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/writeapi"
)

// What a reference by a number is refused with.
const (
	notIssued   = "billing_reference[0].number REFERENCE_NOT_ISSUED"
	notAccepted = "billing_reference[0].number REFERENCE_NOT_ACCEPTED"
)

// sealed is a company that has a certificate of the test environment.
func (w *world) sealed(identifier, person string) shop {
	w.t.Helper()
	s := w.ownedBy(identifier, person)
	w.certified(func(c *writeapi.Certificate) { c.TaxIdentifier = "" })
	w.upload("/api/companies/"+s.id+"/certificates", certificateForm("environment", "Testing"), s.key).want(201)
	return s
}

// numbers decides something about the numbers of a document type of a company.
func (w *world) numbers(s shop, kind string, point int, c numbering.Command) {
	w.t.Helper()
	types := w.countries[0].DocumentTypes()
	i := slices.IndexFunc(types, func(k country.DocumentType) bool { return k.InvoiceType == kind })
	series := numbering.Series{Company: s.id, Environment: "Testing", OfficialCode: types[i].Code, BranchOffice: point}
	_, err := commands.Bind(w.x, numbering.Decider).Execute(w.t.Context(), series.ID(), c,
		commands.Request{ID: commands.Derived(series.ID(), fmt.Sprintf("%T%+v", c, c))})
	check(w.t, err)
}

// naming tries a debit note that names a number, and expects a refusal, or none.
func (w *world) naming(s shop, kind string, number int64, want string) answer {
	w.t.Helper()
	a := w.call("POST", "/api/invoices", correcting(w.t, "NDA", 100,
		fmt.Sprintf(`{"type":"%s","branch_office":1,"number":%d,"date":"2026-11-27"}`, kind, number)), s.key)
	if want == "" {
		return a.want(201)
	}
	a.fails(422, "VALIDATION_FAILED", want)
	return a
}

// Where the authority counts, numbers of before the first document here may be named, and
// none that is to come.
func TestANoteNamesNoNumberThatNobodyHas(t *testing.T) {
	w := newWorld(t)
	s := w.sealed(cuit, ana)
	w.naming(s, "FCA", 400, "")
	first := w.call("POST", "/api/invoices", worth(t, 200), s.key).want(201).text("id")
	w.naming(s, "FCA", 400, "") // the first may be any number: nobody knows what was before
	opened := numbering.OpenSubmission{Submission: "S1", Invoices: []string{first}, SHA256: "h", AuthorityLast: 400}
	w.numbers(s, "FCA", 1, opened)
	w.naming(s, "FCA", 400, "")
	w.naming(s, "FCA", 401, notAccepted)
	if a := w.naming(s, "FCA", 402, notIssued); !strings.Contains(a.Body.String(), "the next one here is 402") {
		t.Error(a.Body.String())
	}
	w.numbers(s, "FCA", 1, numbering.SettleSubmission{Submission: "S1", Outcomes: []events.Outcome{{Invoice: first,
		Number: 401, Result: events.Accepted, Authorization: &events.Authorization{Type: "CAE", Code: "1"}}}})
	w.settle(first, 401)
	w.naming(s, "FCA", 402, notIssued)
	note := w.naming(s, "FCA", 401, "").text("id")
	if k := w.loaded(note).Created.Corrects; len(k) != 1 || k[0].Invoice != first {
		t.Errorf("the note by coordinates changes %+v, want %s", k, first)
	}
	if r := w.loaded(first); r.Notes.Find(note) == nil {
		t.Errorf("the document does not know the note: %+v", r.Notes)
	}
}

// Where ranges are uploaded, what has a number that is sent counts, and any other number may be named.
func TestANoteNamesNumbersOfARange(t *testing.T) {
	for _, land := range lands {
		if !country.NumbersFromFiles(land.rules) {
			continue
		}
		t.Run(land.rules.Code(), func(t *testing.T) {
			w := newWorldOf(t, land.rules)
			w.t = t
			s, letter := w.sealed(land.company, ana), map[string]string{"UY": "A"}[land.rules.Code()]
			naming := func(number int64, want string) {
				t.Helper()
				a := w.call("POST", "/api/invoices", plain(land.debit, land.name, land.currency, fmt.Sprintf(
					`{"type":"%s","series":"%s","number":%d,"date":"2026-11-27"%s}`, land.sale, letter, number,
					reasonOf(land.rules, "3"))), s.key)
				if want == "" {
					a.want(201)
					return
				}
				a.fails(422, "VALIDATION_FAILED", want)
			}
			naming(7, "")
			waiting := w.call("POST", "/api/invoices", plain(land.sale, land.name, land.currency, ""), s.key).
				want(201).text("id")
			naming(7, "") // whose range is not known
			w.numbers(s, land.sale, 0, numbering.UploadRange{Range: events.NumberingRangeUploaded{Range: "R1",
				Company: s.id, Series: letter, From: 5, To: 10, Fingerprint: "R1"}, Most: 9, Day: "2026-11-27"})
			naming(7, "") // another system may have begun the range
			w.numbers(s, land.sale, 0, numbering.OpenRanged{Submission: "S1", Range: "R1", First: 5,
				Invoices: []string{waiting}, SHA256: "h", Day: "2026-11-27"})
			naming(5, notAccepted)
		})
	}
}

// Points of sale belong to the taxpayer, so that a company may name what another one issued.
func TestANoteIsMadeWhereItsDocumentIs(t *testing.T) {
	w := newWorld(t)
	a, b, other := w.sealed(cuit, ana), w.sealed(cuit, ana), w.sealed(cuit, bob)
	id := w.issued(a, 7, worth(t, 200))
	refused := w.naming(b, "FCA", 7, "billing_reference[0].number REFERENCE_OTHER_COMPANY")
	if !strings.Contains(refused.Body.String(), a.id) {
		t.Errorf("%s does not name company %s", refused.Body, a.id)
	}
	w.naming(b, "FCA", 8, "")
	sent := w.call("POST", "/api/invoices", worth(t, 200), a.key).want(201).text("id")
	w.numbers(a, "FCA", 1, numbering.OpenSubmission{Submission: "S2", Invoices: []string{sent}, SHA256: "h",
		AuthorityLast: 8})
	w.naming(b, "FCA", 9, "billing_reference[0].number REFERENCE_OTHER_COMPANY")
	w.naming(other, "FCA", 9, "")
	w.numbers(a, "FCA", 1, numbering.SettleSubmission{Submission: "S2", Outcomes: []events.Outcome{{Invoice: sent,
		Number: 9, Result: events.Rejected, Messages: []events.AuthorityMessage{{Code: "10016", Text: "no"}}}}})
	w.naming(b, "FCA", 9, "") // it has none any more: whoever issued it, it was not a
	w.call("POST", "/api/invoices", correcting(t, "NDA", 100, byID(id)), b.key).
		fails(422, "VALIDATION_FAILED", "billing_reference[0].invoice_id REFERENCE_OTHER_COMPANY")
	w.naming(other, "FCA", 7, "")
	w.call("POST", "/api/invoices", correcting(t, "NDA", 100, byID(id)), other.key).
		fails(422, "VALIDATION_FAILED", "billing_reference[0].invoice_id REFERENCE_UNKNOWN")
}
