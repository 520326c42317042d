package e2e

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const hostile = `<script>alert("x")</script><img src=x onerror=alert(1)>&'"`

func TestTheConsole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--retry-base", "50ms"}, unlimited...)...)
	c := issuing(t, p, dir, 71)
	i := c.issue(t, body("FCA", 1, hostile))
	v := newVisitor(t, p.base)
	t.Run("a visitor logs in, in the language of the browser", func(t *testing.T) { consoleLogin(t, v, c) })
	t.Run("every page is there and secured", func(t *testing.T) { consolePages(t, v, c, i) })
	t.Run("a form without its token changes nothing", func(t *testing.T) { consoleForgery(t, v, c) })
	t.Run("faults stand beside their fields", func(t *testing.T) { consoleFaults(t, v, c) })
	t.Run("forms do what they say", func(t *testing.T) { consoleForms(t, v, c) })
	t.Run("a contingency is set, opened and closed", func(t *testing.T) { consoleContingency(t, v, c, dir) })
	t.Run("a document is issued once", func(t *testing.T) { consoleIssue(t, v, c) })
	t.Run("a part of a document is credited", func(t *testing.T) { consoleCredit(t, v, c, i) })
	t.Run("files are taken in with the words of their checks", func(t *testing.T) { consoleFiles(t, v, p, dir) })
	t.Run("another's company is not there", func(t *testing.T) { consoleStranger(t, p, dir, c, i) })
	t.Run("a session ends", func(t *testing.T) { consoleEnd(t, v, c) })
}

func consoleLogin(t *testing.T, v visitor, c company) {
	v.get(t, "/console/c/"+c.id+"/invoices").want(t, 200, "<h1>Log in</h1>", `lang="en"`)
	v.login(t, email, "wrong-"+password).want(t, 401, `role="alert"`, "do not belong together", `value="`+email+`"`)
	in := v.post(t, "/console/login", "/console/login", "email", email, "password", password,
		"back", "/console/c/"+c.id+"/invoices").want(t, 200, "<h1>Invoices</h1>")
	if in.path != "/console/c/"+c.id+"/invoices" {
		t.Errorf("the log-in leads to %s", in.path)
	}
	v.get(t, "/console/language?to=es&back=/console/").want(t, 200, "<h1>Empresas</h1>", `lang="es"`)
	v.get(t, "/console/language?to=en&back=https://evil.example/").want(t, 200, "<h1>Companies</h1>")
}

func consolePages(t *testing.T, v visitor, c company, i invoice) {
	at := "/console/c/" + c.id
	for page, part := range map[string]string{
		"/console/": "Ready to issue", "/console/companies/new": "Legal name", "/console/status": "ARCA",
		at + "/": "Latest documents", at + "/invoices": *i.Number, at + "/invoices/" + i.ID: "Answered by the authority",
		at + "/invoices/new": "New document", at + "/numbering": "Series in use", at + "/contingency": "never counted as away", at + "/webhooks": "callback URL",
		at + "/keys": "New key", at + "/settings": "Fiscal profile", at + "/invoices?status=Rejected": "No document fits",
	} {
		s := v.get(t, page).want(t, 200, `class="sandbox"`, "no document that is issued here has fiscal value")
		if !strings.Contains(strings.ToLower(s.body), strings.ToLower(part)) {
			t.Errorf("%s lacks %q", page, part)
		}
		for name, want := range map[string]string{"Content-Security-Policy": "script-src 'self'", "Cache-Control": "no-store",
			"X-Content-Type-Options": "nosniff"} {
			if !strings.Contains(s.header.Get(name), want) {
				t.Errorf("%s has %s %q", page, name, s.header.Get(name))
			}
		}
		if strings.Contains(s.body, hostile) || strings.Contains(s.body, "onerror=alert(1)>") ||
			strings.Contains(s.body, " style=") {
			t.Errorf("%s has what it was given, or a style, as it is", page)
		}
	}
	for _, page := range []string{at + "/", at + "/invoices", at + "/invoices/" + i.ID} {
		v.get(t, page).want(t, 200, `badge wait">No fiscal value<`)
	}
	pdf := v.get(t, at+"/invoices/"+i.ID+"/pdf").want(t, 200, "%PDF-")
	if pdf.header.Get("Content-Type") != "application/pdf" {
		t.Errorf("the PDF is %s", pdf.header.Get("Content-Type"))
	}
	v.get(t, at+"/invoices/"+i.ID+"/xml").want(t, 404, `class="code">404`)
	call := regexp.MustCompile(at + "/invoices/" + i.ID + "/calls/[0-9a-f]{64}").
		FindString(v.get(t, at+"/invoices/"+i.ID).body)
	said := v.get(t, call).want(t, 200, "Envelope")
	if said.header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		!strings.Contains(said.header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("what was said comes as %v", said.header)
	}
	v.get(t, "/console/nowhere").want(t, 404, "There is no such page")
}

func consoleForgery(t *testing.T, v visitor, c company) {
	at := "/console/c/" + c.id
	rows := func() int { return strings.Count(v.get(t, at+"/keys").body, "/revoke") }
	before := rows()
	for _, token := range []string{"", "x", "AAAA"} {
		v.do(t, http.MethodPost, at+"/keys", "application/x-www-form-urlencoded",
			strings.NewReader("description=forged&csrf="+token)).want(t, 403, "out of date")
	}
	r := must(http.NewRequestWithContext(t.Context(), http.MethodPost, v.base+at+"/keys", strings.NewReader("x=1")))
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	a := must(v.http.Do(r))
	said := string(must(io.ReadAll(a.Body)))
	a.Body.Close()
	if a.StatusCode != http.StatusForbidden || rows() != before ||
		!strings.Contains(said, "comes from another site</h1>") {
		t.Errorf("another site's form: %d %s", a.StatusCode, said)
	}
	other := newVisitor(t, v.base)
	other.do(t, http.MethodPost, "/console/login", "application/x-www-form-urlencoded",
		strings.NewReader(url.Values{"email": {email}, "password": {password}}.Encode())).want(t, 403, "out of date")
}

func consoleFaults(t *testing.T, v visitor, c company) {
	at := "/console/c/" + c.id
	v.post(t, "/console/companies/new", "/console/companies/new", "legal_name", hostile, "tax_identifier", "30-71234567-9",
		"tax_identifier_name", "CUIT", "id_currency:n", "1").want(t, 422, `role="alert"`, `href="#f-tax_identifier"`,
		`id="f-tax_identifier-fault"`, `aria-invalid="true"`, "&lt;script&gt;")
	v.get(t, at+"/invoices?date_from=yesterday").want(t, 422, `id="f-date_from-fault"`, `value="yesterday"`)
	v.get(t, at+"/invoices?date_from=2026-12-01&date_to=2026-11-01").want(t, 422, "before “From”")
	v.post(t, at+"/settings", at+"/settings/profile", "address.country", "AR", "address.region", "AR-C",
		"address.address", "Av. Corrientes 1543", "tax_condition", "responsable_inscripto").want(t, 200, "profile was saved")
	v.upload(t, at+"/settings", at+"/settings/certificate", "certificate", []byte("no certificate"), "from_date",
		"2026-01-01", "expiration_date", "2027-01-01", "environment", "Production").
		want(t, 422, `id="f-certificate-fault"`, "Av.") // the profile's fields stand as they were
	v.post(t, at+"/webhooks", at+"/webhooks", "url", "http://127.0.0.1/x", "events[]", "ISE").
		want(t, 422, `id="f-url-fault"`, "127.0.0.1")
}

func consoleForms(t *testing.T, v visitor, c company) {
	at := "/console/c/" + c.id
	made := v.post(t, "/console/companies/new", "/console/companies/new", "legal_name", hostile, "tax_identifier",
		cuit(72),
		"tax_identifier_name", "CUIT", "id_currency:n", "1", "start_activities_date", "2015-03-01").
		want(t, 200, "Before it can issue", "&lt;script&gt;", "The company was made")
	if strings.Contains(made.body, "<script>alert") {
		t.Error("a hostile name is no text")
	}
	key := v.post(t, at+"/keys", at+"/keys", "description", hostile, "scopes[]", "read").want(t, 201, "fk_")
	secret := regexp.MustCompile(`class="secret">(fk_[^<]+)<`).FindStringSubmatch(key.body)
	if secret == nil || strings.Contains(v.get(t, at+"/keys").body, secret[1]) {
		t.Fatal("a key is shown once, where it was made")
	}
	fresh := company{client: client{base: v.base, key: secret[1]}, id: c.id}
	fresh.want(t, 200, http.MethodGet, "/api/invoices", nil)
	fresh.refused(t, 403, "SCOPE_MISSING", http.MethodPost, "/api/invoices", body("FCA", 1, "x"))
	id := regexp.MustCompile(`/keys/([0-9A-Z]{26})/revoke`).FindStringSubmatch(key.body)
	v.post(t, at+"/keys", at+"/keys/"+id[1]+"/revoke").want(t, 200, "The key was revoked")
	fresh.refused(t, 401, "BAD_CREDENTIAL", http.MethodGet, "/api/invoices", nil)

	hook := v.post(t, at+"/webhooks", at+"/webhooks", "url", "https://shop.example.com/folio", "events[]", "ISE",
		"events[]", "CER", "description", hostile).want(t, 201, "whsec_")
	if strings.Contains(v.get(t, at+"/webhooks").body, "whsec_") {
		t.Error("the secret is shown again")
	}
	base := regexp.MustCompile(at + "/webhooks/[0-9]+").FindString(hook.body)
	v.post(t, at+"/webhooks", base+"/ping").want(t, 200, "PING")
	v.post(t, at+"/webhooks", base+"/replays", "from", "2020-01-01", "to", "2030-01-01", "_count", "1").
		want(t, 200, "deliveries would be sent")
	v.post(t, at+"/webhooks", base+"/secret", "overlap_hours:n", "1").want(t, 200, "whsec_")
	delivery := regexp.MustCompile(base + "/deliveries/[0-9a-f-]{36}").FindString(v.get(t, at+"/webhooks").body)
	v.get(t, delivery).want(t, 200, "Payload", "webhook_id")
	v.post(t, at+"/webhooks", base+"/remove").want(t, 200, "The subscription was removed")
}

func consoleIssue(t *testing.T, v visitor, c company) {
	at := "/console/c/" + c.id + "/invoices/"
	fields := []string{"_key", "pressed-twice", "invoice_type", "FCA", "invoice_date", today, "concept", "1",
		"recipient.document_type", "CUIT", "recipient.document_number", "30500010912", "recipient.legal_name", hostile,
		"recipient.address.address", "Bv. San Juan 870", "recipient.address.region", "AR-X", "items[0].description",
		"Cuaderno",
		"items[0].quantity:n", "2", "items[0].code_unit_of_measure", "u", "items[0].unit_price:n", "100.00",
		"items[0].taxes[0].type", "iva21", "items[1].description", "", "items[1].quantity:n", "", "items[1].unit_price:n", "",
		"external_reference", "console"}
	with := func(more ...string) []string { return append(slices.Clone(fields), more...) }

	v.post(t, at+"new", at+"sums", fields...).want(t, 200, "242.00")
	v.post(t, at+"new", at+"new", with("_add", "1")...).want(t, 200, `id="f-items-2-description"`, `value="Cuaderno"`)
	v.post(t, at+"new", at+"new", with("_remove", "0")...).want(t, 200, `name="items[0].quantity:n"`)
	v.post(t, at+"new", at+"new", with("_check", "1")...).want(t, 200, "Everything was checked", "242.00")
	refused := v.post(t, at+"new", at+"new",
		with("additional_header_info.cbu", "12", "_asked", "additional_header_info.cbu",
			"_issue", "1")...).want(t, 422, `id="f-additional_header_info-cbu`)
	if strings.Contains(refused.body, "<script>alert") {
		t.Error("a hostile name is no text")
	}
	once := v.post(t, at+"new", at+"new", with("_issue", "1")...).want(t, 200, "The document was issued")
	twice := v.post(t, at+"new", at+"new", with("_issue", "1")...).want(t, 200, "The document was issued")
	if once.path != twice.path {
		t.Errorf("a form that was sent twice issued %s and %s", once.path, twice.path)
	}
	v.get(t, at[:len(at)-1]+"?external_reference=console").want(t, 200, "1 document")
}

// A part of an accepted document is credited from its page, and not more than there is.
func consoleCredit(t *testing.T, v visitor, c company, i invoice) {
	at := "/console/c/" + c.id + "/invoices/" + i.ID
	v.get(t, at).want(t, 200, "Credit note", "Issue the credit note")
	v.post(t, at, at+"/credit", "amount:n", "99999999.00").want(t, 409, "242.00 ARS are left to correct")
	v.post(t, at, at+"/credit", "amount:n", "121.00", "reason", "Devolución").
		want(t, 200, "The document was issued", "NCA", "121.00")
}

func consoleFiles(t *testing.T, v visitor, p *process, dir string) {
	c := chilean(t, p, dir)
	at := "/console/c/" + c.id
	v.get(t, at+"/").want(t, 200, "Upload a numbering file")
	v.upload(t, at+"/numbering", at+"/numbering/upload", "file", caf(t, dir, "76086428-5", 33, 1, 50),
		"id_document_type", "55").want(t, 422, `id="f-file-fault"`, "76086428-5")
	v.upload(t, at+"/numbering", at+"/numbering/upload", "file", caf(t, dir, rutIssuer, 33, 1, 50),
		"id_document_type", "55").want(t, 200, "The numbering file was uploaded", "1–50", "Start elsewhere")
	start := regexp.MustCompile(at + "/numbering/[0-9A-Z]{26}/start").FindString(v.get(t, at+"/numbering").body)
	v.post(t, at+"/numbering", start, "enumeration_starts_from:n", "9000").
		want(t, 422, `id="f-enumeration_starts_from-fault"`)
	v.post(t, at+"/numbering", start, "enumeration_starts_from:n", "11").want(t, 200, "first number was set", "40")
	v.upload(t, at+"/settings", at+"/settings/logo", "logo", logo(t)).want(t, 200, "The logo was uploaded", "120 × 40")
	fields := []string{}
	for name, value := range certificateFields(certificateDays) {
		fields = append(fields, name, value)
	}
	v.upload(t, at+"/settings", at+"/settings/certificate", "certificate",
		certificate(t, dir, "cl", rutHolder, certificateDays), fields...).want(t, 200, "The certificate was uploaded")
	v.get(t, at+"/").want(t, 200, "New document")
	consoleGuide(t, v, at+"/invoices/new")
}

// consoleGuide issues a guía, whose members a refusal asks for: one of them is a number.
func consoleGuide(t *testing.T, v visitor, page string) {
	guide := []string{"_key", "guide", "_issue", "1", "invoice_type", "GUI", "invoice_date", today,
		"recipient.document_type", "RUT", "recipient.document_number", "76192083-9", "recipient.legal_name", "Ñuble Ltda.",
		"recipient.address.address", "Los Leones 567", "additional_header_info.recipient.giro", "Construcción",
		"additional_header_info.recipient.comuna", "Providencia", "items[0].description", "Taladro", "items[0].quantity:n", "1",
		"items[0].code_unit_of_measure", "u", "items[0].unit_price:n", "45000", "items[0].taxes[0].type", "iva19"}
	v.post(t, page, page, guide...).want(t, 422, `name="additional_header_info.transfer_type:n"`,
		`name="additional_header_info.transport.plate"`)
	transport := "additional_header_info.transport."
	v.post(t, page, page, append(guide, "additional_header_info.transfer_type:n", "5", transport+"plate", "ABCD12",
		transport+"carrier_rut", "76192083-9", transport+"driver_rut", "12345678-5", transport+"driver_name", "Juan Pérez",
		transport+"address", "Ruta 5", transport+"comuna", "San Bernardo", transport+"departure_at", today+" 14:30:00")...).
		want(t, 200, "The document was issued")
}

func consoleStranger(t *testing.T, p *process, dir string, c company, i invoice) {
	succeed(t, "account", "add", "sol@example.com", "--role", "owner", "--password", password+"sol", "--data", dir)
	sol := newVisitor(t, p.base)
	sol.login(t, "sol@example.com", password+"sol").want(t, 200, "No company yet")
	for _, page := range []string{"/", "/invoices", "/invoices/" + i.ID, "/invoices/" + i.ID + "/pdf", "/numbering",
		"/webhooks",
		"/keys", "/settings", "/invoices/new"} {
		s := sol.get(t, "/console/c/"+c.id+page).want(t, 404)
		if strings.Contains(s.body, *i.Number) || strings.Contains(s.body, "Distribuidora") {
			t.Errorf("%s tells of another's company", page)
		}
	}
	sol.post(t, "/console/", "/console/c/"+c.id+"/keys", "description", "stolen").want(t, 404)
}

func consoleEnd(t *testing.T, v visitor, c company) {
	at := must(url.Parse(v.base + "/console/"))
	cookies := v.http.Jar.Cookies(at)
	var session *http.Cookie
	for _, k := range cookies {
		if k.Name == "folio_session" {
			session = k
		}
	}
	v.post(t, "/console/", "/console/logout").want(t, 200, "<h1>Log in</h1>")
	v.get(t, "/console/").want(t, 200, "<h1>Log in</h1>")
	again := newVisitor(t, v.base)
	again.http.Jar.SetCookies(at, []*http.Cookie{session})
	again.get(t, "/console/").want(t, 200, "<h1>Log in</h1>") // a cookie that was kept opens nothing
	copied := client{base: v.base, token: session.Value}
	copied.refused(t, 401, "BAD_CREDENTIAL", http.MethodGet, "/api/account", nil) // nor does it call the API
	session.Value = "e30.e30.e30"
	again.http.Jar.SetCookies(at, []*http.Cookie{session})
	again.get(t, "/console/c/"+c.id+"/").want(t, 200, "<h1>Log in</h1>")
}
