package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"folio/money"
)

// demoCUIT is invented; its check digit is right.
const demoCUIT = "30712345671"

var demoCompany = map[string]any{
	"legal_name": "Librería del Sur S.R.L.", "tax_identifier": demoCUIT, "tax_identifier_name": "CUIT",
	"start_activities_date": "2015-03-01", "id_currency": 1,
}

var demoAddress = map[string]string{"country": "AR", "region": "AR-C",
	"address": "Av. Corrientes 1543", "phone": "+54 11 4371-0000"}

var demoProfile = map[string]any{"address": demoAddress, "tax_condition": "responsable_inscripto",
	"gross_income_number": "901-712345-6"}

// demoLine is a line of a demo invoice; price is without tax.
type demoLine struct {
	description, quantity, price, tax, rate string
}

// demoInvoices are an invoice A, an invoice B and one A for services, dated day
// (YYYY-MM-DD). Their sums are computed here as an integrator would.
func demoInvoices(day string) [][]byte {
	company := map[string]any{"legal_name": "Distribuidora Andina S.A.", "document_type": "CUIT",
		"document_number": "30500010912",
		"address": map[string]string{"country": "AR", "region": "AR-X", "address": "Bv. San Juan 870",
			"phone": ""}}
	person := map[string]any{"legal_name": "Ana Núñez", "document_type": "DNI", "document_number": "28765432",
		"address": map[string]string{"country": "AR", "region": "AR-B", "address": "Calle 7 N.º 1234, La Plata", "phone": ""}}
	return [][]byte{
		demoInvoice(day, "FCA", "1", company, []demoLine{
			{"Cuaderno rayado, tapa dura, 96 hojas", "40", "2850.00", "iva21", "21"},
			{"Lapicera de gel azul, caja x 12", "10", "9600.00", "iva21", "21"},
			{"Atlas geográfico escolar", "6", "18400.00", "iva105", "10.5"},
		}),
		demoInvoice(day, "FCB", "1", person, []demoLine{
			{"Rayuela, Julio Cortázar", "1", "15200.00", "exempt", "0"},
			{"Señalador de cuero", "2", "3100.00", "iva21", "21"},
		}),
		demoInvoice(day, "FCA", "3", company, []demoLine{
			{"Taller de encuadernación, mes en curso", "1", "120000.00", "iva21", "21"},
			{"Kit de materiales", "12", "4350.50", "iva21", "21"},
		}),
	}
}

func demoInvoice(day, kind, concept string, recipient map[string]any, lines []demoLine) []byte {
	type sums struct{ base, amount money.Decimal }
	var order []string
	totals, items, subTotal := map[string]sums{}, []map[string]any{}, money.Zero
	for _, l := range lines {
		base := money.MustParse(l.quantity).Mul(money.MustParse(l.price)).Round(2)
		tax := base.Percent(money.MustParse(l.rate)).Round(2)
		if _, seen := totals[l.tax]; !seen {
			order = append(order, l.tax)
		}
		totals[l.tax] = sums{totals[l.tax].base.Add(base), totals[l.tax].amount.Add(tax)}
		subTotal = subTotal.Add(base)
		items = append(items, map[string]any{
			"quantity": number(l.quantity), "code_unit_of_measure": "u", "unit_price": number(l.price), "discount_amount": 0,
			"description": l.description, "code": map[string]string{"type": "sku",
				"value": fmt.Sprintf("LS-%03d", len(items)+1)},
			"taxes": []map[string]any{{"type": l.tax, "rate": number(l.rate), "amount": number(tax.String())}},
		})
	}
	taxes, total := []map[string]any{}, subTotal
	for _, t := range order {
		total = total.Add(totals[t].amount)
		taxes = append(taxes, map[string]any{"type": t, "amount": number(totals[t].amount.String()),
			"base_amount": number(totals[t].base.String())})
	}
	body := map[string]any{
		"branch_office": 1, "invoice_type": kind, "invoice_date": day + " 10:30:00", "concept": concept,
		"observations": "Gracias por su compra.", "external_reference": "demo",
		"issuer": map[string]any{"legal_name": demoCompany["legal_name"], "document_type": "CUIT",
			"document_number": demoCUIT, "address": demoAddress},
		"recipient": recipient, "currency": map[string]any{"code": "ARS", "exchange_rate": 1},
		"payment_method": map[string]string{"code": "CON", "description": "Contado"},
		"items":          items,
		"totals": map[string]any{"sub_total": number(subTotal.String()), "discount": 0, "taxes": taxes,
			"total": number(total.String())},
	}
	if concept != "1" {
		body["payment_due_date"], body["service_start_date"], body["service_end_date"] = day, day+" 00:00:00", day+" 23:59:59"
	}
	out, err := json.Marshal(body)
	if err != nil {
		panic(err) // the data above is constant
	}
	return out
}

func number(text string) json.Number { return json.Number(text) }

// demoLogo draws a sheet with a folded corner.
func demoLogo() ([]byte, error) {
	const width, height, fold = 360, 120, 34
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	ink, paper, shade := color.RGBA{0x1f, 0x3a, 0x5f, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff},
		color.RGBA{0x8f, 0xa8, 0xc4, 0xff}
	for y := range height {
		for x := range width {
			c := paper
			switch inSheet := x >= 8 && x < 98 && y >= 4 && y < 116; {
			case inSheet && x+fold >= 98 && y < 4+fold && (x-(98-fold)) > (y-4):
			case inSheet && x+fold >= 98 && y < 4+fold:
				c = shade
			case inSheet && x > 22 && x < 84 && y > 44 && y%16 < 5 && y < 104:
				c = paper
			case inSheet:
				c = ink
			case x > 122 && x < 350 && (y > 30 && y < 44 || y > 58 && y < 66 && x < 300 || y > 80 && y < 88 && x < 250):
				c = ink
			}
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
