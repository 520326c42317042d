package writeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"folio/commands/company"
	"folio/commands/purchase"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/money"
	"folio/resource"
	"folio/strict"

	"github.com/oklog/ulid/v2"
)

// receivePurchase takes a supplier's document in: the text of its code ("qr"), the
// electronic document itself ("xml"), or its fields. It says how far it was verified.
func (a api) receivePurchase(w http.ResponseWriter, r *http.Request) error {
	s, rules, err := a.company(r.Context())
	if err != nil {
		return err
	}
	purchaser, ok := rules.(country.Purchaser)
	if !ok {
		return fault.New(fault.Conflict, "NO_PURCHASES", "Purchase documents of "+rules.Code()+" are not taken in.")
	}
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	p, source, content, err := a.readPurchase(r.Context(), body, rules, purchaser)
	if err != nil {
		return err
	}
	if p.Recipient != "" && p.Recipient != s.TaxIdentifier {
		path := source
		if source == "json" {
			path = "recipient_document"
		}
		return fault.Field(path, "OTHER_RECIPIENT",
			fmt.Sprintf("The document was issued to %s, not to this company's %s %s.", p.Recipient, rules.IdentifierName(),
				s.TaxIdentifier))
	}
	sha, err := a.Vault.StoreFile(r.Context(), content)
	if err != nil {
		return err
	}
	e := events.PurchaseReceived{
		Purchase: newID(r), Company: s.Company, Country: s.Country, OfficialCode: p.OfficialCode,
		BranchOffice: p.BranchOffice,
		Series:       p.Series, Number: p.Number, Date: p.Date, Supplier: p.Supplier, Currency: p.Currency,
		Total:         p.Total.String(),
		Authorization: p.Authorization, Verification: p.Verification, Verified: p.Verified, Source: source,
		DocumentSHA256: sha, Taxes: p.Taxes,
	}
	if err := a.verifyPurchase(r, s, rules, p, &e); err != nil {
		return err
	}
	out, err := a.log.Purchases.Execute(r.Context(), purchase.ID(e), purchase.Receive{Purchase: e}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "purchases", out.Position)
	return answerPurchase(w, *out.State.Received, out.State.Received.Purchase == e.Purchase, rules)
}

// verifyPurchase asks the authority how far the document is right, unless it has
// confirmed it before. A document that was taken in is asked about as it was taken in,
// or as it is corrected now.
func (a api) verifyPurchase(r *http.Request, s company.State, rules country.Rules, p country.Purchase,
	e *events.PurchaseReceived) error {
	if a.Purchases == nil {
		return nil
	}
	before, _, err := a.log.Purchases.Load(r.Context(), purchase.ID(*e))
	if err != nil || !before.Unconfirmed() {
		return err
	}
	if b := before.Received; b != nil {
		if before.Corrects(*e) {
			now := before.Completed(*e)
			b = &now
		}
		p.Date, p.Currency, p.Authorization = b.Date, b.Currency, b.Authorization
		if p.Total, err = money.Parse(b.Total); err != nil {
			return fmt.Errorf("purchase %s: %w", b.Purchase, err)
		}
	}
	v, asked, err := a.Purchases.Verify(r.Context(), s, rules.Authority(), p, httpapi.Started(r.Context()))
	if err != nil || !asked {
		return err
	}
	e.Verification, e.Verified, e.Messages, e.Calls = v.Verification, v.Verified, v.Messages, v.Calls
	return nil
}

func answerPurchase(w http.ResponseWriter, e events.PurchaseReceived, created bool,
	rules country.Rules) error {
	path := "/api/companies/" + e.Company + "/purchases/" + e.Purchase
	w.Header().Set("Location", path)
	status := http.StatusOK // it was taken in before
	at, err := ulid.ParseStrict(e.Purchase)
	if err != nil {
		return fmt.Errorf("purchase %s: %w", e.Purchase, err)
	}
	if created {
		status = http.StatusCreated
	}
	kind, _ := rules.DocumentType(fmt.Sprint(e.OfficialCode))
	return httpapi.JSON(w, status, resource.Received(e, kind.InvoiceType, ulid.Time(at.Time())))
}

// readPurchase reads the one form that the document was given in, and the bytes to keep.
func (a api) readPurchase(ctx context.Context, body *strict.Body, rules country.Rules,
	purchaser country.Purchaser) (country.Purchase, string, []byte, error) {
	o := body.Object()
	qr, xml := o.Raw("qr") != nil, o.Raw("xml") != nil // null is as good as left out
	switch {
	case qr && xml:
		o.Fail("xml", "ONE_FORM", "Send the text of the code (qr) or the document (xml), not both.")
		return country.Purchase{}, "", nil, o.Done()
	case qr:
		text := readCode(o)
		if err := o.Done(); err != nil {
			return country.Purchase{}, "", nil, err
		}
		p, err := purchaser.ReadQR(text)
		return p, "qr", []byte(text), err
	case xml:
		document := readXML(o)
		if err := o.Done(); err != nil {
			return country.Purchase{}, "", nil, err
		}
		var p country.Purchase
		err := a.work(ctx, foreignFileMemory, func() (err error) {
			p, err = purchaser.ReadPurchaseXML([]byte(document), a.Trust)
			return err
		})
		return p, "xml", []byte(document), err
	}
	p := typedPurchase(o, rules)
	if err := o.Done(); err != nil {
		return p, "", nil, err
	}
	if err := fault.Violated(purchaser.CheckPurchase(p)); err != nil {
		return p, "", nil, err
	}
	content, err := json.Marshal(p)
	return p, "json", content, err
}

func readCode(o strict.Object) string { return o.String("qr", strict.Required, strict.MaxLen(4096)) }

func readXML(o strict.Object) string {
	return o.String("xml", strict.Required, strict.MaxLen(200_000), strict.Multiline)
}

func typedPurchase(o strict.Object, rules country.Rules) country.Purchase {
	p := country.Purchase{
		BranchOffice: int(o.Int("branch_office", strict.Between(0, 99_999))),
		Number:       o.Int("number", strict.Required, strict.Between(1, 9_999_999_999)),
		Series:       o.String("series", strict.MaxLen(2)), Date: o.Date("date", strict.Required),
		Currency:          strings.ToUpper(o.String("currency", strict.Required, strict.MaxLen(3))),
		Total:             amount(o, "total", strict.Required, strict.NotNegative),
		Supplier:          readParty(o.Object("supplier", strict.Required), false),
		Recipient:         o.StringOrInt("recipient_document", strict.MaxLen(40)),
		Authorization:     o.StringOrInt("authorization_code", strict.MaxLen(60)),
		AuthorizationType: o.String("authorization_type", strict.MaxLen(10)),
		Verification:      country.Consistent, Verified: "Its figures were typed and agree with each other; the authority " +
			"was not asked.",
	}
	if p.Supplier.DocumentType == "" {
		p.Supplier.DocumentType = rules.IdentifierName() // the check takes no other identifier
	}
	p.Supplier.DocumentNumber, p.Recipient = canonical(rules, p.Supplier.DocumentNumber), canonical(rules, p.Recipient)
	if known, ok := country.Find(rules.Catalogue().Currencies, p.Currency); ok {
		p.Currency = known.Code // as codes and XML are read; what is none is refused
	}
	name := o.StringOrInt("invoice_type", strict.Required, strict.MaxLen(20))
	if kind, ok := rules.DocumentType(name); ok {
		p.OfficialCode = kind.Code
	} else if name != "" {
		o.Fail("invoice_type", "UNKNOWN_DOCUMENT_TYPE", "Use an invoice_type of GET /api/document-types, or the "+
			"authority's code.")
	}
	return p
}

// canonical is a tax identifier in the one form that documents are known by, however it
// was written; what is none stays as it is, to be refused.
func canonical(rules country.Rules, identifier string) string {
	if one, err := rules.Identifier(identifier); err == nil {
		return one
	}
	return identifier
}
