package notices_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
)

// A numbering file of each country, from its upload to the day after its last one.
func TestRangesOfEachCountry(t *testing.T) {
	for _, c := range []struct {
		name    string
		rules   country.Rules
		company events.CompanyRegistered
		file    country.RangeFile
		last    string // day on which its numbers may be used, "" for ever
		days    []string
	}{
		{"a CAF of facturas lives six months", cl.Rules{},
			events.CompanyRegistered{Company: "C1", Country: "CL", TaxIdentifier: "77111222-6"},
			country.RangeFile{OfficialCode: 33, IssuedOn: "2026-07-05"}, "2027-01-05",
			[]string{"2026-12-29", "2027-01-04", "2027-01-05", "2027-01-06"}},
		{"a CAF of notas de crédito", cl.Rules{},
			events.CompanyRegistered{Company: "C1", Country: "CL", TaxIdentifier: "77111222-6"},
			country.RangeFile{OfficialCode: 61, IssuedOn: "2026-09-03"}, "2027-03-03",
			[]string{"2027-02-24", "2027-03-02", "2027-03-03", "2027-03-04"}},
		{"a CAF of boletas does not expire", cl.Rules{},
			events.CompanyRegistered{Company: "C1", Country: "CL", TaxIdentifier: "77111222-6"},
			country.RangeFile{OfficialCode: 39, IssuedOn: "2026-07-05"}, "", nil},
		{"a CAE of e-Facturas says its last day", uy.Rules{},
			events.CompanyRegistered{Company: "C1", Country: "UY", TaxIdentifier: "210000000014"},
			country.RangeFile{OfficialCode: 111, Series: "A", IssuedOn: "2026-07-05", ExpiresOn: "2028-02-29"}, "2028-02-29",
			[]string{"2028-02-22", "2028-02-28", "2028-02-29", "2028-03-01"}},
		{"a CAE of e-Tickets expires too", uy.Rules{},
			events.CompanyRegistered{Company: "C1", Country: "UY", TaxIdentifier: "210000000014"},
			country.RangeFile{OfficialCode: 101, Series: "B", IssuedOn: "2026-07-05", ExpiresOn: "2027-01-03"}, "2027-01-03",
			[]string{"2026-12-27", "2027-01-02", "2027-01-03", "2027-01-04"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.rules.(country.Ranged).LastDay(c.file); got != c.last {
				t.Fatalf("its last day is %q, want %q", got, c.last)
			}
			local := func(day string, hour int) time.Time {
				d, err := time.ParseInLocation(time.DateOnly, day, c.rules.Location())
				if err != nil {
					t.Fatal(err)
				}
				return d.Add(time.Duration(hour) * time.Hour)
			}
			w := newWorld(t, local("2026-10-01", 12))
			w.rules = c.rules
			w.record("company-C1", c.company)
			stream := fmt.Sprintf("numbering-C1-Production-%d-0", c.file.OfficialCode)
			w.record(stream, events.NumberingRangeUploaded{Range: "R1", Company: "C1", Environment: "Production",
				OfficialCode: c.file.OfficialCode,
				Series:       c.file.Series, From: 1, To: 300, IssuedOn: c.file.IssuedOn, ExpiresOn: c.last, Fingerprint: "f1"})
			w.start()
			for i, day := range c.days {
				w.clock.Set(local(day, i*7)) // from the first minute of the day to its evening
				w.record("company-C1", events.LogoUploaded{SHA256: day})
				await[events.NumberingNoticed](w, i+1)
			}
			// Numbers that have expired are not left any more: none is, after the last day.
			want, level := "7 1 0 -1", 3
			if c.last == "" {
				w.record(stream, opened("1", 1, 250), events.SubmissionSettled{Submission: "1"}) // 50 left
				want, level = "", 1
			}
			var got []string
			for _, n := range await[events.NumberingNoticed](w, len(c.days)+1) {
				if n.Kind == "expiry" {
					got = append(got, fmt.Sprint(n.Days))
				} else if n.Notice != level {
					t.Errorf("notice %d by quantity, want %d", n.Notice, level)
				}
			}
			w.stop()
			if strings.Join(got, " ") != want {
				t.Errorf("notices %q, want %q", got, want)
			}
		})
	}
}

// opened takes numbers of a series.
func opened(submission string, first int64, count int) events.SubmissionOpened {
	ids := slices.Repeat([]string{"i"}, count)
	for i := range ids {
		ids[i] = fmt.Sprint(submission, "-", i)
	}
	return events.SubmissionOpened{Submission: submission, First: first, Invoices: ids}
}
