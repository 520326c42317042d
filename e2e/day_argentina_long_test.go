//go:build long

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// endOfFortnight is the first moment of a fortnight, at least two days after a time.
func endOfFortnight(after time.Time, second bool) time.Time {
	at := after.In(buenosAires)
	for day := 2; ; day++ {
		first := time.Date(at.Year(), at.Month(), at.Day()+day, 0, 0, 0, 0, buenosAires)
		if second && first.Day() == 1 || !second && first.Day() == 16 {
			return first
		}
	}
}

// TestADayWithoutARCA goes through the last day of a fortnight and the first one of the next without ARCA, with three
// points of sale that have a contingency, an answer that is lost as the outage begins, and kills at random moments.
func TestADayWithoutARCA(t *testing.T) {
	d := newDay(t, buenosAires)
	d.c = issuing(t, d.p, d.dir, 1)
	next := endOfFortnight(d.clock.Now(), d.random.IntN(2) == 0)
	at := func(hours time.Duration) time.Time { return next.Add(hours) }
	d.moveTo(at(-27 * time.Hour))
	d.onAutomatic()
	for point := 1; point <= 3; point++ {
		d.till(fmt.Sprint("till-", point), func(n int, reference string) map[string]any {
			document := body([]string{"FCA", "FCB"}[n%2], point, reference)
			document["invoice_date"] = d.today() + " 00:00:00"
			return document
		})
	}
	d.more(6)
	gone := d.loseNext("FECAESolicitar")
	eventually(t, verdictLimit, "an answer is lost", func() (string, bool) {
		select {
		case <-gone:
			return "", true
		default:
			return "", false
		}
	})
	limbo := d.inLimbo()
	eventually(t, verdictLimit, "the outage is seen", func() (string, bool) {
		all := d.c.outages(t)
		return fmt.Sprint(all), len(all) > 0 && all[0].State == "open"
	})
	for _, hours := range []time.Duration{-26 * time.Hour, -24*time.Hour - 4*time.Second, -21 * time.Hour, -9 * time.Hour,
		-4 * time.Second, 2 * time.Hour, 15 * time.Hour} {
		d.moveTo(at(hours))
		day := at(hours).Add(4 * time.Second).In(d.zone).Format(time.DateOnly)
		eventually(t, verdictLimit, "the day has come", func() (string, bool) { return d.today(), d.today() == day })
		d.more(4)
		d.issuedByContingency()
	}
	d.spy.trouble.Store(nil)
	eventually(t, verdictLimit, "the outage is over", func() (string, bool) {
		all := d.c.outages(t)
		return fmt.Sprint(all), len(all) > 0 && all[0].State == "closed"
	})
	d.moveTo(at(20 * time.Hour)) // of the first fortnight the reports are on their way
	d.more(6)
	d.stop.Store(true)
	d.tills.Wait()
	d.c.settle(t, 2*verdictLimit)
	d.moveTo(at(25 * time.Hour)) // those of the new one may be made since midnight
	d.moveTo(at(26 * time.Hour))
	d.reported()
	d.checkCodes(next, limbo)
	d.moveTo(endOfFortnight(next, next.Day() == 16).Add(3 * time.Hour))
	eventually(t, verdictLimit, "both codes are closed", func() (string, bool) {
		held := d.codesOf(next)
		return fmt.Sprintf("%+v", held), len(held) == 2 && held[0].State == "closed" && held[1].State == "closed"
	})
	d.p.stop(t)
	succeed(t, "verify", "--data", d.dir)
	d.compare()
}

// onAutomatic gives three points of sale contingency points, and waits for the codes of both fortnights.
func (d *day) onAutomatic() {
	for point := 1; point <= 3; point++ {
		d.c.want(d.t, http.StatusOK, "PUT", d.c.path(fmt.Sprint("/contingency/", point)), map[string]any{
			"contingency_point_of_sale": 9000 + point, "mode": "automatic", "after_minutes": 1, "max_hours": 72})
	}
	eventually(d.t, verdictLimit, "the codes of both fortnights are held", func() (string, bool) {
		held := 0
		for _, code := range d.c.codes(d.t) {
			if code.State == "held" {
				held++
			}
		}
		return fmt.Sprintf("%+v", d.c.codes(d.t)), held == 2
	})
}

// issuedByContingency waits until one more document is issued by a code.
func (d *day) issuedByContingency() {
	d.t.Helper()
	before := int64(-1)
	eventually(d.t, verdictLimit, "a document is issued by contingency", func() (string, bool) {
		issued := int64(0)
		for _, code := range d.c.codes(d.t) {
			issued += code.Issued
		}
		if before < 0 {
			before = issued
		}
		return fmt.Sprint(issued), issued > before
	})
}

// inLimbo are the invoices that were sent and of which nobody knows what became, as the outage begins.
func (d *day) inLimbo() (ids []string) {
	eventually(d.t, verdictLimit, "an invoice is in limbo", func() (string, bool) {
		ids = nil
		for _, i := range get[list](d.t, d.c.client, "/api/invoices?per_page=100&status=in%20process").Data {
			ids = append(ids, i.ID)
		}
		return fmt.Sprint(ids), len(ids) > 0
	})
	return ids
}

// datedCode is a code with its days.
type datedCode struct {
	codeRecord
	From        string
	To          string
	ReportUntil string `json:"report_until"`
}

// codesOf are the codes of the fortnights before and after a midnight, in their order.
func (d *day) codesOf(midnight time.Time) (out []datedCode) {
	d.t.Helper()
	all := get[struct{ Data []datedCode }](d.t, d.c.client, d.c.path("/contingency/codes")).Data
	before, after := midnight.AddDate(0, 0, -1).Format(time.DateOnly), midnight.Format(time.DateOnly)
	for _, day := range []string{before, after} {
		for _, code := range all {
			if code.From <= day && day <= code.To {
				out = append(out, code)
			}
		}
	}
	return out
}

// reported waits until nothing is due.
func (d *day) reported() {
	d.t.Helper()
	eventually(d.t, 2*verdictLimit, "everything is reported", func() (string, bool) {
		due := int64(0)
		for _, code := range d.c.codes(d.t) {
			due += code.Due
		}
		return fmt.Sprintf("%+v", d.c.codes(d.t)), due == 0
	})
}

// checkCodes wants every document by a code to be reported, due by the day that the sandbox's answer named, of its own
// fortnight; documents by both codes; and what was in limbo to have ended at its own point of sale.
func (d *day) checkCodes(midnight time.Time, limbo []string) {
	d.t.Helper()
	books := d.books()
	all := d.once()
	consecutive(d.t, all)
	waiting := map[string]bool{}
	for _, id := range limbo {
		waiting[id] = true
	}
	byCode := map[string]int64{}
	for _, i := range all {
		if i.Status != "Accepted" || i.Number == nil || i.Authorization == nil {
			continue // told already
		}
		d.issued[i.InvoiceType+" "+*i.Number] = i.Authorization.Code
		till := strings.Split(i.ExternalReference, "-")[1]
		contingent := strings.HasPrefix(*i.Number, "900"+till+"-")
		if contingent != (i.Authorization.Type == "CAEA") || contingent && waiting[i.ID] ||
			!contingent && !strings.HasPrefix(*i.Number, "000"+till+"-") {
			d.t.Errorf("%s is authorized by %+v, in limbo: %v", i, i.Authorization, waiting[i.ID])
		}
		if !contingent {
			continue
		}
		byCode[i.Authorization.Code]++
		r, book := get[reportRecord](d.t, d.c.client, "/api/invoices/"+i.ID), books[i.Authorization.Code]
		if r.Report == nil || r.Report.State != "reported" && r.Report.State != "observed" ||
			strings.ReplaceAll(r.Report.DueBy, "-", "") != book.ReportUntil {
			d.t.Errorf("%s: its report is %+v, due by %s", i, r.Report, book.ReportUntil)
		}
		if day := strings.ReplaceAll(i.InvoiceDate[:len(time.DateOnly)], "-", ""); day < book.From || day > book.To {
			d.t.Errorf("%s is dated %s, its code is of %s to %s", i, day, book.From, book.To)
		}
	}
	for _, code := range d.codesOf(midnight) {
		if code.Code == nil || code.Issued == 0 || code.Issued != code.Reported || byCode[*code.Code] != code.Issued ||
			int64(len(books[*code.Code].Reported)) != code.Issued {
			d.t.Errorf("%+v: %d documents, the sandbox has %d", code, byCode[*code.Code], len(books[*code.Code].Reported))
		}
	}
	d.t.Logf("%d sales, by code %v, %d in limbo", len(all), byCode, len(limbo))
}

// book is what the sandbox holds of a code.
type book struct {
	CAEA        string
	From        string
	To          string
	ReportUntil string `json:"report_until"`
	Reported    []struct {
		PointOfSale int `json:"point_of_sale"`
		Type        int
		Number      int64
		Processed   string
	}
}

// books asks the sandbox for its books, and wants everything in them to have been reported in time.
func (d *day) books() map[string]book {
	d.t.Helper()
	address, err := os.ReadFile(filepath.Join(d.dir, "sandbox", "address"))
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, strings.TrimSpace(string(address))+
		"/admin/arca/caea", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer a.Body.Close()
	var all []book
	if err := json.NewDecoder(a.Body).Decode(&all); err != nil {
		d.t.Fatal(err)
	}
	out := map[string]book{}
	for _, b := range all {
		out[b.CAEA] = b
		for _, v := range b.Reported {
			if v.Processed[:len("20060102")] > b.ReportUntil {
				d.t.Errorf("%d at %d, type %d, was reported at %s: after %s", v.Number, v.PointOfSale, v.Type, v.Processed,
					b.ReportUntil)
			}
		}
	}
	return out
}

// compare wants ARCA's books to have the documents of the company, under their numbers and codes, and no others; and
// each report to have been answered once.
func (d *day) compare() {
	d.t.Helper()
	known := vouchers(d.t, d.dir)
	for at, code := range d.issued {
		if known[at] != code {
			d.t.Errorf("%s: the authority has %q, the company %q", at, known[at], code)
		}
	}
	if len(known) != len(d.issued) {
		d.t.Errorf("the authority knows %d documents, the company %d", len(known), len(d.issued))
	}
	for at, times := range d.answeredReports() {
		if times > 1 {
			d.t.Errorf("the report of %s was answered %d times", at, times)
		}
	}
}

var reportedNumber = regexp.MustCompile(`<(?:\w+:)?(PtoVta|CbteTipo|CbteDesde)>(\d+)<`)

// answeredReports counts the answers to reports of each document, by point of sale, type and number.
func (d *day) answeredReports() map[string]int {
	d.spy.mu.Lock()
	defer d.spy.mu.Unlock()
	out := map[string]int{}
	for _, request := range d.spy.answered {
		if !strings.Contains(request, "<FECAEARegInformativo") {
			continue
		}
		var point, kind string
		for _, m := range reportedNumber.FindAllStringSubmatch(request, -1) {
			switch m[1] {
			case "PtoVta":
				point = m[2]
			case "CbteTipo":
				kind = m[2]
			default:
				out[point+" "+kind+" "+m[2]]++
			}
		}
	}
	return out
}
