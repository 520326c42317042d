package ar

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// The kinds of export (Tipo_expo of FEXGetPARAM_Tipo_Expo) under Folio's names.
const (
	exportGoods    = "goods"
	exportServices = "services"
	exportOther    = "other"
)

// exportKinds belong to the concept of the document: 1 products, 2 services, 3 both.
var exportKinds = map[string]struct {
	concept  string
	official int
}{exportGoods: {products, 1}, exportServices: {services, 2}, exportOther: {both, 4}}

// incoterms that ARCA knows (FEXGetPARAM_Incoterms).
var incoterms = []country.Catalogued{
	{Code: "EXW", Name: "Ex Works"}, {Code: "FCA", Name: "Free Carrier"}, {Code: "FAS", Name: "Free Alongside Ship"},
	{Code: "FOB", Name: "Free On Board"}, {Code: "CFR", Name: "Cost and Freight"},
	{Code: "CIF", Name: "Cost, Insurance and Freight"},
	{Code: "CPT", Name: "Carriage Paid To"}, {Code: "CIP", Name: "Carriage and Insurance Paid To"},
	{Code: "DDP", Name: "Delivered Duty Paid"},
	{Code: "DAP", Name: "Delivered At Place"}, {Code: "DPU", Name: "Delivered At Place Unloaded"},
}

// languages of a document (FEXGetPARAM_Idiomas).
var languages = []country.Catalogued{
	{Code: "es", OfficialCode: "1", Name: "Español"}, {Code: "en", OfficialCode: "2", Name: "Inglés"},
	{Code: "pt", OfficialCode: "3", Name: "Portugués"},
}

// Export is additional_export_info of an Argentine export document (WSFEXv1 manual
// 3.1.1, FEXAuthorize). The number that Brazil, say, has for all its companies
// ("CUIT país") is the recipient's document_number, with document_type CUIT.
type Export struct {
	// goods, services or other; left out: what the concept says
	Kind        string `json:"export_kind,omitempty"`
	Destination string `json:"destination_country,omitempty"` // ISO 3166-1 alpha-2, or ARCA's number
	// S or N, invoices of goods only; left out: whether there are permits
	ExistingPermit   string   `json:"existing_permit,omitempty"`
	Permits          []Permit `json:"permits,omitempty"`               // permisos de embarque
	ClientTaxID      string   `json:"client_tax_id,omitempty"`         // Id_impositivo: the client's number at home
	PaymentForm      string   `json:"payment_form,omitempty"`          // Forma_pago; left out: the payment method's words
	Incoterms        string   `json:"incoterms,omitempty"`             // FOB
	IncotermsDetails string   `json:"incoterms_description,omitempty"` // such as a port
	Language         string   `json:"language,omitempty"`              // es, en or pt; left out: es
}

// Permit is one permiso de embarque with the country that its goods go to.
type Permit struct {
	ID          string `json:"id"`                            // 16 characters: 99999AAXX999999A
	Destination string `json:"destination_country,omitempty"` // left out: that of the document
}

// ParseExport reads additional_export_info. It refuses unknown members and wrong types
// with their paths; what the values mean for a document, Check decides.
func ParseExport(raw json.RawMessage) (Export, []fault.Violation) {
	var v country.Violations
	var e Export
	if country.IsNull(raw) {
		return e, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		v.Add("additional_export_info", "AR-EXPORT-01", "it must be an object")
		return e, v.All
	}
	targets := map[string]*string{
		"export_kind": &e.Kind, "destination_country": &e.Destination, "existing_permit": &e.ExistingPermit,
		"client_tax_id": &e.ClientTaxID, "payment_form": &e.PaymentForm, "incoterms": &e.Incoterms,
		"incoterms_description": &e.IncotermsDetails, "language": &e.Language,
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		path, member := country.ExportPath(name), members[name]
		switch target, known := targets[name]; {
		case country.IsNull(member):
		case name == "permits":
			if strict(member, &e.Permits) != nil {
				v.Add(path, "AR-EXPORT-01", "it must be an array of {id, destination_country}")
			}
		case !known:
			v.Add(path, "AR-EXPORT-01", "this member is not known: use %s or permits",
				strings.Join(slices.Sorted(maps.Keys(targets)), ", "))
		case json.Unmarshal(member, target) != nil:
			v.Add(path, "AR-EXPORT-01", "it must be text")
		}
	}
	return e, v.All
}

// official reads a catalogue's number.
func official(list []country.Catalogued, code string) int {
	found, _ := country.Find(list, code)
	n, _ := strconv.Atoi(found.OfficialCode)
	return n
}

// ExportData is what WSFEXv1 is told of a checked export beside what every document has.
type ExportData struct {
	Kind           int    // Tipo_expo: 1, 2 or 4
	ExistingPermit string // S, N or empty
	Permits        []ExportPermit
	Destination    int // ARCA's number
	CountryCUIT    int64
	TaxID          string
	PaymentForm    string
	PaymentDate    string // YYYYMMDD, invoices of services and other only (1671 to 1674)
	Incoterms      string
	IncotermsText  string
	Language       int
	Lines          []ExportLine
}

// ExportPermit is a permit with ARCA's number of its country.
type ExportPermit struct {
	ID          string
	Destination int
}

// ExportLine is one line with what it comes to in cents.
type ExportLine struct {
	Code, Description         string
	Unit                      int // Pro_umed
	Quantity, Price, Discount money.Decimal
	Total                     money.Decimal
}

// unitDiscount is Pro_umed of a discount on the whole document: neither quantity nor
// price, a total below 0 (1775, 1810).
const unitDiscount = 99

// ExportOf reads a document that Check accepted.
func ExportOf(d events.Document) ExportData {
	e, _ := ParseExport(d.ExportInfo)
	k, _ := findKind(d.Type)
	out := ExportData{Kind: exportKinds[e.Kind].official, ExistingPermit: e.ExistingPermit, TaxID: e.ClientTaxID,
		PaymentForm: e.PaymentForm,
		Incoterms:   e.Incoterms, IncotermsText: e.IncotermsDetails, Language: official(languages, e.Language)}
	out.Destination = countryNumber(e.Destination)
	for _, p := range e.Permits {
		out.Permits = append(out.Permits, ExportPermit{p.ID, countryNumber(p.Destination)})
	}
	if code, number := DocTipo(d.Recipient.DocumentType, d.Recipient.DocumentNumber); code == docCUIT {
		out.CountryCUIT = number
	}
	if e.Kind != exportGoods && k.Class == country.Export {
		out.PaymentDate = compact(d.PaymentDueDate)
	}
	out.Lines = exportLines(d)
	return out
}

func countryNumber(text string) int {
	_, code, _ := FindCountry(text)
	n, _ := strconv.Atoi(code)
	return n
}

// exportLines are the items in cents, and what was taken off the whole as a line of
// its own, since WSFEXv1 compares the total with its lines (1610, 1815). A discount within
// slack may be no more than the rounding of those of the lines: it is a line only where the
// lines would miss the total without it.
func exportLines(d events.Document) []ExportLine {
	var lines []ExportLine
	var s sums
	for _, item := range d.Items {
		l := measure(item)
		s.add(l)
		line := ExportLine{Description: item.Description, Unit: official(units, item.UnitOfMeasure),
			Quantity: item.Quantity, Price: item.UnitPrice, Discount: item.Discount, Total: l.net.Round(2)}
		if item.Code != nil {
			line.Code = item.Code.Value
		}
		lines = append(lines, line)
	}
	whole := s.whole(d.Totals.Discount)
	if off := whole.Round(2); off.Sign() > 0 && (slack(s.odd).Less(whole) || !comeTo(lines, d.Totals.Total)) {
		lines = append(lines, ExportLine{Description: "Bonificación general", Unit: unitDiscount, Total: off.Neg()})
	}
	return lines
}

// comeTo says whether the lines are near enough to the total: within 0.01 for each of them
// (WSFEXv1 manual, 1610).
func comeTo(lines []ExportLine, total money.Decimal) bool {
	return within(total, totalOf(lines), cent.Mul(money.FromInt(int64(len(lines)))))
}

// totalOf is what the lines come to.
func totalOf(lines []ExportLine) money.Decimal {
	return money.Sum(country.Collect(lines, func(l ExportLine) money.Decimal { return l.Total })...)
}
