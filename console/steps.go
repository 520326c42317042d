package console

import (
	"strings"
)

// guide leads from a pending step to the page where it is done.
type guide struct {
	Text string
	Page string // below the company's pages
}

// guideOf says a pending step for who has pages and not calls. A step that the console does not
// know is said in the API's words.
func guideOf(t func(string, ...any) string, s step) guide {
	if member, ok := strings.CutPrefix(s.Code, "FISCAL_PROFILE_"); ok {
		at := member
		if at == "address" {
			at = "address.address"
		}
		return guide{t("Fill in “%s” in the fiscal profile", memberName(t, member)), "settings#f-" + fieldID(at)}
	}
	switch s.Code {
	case "CERTIFICATE":
		return guide{t("Upload a certificate that is valid today"), "settings#certificate"}
	case "NUMBERING_RANGE":
		return guide{t("Upload a numbering file for each document type that you issue"), "numbering#upload"}
	}
	return guide{s.Message, "settings"}
}

// members are the names of the API's members in words. A member that is not here shows its own
// name.
var members = map[string]string{
	"address": "Address", "tax_condition": "Tax condition", "gross_income_number": "Gross income number",
	"giro": "Line of business (giro)", "acteco": "Economic activity codes", "comuna": "Comuna", "city": "City",
	"resolution_number": "Resolution number", "resolution_date": "Resolution date", "resolution": "Resolution",
	"sii_office": "SII office", "branch": "Branch name", "branch_code": "Branch code", "email": "E-mail",
	"sender_rut": "Sender’s RUT", "software_rut": "Software maker’s RUT",
	"receipt_stamp": "Print the stamp on boletas",
	"time_zone":     "Time zone", "department": "Department", "trade_name": "Trade name",
	"special_regime": "Tax regime", "iva_al_dia": "Certificate of being up to date with IVA (false: none)",
	"send_all_tickets": "Send DGI every e-Ticket (true)", "verification_url": "Address that verifies e-Tickets",
	"exemption_norm": "Exemption norm", "phone": "Phone", "service_start_date": "Service from",
	"service_end_date": "Service to", "region": "Region", "country": "Country",
}

func memberName(t func(string, ...any) string, name string) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if words, ok := members[last]; ok {
		return t(words)
	}
	return name
}
