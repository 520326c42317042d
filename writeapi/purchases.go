package writeapi

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/purchase"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
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
	p, source, content, err := a.readPurchase(body, rules, purchaser)
	if err != nil {
		return err
	}
	if p.Recipient != "" && p.Recipient != s.TaxIdentifier {
		return fault.Field(source, "OTHER_RECIPIENT", fmt.Sprintf("The document was issued to %s, not to this company's %s %s.", p.Recipient, rules.IdentifierName(), s.TaxIdentifier))
	}
	sha, err := a.Vault.StoreFile(r.Context(), content)
	if err != nil {
		return err
	}
	e := events.PurchaseReceived{
		Purchase: ulid.Make().String(), Company: s.Company, Country: s.Country, OfficialCode: p.OfficialCode, BranchOffice: p.BranchOffice,
		Series: p.Series, Number: p.Number, Date: p.Date, Supplier: p.Supplier, Currency: p.Currency, Total: p.Total.String(),
		Authorization: p.Authorization, Verification: p.Verification, Verified: p.Verified, Source: source, DocumentSHA256: sha,
	}
	out, err := commands.Execute(r.Context(), a.Executor, purchase.Decider, purchase.ID(e), purchase.Receive{Purchase: e}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "purchases", out.Position)
	return answerPurchase(w, r, *out.State.Received, len(out.Events) > 0, rules)
}

func answerPurchase(w http.ResponseWriter, r *http.Request, e events.PurchaseReceived, created bool, rules country.Rules) error {
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
func (a api) readPurchase(body *httpapi.Body, rules country.Rules, purchaser country.Purchaser) (country.Purchase, string, []byte, error) {
	o := body.Object()
	switch {
	case o.Has("qr"):
		text := o.String("qr", httpapi.Required, httpapi.MaxLen(4096))
		if err := o.Done(); err != nil {
			return country.Purchase{}, "", nil, err
		}
		p, err := purchaser.ReadQR(text)
		return p, "qr", []byte(text), err
	case o.Has("xml"):
		document := o.String("xml", httpapi.Required, httpapi.MaxLen(200_000), httpapi.Multiline)
		if err := o.Done(); err != nil {
			return country.Purchase{}, "", nil, err
		}
		p, err := purchaser.ReadPurchaseXML([]byte(document), a.Trust)
		return p, "xml", []byte(document), err
	}
	p := typedPurchase(o, rules)
	if err := o.Done(); err != nil {
		return p, "", nil, err
	}
	if err := fault.Violated(purchaser.CheckPurchase(p)); err != nil {
		return p, "", nil, err
	}
	canonical, err := json.Marshal(p)
	return p, "json", canonical, err
}

func typedPurchase(o httpapi.Object, rules country.Rules) country.Purchase {
	p := country.Purchase{
		BranchOffice: int(o.Int("branch_office", httpapi.Between(0, 99_999))), Number: o.Int("number", httpapi.Required, httpapi.Between(1, 9_999_999_999)),
		Series: o.String("series", httpapi.MaxLen(2)), Date: o.Date("date", httpapi.Required), Currency: o.String("currency", httpapi.Required, httpapi.MaxLen(3)),
		Total: amount(o, "total", httpapi.Required, httpapi.NotNegative), Supplier: readParty(o.Object("supplier", httpapi.Required), false),
		Recipient: o.StringOrInt("recipient_document", httpapi.MaxLen(40)), Authorization: o.StringOrInt("authorization_code", httpapi.MaxLen(60)),
		Verification: country.Consistent, Verified: "Its figures were typed and agree with each other; the authority was not asked.",
	}
	name := o.StringOrInt("invoice_type", httpapi.Required, httpapi.MaxLen(20))
	if kind, ok := rules.DocumentType(name); ok {
		p.OfficialCode = kind.Code
	} else if name != "" {
		o.Fail("invoice_type", "UNKNOWN_DOCUMENT_TYPE", "Use an invoice_type of GET /api/document-types, or the authority's code.")
	}
	return p
}
