package ar

import (
	"slices"
	"strings"
	"time"

	"folio/country"
	"folio/country/figures"
	"folio/events"
	"folio/fault"
	"folio/money"
)

var _ country.Contingent = Rules{}

// ContingencyTypes are the kinds that RG 5782/2025 art. 3 names: invoices, receipts and notes
// of A, B and C, those with withholding among them. FCE MiPyMEs and exports are not named there.
func (Rules) ContingencyTypes() (codes []int) {
	for _, k := range kinds {
		if !k.fce && !k.isExport() {
			codes = append(codes, k.Code)
		}
	}
	return codes
}

// TakesPoint implements country.Contingent: points of sale of "RI IVA" take classes A, B and M, those of "Exento en
// IVA" and "Monotributo" class C (1444), and an issuer's condition says which of them are his (RG 1415 arts. 15 to 17).
func (Rules) TakesPoint(emission, condition string) bool {
	own, known := findCondition(condition)
	if !known {
		return true
	}
	if own.id == registered {
		return !strings.Contains(emission, "Exento") && !strings.Contains(emission, "Monotributo")
	}
	return !strings.Contains(emission, "RI IVA")
}

// contingent holds one document to what FECAEARegInformativo refuses. It looks at what ARCA
// is told, whatever was checked when the document was made: a refused report holds its
// series, and the customer has the paper.
type contingent struct {
	country.Violations
	d       events.Document
	t       events.TaxInformation
	kind    kind
	header  Header
	docType int
	docNro  int64
	today   time.Time
}

// CheckContingency says why a document may not be issued by CAEA now. It applies every rule
// for which FECAEARegInformativo refuses one document (WSFEv1 manual v4.8), and of those for
// which it only remarks the ones that FECAESolicitar refuses. What belongs to the series and
// to the code (703 to 705, 709, 780 to 784, 1414, 1440, 1441) is kept by who numbers and
// freezes documents. The date is today's in Argentina, since a code is of its fortnight (702).
func (r Rules) CheckContingency(d events.Document, t events.TaxInformation, now time.Time) []fault.Violation {
	c := &contingent{d: d, t: t, today: country.Day(now.In(location))}
	known := false
	if c.kind, known = findKind(d.Type); !known || !slices.Contains(r.ContingencyTypes(), c.kind.Code) { // 700
		c.Add("invoice_type", "AR-CAEA-01", "%.20q is not issued by CAEA: RG 5782/2025 art. 3 does not name it", d.Type)
		return c.All
	}
	c.header, _ = ParseHeader(d.HeaderInfo)
	c.docType, c.docNro = DocTipo(d.Recipient.DocumentType, d.Recipient.DocumentNumber)
	c.checkDates()
	c.checkRecipient()
	c.checkCondition()
	c.checkCurrency()
	c.checkAmounts()
	c.checkRates()
	c.checkTributes()
	c.checkReferences()
	c.checkMembers()
	return c.All
}

// checkDates: today (702, 704), a concept (713), and the dates of services (1411 to 1413).
func (c *contingent) checkDates() {
	today := c.today.Format(time.DateOnly)
	if len(c.d.Date) < len(today) || c.d.Date[:len(today)] != today {
		c.Add("invoice_date", "AR-CAEA-02", "only a document of today, %s, is issued by CAEA: a code is of its fortnight",
			today)
	}
	if !slices.Contains([]string{products, services, both}, c.d.Concept) {
		c.Add("concept", "AR-CAEA-11", "the concept is 1 (products), 2 (services) or 3 (both)")
		return
	}
	from, to, due := Dates(c.d)
	switch {
	case c.d.Concept == products:
	case from == "" || to == "" || due == "":
		c.Add("service_start_date", "AR-CAEA-11", "services need their two dates and a day of payment")
	case to < from:
		c.Add("service_end_date", "AR-CAEA-11", "the service ends before it starts")
	case due < compact(c.d.Date):
		c.Add("payment_due_date", "AR-CAEA-11", "it must not be before the document's date")
	}
}

// checkRecipient: who must be identified, and how (1403, 1405, 1417 to 1421, 1528, 788).
func (c *contingent) checkRecipient() {
	const (
		least, most = 20_000_000_000, 60_000_000_000 // 1421
		digits      = 99_999_999_999                 // 1405
	)
	path, code := "recipient.document_number", "AR-CAEA-05"
	_, err := ParseCUIT(c.d.Recipient.DocumentNumber)
	switch {
	case c.kind.letter == 'A' && c.docType != docCUIT:
		c.Add("recipient.document_type", code, "class A documents are made out to a CUIT")
	case c.docType == docUnidentified && c.docNro != 0:
		c.Add(path, code, "an unidentified consumer has no document_number")
	case c.docType == docUnidentified:
		c.checkThreshold(path, code)
	case c.docNro > digits || c.docNro <= 0:
		c.Add(path, code, "ARCA takes numbers of at most 11 digits")
	case hasCheckDigit(c.docType) && err != nil || c.kind.letter == 'A' && (c.docNro < least || c.docNro > most):
		c.Add(path, code, "%.20q is no CUIT, CUIL or CDI", c.d.Recipient.DocumentNumber)
	case c.docType == docCUIT && c.d.Recipient.DocumentNumber == c.d.Issuer.DocumentNumber:
		c.Add(path, code, "the recipient cannot be the issuer")
	}
}

// checkThreshold is 1417, by the figures that the program has.
func (c *contingent) checkThreshold(path, code string) {
	limit, ok := figures.Table{}.At("AR", figures.ConsumerThreshold, c.today)
	total, rate := c.t.Amounts.Total, c.d.Currency.Rate
	if !ok || total.WholeDigits() > 13 || rate.WholeDigits() > 4 {
		return
	}
	if pesos := total.Mul(rate); !pesos.Less(limit.Value) {
		c.Add(path, code, "a consumer must be identified from %s pesos on, and this total is %s", limit.Value, pesos.Round(2))
	}
}

// checkCondition: one that exists, and that the class may have (826, 823, 824).
func (c *contingent) checkCondition() {
	i := slices.IndexFunc(conditions, func(x condition) bool { return x.id == c.t.RecipientConditionID })
	if i < 0 || !slices.Contains(conditions[i].classes, c.kind.classes()) {
		c.Add("recipient.tax_condition", "AR-CAEA-06", "the recipient's condition before VAT is missing, or no recipient of "+
			"class %c documents has it", c.kind.letter)
	}
}

// checkCurrency: a rate that is known here, since ARCA cannot be asked (1401, 726, 820, 822).
func (c *contingent) checkCurrency() {
	cur, same := c.d.Currency, c.header.SameCurrency
	if _, ok := MonID(cur.Code); !ok {
		c.Add("currency.code", "AR-CAEA-03", "%.10q is no currency that ARCA knows", cur.Code)
	}
	pesos := cur.Code == localCurrency
	if cur.Rate.Sign() <= 0 || cur.Rate.WholeDigits() > 4 || cur.Rate.Decimals() > 6 ||
		pesos && !cur.Rate.Equal(money.FromInt(1)) {
		c.Add("currency.exchange_rate", "AR-CAEA-03", "an exchange rate is needed, that of ARS is 1: ARCA, which is away, "+
			"cannot tell it")
	}
	if !slices.Contains([]string{"", "S", "N"}, same) || same == "S" && pesos {
		c.Add(country.HeaderPath("same_currency_payment"), "AR-CAEA-03", "it is S or N, and not S in pesos")
	}
}
