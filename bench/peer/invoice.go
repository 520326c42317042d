package main

import "encoding/json"

type tax struct {
	Type   string  `json:"type"`
	Rate   float64 `json:"rate"`
	Base   float64 `json:"base_amount"`
	Amount float64 `json:"amount"`
}

type item struct {
	Quantity    float64         `json:"quantity"`
	Unit        string          `json:"code_unit_of_measure"`
	UnitPrice   float64         `json:"unit_price"`
	Discount    float64         `json:"discount_amount"`
	Description string          `json:"description"`
	Code        json.RawMessage `json:"code"`
	Taxes       []tax           `json:"taxes"`
}

type totals struct {
	Sub      float64 `json:"sub_total"`
	Discount float64 `json:"discount"`
	Taxes    []tax   `json:"taxes"`
	Total    float64 `json:"total"`
}

// invoice is an invoice as a first version has it: floating-point amounts, and parties that nobody looks at.
type invoice struct {
	ID           string          `json:"id"`
	Number       int64           `json:"number"`
	Status       string          `json:"status"`
	Branch       int             `json:"branch_office"`
	Type         string          `json:"invoice_type"`
	Date         string          `json:"invoice_date"`
	Concept      string          `json:"concept"`
	Reference    string          `json:"external_reference"`
	Observations string          `json:"observations"`
	Issuer       json.RawMessage `json:"issuer"`
	Recipient    json.RawMessage `json:"recipient"`
	Currency     json.RawMessage `json:"currency"`
	Payment      json.RawMessage `json:"payment_method"`
	Items        []item          `json:"items"`
	Totals       totals          `json:"totals"`
}
