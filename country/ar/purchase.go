package ar

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

var _ country.Purchaser = Rules{}

// notAsked is how far a purchase is verified before ARCA was asked (WSCDC, its service
// that confirms vouchers).
const notAsked = "Its figures agree with each other; ARCA was not asked."

// The kinds of authorization that a voucher may bear (WSCDC, CbteModo; CAI is that of
// paper).
var authorizationTypes = []string{"", "CAE", "CAEA", "CAI"}

// CheckPurchase holds a typed purchase to what every Argentine voucher fulfils: a kind
// that exists, a valid CUIT of the supplier, a point of sale and number within their
// digits, no series, and a CAE of 14 digits (RG 4291).
func (Rules) CheckPurchase(p country.Purchase) []fault.Violation {
	var v country.Violations
	if _, ok := (Rules{}).DocumentType(strconv.Itoa(p.OfficialCode)); !ok {
		v.Add("invoice_type", "AR-PURCHASE-01", "%d is no kind of voucher: see GET /api/document-types", p.OfficialCode)
	}
	if _, err := ParseCUIT(p.Supplier.DocumentNumber); err != nil {
		v.Add("supplier.document_number", "AR-PURCHASE-02", "%s", err.Error())
	}
	if p.BranchOffice < 1 || p.BranchOffice > 99_998 {
		v.Add("branch_office", "AR-PURCHASE-03", "a point of sale is 1 to 99998")
	}
	if p.Series != "" {
		v.Add("series", "AR-PURCHASE-09", "an Argentine voucher has no series: leave it out")
	}
	if p.Number < 1 || p.Number > 99_999_999 {
		v.Add("number", "AR-PURCHASE-04", "a number is 1 to 99999999")
	}
	if !fourteenDigits(p.Authorization) {
		v.Add("authorization_code", "AR-PURCHASE-05", "a CAE or CAEA has 14 digits")
	}
	if !slices.Contains(authorizationTypes, p.AuthorizationType) {
		v.Add("authorization_type", "AR-PURCHASE-08", "use CAE, CAEA or CAI, or leave it out for a CAE")
	}
	if _, ok := MonID(p.Currency); !ok {
		v.Add("currency", "AR-PURCHASE-06", "use an ISO 4217 code that ARCA knows, such as ARS")
	}
	if p.Total.Sign() < 0 || p.Total.Decimals() > 2 {
		v.Add("total", "AR-PURCHASE-07", "a total is not negative and has two decimals at most")
	}
	return v.All
}

func fourteenDigits(s string) bool { return len(s) == 14 && country.AllDigits(s) }

// scannedQR is the JSON inside the code of a printed voucher (RG 4892, version 1).
type scannedQR struct {
	Ver        int         `json:"ver"`
	Fecha      string      `json:"fecha"`
	Cuit       int64       `json:"cuit"`
	PtoVta     int         `json:"ptoVta"`
	TipoCmp    int         `json:"tipoCmp"`
	NroCmp     int64       `json:"nroCmp"`
	Importe    json.Number `json:"importe"`
	Moneda     string      `json:"moneda"`
	Ctz        json.Number `json:"ctz"`
	TipoDocRec int         `json:"tipoDocRec"`
	NroDocRec  int64       `json:"nroDocRec"`
	TipoCodAut string      `json:"tipoCodAut"`
	CodAut     json.Number `json:"codAut"`
}

// maxQR bounds what is decoded; a real code's text has about 400 bytes.
const maxQR = 4096

// ReadQR reads the address or the base64 text of a voucher's code and checks it as
// CheckPurchase does. Amounts written in quotes and base64 without padding are taken,
// since other people's systems print both.
func (Rules) ReadQR(text string) (country.Purchase, error) {
	p, err := readQR(strings.TrimSpace(text))
	return country.PurchaseRead(Rules{}, "qr", "AR-PURCHASE-10", p, err)
}

func readQR(text string) (country.Purchase, error) {
	if len(text) > maxQR {
		return country.Purchase{}, errors.New("this is longer than the code of any voucher")
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		if text = u.Query().Get("p"); text == "" {
			return country.Purchase{}, errors.New("the address has no parameter p: give the whole text of the code")
		}
		text = strings.ReplaceAll(text, " ", "+") // a plus sign that was not escaped
	}
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return country.Purchase{}, errors.New("give the text of the code that is printed on the voucher: an address with " +
			"?p= and base64")
	}
	var d scannedQR
	if err := json.Unmarshal(raw, &d); err != nil {
		return country.Purchase{}, errors.New("the code does not hold the data of RG 4892")
	}
	return d.purchase()
}

func (d scannedQR) purchase() (country.Purchase, error) {
	total, err := money.Parse(d.Importe.String())
	if err != nil {
		return country.Purchase{}, errors.New("importe is not an amount")
	}
	if _, err := time.Parse(time.DateOnly, d.Fecha); err != nil {
		return country.Purchase{}, errors.New("fecha is not a date YYYY-MM-DD")
	}
	if d.TipoCodAut != "E" && d.TipoCodAut != "A" {
		return country.Purchase{}, errors.New("tipoCodAut is neither E (CAE) nor A (CAEA)")
	}
	p := country.Purchase{
		OfficialCode: d.TipoCmp, BranchOffice: d.PtoVta, Number: d.NroCmp, Date: d.Fecha,
		Supplier: events.Party{DocumentType: "CUIT", DocumentNumber: strconv.FormatInt(d.Cuit, 10)},
		Currency: isoOf(d.Moneda), Total: total, Authorization: d.CodAut.String(),
		Verification: country.Consistent, Verified: notAsked, RecipientType: d.TipoDocRec,
	}
	if d.TipoCodAut == "A" {
		p.AuthorizationType = "CAEA"
	}
	if d.NroDocRec != 0 {
		p.Recipient = strconv.FormatInt(d.NroDocRec, 10)
	}
	return p, nil
}

// ReadPurchaseXML refuses: Argentina's vouchers are no signed documents.
func (Rules) ReadPurchaseXML([]byte, country.Trust) (country.Purchase, error) {
	return country.Purchase{}, fault.Field("xml", "AR-PURCHASE-11",
		"in Argentina a voucher is no XML document: give its fields or the text of its QR code")
}

// isoOf is the ISO 4217 code of ARCA's MonId, "" for one that is not known.
func isoOf(monID string) string {
	for _, c := range currencies {
		if c.OfficialCode == monID {
			return c.Code
		}
	}
	return ""
}
