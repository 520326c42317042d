package console

import (
	"encoding/json"
	"math/big"
	"strings"
	"time"
)

// What the console shows of the API's records. Docs/api.md says what the members mean.

// list is a page of records.
type list[T any] struct {
	Page  int     `json:"page"`
	Pages int     `json:"total_pages"`
	Total int     `json:"total_results"`
	Data  []T     `json:"data"`
	Next  *string `json:"next_cursor"`
}

type company struct {
	ID        string         `json:"id_company"`
	Country   string         `json:"country"`
	Name      string         `json:"legal_name"`
	TaxID     string         `json:"tax_identifier"`
	TaxIDName string         `json:"tax_identifier_name"`
	Profile   map[string]any `json:"fiscal_profile"`
	Logo      *logo          `json:"logo"`
	Steps     []step         `json:"pending_steps"`
	Role      string         `json:"-"` // of somebody else's company
}

type logo struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

type certificate struct {
	ID          string    `json:"id"`
	Serial      string    `json:"serial_number"`
	Subject     string    `json:"subject"`
	Issuer      string    `json:"issuer"`
	From        time.Time `json:"valid_from"`
	To          time.Time `json:"valid_to"`
	Environment string    `json:"environment"`
	UploadedAt  time.Time `json:"uploaded_at"`
}

// step is what is missing before a company can issue.
type step struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type invoice struct {
	ID            string       `json:"id"`
	Number        *string      `json:"number"`
	Type          string       `json:"invoice_type"`
	Date          string       `json:"invoice_date"`
	Status        string       `json:"status"`
	Environment   *string      `json:"environment"`
	Reference     string       `json:"external_reference"`
	Observations  string       `json:"observations"`
	CreatedAt     time.Time    `json:"created_at"`
	Issuer        party        `json:"issuer"`
	Recipient     party        `json:"recipient"`
	Currency      currency     `json:"currency"`
	Items         []item       `json:"items"`
	Totals        totals       `json:"totals"`
	Pending       *pending     `json:"pending_reason"`
	Delivery      *handingOver `json:"delivery"`
	Report        *reported    `json:"authority_report"`
	Rejection     []said       `json:"rejection"`
	Authorization *authorized  `json:"electronic_authorization"`
	NoFiscalValue bool         `json:"no_fiscal_value"`
	References    []referenced `json:"billing_reference"`
	Notes         []note       `json:"notes"`
	Credited      json.Number  `json:"credited_total"`
	Balance       json.Number  `json:"balance"`
}

type party struct {
	Name           string `json:"legal_name"`
	DocumentType   string `json:"document_type"`
	DocumentNumber string `json:"document_number"`
}

type currency struct {
	Code string       `json:"code"`
	Rate *json.Number `json:"exchange_rate"`
}

type item struct {
	Quantity    json.Number `json:"quantity"`
	Price       json.Number `json:"unit_price"`
	Discount    json.Number `json:"discount_amount"`
	Description string      `json:"description"`
	Taxes       []tax       `json:"taxes"`
}

type tax struct {
	Type   string      `json:"type"`
	Rate   json.Number `json:"rate"`
	Amount json.Number `json:"amount"`
	Base   json.Number `json:"base_amount"`
}

type totals struct {
	SubTotal json.Number `json:"sub_total"`
	Discount json.Number `json:"discount"`
	Taxes    []tax       `json:"taxes"`
	Total    json.Number `json:"total"`
}

type pending struct {
	Code    string     `json:"code"`
	Message string     `json:"message"`
	NextTry *time.Time `json:"next_try"`
	Outage  *outage    `json:"outage"`
}

// handingOver says whether a document may go to its receiver before the verdict.
type handingOver struct {
	Allowed    bool       `json:"allowed"`
	Basis      *string    `json:"basis"`
	HandedOver *time.Time `json:"handed_over_at"`
	NextStep   *string    `json:"next_step"`
}

// reported is how far a document that was issued by contingency is reported to the authority.
type reported struct {
	State string `json:"state"`
	DueBy string `json:"due_by"`
	Codes []said `json:"codes"`
}

// said is a code and a text of the authority.
type said struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type authorized struct {
	Type      string `json:"type"`
	Code      string `json:"code"`
	ExpiresOn string `json:"expiration_date"`
	More      *struct {
		Observations []said `json:"observations"`
	} `json:"additional_info"`
}

type referenced struct {
	Invoice *string `json:"invoice_id"`
	Type    *string `json:"type"`
	Number  any     `json:"number"`
}

type note struct {
	Invoice string      `json:"invoice_id"`
	Type    string      `json:"invoice_type"`
	Amount  json.Number `json:"amount"`
	Status  string      `json:"status"`
	Date    string      `json:"date"`
}

// Pace is how often a page looks at the invoice while it waits: often at first, then rarely, since
// what waits for long waits for a person or for an authority that is away.
func (i invoice) Pace(now time.Time) string {
	switch age := now.Sub(i.CreatedAt); {
	case age < time.Minute:
		return "every 2s"
	case age < 10*time.Minute:
		return "every 10s"
	}
	return "every 60s"
}

// Waits says that the status will change by itself.
func (i invoice) Waits() bool { return i.Status == "Pending" || i.Status == "In process" }

// Name is the invoice in a line: type and number, or that it has none yet.
func (i invoice) Name() string {
	if i.Number == nil {
		return i.Type
	}
	return i.Type + " " + *i.Number
}

// text is a member of the profile, as it is typed.
func (c company) text(path string) string {
	var at any = c.Profile
	for part := range strings.SplitSeq(path, ".") {
		m, ok := at.(map[string]any)
		if !ok {
			return ""
		}
		at = m[part]
	}
	switch v := at.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// GrossPrices says that the prices of the lines have the taxes in them: the lines alone come
// to the total, more or less.
func (i invoice) GrossPrices() bool {
	lines, taxes := new(big.Rat), new(big.Rat)
	for _, l := range i.Items {
		lines.Add(lines, new(big.Rat).Mul(rat(l.Quantity), rat(l.Price)))
	}
	for _, t := range i.Totals.Taxes {
		taxes.Add(taxes, rat(t.Amount))
	}
	lines.Sub(lines, rat(i.Totals.Discount))
	apart := lines.Sub(lines, rat(i.Totals.Total))
	return taxes.Sign() > 0 && new(big.Rat).Add(apart.Abs(apart), apart).Cmp(taxes) < 0
}

// rat is an amount of an answer, 0 for none.
func rat(n json.Number) *big.Rat {
	if r, ok := new(big.Rat).SetString(n.String()); ok {
		return r
	}
	return new(big.Rat)
}
