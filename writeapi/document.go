package writeapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"folio/commands/company"
	"folio/country"
	"folio/events"
	"folio/money"
	"folio/strict"
)

// readDocument reads the create request with the defaults that every country shares, and
// collects what is wrong in o. Fields that only the service sets may be there if they are
// empty. A reference to an invoice of our own is given to resolve: it completes the
// reference, or says in its object what is wrong. branch_office is 0 when it is left out, and
// so is branch, which is issuer.branch. The country's rules fill in an issuer's address.
func readDocument(o strict.Object, c company.State, known country.Branches,
	resolve func(strict.Object, *events.Reference)) (d events.Document, branch int) {
	rd := &reader{}
	return rd.document(o, c, known, resolve)
}

// readDraft reads what readDocument does, but what the sums do not need or make may be left
// out: the date, descriptions, rates and amounts of taxes, and the totals.
func readDraft(o strict.Object, c company.State, known country.Branches,
	resolve func(strict.Object, *events.Reference)) (d events.Document, branch int) {
	rd := &reader{draft: true}
	return rd.document(o, c, known, resolve)
}

// reader reads one document, or a draft of one.
type reader struct {
	ends  lines
	draft bool
}

// must are the rules of a member that only a draft may leave out.
func (rd *reader) must(rules ...strict.Rule) []strict.Rule {
	if rd.draft {
		return rules
	}
	return append(rules, strict.Required)
}

// due is an amount that follows from others.
func (rd *reader) due(o strict.Object, name string) money.Decimal {
	if rd.draft {
		return o.Decimal(name, bounded...)
	}
	return o.Decimal(name, needed...)
}

func (rd *reader) document(o strict.Object, c company.State, known country.Branches,
	resolve func(strict.Object, *events.Reference)) (d events.Document, branch int) {
	firstBranch := int64(0) // where there are no points of sale
	if known.PointOfSale {
		firstBranch = 1
	}
	o.MustBeEmpty("id", "id_company", "number", "reason_code", "cancellation_date", "status", "pending_reason",
		"rejection",
		"environment", "created_at", "tax_information", "electronic_authorization", "notes")
	d = events.Document{
		Type:              o.StringOrInt("invoice_type", strict.Required, strict.MaxLen(20)),
		BranchOffice:      int(o.Int("branch_office", strict.Between(firstBranch, max(99_999, int64(known.Max))))),
		Date:              o.DateTime("invoice_date", rd.must(strict.DateAlone)...),
		PaymentDueDate:    o.Date("payment_due_date"),
		ServiceStart:      o.DateTime("service_start_date", strict.DateAlone),
		ServiceEnd:        o.DateTime("service_end_date", strict.DateAlone),
		Concept:           o.StringOrInt("concept", strict.MaxLen(20)),
		Observations:      rd.ends.read(o, "observations", strict.MaxLen(2000)),
		ExternalReference: o.String("external_reference", strict.MaxLen(200)),
		Recipient:         readParty(o.Object("recipient"), true),
		Currency:          readCurrency(o.Object("currency"), c),
		PaymentMethod:     readPaymentMethod(o.Object("payment_method")),
		Items:             rd.items(o),
		GlobalTaxes:       rd.globalTaxes(o),
		Totals:            rd.totals(o),
		BillingReference:  readReferences(o, resolve),
		HeaderInfo:        readInfo(o, "additional_header_info"),
		ExportInfo:        readInfo(o, "additional_export_info"),
	}
	if o.Has("issuer") {
		issuer := o.Object("issuer")
		d.Issuer, branch = readParty(issuer, false), int(issuer.Int("branch", strict.Between(1, int64(known.Max))))
		// An issuer that only names a branch or an address is the company all the same.
		d.Issuer.DocumentNumber = cmp.Or(d.Issuer.DocumentNumber, c.TaxIdentifier)
	} else {
		d.Issuer = events.Party{LegalName: c.LegalName, DocumentType: c.TaxIdentifierName, DocumentNumber: c.TaxIdentifier}
	}
	return d, branch
}

// maxLines is how many line ends the descriptions and observations of a document may have
// together. Each takes a line of the printed page, however little it costs to send.
const maxLines = 500

// lines counts line ends of a document, and says once where they become too many.
type lines int

func (n *lines) read(o strict.Object, member string, rules ...strict.Rule) string {
	text := o.String(member, append(rules, strict.Multiline)...)
	before := *n
	if *n += lines(strings.Count(text, "\n")); before <= maxLines && *n > maxLines {
		o.Fail(member, "TOO_MANY_LINES", fmt.Sprintf("With this text the document has more than %d line ends: write "+
			"fewer, longer lines.", maxLines))
	}
	return text
}

func readParty(o strict.Object, conditioned bool) events.Party {
	p := events.Party{
		LegalName:      o.String("legal_name", strict.MaxLen(200)),
		DocumentType:   o.StringOrInt("document_type", strict.MaxLen(40)),
		DocumentNumber: o.StringOrInt("document_number", strict.MaxLen(40)),
		Address:        readAddress(o.Object("address")),
	}
	if conditioned {
		p.TaxCondition = o.StringOrInt("tax_condition", strict.MaxLen(60))
	} else {
		o.MustBeEmpty("tax_condition")
	}
	return p
}

// readCurrency defaults to the company's currency. What a unit of another one costs nobody can guess: a rate that is
// left out stays 0, and the country's rules say that it is 1, that it must be given, or that the authority tells it.
func readCurrency(o strict.Object, c company.State) events.Currency {
	out := events.Currency{Code: o.String("code", strict.MaxLen(3))}
	if out.Code == "" {
		if own, ok := country.CurrencyByID(c.Currency); ok {
			out.Code = own.Code
		}
	}
	if o.Has("exchange_rate") {
		out.Rate = o.Decimal("exchange_rate", strict.Positive, strict.WholeDigits(10))
	}
	return out
}

func readPaymentMethod(o strict.Object) *events.PaymentMethod {
	code, description := o.String("code", strict.MaxLen(20)), o.String("description", strict.MaxLen(200))
	if code == "" && description == "" {
		return nil
	}
	return &events.PaymentMethod{Code: code, Description: description}
}

// Amounts are bounded because sums are made of them: see country.MaxWholeDigits. The
// rules are made once; a document has many amounts.
var (
	bounded = []strict.Rule{strict.WholeDigits(country.MaxWholeDigits), strict.Decimals(country.MaxDecimals)}
	needed  = append([]strict.Rule{strict.Required}, bounded...)
)

func requiredAmount(o strict.Object, name string) money.Decimal { return o.Decimal(name, needed...) }

func amount(o strict.Object, name string, rules ...strict.Rule) money.Decimal {
	if len(rules) == 0 {
		return o.Decimal(name, bounded...)
	}
	return o.Decimal(name, append(rules, bounded...)...)
}

func (rd *reader) items(o strict.Object) []events.Item {
	var items []events.Item
	o.Array("items", func(_ int, item strict.Object) {
		item.MustBeEmpty("type_organization_code", "code_unit_of_measure_organization_code")
		it := events.Item{
			Quantity:      requiredAmount(item, "quantity"),
			UnitOfMeasure: item.StringOrInt("code_unit_of_measure", strict.MaxLen(20)),
			UnitPrice:     requiredAmount(item, "unit_price"),
			Discount:      amount(item, "discount_amount"),
			Description:   rd.ends.read(item, "description", rd.must(strict.MaxLen(4000))...),
		}
		if code := item.Object("code"); code.Present() {
			it.Code = &events.ItemCode{
				Type:  code.String("type", strict.Required, strict.MaxLen(20)),
				Value: code.String("value", strict.Required, strict.MaxLen(60)),
			}
		}
		item.Array("taxes", func(_ int, tax strict.Object) {
			it.Taxes = append(it.Taxes, events.ItemTax{
				Type:   tax.String("type", strict.Required, strict.MaxLen(40)),
				Rate:   rd.due(tax, "rate"),
				Amount: rd.due(tax, "amount"),
			})
		}, strict.MaxItems(20))
		items = append(items, it)
	}, strict.Required, strict.MinItems(1), strict.MaxItems(country.MaxItems))
	return items
}

func (rd *reader) globalTaxes(o strict.Object) []events.GlobalTax {
	var taxes []events.GlobalTax
	o.Array("global_taxes", func(_ int, tax strict.Object) {
		taxes = append(taxes, events.GlobalTax{
			Type:        tax.StringOrInt("type", strict.Required, strict.MaxLen(40)),
			Description: tax.String("description", strict.MaxLen(80)),
			Rate:        amount(tax, "rate"),
			BaseAmount:  rd.due(tax, "base_amount"),
			Amount:      rd.due(tax, "amount"),
		})
	}, strict.MaxItems(50))
	return taxes
}

func (rd *reader) totals(o strict.Object) events.Totals {
	o = o.Object("totals", rd.must()...)
	t := events.Totals{
		SubTotal: rd.due(o, "sub_total"),
		Discount: amount(o, "discount"),
		Total:    rd.due(o, "total"),
	}
	o.Array("taxes", func(_ int, tax strict.Object) {
		t.Taxes = append(t.Taxes, events.TotalTax{
			Type:       tax.String("type", strict.Required, strict.MaxLen(40)),
			Amount:     rd.due(tax, "amount"),
			BaseAmount: rd.due(tax, "base_amount"),
		})
	}, strict.MaxItems(50))
	return t
}

func readReferences(o strict.Object, resolve func(strict.Object, *events.Reference)) []events.Reference {
	var refs []events.Reference
	o.Array("billing_reference", func(_ int, ref strict.Object) {
		number, folio := readNumber(ref)
		r := events.Reference{
			Invoice:        ref.String("invoice_id", strict.MaxLen(64)),
			Type:           ref.StringOrInt("type", strict.MaxLen(20)),
			BranchOffice:   int(ref.Int("branch_office", strict.Between(0, 99_999))),
			Series:         strings.ToUpper(ref.String("series", strict.MaxLen(2))),
			Number:         number,
			Folio:          folio,
			Date:           ref.Date("date"),
			DocumentNumber: ref.StringOrInt("document_number", strict.MaxLen(40)),
			PeriodFrom:     ref.Date("period_from"),
			PeriodTo:       ref.Date("period_to"),
			ReasonCode:     ref.StringOrInt("reason_code", strict.MaxLen(20)),
		}
		if ref.Has("amount") {
			sum := amount(ref, "amount")
			r.Amount = &sum
		}
		if currency := ref.Object("currency"); currency.Present() {
			r.Currency = strings.ToUpper(currency.String("code", strict.Required, strict.MaxLen(3)))
			if currency.Has("exchange_rate") {
				rate := currency.Decimal("exchange_rate", strict.Positive, strict.WholeDigits(10))
				r.Rate = &rate
			}
		}
		// An invoice of ours may be named with its coordinates, as a read returns it.
		if ways := count(r.Invoice != "", r.Invoice == "" &&
			(r.Type != "" || r.Number != 0 || r.Folio != ""), r.PeriodFrom != "" || r.PeriodTo != ""); ways != 1 {
			ref.Fail("", "REFERENCE_AMBIGUOUS",
				"Name one invoice_id, or type, branch_office, number and date of a document, or period_from and period_to.")
		} else if r.Invoice != "" {
			resolve(ref, &r)
		}
		refs = append(refs, r)
	}, strict.MaxItems(100))
	return refs
}

// readNumber reads the number of a document that is named: a number, or the text that
// stands for one.
func readNumber(ref strict.Object) (number int64, folio string) {
	if raw := ref.Raw("number"); len(raw) > 0 && raw[0] == '"' {
		return 0, ref.String("number", strict.MaxLen(40))
	}
	return ref.Int("number", strict.Between(0, 9_999_999_999)), ""
}

func count(all ...bool) int {
	n := 0
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// readInfo takes the country's own member as it is: the country's rules read it.
func readInfo(o strict.Object, name string) json.RawMessage {
	raw := o.Raw(name)
	if len(raw) > 0 && raw[0] != '{' {
		o.Fail(name, strict.CodeWrongType, "Write an object.")
		return nil
	}
	return raw
}
