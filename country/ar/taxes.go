package ar

import (
	"slices"
	"strconv"
	"strings"

	"folio/country"
	"folio/money"
)

// lineTax is one way in which VAT can meet a line.
type lineTax struct {
	name string // Folio's type: iva21
	code string // ARCA's Id in AlicIva; empty where the amount has a field of its own
	rate money.Decimal
	text string
}

// The types of a line that has no AlicIva: their bases go to ImpOpEx and ImpTotConc.
const (
	exempt  = "exempt"
	untaxed = "untaxed"
)

// lineTaxes are the rates of FEParamGetTiposIva, and exempt and untaxed.
var lineTaxes = []lineTax{
	{"iva0", "3", money.FromInt(0), "IVA 0%"},
	{"iva25", "9", money.MustParse("2.5"), "IVA 2,5%"},
	{"iva5", "8", money.FromInt(5), "IVA 5%"},
	{"iva105", "4", money.MustParse("10.5"), "IVA 10,5%"},
	{"iva21", "5", money.FromInt(21), "IVA 21%"},
	{"iva27", "6", money.FromInt(27), "IVA 27%"},
	{exempt, "", money.Zero, "Exento"},
	{untaxed, "", money.Zero, "No gravado"},
}

func findLineTax(name string) (lineTax, bool) {
	i := slices.IndexFunc(lineTaxes, func(t lineTax) bool { return strings.EqualFold(t.name, name) })
	if i < 0 {
		return lineTax{}, false
	}
	return lineTaxes[i], true
}

// The tributos that the printed form or a rule knows by name.
const (
	nationalTax     = "national"
	internalTax     = "internal"
	uncategorizedIV = "perc_iva_no_categorizado"
	otherTax        = "other"
)

// globalTaxes are ARCA's tributos (FEParamGetTiposTributos).
var globalTaxes = []country.Catalogued{
	{Code: nationalTax, OfficialCode: "1", Name: "Impuestos nacionales"},
	{Code: "provincial", OfficialCode: "2", Name: "Impuestos provinciales"},
	{Code: "municipal", OfficialCode: "3", Name: "Impuestos municipales"},
	{Code: internalTax, OfficialCode: "4", Name: "Impuestos internos"},
	{Code: "iibb", OfficialCode: "5", Name: "IIBB"},
	{Code: "perc_iva", OfficialCode: "6", Name: "Percepción de IVA"},
	{Code: "perc_iibb", OfficialCode: "7", Name: "Percepción de IIBB"},
	{Code: "perc_mun", OfficialCode: "8", Name: "Percepciones por impuestos municipales"},
	{Code: "perc_other", OfficialCode: "9", Name: "Otras percepciones"},
	{Code: uncategorizedIV, OfficialCode: "13", Name: "Percepción de IVA a no categorizado"},
	{Code: otherTax, OfficialCode: "99", Name: "Otro"},
}

// GlobalTaxID is ARCA's id of a tributo for the type of a checked document.
func GlobalTaxID(taxType string) (int, bool) {
	c, ok := country.Find(globalTaxes, taxType)
	if !ok {
		return 0, false
	}
	id, err := strconv.Atoi(c.OfficialCode)
	return id, err == nil
}
