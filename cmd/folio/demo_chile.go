package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"folio/country/cl"
)

// Invented; their check digits are right.
const (
	demoRUT       = "77111222-6"
	demoRUTHolder = "12345678-5" // certificates are a person's in Chile
)

var demoChileCompany = map[string]any{
	"legal_name": "Ferretería Araucaria SpA", "tax_identifier": demoRUT, "tax_identifier_name": "RUT",
	"start_activities_date": "2016-08-01", "id_currency": 2,
}

var demoChileAddress = map[string]string{"country": "CL", "region": "CL-RM", "address": "Av. Matta 1234", "phone": "+56 2 2345 6789"}

var demoChileProfile = map[string]any{"address": demoChileAddress, cl.FieldGiro: "Venta de artículos de ferretería", cl.FieldActeco: "475201",
	cl.FieldComuna: "Santiago", cl.FieldCity: "Santiago", cl.FieldResolutionNumber: "80", cl.FieldResolutionDate: "2014-08-22", cl.FieldSIIOffice: "Santiago Centro"}

// demoChile makes the Chilean company the first time, with a numbering file, and issues
// its factura.
func demoChile(ctx context.Context, s *service, dir string, a *demoAccess) error {
	own, known := a.Others["CL"]
	c := client{base: s.address, access: &demoAccess{Email: a.Email, Password: a.Password, Company: own.Company, Key: own.Key}}
	if !known {
		if err := c.setUpChile(ctx, s); err != nil {
			return err
		}
		own = demoOther{c.access.Company, c.access.Key, time.Now().In(cl.Rules{}.Location()).Format(time.DateOnly)}
		if a.Others == nil {
			a.Others = map[string]demoOther{}
		}
		a.Others["CL"] = own
		if err := a.save(dir); err != nil {
			return err
		}
	}
	body, err := demoFactura(own.Day)
	if err != nil {
		return err
	}
	inv, err := c.issue(ctx, "demo-cl-1", body)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "CL-"+inv.InvoiceType+"-"+inv.Number+".pdf")
	if err := c.download(ctx, inv.ID, file); err != nil {
		return err
	}
	fmt.Printf("\nAnd one of a Chilean company, under a folio of its CAF (SIN VALOR FISCAL):\n  %s %s  track id %s  total %s  %s\n",
		inv.InvoiceType, inv.Number, inv.Authorization.Code, inv.Totals.Total, relative(file))
	return nil
}

func (c *client) setUpChile(ctx context.Context, s *service) error {
	if err := c.register(ctx, demoChileCompany); err != nil {
		return err
	}
	at := "/api/companies/" + c.access.Company
	if err := c.json(ctx, http.MethodPut, at+"/fiscal-profile", demoChileProfile, nil); err != nil {
		return err
	}
	if err := c.uploadCertificate(ctx, s, at, "cl", demoRUTHolder); err != nil {
		return err
	}
	caf, err := makeCAF(s.flags.sandboxDir(), demoRUT, "Ferretería Araucaria SpA", 33, 1, 100, "")
	if err != nil {
		return err
	}
	return c.form(ctx, at+"/enumeration/upload", map[string]string{"id_document_type": "55"}, "file", "caf-33.xml", caf)
}

// demoFactura is a factura in whole pesos; prices are without IVA.
func demoFactura(day string) ([]byte, error) {
	line := func(quantity, price int, description, code string) map[string]any {
		return map[string]any{"quantity": quantity, "code_unit_of_measure": "u", "unit_price": price, "discount_amount": 0, "description": description,
			"code":  map[string]string{"type": "sku", "value": code},
			"taxes": []map[string]any{{"type": "iva19", "rate": 19, "amount": quantity * price * 19 / 100}}}
	}
	const net = 2*45_000 + 10*1_200
	return json.Marshal(map[string]any{
		"invoice_type": "FAC", "invoice_date": day + " 00:00:00", "concept": "1", "external_reference": "demo",
		"issuer": map[string]any{"legal_name": demoChileCompany["legal_name"], "document_type": "RUT", "document_number": demoRUT, "address": demoChileAddress},
		"recipient": map[string]any{"legal_name": "Constructora Ñuble Ltda.", "document_type": "RUT", "document_number": "76192083-9",
			"address": map[string]string{"country": "CL", "region": "CL-RM", "address": "Los Leones 567", "phone": ""}},
		"additional_header_info": map[string]any{"recipient": map[string]string{"giro": "Construcción", "comuna": "Providencia", "city": "Santiago"}},
		"currency":               map[string]any{"code": "CLP", "exchange_rate": 1},
		"payment_method":         map[string]string{"code": "CON", "description": "Contado"},
		"items":                  []map[string]any{line(2, 45_000, "Taladro percutor 13 mm", "TP-13"), line(10, 1_200, "Broca para hormigón 8 mm", "BH-08")},
		"totals": map[string]any{"sub_total": net, "discount": 0, "total": net + net*19/100,
			"taxes": []map[string]any{{"type": "iva19", "base_amount": net, "amount": net * 19 / 100}}},
	})
}
