package writeapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"folio/commands"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
)

// What a read of a profile gives can be sent back, and changes nothing: without a profile, with
// the address alone, and with every field of the country.
func TestAProfileThatIsReadCanBeSentBack(t *testing.T) {
	for _, c := range []struct {
		rules   country.Rules
		company string
		values  map[string]string
		address string
	}{
		{ar.Rules{}, cuit, map[string]string{"tax_condition": "responsable_inscripto", "gross_income_number": "901-1"},
			`{"country":"AR","region":"AR-C","address":"Av. Corrientes 1234","phone":"+54 11 4321-0000"}`},
		{cl.Rules{}, "77111222-6", map[string]string{"giro": "Comercio", "acteco": "620100,631100", "comuna": "Arica",
			"city": "Arica", "resolution_number": "80", "resolution_date": "2014-08-22", "sii_office": "ARICA",
			"branch":      "Centro",
			"branch_code": "81303347", "email": "a@example.com", "sender_rut": "12345678-5", "software_rut": "76192083-9",
			"receipt_stamp": "false", "time_zone": "America/Punta_Arenas"},
			`{"country":"CL","region":"CL-AP","address":"Calle 1"}`},
		{uy.Rules{}, "210001300008", map[string]string{"branch_code": "1", "city": "Pando", "department": "Canelones",
			"resolution": "4055/2024", "trade_name": "Tienda", "giro": "Comercio", "email": "a@example.com",
			"iva_al_dia":       "false",
			"send_all_tickets": "true", "verification_url": "https://example.com/v"},
			`{"country":"UY","region":"UY-CA","address":"Calle 1"}`},
	} {
		t.Run(c.rules.Code(), func(t *testing.T) {
			w := newWorldOf(t, c.rules)
			s := w.owned(c.company)
			path := "/api/companies/" + s.id + "/fiscal-profile"
			whole := map[string]any{"address": json.RawMessage(c.address)}
			for name, value := range c.values {
				whole[name] = value
			}
			full, err := json.Marshal(whole)
			check(t, err)
			for _, set := range []string{`{}`, `{"address":` + c.address + `}`, string(full)} {
				w.call("PUT", path, set, s.key).want(200)
				read := w.call("GET", path, "", s.key).want(200)
				for name := range c.values {
					if set == string(full) && !strings.Contains(read.Body.String(), `"`+name+`":`) {
						t.Errorf("%s is not read: %s", name, read.Body)
					}
				}
				before := w.effects()
				back := w.call("PUT", path, read.Body.String(), s.key).want(200)
				if back.Body.String() != read.Body.String() || w.effects() != before {
					t.Errorf("read\n%s\nsent back\n%s, %d facts", read.Body, back.Body, w.effects()-before)
				}
			}
		})
	}
}

// A text of which nothing is seen counts as none where documents need it. So it is refused where it is written, and
// what was stored before that stays readable.
func TestATextOfAProfileThatNobodySeesIsRefused(t *testing.T) {
	const blank = " \u00a0\u200b\u3164"
	for _, c := range []struct {
		rules   country.Rules
		company string
		fields  []string
		branch  string
	}{
		{ar.Rules{}, cuit, nil, ""},
		{cl.Rules{}, "77111222-6", []string{"giro", "comuna", "city", "sii_office", "branch", "email"}, `,"comuna":"Arica"`},
		{uy.Rules{}, "210001300008", []string{"city", "trade_name", "giro", "email", "exemption_norm"},
			`,"city":"Pando","department":"Canelones"`},
	} {
		t.Run(c.rules.Code(), func(t *testing.T) {
			w := newWorldOf(t, c.rules)
			s := w.owned(c.company)
			path := "/api/companies/" + s.id + "/fiscal-profile"
			for _, name := range append([]string{"gross_income_number"}, c.fields...) {
				w.call("PUT", path, `{"`+name+`":"`+blank+`"}`, s.key).fails(422, "VALIDATION_FAILED", name+" BLANK")
			}
			for _, name := range []string{"address", "phone"} {
				w.call("PUT", path, `{"address":{"`+name+`":"`+blank+`"}}`, s.key).
					fails(422, "VALIDATION_FAILED", "address."+name+" BLANK")
			}
			w.call("PUT", "/api/companies/"+s.id+"/branches/5", `{"address":{"address":"`+blank+`"}`+c.branch+`}`, s.key).
				fails(422, "VALIDATION_FAILED", "address.address BLANK")
			w.call("PUT", path, `{"address":{"address":""},"gross_income_number":null}`, s.key).want(200)
			out, err := commands.Bind(w.x, company.Decider).Execute(t.Context(), s.id, company.SetFiscalProfile{
				Profile: events.FiscalProfile{Address: events.Address{Address: " "}}},
				commands.Request{ID: commands.Derived("stored before")})
			check(t, err)
			read := w.call("GET", path, "", s.key, "Folio-Min-Position: "+out.Position.String()).want(200)
			if !strings.Contains(read.Body.String(), `"address":" "`) {
				t.Errorf("what was stored is read as %s", read.Body)
			}
		})
	}
}

func TestASecondCompanyOfATaxpayerIsWarnedOf(t *testing.T) {
	w := newWorld(t)
	register := func(number string, who string) answer {
		return w.call("POST", "/api/companies", `{"legal_name":"Molinos","tax_identifier":"`+number+
			`","tax_identifier_name":"CUIT","id_currency":1}`, who).want(201)
	}
	first := register(cuit, ana)
	for name, other := range map[string]answer{"the first": first, "another account": register(cuit, bob),
		"another CUIT": register("20111111112", ana)} {
		if strings.Contains(other.Body.String(), "warnings") {
			t.Errorf("%s is warned of: %s", name, other.Body)
		}
	}
	again := register("30-50001091-2", ana)
	if text := again.Body.String(); !strings.Contains(text, first.text("id_company")) ||
		!strings.Contains(text, "warnings") {
		t.Errorf("no warning: %s", text)
	}
}

// What an Argentine document prints of its issuer before VAT is what its record says: the
// class's word, or that of the profile which completed it.
func TestTheRecordSaysTheConditionThatIsPrinted(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	condition := func(id, at string) any {
		return w.call("GET", "/api/invoices/"+id, "", s.key, "Folio-Min-Position: "+at).want(200).
			object()["tax_information"].(map[string]any)["issuer_condition"]
	}
	a := w.call("POST", "/api/invoices", worth(t, 100), s.key).want(201)
	body := strings.NewReplacer(`"taxes":[{"type":"iva21","amount":210,"rate":21}]`, `"taxes":[]`,
		`"taxes":[{"type":"iva21","amount":210,"base_amount":1000}]`, `"taxes":[]`, `"total":1210`, `"total":1000`).
		Replace(plain("FCC", nobody, "ARS", ""))
	c := w.call("POST", "/api/invoices", body, s.key).want(201)
	for _, x := range []struct {
		answer
		want any
	}{{a, "responsable_inscripto"}, {c, nil}} {
		said := x.object()["tax_information"].(map[string]any)["issuer_condition"]
		if got := condition(x.text("id"), x.Header().Get("Folio-Position")); said != x.want || got != x.want {
			t.Errorf("before the profile the answer says %v and the record %v, want %v", said, got, x.want)
		}
	}
	out, err := commands.Bind(w.x, invoice.FullDecider).Execute(t.Context(), c.text("id"),
		invoice.CompleteIssuer{Rules: ar.Rules{}, Company: country.Issuer{
			Profile: events.IssuerProfile{TaxCondition: "monotributo"}}}, commands.Request{ID: commands.Derived("complete")})
	check(t, err)
	if got := condition(c.text("id"), out.Position.String()); got != "monotributo" {
		t.Errorf("once the profile completed it the record says %v", got)
	}
}
