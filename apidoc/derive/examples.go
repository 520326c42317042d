package derive

import (
	"encoding/json"
	"strings"

	"folio/apidoc"
	"folio/countries"
	"folio/resource"
)

// examples adds the examples of an operation's body. Those of a create are the countries' own:
// each document type, and how things are done.
func (o object) examples(operation string) object {
	var all object
	add := func(name, title string, value any) {
		all = append(all, member{name, object{{"summary", title}, {"value", value}}})
	}
	switch operation {
	case "POST /api/invoices":
		for _, rules := range countries.Rules() {
			for _, x := range rules.Examples(apidoc.ExampleDay) {
				add(strings.ToLower(rules.Code())+"_"+x.Name, rules.Code()+": "+x.Title, resource.CreateOf(x.Document))
			}
		}
	case "POST /api/invoices/calculate":
		add("items", "What a cart knows", json.RawMessage(`{"invoice_type":"FCA","items":[{"quantity":3,`+
			`"unit_price":0.335,"taxes":[{"type":"iva21"}]},{"quantity":1,"unit_price":100,"taxes":[{"type":"exempt"}]}]}`))
	case "POST /api/invoices/{invoice_id}/credit-note":
		add("whole", "The whole invoice", json.RawMessage(`{"reason":"Devolución"}`))
		add("items", "One unit of the first item, and all of the second",
			json.RawMessage(`{"items":[{"item":0,"quantity":1},{"item":1}]}`))
		add("amount", "A part of the total, taxes included", json.RawMessage(`{"amount":121.00,"reason":"Bonificación"}`))
	}
	if len(all) == 0 {
		return o
	}
	return append(o, member{"examples", all})
}
