package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestNumberingFilesFromTheFirstNumberToTheNextFile has a company begin in the middle of
// a file, use it up, and go on with the next one by itself.
func TestNumberingFilesFromTheFirstNumberToTheNextFile(t *testing.T) {
	t.Parallel()
	eachNation(t, func(t *testing.T, n nation) {
		dir := t.TempDir()
		p := serve(t, dir, "--retry-base", "100ms")
		c := n.company(t, p, dir)
		code := n.kinds[0]
		config := func(status int, id string, from int) answer {
			t.Helper()
			return c.want(t, status, http.MethodPut, c.path("/enumeration/"+id+"/config"),
				map[string]any{"enumeration_starts_from": from})
		}
		id := n.number(t, c, dir, code, 1, 10)
		config(http.StatusUnprocessableEntity, id, 11)
		config(http.StatusOK, id, 8)
		config(http.StatusConflict, id, 9)
		for k := 8; k <= 10; k++ {
			if i := c.issue(t, n.body(code, k)); !strings.HasSuffix(*i.Number, fmt.Sprintf("-%08d", k)) {
				t.Errorf("want number %d: %s", k, i)
			}
		}
		left := []invoice{c.post(t, n.body(code, 11)), c.post(t, n.body(code, 12))}
		c.waits(t, left[0].ID, "NUMBERING_RANGE_EXHAUSTED")
		c.waits(t, left[1].ID, "NUMBERING_RANGE_EXHAUSTED")
		listed := get[struct {
			Data []struct{ Remaining int64 }
		}](t, c.client, c.path("/enumeration"))
		if len(listed.Data) != 1 || listed.Data[0].Remaining != 0 {
			t.Errorf("the file that is used up is listed as %+v", listed.Data)
		}
		next := n.number(t, c, dir, code, 101, 200)
		config(http.StatusConflict, next, 150) // once per document type
		for k, i := range left {
			if i = c.accepted(t, i.ID); !strings.HasSuffix(*i.Number, fmt.Sprintf("-%08d", 101+k)) {
				t.Errorf("want number %d: %s", 101+k, i)
			}
		}
		p.stop(t)
	})
}

// TestANumberNeverLeavesItsInvoice: what can be put right goes on with the same number
// and bytes, and what is refused for good takes its number with it.
func TestANumberNeverLeavesItsInvoice(t *testing.T) {
	t.Parallel()
	eachNation(t, func(t *testing.T, n nation) {
		dir := t.TempDir()
		p := serve(t, dir, "--retry-base", "100ms")
		c := n.company(t, p, dir)
		code := n.kinds[0]
		n.number(t, c, dir, code, 1, 10)

		n.script(t, dir, n.repairable)
		mended := c.post(t, n.body(code, 1))
		c.stuck(t, mended.ID, n.repairs)
		behind := c.post(t, n.body(code, 2))
		n.administer(t, dir, http.MethodDelete, nil)
		c.want(t, http.StatusAccepted, http.MethodPost, "/api/invoices/"+mended.ID+"/process", nil)
		if mended, behind = c.accepted(t, mended.ID),
			c.accepted(t, behind.ID); !strings.HasSuffix(*mended.Number, "-00000001") ||
			!strings.HasSuffix(*behind.Number, "-00000002") {
			t.Errorf("%s, and the one behind it %s", mended, behind)
		}

		n.script(t, dir, n.final)
		refused := c.post(t, n.body(code, 3))
		eventually(t, verdictLimit, "the invoice is refused", func() (string, bool) {
			refused = c.read(t, refused.ID)
			return refused.String(), refused.Status == "Rejected"
		})
		if refused.Number == nil || !strings.HasSuffix(*refused.Number, "-00000003") || len(refused.Rejection) == 0 ||
			!strings.Contains(fmt.Sprint(refused.Rejection), n.final["code"].(string)) {
			t.Errorf("%s", refused)
		}
		if i := c.issue(t, n.body(code, 4)); !strings.HasSuffix(*i.Number, "-00000004") {
			t.Errorf("after a number that was voided comes %s", i)
		}
		p.stop(t)

		if sent := sentAs(t, code, history(t, dir, mended.ID), mended.ID); len(sent) != 1 {
			t.Errorf("what was put right was signed %d times", len(sent))
		}
		var voided struct {
			Number  int64
			Invoice string
		}
		for _, f := range history(t, dir, refused.ID) {
			if f.Type == "NumberVoided" {
				if err := json.Unmarshal(f.Stored, &voided); err != nil {
					t.Fatal(err)
				}
			}
		}
		if voided.Number != 3 || voided.Invoice != refused.ID {
			t.Errorf("the history of the refused invoice does not say that number 3 is void: %+v", voided)
		}
	})
}

// stuck waits until an invoice In process shows a reason.
func (c company) stuck(t testing.TB, id, code string) {
	t.Helper()
	eventually(t, verdictLimit, "the reason is shown", func() (string, bool) {
		i := c.read(t, id)
		return i.String(), i.Status == "In process" && i.PendingReason != nil && i.PendingReason.Code == code
	})
}

var openLine = regexp.MustCompile(`Open: submission (\w+), numbers? `)

// openSubmission is the first open submission that a command about a series printed.
func openSubmission(t *testing.T, out string) string {
	t.Helper()
	found := openLine.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no open submission is shown:\n%s", out)
	}
	return found[1]
}

// TestAnOperatorGivesUpNumbersThatCanNeverBeOurs gives up, in one step and beside the running
// service, the open numbers of a series whose documents do not get through.
func TestAnOperatorGivesUpNumbersThatCanNeverBeOurs(t *testing.T) {
	t.Parallel()
	eachNation(t, func(t *testing.T, n nation) {
		dir := t.TempDir()
		p := serve(t, dir, "--retry-base", "100ms")
		c := n.company(t, p, dir)
		code := n.kinds[0]
		n.number(t, c, dir, code, 1, 10)
		n.script(t, dir, n.repairable)
		stuck := c.post(t, n.body(code, 1))
		c.stuck(t, stuck.ID, n.repairs)
		if calls := succeed(t, "history", stuck.ID, "--calls", "--data", dir); !strings.Contains(calls, "Turn 1:") ||
			!strings.Contains(calls, n.upload) {
			t.Errorf("the history of an invoice that is stuck shows no calls:\n%s", calls)
		}
		series := fmt.Sprintf("%s-Production-%d-0", c.id, code)
		give := func(submission string) []string {
			return []string{"series", "release", series, "--void", submission, "--reason", "the file was used elsewhere",
				"--data", dir}
		}
		shown, refusal, status := command(t, give("01ARZ3NDEKTSV4RRFFQ69G5FAV")...)
		submission := openSubmission(t, shown)
		next := fmt.Sprintf("folio series release %s --void %s", series, submission)
		if status == 0 || !strings.Contains(refusal, "is not open") || !strings.Contains(shown, next) {
			t.Errorf("a refusal names what is open and the command that ends it:\n%s%s", shown, refusal)
		}
		succeed(t, give(submission)...)
		eventually(t, verdictLimit, "the invoice is given up", func() (string, bool) {
			stuck = c.read(t, stuck.ID)
			return stuck.String(), stuck.Status == "Rejected"
		})
		if said := fmt.Sprint(stuck.Rejection); !strings.Contains(said, "FOLIO_VOIDED") ||
			!strings.Contains(said, "the file was used elsewhere. Issue it again") {
			t.Errorf("the rejection says %s", said)
		}
		n.administer(t, dir, http.MethodDelete, nil)
		if i := c.issue(t, n.body(code, 2)); !strings.HasSuffix(*i.Number, "-00000002") {
			t.Errorf("after a number that was given up comes %s", i)
		}
		p.stop(t)
	})
}
