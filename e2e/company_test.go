package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	api "example.com/folio/client"
)

// cuit is a made-up CUIT with the right check digit; each n has its own.
func cuit(n int) string {
	for ; ; n += 1000 { // a check digit of 10 is not given out
		digits, sum := fmt.Sprintf("30%08d", 60_000_000+n), 0
		for i, weight := range []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2} {
			sum += int(digits[i]-'0') * weight
		}
		if check := (11 - sum%11) % 11; check < 10 {
			return digits + fmt.Sprint(check)
		}
	}
}

// login is a client with a fresh token.
func login(t testing.TB, base, email, password string) client {
	t.Helper()
	a := client{base: base}.want(t, http.StatusOK, http.MethodPost, "/api/login",
		map[string]string{"email": email, "password": password})
	got := decode[struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
	}](t, a)
	if got.TokenType != "Bearer" || got.ExpiresIn != 12*60*60 || got.AccessToken == "" {
		t.Errorf("the login answered %s", a.body)
	}
	return client{base: base, token: got.AccessToken}
}

// company is one that can issue.
type company struct {
	client // with its API key
	id     string
	keyID  string
	cuit   string
}

func (c company) path(rest string) string { return "/api/companies/" + c.id + rest }

func companyBody(cuit string) map[string]any {
	return map[string]any{"legal_name": "Librería del Sur S.R.L.", "tax_identifier": cuit, "tax_identifier_name": "CUIT",
		"start_activities_date": "2015-03-01", "id_currency": 1}
}

// register makes a company and its first key.
func register(t testing.TB, bearer client, cuit string) company {
	t.Helper()
	return registered(t, bearer, cuit, "AR", companyBody(cuit))
}

// registered makes a company by this request, which the service must find to be of a
// nation, and its first key.
func registered(t testing.TB, bearer client, identifier, nation string, body map[string]any) company {
	t.Helper()
	made := decode[struct {
		ID      string `json:"id_company"`
		Country string
	}](t, bearer.want(t, http.StatusCreated, http.MethodPost, "/api/companies", body))
	if made.Country != nation {
		t.Errorf("%s makes a company of %q", identifier, made.Country)
	}
	return withKey(t, bearer, company{id: made.ID, cuit: identifier})
}

func withKey(t testing.TB, bearer client, c company) company {
	t.Helper()
	key := decode[struct {
		Key   string `json:"api_key"`
		KeyID string `json:"key_id"`
	}](t, bearer.want(t, http.StatusCreated, http.MethodPost, "/api/companies/apikey",
		map[string]any{"id_company": c.id, "description": "tests"}))
	c.client, c.keyID = client{base: bearer.base, key: key.Key}, key.KeyID
	return c
}

const certificatePassword = "clave-del-certificado-2207"

// sandboxFile is what a sandbox command writes to --out.
func sandboxFile(t testing.TB, args ...string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out")
	succeed(t, append(append([]string{"sandbox"}, args...), "--out", file)...)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// certificate makes a .pfx file that the sandbox of the data folder trusts.
func certificate(t testing.TB, dir, nation, identifier string, days int) []byte {
	t.Helper()
	return sandboxFile(t, "certificate", "--data", dir, "--country", nation, "--tax-identifier", identifier,
		"--password", certificatePassword, fmt.Sprint("--days=", days))
}

// certify uploads a certificate of the sandbox: the company's own, of Argentina.
func (c company) certify(t testing.TB, dir string) answer {
	t.Helper()
	return c.certifyFor(t, dir, "ar", c.cuit)
}

// certifyFor uploads a certificate of the sandbox that is a holder's.
func (c company) certifyFor(t testing.TB, dir, nation, holder string) answer {
	t.Helper()
	return c.certifyWith(t, certificate(t, dir, nation, holder, certificateDays))
}

// certificateDays is how long the certificates of companies last.
const certificateDays = 365

// certifyWith uploads a certificate file.
func (c company) certifyWith(t testing.TB, file []byte) answer {
	t.Helper()
	form, kind := multipartForm(t, certificateFields(certificateDays), "certificate", file)
	a := c.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, c.path("/certificates"), form)
	unwarned(t, a)
	return a
}

// unwarned wants an uploaded certificate to be told nothing: a sandbox's own, Production
// or a person's, is as it should be.
func unwarned(t testing.TB, a answer) {
	t.Helper()
	got := decode[struct {
		Warnings []string `json:"warnings"`
	}](t, a)
	if len(got.Warnings) != 0 {
		t.Errorf("the sandbox's certificate is warned about: %q", got.Warnings)
	}
}

func certificateFields(days int) map[string]string {
	now := time.Now().UTC()
	return map[string]string{"from_date": now.Format(time.DateOnly),
		"expiration_date": now.AddDate(0, 0, days).Format(time.DateOnly),
		"password":        certificatePassword, "environment": "Production"}
}

// multipartForm is a body of fields and one file, with its content type.
func multipartForm(t testing.TB, fields map[string]string, name string,
	content []byte) (body []byte, contentType string) {
	t.Helper()
	body, contentType, err := api.Form{Fields: fields,
		Files: []api.File{{Field: name, Name: name, Content: content}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return body, contentType
}

func logo(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 120, 40))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// issuing is a company that can issue, on a fresh service or an old one.
func issuing(t testing.TB, p *process, dir string, n int) company {
	t.Helper()
	c := register(t, login(t, p.base, email, password), cuit(n))
	c.certify(t, dir)
	return c
}
