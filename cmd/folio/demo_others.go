package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"example.com/folio/client"

	"folio/countries"
)

// issueIn makes the company of another country the first time, with a numbering file,
// and issues its invoice.
func issueIn(ctx context.Context, s *service, of countries.Country, dir string, a *demoAccess) error {
	d, code := of.Demo, of.Rules.Code()
	own, known := a.Others[code]
	c := integrator{client.Client{Base: s.address, Key: own.Key},
		&demoAccess{Email: a.Email, Password: a.Password, Company: own.Company, Key: own.Key}}
	if !known {
		if err := setUp(ctx, s, of, &c); err != nil {
			return err
		}
		own = demoOther{c.access.Company, c.access.Key, time.Now().In(of.Rules.Location()).Format(time.DateOnly)}
		if a.Others == nil {
			a.Others = map[string]demoOther{}
		}
		a.Others[code] = own
		if err := a.save(dir); err != nil {
			return err
		}
	}
	body, err := d.Body(own.Day)
	if err != nil {
		return err
	}
	inv, err := c.issue(ctx, "demo-"+strings.ToLower(code)+"-1", body)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, code+"-"+inv.InvoiceType+"-"+inv.Number+".pdf")
	if err := c.download(ctx, inv.ID, file); err != nil {
		return err
	}
	fmt.Printf("\n%s (SIN VALOR FISCAL):\n  %s %s  %s %s  total %s  %s\n", d.Told,
		inv.InvoiceType, inv.Number, d.Code, inv.Authorization.Code, inv.Totals.Total, relative(file))
	return nil
}

func setUp(ctx context.Context, s *service, of countries.Country, c *integrator) error {
	d := of.Demo
	if err := c.register(ctx, d.Company); err != nil {
		return err
	}
	at := "/api/companies/" + c.access.Company
	if err := c.Do(ctx, http.MethodPut, at+"/fiscal-profile", d.Profile, nil); err != nil {
		return err
	}
	if err := c.uploadCertificate(ctx, s, at, of.Rules.Code(), d.Holder); err != nil {
		return err
	}
	if d.Numbers == nil {
		return nil
	}
	file, kind, err := d.Numbers(s.flags.sandboxDir())
	if err != nil {
		return err
	}
	return c.form(ctx, at+"/enumeration/upload", map[string]string{"id_document_type": fmt.Sprint(kind)},
		client.File{Field: "file", Name: "numbers.xml", Content: file})
}
