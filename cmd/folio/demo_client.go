package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/folio/client"

	"folio/commands/account"
	"folio/countries"
	"folio/fault"
	"folio/sandbox"
)

// integrator is who the demonstration shows.
type integrator struct {
	client.Client
	access *demoAccess
}

func isExisting(err error) bool {
	f := fault.As(err)
	return f != nil && f.Constant == account.ErrExists.Constant
}

// form sends fields and one file.
func (c *integrator) form(ctx context.Context, path string, fields map[string]string, file client.File) error {
	return c.Do(ctx, http.MethodPost, path, client.Form{Fields: fields, Files: []client.File{file}}, nil)
}

// register logs in and makes a company with its key.
func (c *integrator) register(ctx context.Context, company map[string]any) error {
	var err error
	if c.Client, err = c.Login(ctx, c.access.Email, c.access.Password); err != nil {
		return err
	}
	var made struct {
		ID string `json:"id_company"`
	}
	if err := c.Do(ctx, http.MethodPost, "/api/companies", company, &made); err != nil {
		return err
	}
	var key struct {
		Key string `json:"api_key"`
	}
	if err := c.Do(ctx, http.MethodPost, "/api/companies/apikey",
		map[string]string{"id_company": made.ID, "description": "demo"}, &key); err != nil {
		return err
	}
	c.access.Company, c.access.Key, c.Key, c.Token = made.ID, key.Key, key.Key, ""
	return nil
}

// setUp does the steps of the specification: login, company, key, logo, profile and
// certificate.
func (c *integrator) setUp(ctx context.Context, s *service, dir string) error {
	if err := c.register(ctx, demoCompany); err != nil {
		return err
	}
	at := "/api/companies/" + c.access.Company
	if err := c.Do(ctx, http.MethodPut, at+"/fiscal-profile", demoProfile, nil); err != nil {
		return err
	}
	logo, err := demoLogo()
	if err != nil {
		return err
	}
	if err := c.form(ctx, at+"/logo", nil, client.File{Field: "logo", Name: "logo.png", Content: logo}); err != nil {
		return err
	}
	if err := c.uploadCertificate(ctx, s, at, "ar", demoCUIT); err != nil {
		return err
	}
	return c.access.save(dir)
}

func (c *integrator) uploadCertificate(ctx context.Context, s *service, at, country, holder string) error {
	box, err := sandbox.Open(s.flags.sandboxDir(), time.Now, countries.Sandboxes()...)
	if err != nil {
		return err
	}
	const days = 730
	pfx, err := box.IssueCertificate(country,
		sandbox.Certificate{TaxIdentifier: holder, Alias: "demo", Password: c.access.Password, Days: days})
	if err != nil {
		return err
	}
	today := time.Now().UTC()
	return c.form(ctx, at+"/certificates", map[string]string{
		"from_date": today.Format(time.DateOnly), "expiration_date": today.AddDate(0, 0, days).Format(time.DateOnly),
		"password": c.access.Password, "environment": "Production",
	}, client.File{Field: "certificate", Name: "demo.pfx", Content: pfx})
}

// issued is what the demo shows of an invoice.
type issued struct {
	ID            string `json:"id"`
	Number        string `json:"number"`
	InvoiceType   string `json:"invoice_type"`
	Status        string `json:"status"`
	Authorization struct {
		Code string `json:"code"`
	} `json:"electronic_authorization"`
	Totals struct {
		Total json.Number `json:"total"`
	} `json:"totals"`
	Rejection     json.RawMessage `json:"rejection"`
	PendingReason json.RawMessage `json:"pending_reason"`
}

// issue creates an invoice and reads it until the authority has answered.
func (c *integrator) issue(ctx context.Context, key string, body []byte) (issued, error) {
	var inv issued
	if err := c.With("Idempotency-Key", key).Do(ctx, http.MethodPost, "/api/invoices", body, &inv); err != nil {
		return inv, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := c.Do(ctx, http.MethodGet, "/api/invoices/"+inv.ID, nil, &inv); err != nil {
			return inv, err
		}
		switch inv.Status {
		case "Accepted":
			return inv, nil
		case "Rejected":
			return inv, fmt.Errorf("invoice %s was rejected: %s", inv.ID, inv.Rejection)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return inv, fmt.Errorf("invoice %s is still %s: %s", inv.ID, inv.Status, inv.PendingReason)
		}
	}
}

func (c *integrator) download(ctx context.Context, id, file string) error {
	var content []byte
	if err := c.Do(ctx, http.MethodPost, "/api/invoices/"+id+"/download-pdf/A4", nil, &content); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}
