//go:build long

package e2e

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"folio/countries"
	"folio/country"
	"folio/events"
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
			c := of[rules.Code()]
			form, kind := multipartForm(t, map[string]string{"id_document_type": strconv.Itoa(k.ID)}, "file",
				n.file(t, dir, k.Code, 1, 20))
			c.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, c.path("/enumeration/upload"), form)
		}
	}
	made := map[string]string{} // ids by type: ARCA itself looks for what notes of exports and of FCE name
	for _, rules := range countries.Rules() {
		for _, x := range rules.Examples(time.Now()) {
			c := of[rules.Code()]
			if rules.Code() == "AR" && x.Document.Type[len(x.Document.Type)-1] == 'C' {
				c = simple // class C is a monotributista's
			}
			t.Run(rules.Code()+" "+x.Name, func(t *testing.T) {
				k, _ := rules.DocumentType(x.Document.Type)
				if rules.Code() == "AR" && k.BatchLimit == 1 && k.IsNote() {
					named := &x.Document.BillingReference[0]
					*named = events.Reference{Invoice: made[named.Type]}
				}
				made[x.Name] = issueExample(t, c, x)
			})
		}
	}
	p.stop(t)
}

func issueExample(t *testing.T, c company, x country.Example) (id string) {
	raw, err := json.Marshal(resource.CreateOf(x.Document))
	if err != nil {
		t.Fatal(err)
	}
	a := c.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", raw)
	id = decode[struct{ ID string }](t, a).ID
	c.accepted(t, id)
	return id
}
