package readapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"folio/events"
)

func company(account, id string) given {
	return given{Stream: "company-" + id, Event: events.CompanyRegistered{Company: id, Account: account, Country: "AR",
		LegalName:     "Molinos " + id,
		TaxIdentifier: "30500010912", TaxIdentifierName: "CUIT", StartActivitiesDate: "1999-03-01", Currency: 1}}
}

func certificate(company, id, environment, to string) given {
	return given{Stream: "company-" + company,
		Event: events.CertificateUploaded{Certificate: id, Environment: environment, SerialNumber: "4f2a",
			Subject: "CN=folio", Issuer: "CN=Computadores", ValidFrom: "2026-01-01T00:00:00Z", ValidTo: to + "T00:00:00Z",
			Fingerprint: "fp", Secret: "company/x/certificate/y"}}
}

func TestACompanyAsItIsSeen(t *testing.T) {
	profile := events.FiscalProfile{Address: events.Address{Country: "AR", Region: "AR-C", Address: "Av. Corrientes 1234"},
		TaxCondition: "responsable_inscripto"}
	w := newWorld(t, company("A1", "C1"), company("A2", "C2"), certificate("C1", "E1", "Testing", "2026-11-27"),
		given{Stream: "company-C1", Event: events.FiscalProfileSet{Profile: profile}},
		given{Stream: "company-C1", Event: events.LogoUploaded{SHA256: "sha", Width: 640, Height: 240}})
	var c struct {
		ID           string `json:"id_company"`
		Country      string
		Certificates []struct{ ID, Environment string }
		Profile      struct {
			TaxCondition string  `json:"tax_condition"`
			Gross        *string `json:"gross_income_number"`
			Address      events.Address
		} `json:"fiscal_profile"`
		Logo  struct{ Width int }
		Steps []struct{ Code, Message string } `json:"pending_steps"`
	}
	for _, credential := range []string{ana, key1} {
		seen := w.get("/api/companies/C1", credential).want(200)
		seen.into(&c)
		if c.ID != "C1" || c.Country != "AR" || len(c.Certificates) != 1 ||
			c.Profile.TaxCondition != "responsable_inscripto" ||
			c.Profile.Gross != nil || c.Profile.Address.Region != "AR-C" || c.Logo.Width != 640 {
			t.Errorf("%s", seen.Body)
		}
		if strings.Contains(seen.Body.String(), "certificate/y") {
			t.Errorf("the reference into the vault is shown: %s", seen.Body)
		}
		// Its only certificate ended today.
		if len(c.Steps) != 1 || c.Steps[0].Code != "CERTIFICATE" ||
			!strings.Contains(c.Steps[0].Message, "/api/companies/C1/certificates") {
			t.Errorf("steps: %+v", c.Steps)
		}
	}
	const step = "Suba un certificado vigente hoy con POST /api/companies/C1/certificates."
	if w.get("/api/companies/C1", key1, "Accept-Language: es").want(200).into(&c); c.Steps[0].Message != step {
		t.Errorf("in Spanish: %+v", c.Steps)
	}
	if all := w.get("/api/companies", ana, "Accept-Language: es").want(200); !strings.Contains(all.Body.String(), step) {
		t.Errorf("the list in Spanish: %s", all.Body)
	}
	w.get("/api/companies/C1", key2).fails(403, "OTHER_COMPANY")
	w.get("/api/companies/C1", bob).fails(404, "COMPANY_NOT_FOUND")
	w.get("/api/companies/C9", ana).fails(404, "COMPANY_NOT_FOUND")
	w.get("/api/companies/%24all", ana).fails(404, "COMPANY_NOT_FOUND")
	w.get("/api/companies/C1").fails(401, "CREDENTIAL_REQUIRED")
	// A key beside a token is the one that counts.
	w.get("/api/companies/C1", ana, key2).fails(403, "OTHER_COMPANY")
	w.late = true
	w.get("/api/companies/C1", ana, "Folio-Min-Position: C:9/P:9").fails(503, "POSITION_NOT_REACHED")
}

func TestTheFiscalProfileBeforeItIsSet(t *testing.T) {
	w := newWorld(t, company("A1", "C1"))
	var p map[string]json.RawMessage
	w.get("/api/companies/C1/fiscal-profile", key1).want(200).into(&p)
	if string(p["tax_condition"]) != "null" || string(p["gross_income_number"]) != "null" || p["address"] == nil {
		t.Errorf("%s", p)
	}
}

func TestCompaniesOfAnAccount(t *testing.T) {
	var all []given
	for i := range 12 {
		all = append(all, company("A1", fmt.Sprintf("C%02d", i)))
	}
	w := newWorld(t, append(all, company("A2", "X"))...)
	p := w.page("/api/companies?per_page=5&page=3", ana)
	if ids := p.ids(t, "id_company"); !slices.Equal(ids, []string{"C01", "C00"}) || p.TotalResults != 12 ||
		p.TotalPages != 3 {
		t.Errorf("%v, %+v", ids, p)
	}
	w.get("/api/companies?page=0&x=1", ana).fails(422, "VALIDATION_FAILED", "page OUT_OF_RANGE", "x UNKNOWN_FIELD")
	w.get("/api/companies", key1).fails(401, "BEARER_REQUIRED")
	w.asked = nil
	w.get("/api/companies", ana, "Folio-Min-Position: C:9/P:9").want(200)
	if !slices.Equal(w.asked, []string{"companies C:9/P:9"}) {
		t.Errorf("waited for %v", w.asked)
	}
}

func TestKeysOfACompany(t *testing.T) {
	issued := func(company, key string) given {
		return given{Stream: "apikey-" + key, Event: events.APIKeyIssued{Key: key, Company: company, Account: "A1",
			Description: "Tienda", SHA256: strings.Repeat("ab", 32)}}
	}
	w := newWorld(t, company("A1", "C1"), issued("C1", "K1"), issued("C1", "K2"), issued("C1", "K3"), issued("C2", "K4"),
		given{Stream: "apikey-K1", Event: events.APIKeyRevoked{}})
	p := w.page("/api/companies/C1/apikeys", ana)
	if ids := p.ids(t, "key_id"); !slices.Equal(ids, []string{"K3", "K2"}) || p.TotalResults != 2 {
		t.Errorf("%v of %d", ids, p.TotalResults)
	}
	if row := string(p.Data[1]); !strings.Contains(row, `"last_used_on":"2026-11-26"`) ||
		!strings.Contains(row, `"prefix":"fk_K2"`) || strings.Contains(row, "abab") {
		t.Errorf("%s", row)
	}
	w.get("/api/companies/C1/apikeys", bob).fails(404, "COMPANY_NOT_FOUND")
	w.get("/api/companies/C1/apikeys", key1).fails(401, "BEARER_REQUIRED")
}

func TestCertificatesOfACompany(t *testing.T) {
	w := newWorld(t, company("A1", "C1"), certificate("C1", "E1", "Testing", "2027-01-01"),
		certificate("C1", "E2", "Production", "2028-01-01"), certificate("C2", "E3", "Testing", "2028-01-01"))
	p := w.page("/api/companies/C1/certificates", key1)
	if ids := p.ids(t, "id"); !slices.Equal(ids, []string{"E2", "E1"}) {
		t.Errorf("%v", ids)
	}
	for _, secret := range []string{"secret", "certificate/y"} {
		if strings.Contains(string(p.Data[0]), secret) {
			t.Errorf("%s", p.Data[0])
		}
	}
	w.get("/api/companies/C1/certificates", key2).fails(403, "OTHER_COMPANY")
	w.get("/api/companies/C1/certificates?per_page=x", key1).fails(422, "VALIDATION_FAILED", "per_page NOT_AN_INTEGER")
	w.asked = nil
	w.get("/api/companies/C1/certificates", key1, "Folio-Min-Position: C:9/P:9").want(200)
	if !slices.Contains(w.asked, "certificates C:9/P:9") {
		t.Errorf("a certificate that was just uploaded may be missing: waited for %v", w.asked)
	}
}

func TestCatalogues(t *testing.T) {
	w := newWorld(t)
	var types []struct {
		ID                         int
		Country, InvoiceType, Name string
		Code                       int
	}
	w.get("/api/document-types").want(200).into(&types)
	seen, countries := map[int]bool{}, map[string]int{}
	for _, x := range types {
		countries[x.Country]++
		if seen[x.ID] || x.ID == 0 || x.Code == 0 || x.Name == "" {
			t.Errorf("%+v", x)
		}
		seen[x.ID] = true
	}
	if countries["AR"] < 20 || countries["CL"] < 10 || countries["UY"] < 10 || len(countries) != 3 {
		t.Errorf("document types: %v", countries)
	}
	if body := w.get("/api/document-types?country=ar").want(200).Body.String(); strings.Count(body,
		`"country":"AR"`) != countries["AR"] ||
		strings.Contains(body, `"country":"UY"`) || !strings.Contains(body, `"invoice_type":"FCA"`) {
		t.Errorf("of AR: %s", body)
	}
	if body := w.get("/api/document-types?country=XX").want(200).Body.String(); body != "[]\n" {
		t.Errorf("of a country that is not there: %s", body)
	}
	w.get("/api/document-types?country=Argentina&x=1").fails(422, "VALIDATION_FAILED", "country TOO_LONG",
		"x UNKNOWN_FIELD")

	var currencies []struct {
		ID         int
		Code, Name string
	}
	w.get("/api/currencies").want(200).into(&currencies)
	if len(currencies) < 5 || currencies[0].ID != 1 || currencies[0].Code != "ARS" || currencies[3].Code != "USD" {
		t.Errorf("%+v", currencies)
	}

	var lists map[string][]struct {
		Code, Name string
		Official   string `json:"organization_code"`
	}
	w.get("/api/catalogues/ar").want(200).into(&lists)
	for _, name := range []string{"concepts", "tax_types", "global_tax_types", "tax_conditions", "document_types",
		"units_of_measure",
		"payment_methods", "currencies", "code_types", "contingency_types"} {
		if len(lists[name]) == 0 {
			t.Errorf("%s is empty", name)
		}
		for _, row := range lists[name] {
			if row.Code == "" || row.Name == "" {
				t.Errorf("%s: %+v", name, row)
			}
		}
	}
	w.get("/api/catalogues/ZZ").fails(404, "COUNTRY_NOT_FOUND")
	w.get("/api/catalogues/%FF").fails(404, "COUNTRY_NOT_FOUND")
	w.call("POST", "/api/currencies").fails(405, "METHOD_NOT_ALLOWED")
}
