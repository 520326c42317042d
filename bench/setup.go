package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"example.com/folio/client"
)

// tenant is a company with its API keys.
type tenant struct {
	id, cuit string
	keys     []string
}

// setUp makes companies with a certificate each, and keys apart.
func (b *bench) setUp(ctx context.Context, p *process, data string, companies, keys int) ([]tenant, error) {
	c := client.Client{Base: p.address}
	c, err := c.Login(ctx, email, password)
	if err != nil {
		return nil, err
	}
	out := make([]tenant, companies)
	for i := range out {
		out[i].cuit = cuit(i)
		if err := b.company(ctx, c, data, keys, &out[i]); err != nil {
			return nil, fmt.Errorf("set up company %d: %w", i, err)
		}
	}
	return out, nil
}

// company makes the one with the tenant's CUIT.
func (b *bench) company(ctx context.Context, c client.Client, data string, keys int, t *tenant) error {
	var made struct {
		ID string `json:"id_company"`
	}
	if err := c.Do(ctx, "POST", "/api/companies", map[string]any{"legal_name": companyName, "tax_identifier": t.cuit,
		"tax_identifier_name": "CUIT", "start_activities_date": "2015-03-01", "id_currency": 1}, &made); err != nil {
		return err
	}
	t.id = made.ID
	for range keys {
		var key struct {
			Key string `json:"api_key"`
		}
		if err := c.Do(ctx, "POST", "/api/companies/apikey", map[string]string{"id_company": t.id, "description": "bench"},
			&key); err != nil {
			return err
		}
		t.keys = append(t.keys, key.Key)
	}
	own := client.Client{Base: c.Base, Key: t.keys[0]}
	profile := map[string]any{"tax_condition": "responsable_inscripto", "gross_income_number": "901-712345-6",
		"address": map[string]string{"country": "AR", "region": "AR-C",
			"address": "Av. Corrientes 1543, Ciudad de Buenos Aires",
			"phone":   "+54 11 4371-0000"}}
	if err := own.Do(ctx, "PUT", "/api/companies/"+t.id+"/fiscal-profile", profile, nil); err != nil {
		return err
	}
	pfx, err := b.certificate(ctx, data, t.cuit)
	if err != nil {
		return err
	}
	today := time.Now().UTC()
	return own.Do(ctx, "POST", "/api/companies/"+t.id+"/certificates", client.Form{Fields: map[string]string{
		"from_date": today.Format(time.DateOnly), "expiration_date": today.AddDate(0, 0, 730).Format(time.DateOnly),
		"password": password, "environment": "Production"},
		Files: []client.File{{Field: "certificate", Name: "certificate.pfx", Content: pfx}}}, nil)
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
