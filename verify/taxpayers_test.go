package verify_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"folio/events"
	"folio/verify"
)

// registered is a company with a tax identifier.
func registered(company, identifier string) fact {
	return fact{"company-" + company, events.CompanyRegistered{Company: company, Account: "A", Country: "AR",
		TaxIdentifier: identifier}}
}

// of are the same facts about another company's invoices, which have names of their own.
func of(company string, facts []fact) (out []fact) {
	for _, f := range facts {
		f.stream = strings.ReplaceAll(strings.ReplaceAll(f.stream, "-C1-", "-"+company+"-"), "-I", "-"+company+"I")
		switch e := f.event.(type) {
		case events.InvoiceCreated:
			e.Invoice, e.Company = company+e.Invoice, company
			f.event = e
		case events.SubmissionOpened:
			e.Invoices = slices.Clone(e.Invoices)
			for i := range e.Invoices {
				e.Invoices[i] = company + e.Invoices[i]
			}
			f.event = e
		case events.SubmissionSettled:
			e.Outcomes = slices.Clone(e.Outcomes)
			for i := range e.Outcomes {
				e.Outcomes[i].Invoice = company + e.Outcomes[i].Invoice
			}
			f.event = e
		}
		out = append(out, f)
	}
	return out
}

// The authority counts numbers by tax identifier, so those of all companies that have one are counted together.
func TestNumbersOfCompaniesThatShareATaxIdentifier(t *testing.T) {
	both := []fact{registered("C1", "30500010912"), registered("C2", "30500010912")}
	apart := []fact{registered("C1", "30500010912"), registered("C2", "30500010920")}
	second := strings.Replace(series, "-C1-", "-C2-", 1)
	noticed := func(stream string, from, to int64) fact {
		return fact{stream, events.ForeignNumbersNoticed{From: from, To: to}}
	}
	claim := func(company string, from, to int64) fact {
		return fact{"taxpayer-AR-30500010912", events.NumberingRangeClaimed{Company: company, Environment: "Production",
			OfficialCode: 1, From: from, To: to}}
	}
	point := func(company string) fact {
		return fact{"taxpayer-AR-30500010912", events.ContingencyPointClaimed{Company: company, Environment: "Production",
			PointOfSale: 9}}
	}
	issued := func(company, invoice string, number int64) fact {
		return fact{"numbering-" + company + "-Production-1-9", events.ContingencyIssued{Number: number,
			Invoice: invoice, Move: 1, SHA256: theFile(), Authorization: events.Authorization{Type: events.CAEA, Code: "36"}}}
	}
	for name, c := range map[string]struct {
		facts []fact
		found []string // what is said of the place; none when nothing is wrong
	}{
		"taking turns": {facts: slices.Concat(both, submission(1, 1, 2, theFile()), []fact{noticed(second, 1, 2)},
			of("C2", submission(2, 3, 1, theFile())), []fact{noticed(series, 3, 3)}, submission(3, 4, 1, theFile()))},
		"one number twice": {slices.Concat(both, submission(1, 1, 3, theFile()), []fact{noticed(second, 1, 1)},
			of("C2", submission(2, 2, 1, theFile()))),
			[]string{"stream " + second + ", revision 2", "number 2 is given to invoice C2I0000002",
				"invoice I0000002 in " + series + " at", "AR-30500010912"}},
		"two tax identifiers": {facts: slices.Concat(apart, submission(1, 1, 3, theFile()),
			of("C2", submission(2, 1, 1, theFile())))},
		"a numbering file of another company": {slices.Concat(both, []fact{claim("C1", 1, 100), claim("C2", 100, 200)}),
			[]string{"stream taxpayer-AR-30500010912, revision 1", "uploaded these numbers"}},
		"numbering files side by side": {facts: slices.Concat(both, []fact{claim("C1", 1, 100), claim("C2", 101, 200)})},
		"a contingency point of another company": {slices.Concat(both, []fact{point("C1"), point("C2")}),
			[]string{"stream taxpayer-AR-30500010912, revision 1", "contingency point"}},
		"one number of a contingency point twice": {slices.Concat(both, []fact{created(1), issued("C1", "I0000001", 1)},
			of("C2", []fact{created(1)}), []fact{issued("C2", "C2I0000001", 1)}),
			[]string{"stream numbering-C2-Production-1-9, revision 0", "number 1 is given to invoice C2I0000001"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, all(c.facts...))
			config := w.config()
			config.State = filepath.Join(t.TempDir(), "state")
			_, err := verify.Run(t.Context(), config)
			var d *verify.Difference
			switch {
			case len(c.found) == 0 && err != nil:
				t.Fatal(err)
			case len(c.found) > 0 && !errors.As(err, &d):
				t.Fatalf("nothing was found: %v", err)
			}
			for _, words := range c.found {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("found: %v; want %q", err, words)
				}
			}
		})
	}
}

// What was given before a run was interrupted counts when it goes on.
func TestAnInterruptedRunRemembersTheNumbersOfTheOthers(t *testing.T) {
	facts := append([]fact{registered("C1", "30500010912"), registered("C2", "30500010912")},
		slices.Collect(many(25_000))...)
	first := facts[3].event.(events.InvoiceCreated)
	facts = append(facts, of("C2", submission(90_000, 1, 1, theFile()))...)
	w := newWorld(t, all(facts...))
	c := w.config()
	c.State = filepath.Join(t.TempDir(), "state")
	interrupted(t, c, 22_000)
	_, err := verify.Run(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "invoice "+first.Invoice+" in "+series) {
		t.Fatalf("found: %v; want number 1 of %s twice", err, first.Invoice)
	}
}
