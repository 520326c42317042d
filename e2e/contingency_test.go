package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const contingencyPoint = 9001

// onContingency gives point of sale 1 a contingency point, and waits until the code of this
// fortnight is held.
func (c company) onContingency(t testing.TB) {
	t.Helper()
	c.want(t, http.StatusOK, "PUT", c.path("/contingency/1"),
		map[string]any{"contingency_point_of_sale": contingencyPoint, "mode": "manual"})
	eventually(t, verdictLimit, "the code of this fortnight is held", func() (string, bool) {
		codes := c.codes(t)
		return fmt.Sprintf("%+v", codes), slices.ContainsFunc(codes, func(r codeRecord) bool { return r.State == "held" })
	})
}

type codeRecord struct {
	Period, State         string
	Order                 int
	Code                  *string
	Issued, Reported, Due int64
}

func (c company) codes(t testing.TB) []codeRecord {
	t.Helper()
	return get[struct{ Data []codeRecord }](t, c.client, c.path("/contingency/codes")).Data
}

func (c company) hand(t testing.TB, step string) {
	t.Helper()
	c.want(t, http.StatusOK, "POST", c.path("/contingency/1/"+step), map[string]any{"reason": "by hand: " + step})
}

// reportRecord is what a read tells of the report of an invoice.
type reportRecord struct {
	ID     string
	Status string
	Number *string
	Report *struct {
		State string
		DueBy string `json:"due_by"`
		Codes []struct{ Code, Message string }
	} `json:"authority_report"`
	Authorization *struct{ Type, Code string } `json:"electronic_authorization"`
}

// isReported says whether it is reported as far as it may be today: on the first day of a
// fortnight nothing of its code is.
func (r reportRecord) isReported() bool {
	if r.Report == nil {
		return r.Authorization != nil && r.Authorization.Type == "CAE"
	}
	first := firstOfFortnight()
	return r.Report.State == "reported" || r.Report.State == "observed" || first && r.Report.State == "due"
}

// firstOfFortnight says whether it is a day on which no document of its code may be reported.
func firstOfFortnight() bool {
	return slices.Contains([]int{1, 16}, time.Now().In(buenosAires).Day())
}

var buenosAires = time.FixedZone("-03", -3*60*60)

func TestSalesGoOnWithoutTheAuthorityAndAreReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	arca := spyOn(t, dir)
	flags := []string{"--authority-url", arca.URL, "--retry-base", "100ms"}
	p := serve(t, dir, flags...)
	c := issuing(t, p, dir, 1)
	c.onContingency(t)
	before := c.issue(t, body("FCB", 1, "before"))
	arca.trouble.Store(&trouble{effect: down})
	ids := []string{c.post(t, body("FCB", 1, "first")).ID, c.post(t, body("FCB", 1, "second")).ID}
	c.hand(t, "open")
	ids = append(ids, c.post(t, body("FCB", 1, "third")).ID)
	for _, id := range ids {
		i := c.accepted(t, id)
		if !strings.HasPrefix(*i.Number, "9001-") || i.Authorization.Type != "CAEA" || i.Authorization.QR == "" {
			t.Errorf("%s is authorized by %+v", i, i.Authorization)
		}
		if r := get[reportRecord](t, c.client, "/api/invoices/"+id); r.Report == nil || r.Report.State != "due" ||
			r.Report.DueBy == "" {
			t.Errorf("its report is %+v", r.Report)
		}
		c.pdf(t, http.MethodGet, id, "/download-pdf/A4")
	}
	p.kill()
	arca.trouble.Store(nil)
	p = serve(t, dir, flags...)
	c.base = p.base
	c.hand(t, "close")
	for _, id := range ids {
		eventually(t, verdictLimit, "it is reported", func() (string, bool) {
			r := get[reportRecord](t, c.client, "/api/invoices/"+id)
			return fmt.Sprintf("%+v", r.Report), r.isReported()
		})
		calls := string(c.want(t, http.StatusOK, "GET", "/api/invoices/"+id+"/calls", nil).body)
		if !firstOfFortnight() && !strings.Contains(calls,
			`"FECAEARegInformativo"`) {
			t.Errorf("its calls are %s", calls)
		}
	}
	after := c.issue(t, body("FCB", 1, "after"))
	if *before.Number != "0001-00000001" || *after.Number != "0001-00000002" {
		t.Errorf("ordinary numbers are %s and %s", *before.Number, *after.Number)
	}
	for _, r := range get[struct{ Data []reportRecord }](t, c.client, "/api/invoices").Data {
		if (r.Report == nil) != (r.Authorization.Type == "CAE") {
			t.Errorf("%+v", r)
		}
	}
	use := string(must(c.send("GET", c.path("/contingency/use"), nil)).body)
	if !strings.Contains(use, `"documents":5,"contingency":3,"share_percent":"60.00"`) || !strings.Contains(use,
		`"warning":true`) {
		t.Errorf("the share of the month is %s", use)
	}
	if windows := string(must(c.send("GET", c.path("/contingency/windows"), nil)).body); !strings.Contains(windows,
		"by hand: open") || !strings.Contains(windows, "by hand: close") {
		t.Errorf("windows %s", windows)
	}
	eventually(t, verdictLimit, "the feed has it", func() (string, bool) {
		feed := string(must(c.send("GET", "/api/feed?type=ContingencyIssued,AuthorityReportChanged,CAEAGranted", nil)).body)
		return feed, strings.Count(feed, `"ContingencyIssued"`) >= 3 && strings.Contains(feed, `"CAEAGranted"`) &&
			strings.Contains(feed, `"AuthorityReportChanged"`)
	})
	p.stop(t)
	succeed(t, "verify", "--data", dir)
	if out := succeed(t, "caea", "list", "--data", dir); !strings.Contains(out, c.id) {
		t.Errorf("%s", out)
	}
	if out := succeed(t, "contingency", "list", "--data", dir); !strings.Contains(out, c.id+"-") {
		t.Errorf("%s", out)
	}
	succeed(t, "contingency", "open", "--data", dir, c.id, "Testing", "1", "--reason", "a cut")
}
