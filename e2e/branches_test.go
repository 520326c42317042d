package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// TestADocumentOfABranchIsSignedAsItIsRead: the branch that an invoice names stands in the
// signed document, on the paper and in what is read back.
func TestADocumentOfABranchIsSignedAsItIsRead(t *testing.T) {
	t.Parallel()
	code := map[string]string{"Chile": "<CdgSIISucur>17</CdgSIISucur>", "Uruguay": "<CdgDGISucur>17</CdgDGISucur>"}
	own := map[string]map[string]any{"Chile": {"comuna": "Providencia", "branch": "Puerto"},
		"Uruguay": {"city": "Salto", "department": "Salto"}}
	eachNation(t, func(t *testing.T, n nation) {
		dir := t.TempDir()
		p := serve(t, dir, "--retry-base", "100ms")
		c := n.company(t, p, dir)
		kind := n.kinds[0]
		n.number(t, c, dir, kind, 1, 10)
		branch := map[string]any{"address": map[string]any{"address": "Errazuriz 700", "phone": "2345"}}
		for name, value := range own[n.name] {
			branch[name] = value
		}
		for i, name := range []string{"branch_office", "issuer"} {
			body := n.body(kind, i+1)
			issuer := issuerOf(body)
			delete(issuer, "address")
			if body["branch_office"] = 17; name == "issuer" {
				delete(body, "branch_office")
				issuer["branch"] = 17
			}
			if i == 0 {
				c.want(t, http.StatusUnprocessableEntity, http.MethodPost, "/api/invoices", body)
				c.want(t, http.StatusOK, http.MethodPut, c.path("/branches/17"), branch)
			}
			issued := c.accepted(t, c.post(t, body).ID)
			read := string(c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+issued.ID, nil).body)
			for _, want := range []string{`"branch_office":17`, `"branch":17`, `"address":"Errazuriz 700"`, `"phone":"2345"`} {
				if !strings.Contains(read, want) {
					t.Errorf("by %s: a read has no %s: %s", name, want, read)
				}
			}
			signed := string(c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+issued.ID+"/download-xml", nil).body)
			for _, want := range []string{code[n.name], ">Errazuriz 700<", ">2345<"} {
				if !strings.Contains(signed, want) {
					t.Errorf("by %s: no %s is signed: %s", name, want, signed)
				}
			}
		}
		elsewhere := n.body(kind, 3)
		issuerOf(elsewhere)["address"] = map[string]any{"address": "Otra 1"}
		if refused := string(c.want(t, http.StatusUnprocessableEntity, http.MethodPost, "/api/invoices",
			elsewhere).body); !strings.Contains(refused, "issuer.address.address") {
			t.Errorf("refused by %s", refused)
		}
	})
}

// issuerOf is the issuer of a body, put there with the company's identifier where it has none.
func issuerOf(body map[string]any) map[string]any {
	if issuer, ok := body["issuer"].(map[string]any); ok {
		return issuer
	}
	number := rutIssuer
	if body["currency"].(map[string]any)["code"] == "UYU" {
		number = rucIssuer
	}
	issuer := map[string]any{"document_number": number}
	body["issuer"] = issuer
	return issuer
}

// TestAGuideStatesWhereItsGoodsStart: the origin of a guía is signed and read back, also when
// it is neither the head office nor the branch that the guía names, and SII takes what the
// guía says of its move.
func TestAGuideStatesWhereItsGoodsStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := chilean(t, p, dir)
	form, kind := multipartForm(t, map[string]string{"id_document_type": "60"}, "file", caf(t, dir, rutIssuer, 52, 1, 10))
	c.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, c.path("/enumeration/upload"), form)
	c.want(t, http.StatusOK, http.MethodPut, c.path("/branches/17"),
		map[string]any{"address": map[string]any{"address": "Errazuriz 700"}, "comuna": "Providencia"})
	guide := pesos("GUI", "move")
	delete(guide, "payment_method")
	guide["branch_office"] = 17
	guide["issuer"] = map[string]any{"document_number": rutIssuer, "address": map[string]any{"address": "Lo Boza 120"}}
	header := map[string]any{"transfer_type": 1, "dispatch_type": 2,
		"recipient": guide["additional_header_info"].(map[string]any)["recipient"],
		"transport": map[string]any{"plate": "varias", "carrier_rut": "76192083-9", "driver_rut": "12345678-5",
			"driver_name": "Ana",
			"address":     "Ruta 5 km 20", "comuna": "Buin", "departure_at": todayInChile + " 14:30:00"}}
	guide["additional_header_info"] = header
	if refused := string(c.want(t, http.StatusUnprocessableEntity, http.MethodPost, "/api/invoices",
		guide).body); !strings.Contains(refused, "transport.plate") {
		t.Errorf("refused by %s", refused)
	}
	header["transport"].(map[string]any)["plate"] = "ABCD12"
	issued := c.accepted(t, c.post(t, guide).ID)
	read := string(c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+issued.ID, nil).body)
	signed := string(c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+issued.ID+"/download-xml", nil).body)
	for text, want := range map[string][]string{read: {`"branch":17`, `"address":"Lo Boza 120"`},
		signed: {"<CdgSIISucur>17<", "<DirOrigen>Lo Boza 120<", "<CmnaOrigen>Providencia<", "<Patente>ABCD12<",
			"<HraSalida>14:30:00<", "<UnmdItem>UN<", "<PrcItem>10000<"}} {
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("no %s in %s", part, text)
			}
		}
	}
}
