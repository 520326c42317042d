//go:build long

package e2e

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"folio/countries"
	"folio/country"
	"folio/resource"
)

// Every example is accepted by its authority, as the sandbox speaks for it.
func TestEveryExampleIsAcceptedByItsAuthority(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	own, simple := issuing(t, p, dir, 1), issuing(t, p, dir, 2)
	own.want(t, http.StatusOK, http.MethodPut, own.path("/fiscal-profile"), map[string]any{
		"tax_condition": "responsable_inscripto"})
	simple.want(t, http.StatusOK, http.MethodPut, simple.path("/fiscal-profile"), map[string]any{
		"tax_condition": "monotributo"})
	of := map[string]company{"AR": own, "CL": chile.company(t, p, dir), "UY": uruguay.company(t, p, dir)}
	for _, n := range nations {
		rules, _ := countries.Rules().ByCode(n.holder[0])
		for _, k := range rules.DocumentTypes() {
			n.number(t, of[rules.Code()], dir, k.Code, 1, 20)
		}
	}
	for _, rules := range countries.Rules() {
		for _, x := range rules.Examples(time.Now()) {
			c := of[rules.Code()]
			if rules.Code() == "AR" && x.Document.Type[len(x.Document.Type)-1] == 'C' {
				c = simple // class C is a monotributista's
			}
			t.Run(rules.Code()+" "+x.Name, func(t *testing.T) { issueExample(t, c, x) })
		}
	}
	p.stop(t)
}

func issueExample(t *testing.T, c company, x country.Example) {
	raw, err := json.Marshal(resource.CreateOf(x.Document))
	if err != nil {
		t.Fatal(err)
	}
	a := c.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", raw)
	c.accepted(t, decode[struct{ ID string }](t, a).ID)
}
