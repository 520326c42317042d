package main

import (
	"encoding/json"
	"fmt"
	"time"

	"folio/money"
)

// argentina has one time zone all year.
var argentina = time.FixedZone("-03", -3*60*60)

// cuit is the n-th invented CUIT of a company with its right check digit.
func cuit(n int) string {
	for ; ; n++ {
		digits, sum := fmt.Sprintf("30%08d", 70_000_000+n*7), 0
		for i, weight := range []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2} {
			sum += int(digits[i]-'0') * weight
		}
		if check := (11 - sum%11) % 11; check < 10 {
			return fmt.Sprint(digits, check)
		}
	}
}

// invoiceBody is a create request of n items, as an integrator writes it: with two
// items about 1.6 KB.
func invoiceBody(issuer string, n int) []byte {
	prices := []string{"2850.00", "9600.00", "18400.50", "990.25"}
	subTotal, taxes := money.Zero, money.Zero
	items := make([]map[string]any, n)
	for i := range items {
		quantity, price := money.FromInt(int64(i%5+1)), money.MustParse(prices[i%len(prices)])
		base := quantity.Mul(price).Round(2)
		tax := base.Percent(money.FromInt(21)).Round(2)
		subTotal, taxes = subTotal.Add(base), taxes.Add(tax)
		items[i] = map[string]any{
			"quantity": plain(quantity), "code_unit_of_measure": "u", "unit_price": plain(price), "discount_amount": 0,
			"description": fmt.Sprintf("Cuaderno rayado n.º %d, tapa dura, 96 hojas", i+1),
			"code":        map[string]string{"type": "sku", "value": fmt.Sprintf("LS-%03d", i+1)},
			"taxes":       []map[string]any{{"type": "iva21", "rate": 21, "amount": plain(tax)}},
		}
	}
	address := map[string]string{"country": "AR", "region": "AR-C",
		"address": "Av. Corrientes 1543, Ciudad de Buenos Aires", "phone": "+54 11 4371-0000"}
	body, err := json.Marshal(map[string]any{
		"branch_office": 1, "invoice_type": "FCA", "invoice_date": time.Now().In(argentina).Format(time.DateTime),
		"concept":      "1",
		"observations": "Gracias por su compra.", "external_reference": "OC-2026-001234",
		"issuer": map[string]any{"legal_name": companyName, "document_type": "CUIT", "document_number": issuer,
			"address": address},
		"recipient": map[string]any{"legal_name": "Distribuidora Andina S.A.", "document_type": "CUIT",
			"document_number": "30500010912", "address": address},
		"currency":       map[string]any{"code": "ARS", "exchange_rate": 1},
		"payment_method": map[string]string{"code": "CON", "description": "Contado"},
		"items":          items,
		"totals": map[string]any{"sub_total": plain(subTotal), "discount": 0, "total": plain(subTotal.Add(taxes)),
			"taxes": []map[string]any{{"type": "iva21", "amount": plain(taxes), "base_amount": plain(subTotal)}}},
	})
	if err != nil {
		panic(err) // nothing above can fail to encode
	}
	return body
}

const companyName = "Librería del Sur S.R.L."

// plain is the amount as a JSON number with its own digits.
func plain(d money.Decimal) json.Number { return json.Number(d.String()) }
