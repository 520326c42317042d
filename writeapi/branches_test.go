package writeapi_test

import (
	"fmt"
	"strings"
	"testing"

	"folio/country/cl"
)

func TestABranchIsSetReadAndListed(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/branches"
	body := `{"number":5,"address":{"country":"AR","region":"AR-X","address":"Bv. San Juan 870","phone":"351"},"start_activities_date":"2021-05-01"}`
	set := w.call("PUT", path+"/5", body, s.key).want(200)
	if read := w.call("GET", path+"/5", "", s.key).want(200); read.Body.String() != set.Body.String() {
		t.Errorf("set\n%s\nread\n%s", set.Body, read.Body)
	}
	before := w.log.Count("company-")
	w.call("PUT", path+"/5", set.Body.String(), s.key).want(200) // what a read answers may be sent again
	if n := w.log.Count("company-"); n != before {
		t.Error("the same branch again was recorded")
	}
	w.call("PUT", path+"/2", `{"address":{"address":"Otra 1"}}`, s.key).want(200)
	if list := w.call("GET", path+"?per_page=1&page=2", "", s.key).want(200); !strings.Contains(list.Body.String(),
		`"total_results":2`) || !strings.Contains(list.Body.String(), `"number":5`) {
		t.Errorf("%s", list.Body)
	}
	w.call("GET", path+"/9", "", s.key).fails(404, "BRANCH_NOT_FOUND")
	for _, number := range []string{"0", "-1", "05", "99999", "x"} {
		w.call("PUT", path+"/"+number, `{"address":{"address":"Otra 1"}}`, s.key).fails(422, "VALIDATION_FAILED",
			"number BAD_BRANCH")
	}
	w.call("PUT", path+"/5", `{"number":6,"address":{"phone":"1"},"comuna":"Arica"}`, s.key).
		fails(422, "VALIDATION_FAILED", "number BAD_BRANCH", "address.address REQUIRED", "comuna UNKNOWN_FIELD")
	for address, faults := range map[string][]string{
		`{"address":"Prat 5","country":"CL","region":"CL-RM"}`: {"address.country AR-ADDRESS-01",
			"address.region AR-ADDRESS-02"},
		`{"address":"Prat 5","region":"CL-RM"}`: {"address.region AR-ADDRESS-02"},
		`{"address":"Prat 5","country":"ar"}`:   {"address.country AR-ADDRESS-01"},
		`{"address":"Prat 5","region":"AR-O"}`:  {"address.region AR-ADDRESS-02"},
	} {
		w.call("PUT", path+"/5", `{"address":`+address+`}`, s.key).fails(422, "VALIDATION_FAILED", faults...)
		w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile", `{"address":`+address+`}`, s.key).
			fails(422, "VALIDATION_FAILED", faults...)
	}
	w.call("PUT", path+"/5", body, w.company().key).fails(403, "OTHER_COMPANY")
}

func TestAnInvoiceOfABranchStatesTheBranch(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	at := "/api/companies/" + s.id
	w.call("PUT", at+"/fiscal-profile", `{"address":{"country":"AR","region":"AR-C","address":"Av. Corrientes 1234"},"tax_condition":"responsable_inscripto"}`, s.key).want(200)
	w.call("PUT", at+"/branches/5", `{"address":{"country":"AR","region":"AR-X","address":"Bv. San Juan 870"},"start_activities_date":"2021-05-01"}`, s.key).want(200)
	for _, changes := range [][]string{{"branch_office", "5", "issuer", ""},
		{"branch_office", "", "issuer.branch", "5", "issuer.address", ""},
		{"branch_office", "", "issuer", `{"branch":5}`},
		{"branch_office", "5", "issuer.branch", "5", "issuer.address", `{"address":"BV. SAN JUAN 870"}`}} {
		a := w.call("POST", "/api/invoices", sample(t, changes...), s.key).want(201)
		issuer := a.object()["issuer"].(map[string]any)
		if got := issuer["address"].(map[string]any); got["address"] != "Bv. San Juan 870" || got["region"] != "AR-X" ||
			fmt.Sprintf("%v %v", issuer["branch"], a.object()["branch_office"]) != "5 5" {
			t.Errorf("%v: %s", changes, a.Body)
		}
	}
	own := w.call("POST", "/api/invoices", sample(t, "branch_office", "7", "issuer", ""), s.key).want(201)
	if issuer := own.object()["issuer"].(map[string]any); issuer["branch"] != nil ||
		issuer["address"].(map[string]any)["address"] != "Av. Corrientes 1234" {
		t.Errorf("%s", own.Body)
	}
	w.call("POST", "/api/invoices", sample(t, "branch_office", "5", "issuer.branch", "6", "issuer.address", ""),
		s.key).fails(422, "VALIDATION_FAILED", "issuer.branch BRANCHES_DIFFER")
	w.call("POST", "/api/invoices", sample(t, "branch_office", "", "issuer.branch", "6", "issuer.address", ""),
		s.key).fails(422, "VALIDATION_FAILED", "issuer.branch BRANCH_UNKNOWN")
	w.call("POST", "/api/invoices", sample(t, "branch_office", "5", "issuer.address", `{"address":"Av. Corrientes 1234"}`),
		s.key).
		fails(422, "VALIDATION_FAILED", "issuer.address.address AR-ISSUER-04")
}

// What a read answers is taken by a write, also of the members that one country knows.
func TestAProfileThatWasReadCanBeSent(t *testing.T) {
	w := newWorldOf(t, cl.Rules{})
	id := w.call("POST", "/api/companies", `{"legal_name":"Comercial SpA","tax_identifier":"77111222-6","tax_identifier_name":"RUT","id_currency":1}`, ana).want(201).text("id_company")
	key := "x-api-key: " + w.call("POST", "/api/companies/apikey", `{"id_company":"`+id+`","description":"Tienda"}`,
		ana).want(201).text("api_key")
	path := "/api/companies/" + id + "/fiscal-profile"
	empty := w.call("GET", path, "", key).want(200)
	w.call("PUT", path, empty.Body.String(), key).want(200)
	set := w.call("PUT", path, `{"address":{"address":"Alameda 1"},"giro":"Pan","comuna":"Arica","acteco":"475201"}`,
		key).want(200)
	if got := set.object(); got["giro"] != "Pan" || got["comuna"] != "Arica" {
		t.Errorf("%s", set.Body)
	}
	read := w.call("GET", path, "", key).want(200)
	if again := w.call("PUT", path, read.Body.String(), key).want(200); again.Body.String() != set.Body.String() {
		t.Errorf("sent again it is\n%s\nfirst it was\n%s", again.Body, set.Body)
	}
	w.call("PUT", "/api/companies/"+id+"/branches/17", `{"address":{"address":"Prat 5"}}`, key).fails(422,
		"VALIDATION_FAILED", "comuna REQUIRED")
	branch := w.call("PUT", "/api/companies/"+id+"/branches/123456789",
		`{"address":{"address":"Prat 5"},"comuna":"Arica","branch":"Norte"}`, key).want(200)
	if got := branch.object(); got["comuna"] != "Arica" || fmt.Sprint(got["number"]) != "123456789" {
		t.Errorf("%s", branch.Body)
	}
}
