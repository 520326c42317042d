package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"folio/country"
)

// demoCountry is the demo's company of a country.
type demoCountry struct {
	rules   country.Rules
	company map[string]any
	profile map[string]any
	holder  string // of the certificate
	told    string // what the demo says before its invoice
	code    string // what the authorization's code is
	// numbers makes a numbering file of the sandbox, to be uploaded under a document type; nil
	// where the authority counts.
	numbers func(sandboxDir string) (file []byte, documentType int, err error)
	// body is the request of its invoice, dated on a day.
	body func(day string) ([]byte, error)
}

// demoOthers are in the order in which the demo shows them.
var demoOthers = []demoCountry{demoChile, demoUruguay}

// issueIn makes the company of another country the first time, with a numbering file,
// and issues its invoice.
func (d demoCountry) issueIn(ctx context.Context, s *service, dir string, a *demoAccess) error {
	code := d.rules.Code()
	own, known := a.Others[code]
	c := client{base: s.address, access: &demoAccess{Email: a.Email, Password: a.Password, Company: own.Company, Key: own.Key}}
	if !known {
		if err := d.setUp(ctx, s, &c); err != nil {
			return err
		}
		own = demoOther{c.access.Company, c.access.Key, time.Now().In(d.rules.Location()).Format(time.DateOnly)}
		if a.Others == nil {
			a.Others = map[string]demoOther{}
		}
		a.Others[code] = own
		if err := a.save(dir); err != nil {
			return err
		}
	}
	body, err := d.body(own.Day)
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
	fmt.Printf("\n%s (SIN VALOR FISCAL):\n  %s %s  %s %s  total %s  %s\n", d.told,
		inv.InvoiceType, inv.Number, d.code, inv.Authorization.Code, inv.Totals.Total, relative(file))
	return nil
}

func (d demoCountry) setUp(ctx context.Context, s *service, c *client) error {
	if err := c.register(ctx, d.company); err != nil {
		return err
	}
	at := "/api/companies/" + c.access.Company
	if err := c.json(ctx, http.MethodPut, at+"/fiscal-profile", d.profile, nil); err != nil {
		return err
	}
	if err := c.uploadCertificate(ctx, s, at, d.rules.Code(), d.holder); err != nil {
		return err
	}
	if d.numbers == nil {
		return nil
	}
	file, kind, err := d.numbers(s.flags.sandboxDir())
	if err != nil {
		return err
	}
	return c.form(ctx, at+"/enumeration/upload", map[string]string{"id_document_type": fmt.Sprint(kind)}, "file", "numbers.xml", file)
}
