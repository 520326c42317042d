package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
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
	a := client{base: base}.want(t, http.StatusOK, http.MethodPost, "/api/login", map[string]string{"email": email, "password": password})
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
	made := decode[struct {
		ID string `json:"id_company"`
	}](t, bearer.want(t, http.StatusCreated, http.MethodPost, "/api/companies", companyBody(cuit)))
	return withKey(t, bearer, company{id: made.ID, cuit: cuit})
}

func withKey(t testing.TB, bearer client, c company) company {
	t.Helper()
	key := decode[struct {
		Key   string `json:"api_key"`
		KeyID string `json:"key_id"`
	}](t, bearer.want(t, http.StatusCreated, http.MethodPost, "/api/companies/apikey", map[string]any{"id_company": c.id, "description": "tests"}))
	c.client, c.keyID = client{base: bearer.base, key: key.Key}, key.KeyID
	return c
}

const certificatePassword = "clave-del-certificado-2207"

// certificate makes a .pfx file that the sandbox of the data folder trusts.
func certificate(t testing.TB, dir, cuit string, days int) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "test.pfx")
	succeed(t, "sandbox", "certificate", "--data", dir, "--country", "ar", "--tax-identifier", cuit,
		"--password", certificatePassword, "--out", file, "--days="+fmt.Sprint(days))
	pfx, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return pfx
}

// certify uploads a certificate.
func (c company) certify(t testing.TB, dir string) answer {
	t.Helper()
	const days = 365
	form, kind := multipartForm(t, certificateFields(days), "certificate", certificate(t, dir, c.cuit, days))
	return c.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, c.path("/certificates"), form)
}

func certificateFields(days int) map[string]string {
	now := time.Now().UTC()
	return map[string]string{"from_date": now.Format(time.DateOnly), "expiration_date": now.AddDate(0, 0, days).Format(time.DateOnly),
		"password": certificatePassword, "environment": "Production"}
}

// multipartForm is a body of fields and one file, with its content type.
func multipartForm(t testing.TB, fields map[string]string, name string, content []byte) (body []byte, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range fields {
		if err := w.WriteField(k, v); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile(name, name+".bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), w.FormDataContentType()
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
