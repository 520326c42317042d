package ar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"folio/country"
	"folio/events"
	"folio/money"
)

// optionalIDs are the Opcionales that a caller gives by id (FEParamGetTiposOpcional):
// RG 3668, housing rent, commercial reference, used goods, surety insurance.
var optionalIDs = []string{"5", "61", "62", "7", "17", "1801", "1802", "23", "91", "92", "93", "2901", "2902"}

// commercialReference is an order, contract or the like of the buyer's.
const commercialReference = "23"

// exportOptionalIDs are those of WSFEXv1 (FEXGetPARAM_Opcionales): document and FOB
// amount of a simplified export.
var exportOptionalIDs = []string{"2401", "2402"}

// repeatable may be given more than once (10112 and what follows it).
var repeatable = []string{"1801", "1802", "2901", "2902", "23"}

var (
	cbuForm   = regexp.MustCompile(`^[0-9]{22}$`)
	aliasForm = regexp.MustCompile(`^[A-Za-z0-9.-]{6,20}$`)
)

// checkHeader reads additional_header_info and asks what this kind of document may
// and must say there.
func (c *checker) checkHeader() {
	h, wrong := ParseHeader(c.d.HeaderInfo)
	c.header = h
	c.Reading(wrong, func() { c.checkMembers(h) })
}

func (c *checker) checkMembers(h Header) {
	if h.CBU != "" && !cbuForm.MatchString(h.CBU) {
		c.Add(country.HeaderPath("cbu"), "AR-HEADER-03", "a CBU has 22 digits")
	}
	if h.CBUAlias != "" && !aliasForm.MatchString(h.CBUAlias) {
		c.Add(country.HeaderPath("cbu_alias"), "AR-HEADER-03", "an alias has 6 to 20 letters, digits, dots or hyphens")
	}
	c.checkSameCurrency(h)
	c.checkActivities(h)
	c.checkBuyers(h)
	c.checkOptionals(h)
	if c.known {
		c.checkFCE(h)
	}
}

// checkFCE wants of an FCE invoice the CBU and the system of transfer, of an FCE note
// whether it cancels, and neither of any other document (10162 to 10175).
func (c *checker) checkFCE(h Header) {
	invoice, note := c.kind.fce && !c.kind.IsNote(), c.kind.fce && c.kind.IsNote()
	if invoice && h.CBU == "" {
		c.Add(country.HeaderPath("cbu"), "AR-HEADER-04", "an FCE invoice needs the CBU of its issuer")
	}
	if invoice && h.TransferSystem != "SCA" && h.TransferSystem != "ADC" {
		c.Add(country.HeaderPath("transfer_system"), "AR-HEADER-05",
			"an FCE invoice needs SCA (sistema de circulación abierta) or ADC (agente de depósito colectivo)")
	}
	if note && h.Cancellation != "S" && h.Cancellation != "N" {
		c.Add(country.HeaderPath("cancellation"), "AR-HEADER-06",
			"an FCE note needs S when it cancels an invoice that its recipient refused, else N")
	}
	// Class A "pago en CBU informada" prints the CBU; ARCA is not told.
	if !invoice && (c.kind.letter != 'A' || note) && h.CBU != "" {
		c.Add(country.HeaderPath("cbu"), "AR-HEADER-07", "only FCE invoices and class A documents carry a CBU")
	}
	if !invoice && h.CBUAlias != "" {
		c.Add(country.HeaderPath("cbu_alias"), "AR-HEADER-07", "only FCE invoices carry an alias")
	}
	if !invoice && h.TransferSystem != "" {
		c.Add(country.HeaderPath("transfer_system"), "AR-HEADER-07", "only FCE invoices carry a system of transfer")
	}
	if !note && h.Cancellation != "" {
		c.Add(country.HeaderPath("cancellation"), "AR-HEADER-07", "only FCE notes say whether they cancel")
	}
}

// checkSameCurrency: CanMisMonExt is S or N (10239), and S only with a foreign
// currency (10241).
func (c *checker) checkSameCurrency(h Header) {
	switch {
	case !slices.Contains([]string{"", "S", "N"}, h.SameCurrency):
		c.Add(country.HeaderPath("same_currency_payment"), "AR-HEADER-08", "it must be S or N")
	case h.SameCurrency == "S" && c.d.Currency.Code == localCurrency:
		c.Add(country.HeaderPath("same_currency_payment"), "AR-HEADER-08",
			"a document in pesos has no other currency of payment")
	}
}

func (c *checker) checkActivities(h Header) {
	seen := map[int64]bool{}
	for i, a := range h.Activities {
		if a < 1 || a > 999_999 || seen[a] {
			c.Add(fmt.Sprintf("%s[%d]", country.HeaderPath("activities"), i), "AR-HEADER-09",
				"an activity is a code of at most 6 digits, given once")
		}
		seen[a] = true
	}
}

// checkBuyers: at least two, of goods, told apart by CUIT, CUIL or CDI, whose parts come
// to 100 percent; the recipient is the one with the largest (RG 4109; 10133 to 10150,
// 10194).
func (c *checker) checkBuyers(h Header) {
	if len(h.Buyers) == 0 {
		return
	}
	if len(h.Buyers) < 2 || c.kind.fce || c.d.Concept != products {
		c.Add(country.HeaderPath("buyers"), "AR-HEADER-12", "buyers are two or more, of products, and not of an FCE")
	}
	total, largest, seen, fit := money.Zero, h.Buyers[0], map[string]bool{}, true
	for i, b := range h.Buyers {
		path := fmt.Sprintf("%s[%d].", country.HeaderPath("buyers"), i)
		c.checkBuyer(path, b, seen)
		if b.Percentage.Sign() <= 0 || b.Percentage.WholeDigits() > 3 || b.Percentage.Decimals() > 2 {
			c.Add(path+"percentage", "AR-HEADER-10", "it must be above 0 and at most 100, with at most 2 decimals")
			fit = false
			continue
		}
		total = total.Add(b.Percentage)
		if largest.Percentage.Less(b.Percentage) {
			largest = b
		}
	}
	if !fit {
		return
	}
	if !total.Equal(money.FromInt(100)) {
		c.Add(country.HeaderPath("buyers"), "AR-HEADER-10", "the percentages come to %s, not 100", total)
	}
	if largest.DocumentNumber != c.d.Recipient.DocumentNumber {
		c.Add("recipient.document_number", "AR-HEADER-12", "the recipient is the buyer with the largest part")
	}
}

func (c *checker) checkBuyer(path string, b Buyer, seen map[string]bool) {
	t, ok := country.Find(identityDocuments, b.DocumentType)
	code, _ := DocTipo(t.Code, b.DocumentNumber)
	if !ok || !hasCheckDigit(code) {
		c.Add(path+"document_type", "AR-HEADER-10", "%.20q is no document type of a buyer: CUIT, CUIL or CDI", b.DocumentType)
		return
	}
	switch _, err := ParseCUIT(b.DocumentNumber); {
	case err != nil:
		c.Add(path+"document_number", "AR-HEADER-10", "%.20q is no %s: digits only, with their check digit", b.DocumentNumber,
			t.Code)
	case b.DocumentNumber == c.issuer.TaxIdentifier:
		c.Add(path+"document_number", "AR-HEADER-12", "the issuer is no buyer")
	case seen[b.DocumentNumber]:
		c.Add(path+"document_number", "AR-HEADER-12", "this buyer is named twice")
	}
	seen[b.DocumentNumber] = true
}

func (c *checker) checkOptionals(h Header) {
	seen, references, known := map[string]bool{}, map[string]bool{}, optionalIDs
	if c.kind.isExport() {
		known = exportOptionalIDs
	}
	for i, o := range h.Optionals {
		path := fmt.Sprintf("%s[%d].", country.HeaderPath("optionals"), i)
		switch {
		case !slices.Contains(known, o.ID):
			c.Add(path+"id", "AR-HEADER-11", "%.10q is no Opcional given by id: use one of %s; those of an FCE have members "+
				"of their own", o.ID, strings.Join(known, ", "))
		case seen[o.ID] && !slices.Contains(repeatable, o.ID):
			c.Add(path+"id", "AR-HEADER-11", "%s may be given once only", o.ID)
		}
		seen[o.ID] = true
		if country.Blank(o.Value) {
			c.Add(path+"value", "AR-HEADER-11", "a value is required")
		}
		if o.ID == commercialReference && references[o.Value] { // 10190
			c.Add(path+"value", "AR-HEADER-11", "this commercial reference is given twice: give it once")
		}
		references[o.Value] = references[o.Value] || o.ID == commercialReference
		limit := 250
		if o.ID == commercialReference {
			limit = 50
		}
		c.text(path+"value", o.Value, limit)
	}
}

// Optionals are all the Opcionales of a checked document, in the order of their ids'
// meaning: those of the FCE first.
func Optionals(d events.Document) []Optional {
	h, _ := ParseHeader(d.HeaderInfo)
	k, _ := findKind(d.Type)
	var list []Optional
	add := func(id, value string) {
		if value != "" {
			list = append(list, Optional{ID: id, Value: value})
		}
	}
	if k.fce && k.Class == country.Invoice {
		add("2101", h.CBU)
		add("2102", h.CBUAlias)
		add("27", h.TransferSystem)
	}
	if k.fce && k.IsNote() {
		add("22", h.Cancellation)
	}
	return append(list, h.Optionals...)
}
