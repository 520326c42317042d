package e2e

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// consoleContingency sets, opens and closes a contingency and an outage of the authority, each with its reason, and
// sees the code of the fortnight with what was issued by it.
func consoleContingency(t *testing.T, v visitor, c company, dir string) {
	page := "/console/c/" + c.id + "/contingency"
	v.post(t, page, page, "_form", "set", "_point", "", "contingency_point_of_sale:n", "9001", "mode", "manual").
		want(t, 422, `id="f-_point-fault"`, `value="9001"`)
	v.post(t, page, page, "_form", "set", "_point", "7", "mode", "manual").want(t, 422, `id="f-contingency_point_of_sale-fault"`)
	v.post(t, page, page, "_form", "set", "_point", "7", "contingency_point_of_sale:n", "9001", "mode", "manual", "max_hours:n", "2").
		want(t, 200, "was saved", "7 → 9001", "at most 2 h")
	eventually(t, verdictLimit, "the code of this fortnight is held", func() (string, bool) {
		s := v.get(t, page)
		return s.body, strings.Contains(s.body, `<span class="badge good">in hand</span>`)
	})

	typed := strings.Repeat("too long ", 100)
	refused := v.post(t, page, page+"/7/open", "_form", "point-7", "reason", typed).
		want(t, 422, `id="f-reason-point-7-fault"`, "Say that the authority is away")
	if strings.Contains(refused.body, `id="f-reason-fault"`) || strings.Count(refused.body, typed) != 1 {
		t.Error("what was typed into one form, or what is wrong with it, stands in another one")
	}
	v.post(t, page, page+"/7/open", "_form", "point-7", "reason", hostile).want(t, 200, "The contingency is open", "&lt;script&gt;")
	argentina := nation{admin: "/admin/arca/faults"} // or the sale may be sent before the contingency takes it
	argentina.script(t, dir, map[string]any{"operation": "FECompUltimoAutorizado", "effect": "down", "times": 1000})
	sale := c.issue(t, body("FCB", 7, "at the counter"))
	eventually(t, verdictLimit, "the invoice says how it was issued", func() (string, bool) {
		s := v.get(t, "/console/c/"+c.id+"/invoices/"+sale.ID)
		return s.body, strings.Contains(s.body, "Report to the authority") && strings.Contains(s.body, "CAEA")
	})
	argentina.administer(t, dir, http.MethodDelete, nil)
	eventually(t, verdictLimit, "what was issued is counted", func() (string, bool) {
		s := v.get(t, page)
		return s.body, strings.Contains(s.body, `data-label="Issued" class="num">1<`)
	})
	v.get(t, "/console/language?to=es&back="+page).want(t, 200, "Códigos de las quincenas (CAEA)", "1 de 1 documentos")
	v.get(t, "/console/language?to=en&back="+page).want(t, 200, "1 of 1 documents")
	v.post(t, page, page+"/7/close", "reason", "the line is mended").
		want(t, 200, "The contingency is closed", "the line is mended")
	off := v.post(t, page, page, "_point", "7", "mode", "off").
		want(t, 200, "was saved", "7 → 9001", `data-label="Goes on">off<`)
	if strings.Contains(off.body, page+"/7/open") {
		t.Error("a contingency that is off can be opened")
	}

	v.post(t, page, page+"/outages", "_form", "away", "environment", "Production").want(t, 422, `id="f-reason-fault"`)
	away := v.post(t, page, page+"/outages", "_form", "away", "environment", "Production", "reason", "said on the radio").
		want(t, 200, "counts as away from now on", "said on the radio", "said by hand")
	v.get(t, "/console/c/"+c.id+"/").want(t, 200, "said on the radio", page)
	end := regexp.MustCompile(page + "/outages/[^/\"]+/close").FindString(away.body)
	over := v.post(t, page, end, "reason", "back again").want(t, 200, "The outage is over", "back again")
	if strings.Contains(over.body, "It is back") {
		t.Error("an outage that is over can be closed again")
	}
}
