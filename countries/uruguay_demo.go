package countries

import (
	"encoding/json"

	"folio/country/uy"
	dgisandbox "folio/sandbox/dgi"
)

// demoRUC is invented; its check digit is right.
const demoRUC = "217111220014"

var demoUruguayAddress = map[string]string{"country": "UY", "region": "UY-MO", "address": "Av. 18 de Julio 1234",
	"phone": "+598 2900 1234"}

var demoUruguay = &Demo{
	Company: map[string]any{
		"legal_name": "Almacén del Prado S.A.", "tax_identifier": demoRUC, "tax_identifier_name": "RUT",
		"start_activities_date": "2017-05-02", "id_currency": 3,
	},
	Profile: map[string]any{"address": demoUruguayAddress, uy.FieldBranchCode: "1", uy.FieldCity: "Montevideo",
		uy.FieldDepartment: "Montevideo",
		uy.FieldTradeName:  "Almacén del Prado", uy.FieldResolution: "1234/2017"},
	Holder: demoRUC,
	Code:   "CAE",
	Told:   "An e-Factura of a Uruguayan company, under a number of its CAE",
	Numbers: func(dir string) ([]byte, int, error) {
		file, err := makeCAE(dir, dgisandbox.CAE{TaxIdentifier: demoRUC, Type: 111, Series: "A", From: 1, To: 100})
		return file, 73, err
	},
	Body: demoEFactura,
}

// demoEFactura is an e-Factura in pesos; prices are without IVA.
func demoEFactura(day string) ([]byte, error) {
	line := func(quantity, price int, description, code, tax string, rate int) map[string]any {
		return map[string]any{"quantity": quantity, "code_unit_of_measure": "u", "unit_price": price, "discount_amount": 0,
			"description": description,
			"code":        map[string]string{"type": "sku", "value": code},
			"taxes":       []map[string]any{{"type": tax, "rate": rate, "amount": quantity * price * rate / 100}}}
	}
	const basic, minimum = 4 * 1_250, 10 * 300
	return json.Marshal(map[string]any{
		"invoice_type": "EFA", "invoice_date": day + " 00:00:00", "concept": "1", "external_reference": "demo",
		"issuer": map[string]any{"legal_name": "Almacén del Prado S.A.", "document_type": "RUT", "document_number": demoRUC,
			"address": demoUruguayAddress},
		"recipient": map[string]any{"legal_name": "Cooperativa Ñandubay", "document_type": "RUT",
			"document_number": "219999830019",
			"address":         map[string]string{"country": "UY", "region": "UY-CA", "address": "Ruta 5 km 48", "phone": ""}},
		"additional_header_info": map[string]any{"recipient": map[string]string{"city": "Canelones",
			"department": "Canelones"}},
		"currency":       map[string]any{"code": "UYU", "exchange_rate": 1},
		"payment_method": map[string]string{"code": "CON", "description": "Contado"},
		"items": []map[string]any{line(4, 1_250, "Aceite de oliva 5 l", "AO-5", "iva22", 22),
			line(10, 300, "Arroz 5 kg", "AR-5", "iva10", 10)},
		"totals": map[string]any{"sub_total": basic + minimum, "discount": 0,
			"total": basic + basic*22/100 + minimum + minimum*10/100,
			"taxes": []map[string]any{{"type": "iva22", "base_amount": basic, "amount": basic * 22 / 100},
				{"type": "iva10", "base_amount": minimum, "amount": minimum * 10 / 100}}},
	})
}
