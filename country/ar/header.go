package ar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"folio/country"
	"folio/fault"
	"folio/money"
)

// Header is additional_header_info of an Argentine document.
type Header struct {
	CBU            string     `json:"cbu,omitempty"`             // 22 digits, Opcional 2101; class A: printed
	CBUAlias       string     `json:"cbu_alias,omitempty"`       // Opcional 2102
	TransferSystem string     `json:"transfer_system,omitempty"` // SCA or ADC, Opcional 27
	Cancellation   string     `json:"cancellation,omitempty"`    // S or N, Opcional 22 of FCE notes
	SameCurrency   string     `json:"same_currency_payment,omitempty"`
	Activities     []int64    `json:"activities,omitempty"` // the issuer's activity codes
	Buyers         []Buyer    `json:"buyers,omitempty"`     // RG 4109
	Optionals      []Optional `json:"optionals,omitempty"`  // other Opcionales, by ARCA's id
}

// Buyer is one of several recipients with its part in percent. ParseHeader leaves the
// digits of its document only, as ARCA takes them.
type Buyer struct {
	DocumentType   string        `json:"document_type"`
	DocumentNumber string        `json:"document_number"`
	Percentage     money.Decimal `json:"percentage"`
}

// Optional is one Opcional of WSFEv1.
type Optional struct {
	ID    string `json:"id"`
	Value string `json:"value"`
}

// ParseHeader reads additional_header_info. It refuses unknown members and wrong
// types with their paths; what the values mean for a document, Check decides.
func ParseHeader(raw json.RawMessage) (Header, []fault.Violation) {
	var v country.Violations
	h := Header{}
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		return h, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		v.Add("additional_header_info", "AR-HEADER-01", "it must be an object")
		return h, v.All
	}
	targets := map[string]any{
		"cbu": &h.CBU, "cbu_alias": &h.CBUAlias, "transfer_system": &h.TransferSystem,
		"cancellation": &h.Cancellation, "same_currency_payment": &h.SameCurrency,
		"activities": &h.Activities,
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		path, member := "additional_header_info."+name, members[name]
		switch target, known := targets[name]; {
		case string(bytes.TrimSpace(member)) == "null":
		case name == "buyers":
			h.Buyers = parseBuyers(&v, path, member)
		case name == "optionals":
			h.Optionals = parseOptionals(&v, path, member)
		case !known:
			v.Add(path, "AR-HEADER-02", "this member is not known: use cbu, cbu_alias, transfer_system, cancellation, "+
				"same_currency_payment, activities, buyers or optionals")
		default:
			before := len(v.All)
			country.ReadMember(&v, path, "AR-HEADER-01", member, target)
			if name == "activities" && len(v.All) > before { // half a list is worse than none
				h.Activities = nil
			}
		}
	}
	return h, v.All
}

func parseBuyers(v *country.Violations, path string, raw json.RawMessage) []Buyer {
	var list []struct {
		DocumentType   string          `json:"document_type"`
		DocumentNumber string          `json:"document_number"`
		Percentage     json.RawMessage `json:"percentage"`
	}
	if err := strict(raw, &list); err != nil {
		v.Add(path, "AR-HEADER-01", "it must be an array of {document_type, document_number, percentage}")
		return nil
	}
	buyers := make([]Buyer, len(list))
	for i, b := range list {
		// A number in the request, text in events: both are read without a float.
		percentage, err := money.Parse(string(bytes.Trim(b.Percentage, `"`)))
		if err != nil {
			v.Add(fmt.Sprintf("%s[%d].percentage", path, i), "AR-HEADER-01", "it must be a number")
		}
		buyers[i] = Buyer{DocumentType: b.DocumentType, DocumentNumber: bare(b.DocumentNumber), Percentage: percentage}
	}
	return buyers
}

func parseOptionals(v *country.Violations, path string, raw json.RawMessage) []Optional {
	var list []Optional
	if err := strict(raw, &list); err != nil {
		v.Add(path, "AR-HEADER-01", "it must be an array of {id, value}")
	}
	return list
}

// strict refuses members that the target does not have.
func strict(raw json.RawMessage, target any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(target)
}
