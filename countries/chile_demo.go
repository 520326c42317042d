package countries

import (
	"encoding/json"

	"folio/country/cl"
	siisandbox "folio/sandbox/sii"
)

// Invented; their check digits are right.
const (
	demoRUT       = "77111222-6"
	demoRUTHolder = "12345678-5" // certificates are a person's in Chile
)

var demoChileAddress = map[string]string{"country": "CL", "region": "CL-RM", "address": "Av. Matta 1234",
	"phone": "+56 2 2345 6789"}

var demoChile = &Demo{
	Company: map[string]any{
		"legal_name": "Ferretería Araucaria SpA", "tax_identifier": demoRUT, "tax_identifier_name": "RUT",
		"start_activities_date": "2016-08-01", "id_currency": 2,
	},
	Profile: map[string]any{"address": demoChileAddress, cl.FieldGiro: "Venta de artículos de ferretería",
		cl.FieldActeco: "475201",
		cl.FieldComuna: "Santiago", cl.FieldCity: "Santiago", cl.FieldResolutionNumber: "80",
		cl.FieldResolutionDate: "2014-08-22", cl.FieldSIIOffice: "Santiago Centro"},
	Holder: demoRUTHolder,
	Code:   "track id",
	Told:   "A factura of a Chilean company, under a folio of its CAF",
	Numbers: func(dir string) ([]byte, int, error) {
		file, err := makeCAF(dir, siisandbox.CAF{TaxIdentifier: demoRUT, Name: "Ferretería Araucaria SpA", Type: 33, From: 1,
			To: 100})
		return file, 55, err
	},
	Body: demoFactura,
}

// demoFactura is a factura in whole pesos; prices are without IVA.
func demoFactura(day string) ([]byte, error) {
	line := func(quantity, price int, description, code string) map[string]any {
		return map[string]any{"quantity": quantity, "code_unit_of_measure": "u", "unit_price": price, "discount_amount": 0,
			"description": description,
			"code":        map[string]string{"type": "sku", "value": code},
			"taxes":       []map[string]any{{"type": "iva19", "rate": 19, "amount": quantity * price * 19 / 100}}}
	}
	const net = 2*45_000 + 10*1_200
	return json.Marshal(map[string]any{
		"invoice_type": "FAC", "invoice_date": day + " 00:00:00", "concept": "1", "external_reference": "demo",
		"issuer": map[string]any{"legal_name": "Ferretería Araucaria SpA", "document_type": "RUT", "document_number": demoRUT,
			"address": demoChileAddress},
		"recipient": map[string]any{"legal_name": "Constructora Ñuble Ltda.", "document_type": "RUT",
			"document_number": "76192083-9",
			"address":         map[string]string{"country": "CL", "region": "CL-RM", "address": "Los Leones 567", "phone": ""}},
		"additional_header_info": map[string]any{"recipient": map[string]string{"giro": "Construcción",
			"comuna": "Providencia", "city": "Santiago"}},
		"currency":       map[string]any{"code": "CLP", "exchange_rate": 1},
		"payment_method": map[string]string{"code": "CON", "description": "Contado"},
		"items": []map[string]any{line(2, 45_000, "Taladro percutor 13 mm", "TP-13"),
			line(10, 1_200, "Broca para hormigón 8 mm", "BH-08")},
		"totals": map[string]any{"sub_total": net, "discount": 0, "total": net + net*19/100,
			"taxes": []map[string]any{{"type": "iva19", "base_amount": net, "amount": net * 19 / 100}}},
	})
}
