package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// walk is the way through the specification, in order; later steps stand on earlier ones.
type walk struct {
	dir       string
	p         *process
	authority *spy
	bearer    client
	c         company
	secrets   map[string]string // what no file may hold, by its name
	early     invoice           // created before there was a certificate
	issued    map[string]invoice
}

func TestWalkThroughTheSpecification(t *testing.T) {
	t.Parallel()
	w := &walk{dir: t.TempDir(), issued: map[string]invoice{}, secrets: map[string]string{
		"account password": password, "certificate password": certificatePassword}}
	w.authority = spyOn(t, w.dir)
	w.p = serve(t, w.dir, "--authority-url", w.authority.URL, "--log-level", "debug")
	for _, step := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"an account logs in", w.login},
		{"it makes a company", w.company},
		{"a key is shown once and works at once", w.key},
		{"the company tells its fiscal profile and its logo", w.profile},
		{"an invoice waits for the certificate and says so", w.waits},
		{"it goes on by itself after the upload", w.goesOn},
		{"every kind of document is accepted", w.kinds},
		{"a note refers to its invoice", w.notes},
		{"a read returns what the create gave", w.record},
		{"the three lists are one", w.lists},
		{"lists are filtered", w.filters},
		{"lists are walked by page and by cursor", w.pages},
		{"lists are walked in the order of changes", w.changes},
		{"a document is the same bytes on every way", w.pdfs},
		{"a write names the position that a read may wait for", w.positions},
		{"every answer has its own request id", w.requestIDs},
		{"unknown paths, methods and resources are told apart", w.unknown},
		{"health, readiness and metrics are open", w.operations},
		{"each company has its own numbers and sees only its own", w.strangers},
		{"a revoked key stops at once", w.revoke},
		{"a disabled account's token stops", w.disable},
		{"the catalogues are open", w.catalogues},
		{"history shows every event", w.history},
	} {
		if !t.Run(step.name, step.run) {
			return
		}
	}
	w.p.stop(t)
	t.Run("no secret is left in any file or log line", w.noSecret)
}

func (w *walk) login(t *testing.T) {
	nobody := client{base: w.p.base}
	nobody.refused(t, 401, "LOGIN_FAILED", "POST", "/api/login",
		map[string]string{"email": email, "password": "not-" + password})
	nobody.refused(t, 401, "LOGIN_FAILED", "POST", "/api/login",
		map[string]string{"email": "x" + email, "password": password})
	w.bearer = login(t, w.p.base, strings.ToUpper(email[:1])+email[1:], password)
	w.secrets["bearer token"] = w.bearer.token
	nobody.refused(t, 401, "BEARER_REQUIRED", "POST", "/api/companies", companyBody(cuit(1)))
	nobody.token = w.bearer.token + "x"
	nobody.refused(t, 401, "BAD_CREDENTIAL", "POST", "/api/companies", companyBody(cuit(1)))
}

func (w *walk) company(t *testing.T) {
	id := cuit(1)
	a := w.bearer.want(t, http.StatusCreated, "POST", "/api/companies", companyBody(id[:2]+"-"+id[2:10]+"-"+id[10:]))
	made := decode[companyRecord](t, a)
	if made.Country != "AR" || made.TaxIdentifier != id || made.ID == "" ||
		a.header.Get("Location") != "/api/companies/"+made.ID {
		t.Errorf("the company is %s at %q", a.body, a.header.Get("Location"))
	}
	if got := made.steps(); got != "CERTIFICATE" {
		t.Errorf("pending steps %q, want CERTIFICATE", got)
	}
	read := w.bearer.want(t, http.StatusOK, "GET", "/api/companies/"+made.ID, nil)
	if string(read.body) != string(a.body) {
		t.Errorf("a read differs from the create:\n%s\n%s", read.body, a.body)
	}
	l := get[struct {
		TotalResults int `json:"total_results"`
		Data         []companyRecord
	}](t, w.bearer, "/api/companies")
	if l.TotalResults != 1 || len(l.Data) != 1 || l.Data[0].ID != made.ID {
		t.Errorf("the list of companies is %+v", l)
	}
	w.c = company{id: made.ID, cuit: id}
}

// companyRecord is what the tests read of a company.
type companyRecord struct {
	ID            string `json:"id_company"`
	Country       string
	TaxIdentifier string                  `json:"tax_identifier"`
	PendingSteps  []struct{ Code string } `json:"pending_steps"`
}

func (c companyRecord) steps() string {
	var codes []string
	for _, s := range c.PendingSteps {
		codes = append(codes, s.Code)
	}
	return strings.Join(codes, " ")
}

func (w *walk) key(t *testing.T) {
	w.c = withKey(t, w.bearer, w.c)
	w.secrets["API key"] = w.c.client.key
	w.secrets["secret part of the API key"] = w.c.client.key[len("fk_"+w.c.keyID):]
	if !strings.HasPrefix(w.c.client.key, "fk_"+w.c.keyID) {
		t.Errorf("the key does not start with fk_ and its id %s", w.c.keyID)
	}
	if got := get[companyRecord](t, w.c.client, w.c.path("")); got.ID != w.c.id {
		t.Errorf("the key reads the company %q", got.ID)
	}
	keys := w.bearer.want(t, http.StatusOK, "GET", w.c.path("/apikeys"), nil)
	if !strings.Contains(string(keys.body), w.c.keyID) ||
		strings.Contains(string(keys.body), w.secrets["secret part of the API key"]) {
		t.Errorf("the list of keys is %s", keys.body)
	}
	w.c.refused(t, 401, "BEARER_REQUIRED", "GET", w.c.path("/apikeys"), nil)
}

func (w *walk) profile(t *testing.T) {
	profile := map[string]any{"gross_income_number": "901-712345-6", "tax_condition": nil,
		"address": map[string]any{"country": "AR", "region": "AR-C", "address": "Av. Corrientes 1543",
			"phone": "+54 11 4371-0000"}}
	put := w.c.want(t, http.StatusOK, "PUT", w.c.path("/fiscal-profile"), profile)
	read := w.c.want(t, http.StatusOK, "GET", w.c.path("/fiscal-profile"), nil)
	if string(put.body) != string(read.body) || !strings.Contains(string(read.body), "Av. Corrientes 1543") {
		t.Errorf("the profile reads as %s after %s", read.body, put.body)
	}
	form, kind := multipartForm(t, nil, "logo", logo(t))
	got := decode[struct {
		Width, Height int
		SHA256        string
	}](t, w.c.with("Content-Type", kind).want(t, http.StatusCreated, "POST", w.c.path("/logo"), form))
	if got.Width != 120 || got.Height != 40 || len(got.SHA256) != 64 {
		t.Errorf("the logo is %+v", got)
	}
}

func (w *walk) waits(t *testing.T) {
	a := w.c.want(t, http.StatusCreated, "POST", "/api/invoices", body("FCB", 7, "early"))
	w.early = decode[invoice](t, a)
	if w.early.Status != "Pending" || w.early.Number != nil || w.early.Authorization != nil ||
		a.header.Get("Location") != "/api/invoices/"+w.early.ID {
		t.Errorf("the new invoice is %s", a.body)
	}
	eventually(t, verdictLimit, "the reason is shown", func() (string, bool) {
		i := w.c.read(t, w.early.ID)
		return i.String(), i.Status == "Pending" && i.PendingReason != nil && i.PendingReason.Code == "NO_CERTIFICATE" &&
			i.PendingReason.Message != ""
	})
	w.c.want(t, http.StatusAccepted, "POST", "/api/invoices/"+w.early.ID+"/process", nil)
	for _, method := range []string{"GET", "POST"} {
		for _, path := range pdfPaths {
			w.c.refused(t, 409, "INVOICE_NOT_ACCEPTED", method, "/api/invoices/"+w.early.ID+path, nil)
		}
	}
}

func (w *walk) goesOn(t *testing.T) {
	a := w.c.certify(t, w.dir)
	got := decode[struct {
		ID, Environment, Fingerprint string
		SerialNumber                 string `json:"serial_number"`
		Warnings                     []string
	}](t, a)
	if got.ID == "" || got.Environment != "Production" || len(got.Fingerprint) != 64 || got.SerialNumber == "" ||
		strings.Contains(fmt.Sprint(got.Warnings), "belongs to") {
		t.Errorf("the certificate is %s", a.body)
	}
	i := w.c.accepted(t, w.early.ID)
	if i.PendingReason != nil || *i.Number != "0007-00000001" {
		t.Errorf("it was accepted as %s", i)
	}
	if steps := get[companyRecord](t, w.c.client, w.c.path("")).steps(); steps != "" {
		t.Errorf("pending steps %q, want none", steps)
	}
}

func (w *walk) strangers(t *testing.T) {
	other := register(t, w.bearer, cuit(2))
	other.certify(t, w.dir)
	if i := other.issue(t, body("FCA", 1, "theirs")); *i.Number != "0001-00000001" {
		t.Errorf("the other company starts at %s", i)
	}
	id := w.issued["FCA"].ID
	other.refused(t, 404, "INVOICE_NOT_FOUND", "GET", "/api/invoices/"+id, nil)
	other.refused(t, 404, "INVOICE_NOT_FOUND", "POST", "/api/invoices/"+id+"/download-pdf/A4", nil)
	other.refused(t, 404, "INVOICE_NOT_FOUND", "POST", "/api/invoices/"+id+"/process", nil)
	other.refused(t, 403, "OTHER_COMPANY", "GET", w.c.path(""), nil)
	other.refused(t, 403, "OTHER_COMPANY", "PUT", w.c.path("/fiscal-profile"), map[string]any{})
	if l := get[list](t, other.client, "/api/invoices"); l.TotalResults != 1 || l.Data[0].Company != other.id {
		t.Errorf("the other company's list is %+v", l)
	}
	note := body("NCA", 1, "")
	note["billing_reference"] = []map[string]any{{"invoice_id": id}}
	p := other.refused(t, 422, "VALIDATION_FAILED", "POST", "/api/invoices", note)
	if len(p.Errors) != 1 || p.Errors[0].Path != "billing_reference[0].invoice_id" {
		t.Errorf("a note on a stranger's invoice: %+v", p.Errors)
	}
}

func (w *walk) revoke(t *testing.T) {
	doomed := withKey(t, w.bearer, w.c)
	get[list](t, doomed.client, "/api/invoices?per_page=1")
	path := w.c.path("/apikeys/" + doomed.keyID)
	w.bearer.want(t, http.StatusNoContent, "DELETE", path, nil)
	doomed.refused(t, 401, "BAD_CREDENTIAL", "GET", "/api/invoices?per_page=1", nil)
	doomed.refused(t, 401, "BAD_CREDENTIAL", "POST", "/api/invoices", body("FCB", 1, "revoked"))
	keys := get[struct {
		Data []struct {
			KeyID      string  `json:"key_id"`
			LastUsedOn *string `json:"last_used_on"`
		}
	}](t, w.bearer, w.c.path("/apikeys"))
	if len(keys.Data) != 1 || keys.Data[0].KeyID != w.c.keyID || keys.Data[0].LastUsedOn == nil {
		t.Errorf("the keys left are %+v", keys.Data)
	}
	get[list](t, w.c.client, "/api/invoices?per_page=1")
}

func (w *walk) disable(t *testing.T) {
	const second, secret = "beto@folio.example", "otra-clave-larga-9973"
	w.secrets["second password"] = secret
	succeed(t, "account", "add", second, "--password", secret, "--data", w.dir)
	bearer := login(t, w.p.base, second, secret)
	w.secrets["second token"] = bearer.token
	own := register(t, bearer, cuit(3))
	bearer.refused(t, 404, "COMPANY_NOT_FOUND", "GET", w.c.path(""), nil)
	bearer.refused(t, 404, "COMPANY_NOT_FOUND", "POST", "/api/companies/apikey", map[string]any{"id_company": w.c.id})
	bearer.refused(t, 404, "COMPANY_NOT_FOUND", "DELETE", w.c.path("/apikeys/"+w.c.keyID), nil)
	w.secrets["second API key"] = own.client.key
	succeed(t, "account", "disable", second, "--data", w.dir)
	// Another process recorded it: the news take the time of a subscription.
	eventually(t, startLimit, "the token stops", func() (string, bool) {
		a := must(bearer.send("GET", "/api/companies", nil))
		return string(a.body), a.status == http.StatusUnauthorized
	})
	client{base: w.p.base}.refused(t, 401, "LOGIN_FAILED", "POST", "/api/login",
		map[string]string{"email": second, "password": secret})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (w *walk) history(t *testing.T) {
	out := succeed(t, "history", "--json", "--calls", w.issued["FCA"].ID, "--data", w.dir)
	var types []string
	for l := range strings.Lines(out) {
		var e struct{ Type string }
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			t.Fatalf("%v in %s", err, l)
		}
		types = append(types, e.Type)
	}
	const want = "InvoiceCreated SubmissionOpened SubmissionStarted SubmissionSettled NumberAssigned AuthorityAccepted " +
		"NoteReserved NoteCounted InvoiceCancelled"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("history has %s, want %s", got, want)
	}
	calls := succeed(t, "history", "--calls", w.issued["FCA"].ID, "--data", w.dir)
	if !strings.Contains(calls, "FECAESolicitar") || !strings.Contains(calls, "<CAE>"+w.issued["FCA"].Authorization.Code) {
		t.Errorf("the calls are not shown:\n%s", calls)
	}
	w.noSecretIn(t, "history", []byte(out+calls))
}
