package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"folio/commands/account"
	"folio/countries"
	"folio/fault"
	"folio/sandbox"
)

// client calls the service over HTTP, as any integrator does.
type client struct {
	base   string
	access *demoAccess
	token  string
}

func isExisting(err error) bool {
	f := fault.As(err)
	return f != nil && f.Constant == account.ErrExists.Constant
}

// call sends one request and decodes the answer into out, if that is given.
func (c *client) call(ctx context.Context, method, path, contentType string, body []byte, headers map[string]string, out any) error {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", contentType)
	switch {
	case c.access.Key != "":
		r.Header.Set("x-api-key", c.access.Key)
	case c.token != "":
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(io.LimitReader(answer.Body, 16<<20))
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, content)
	}
	switch out := out.(type) {
	case nil:
		return nil
	case *[]byte:
		*out = content
		return nil
	}
	return json.Unmarshal(content, out)
}

func (c *client) json(ctx context.Context, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return c.call(ctx, method, path, "application/json", body, nil, out)
}

// form sends fields and one file.
func (c *client) form(ctx context.Context, path string, fields map[string]string, name, file string, content []byte) error {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	var errs []error
	for k, v := range fields {
		errs = append(errs, w.WriteField(k, v))
	}
	part, err := w.CreateFormFile(name, file)
	if err != nil {
		return err
	}
	_, err = part.Write(content)
	if err := errors.Join(append(errs, err, w.Close())...); err != nil {
		return err
	}
	return c.call(ctx, http.MethodPost, path, w.FormDataContentType(), b.Bytes(), nil, nil)
}

// register logs in and makes a company with its key.
func (c *client) register(ctx context.Context, company map[string]any) error {
	var login struct {
		Token string `json:"access_token"`
	}
	if err := c.json(ctx, http.MethodPost, "/api/login", map[string]string{"email": c.access.Email, "password": c.access.Password}, &login); err != nil {
		return err
	}
	c.token = login.Token
	var made struct {
		ID string `json:"id_company"`
	}
	if err := c.json(ctx, http.MethodPost, "/api/companies", company, &made); err != nil {
		return err
	}
	var key struct {
		Key string `json:"api_key"`
	}
	if err := c.json(ctx, http.MethodPost, "/api/companies/apikey", map[string]string{"id_company": made.ID, "description": "demo"}, &key); err != nil {
		return err
	}
	c.access.Company, c.access.Key = made.ID, key.Key
	return nil
}

// setUp does the steps of the specification: login, company, key, logo, profile and
// certificate.
func (c *client) setUp(ctx context.Context, s *service, dir string) error {
	if err := c.register(ctx, demoCompany); err != nil {
		return err
	}
	at := "/api/companies/" + c.access.Company
	if err := c.json(ctx, http.MethodPut, at+"/fiscal-profile", demoProfile, nil); err != nil {
		return err
	}
	logo, err := demoLogo()
	if err != nil {
		return err
	}
	if err := c.form(ctx, at+"/logo", nil, "logo", "logo.png", logo); err != nil {
		return err
	}
	if err := c.uploadCertificate(ctx, s, at, "ar", demoCUIT); err != nil {
		return err
	}
	return c.access.save(dir)
}

func (c *client) uploadCertificate(ctx context.Context, s *service, at, country, holder string) error {
	box, err := sandbox.Open(s.flags.sandboxDir(), time.Now, countries.Sandboxes()...)
	if err != nil {
		return err
	}
	const days = 730
	pfx, err := box.IssueCertificate(country, sandbox.Certificate{TaxIdentifier: holder, Alias: "demo", Password: c.access.Password, Days: days})
	if err != nil {
		return err
	}
	today := time.Now().UTC()
	return c.form(ctx, at+"/certificates", map[string]string{
		"from_date": today.Format(time.DateOnly), "expiration_date": today.AddDate(0, 0, days).Format(time.DateOnly),
		"password": c.access.Password, "environment": "Production",
	}, "certificate", "demo.pfx", pfx)
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
func (c *client) issue(ctx context.Context, key string, body []byte) (issued, error) {
	var inv issued
	if err := c.call(ctx, http.MethodPost, "/api/invoices", "application/json", body, map[string]string{"Idempotency-Key": key}, &inv); err != nil {
		return inv, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := c.call(ctx, http.MethodGet, "/api/invoices/"+inv.ID, "application/json", nil, nil, &inv); err != nil {
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

func (c *client) download(ctx context.Context, id, file string) error {
	var content []byte
	if err := c.call(ctx, http.MethodPost, "/api/invoices/"+id+"/download-pdf/A4", "application/json", nil, nil, &content); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}
