package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// tenant is a company with its API keys.
type tenant struct {
	id, cuit string
	keys     []string
}

// caller sets a service up over HTTP, as an integrator does.
type caller struct{ base, header, credential string }

// setUp makes companies with a certificate each, and keys apart.
func (b *bench) setUp(ctx context.Context, p *process, data string, companies, keys int) ([]tenant, error) {
	c := caller{base: p.address}
	var login struct {
		Token string `json:"access_token"`
	}
	if err := c.json(ctx, "POST", "/api/login", map[string]string{"email": email, "password": password}, &login); err != nil {
		return nil, err
	}
	c.header, c.credential = "Authorization", "Bearer "+login.Token
	out := make([]tenant, companies)
	for i := range out {
		if err := b.company(ctx, c, data, i, keys, &out[i]); err != nil {
			return nil, fmt.Errorf("set up company %d: %w", i, err)
		}
	}
	return out, nil
}

func (b *bench) company(ctx context.Context, c caller, data string, n, keys int, t *tenant) error {
	t.cuit = cuit(n)
	var made struct {
		ID string `json:"id_company"`
	}
	if err := c.json(ctx, "POST", "/api/companies", map[string]any{"legal_name": companyName, "tax_identifier": t.cuit,
		"tax_identifier_name": "CUIT", "start_activities_date": "2015-03-01", "id_currency": 1}, &made); err != nil {
		return err
	}
	t.id = made.ID
	for range keys {
		var key struct {
			Key string `json:"api_key"`
		}
		if err := c.json(ctx, "POST", "/api/companies/apikey", map[string]string{"id_company": t.id, "description": "bench"}, &key); err != nil {
			return err
		}
		t.keys = append(t.keys, key.Key)
	}
	own := caller{c.base, "x-api-key", t.keys[0]}
	profile := map[string]any{"tax_condition": "responsable_inscripto", "gross_income_number": "901-712345-6",
		"address": map[string]string{"country": "AR", "region": "AR-C", "address": "Av. Corrientes 1543", "phone": "+54 11 4371-0000"}}
	if err := own.json(ctx, "PUT", "/api/companies/"+t.id+"/fiscal-profile", profile, nil); err != nil {
		return err
	}
	pfx, err := b.certificate(ctx, data, t.cuit)
	if err != nil {
		return err
	}
	today := time.Now().UTC()
	return own.file(ctx, "/api/companies/"+t.id+"/certificates", map[string]string{
		"from_date": today.Format(time.DateOnly), "expiration_date": today.AddDate(0, 0, 730).Format(time.DateOnly),
		"password": password, "environment": "Production"}, "certificate", pfx)
}

// certificate is one that the sandbox of the data folder trusts.
func (b *bench) certificate(ctx context.Context, data, cuit string) ([]byte, error) {
	file := filepath.Join(b.dir, cuit+".pfx")
	cmd := exec.CommandContext(ctx, b.folio, "sandbox", "certificate", "--data", data, "--country", "ar",
		"--tax-identifier", cuit, "--password", password, "--out", file, "--days", "730")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("make a certificate: %w: %s", err, out)
	}
	return os.ReadFile(file)
}

func (c caller) json(ctx context.Context, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return c.send(ctx, method, path, "application/json", body, out)
}

func (c caller) file(ctx context.Context, path string, fields map[string]string, name string, content []byte) error {
	body, contentType, err := form(name, content, fields)
	if err != nil {
		return err
	}
	return c.send(ctx, "POST", path, contentType, body, nil)
}

func (c caller) send(ctx context.Context, method, path, contentType string, body []byte, out any) error {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", contentType)
	if c.header != "" {
		r.Header.Set(c.header, c.credential)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, content)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(content, out)
}
