package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// today is the day in Argentina, the same for a whole run: a series whose dates go back
// would be refused.
var today = time.Now().In(time.FixedZone("-03", -3*60*60)).Format(time.DateOnly)

// body is a create request: two pieces at 100.00 with 21 % where the class has VAT.
func body(kind string, branchOffice int, reference string) map[string]any {
	out := map[string]any{
		"branch_office": branchOffice, "invoice_type": kind, "invoice_date": today + " 10:30:00", "concept": "1",
		"observations": "Gracias por su compra.", "external_reference": reference, "recipient": recipient(kind),
		"currency":       map[string]any{"code": "ARS", "exchange_rate": 1},
		"payment_method": map[string]any{"code": "CON", "description": "Contado"},
		"items": []map[string]any{{
			"quantity": 2, "code_unit_of_measure": "u", "unit_price": json.Number("100.00"), "discount_amount": 0,
			"description": "Cuaderno rayado", "code": map[string]any{"type": "sku", "value": "C-96"},
			"taxes": []map[string]any{{"type": "iva21", "rate": 21, "amount": json.Number("42.00")}},
		}},
		"totals": map[string]any{"sub_total": json.Number("200.00"), "discount": 0, "total": json.Number("242.00"),
			"taxes": []map[string]any{{"type": "iva21", "amount": json.Number("42.00"), "base_amount": json.Number("200.00")}}},
	}
	if strings.HasSuffix(kind, "C") {
		out["items"].([]map[string]any)[0]["taxes"] = []any{}
		out["totals"] = map[string]any{"sub_total": json.Number("200.00"), "discount": 0, "total": json.Number("200.00"),
			"taxes": []any{}}
	}
	return out
}

func recipient(kind string) map[string]any {
	if strings.HasSuffix(kind, "A") {
		return map[string]any{"legal_name": "Ñandú & Cía S.R.L.", "document_type": "CUIT", "document_number": "33693450239",
			"address": map[string]any{"country": "AR", "region": "AR-X", "address": "Bv. San Juan 55", "phone": ""}}
	}
	return map[string]any{"legal_name": "Ana Núñez", "document_type": "DNI", "document_number": "28765432"}
}

// invoice is what the tests read of a record.
type invoice struct {
	ID                string
	Company           string `json:"id_company"`
	Number            *string
	BranchOffice      int    `json:"branch_office"`
	InvoiceType       string `json:"invoice_type"`
	InvoiceDate       string `json:"invoice_date"`
	ExternalReference string `json:"external_reference"`
	Status            string
	PendingReason     *struct{ Code, Message string } `json:"pending_reason"`
	Rejection         []struct{ Code, Message string }
	CancellationDate  *string `json:"cancellation_date"`
	Authorization     *struct {
		Type, Code     string
		ExpirationDate string `json:"expiration_date"`
		QR             string
		QRURL          string `json:"qr_url"`
	} `json:"electronic_authorization"`
	Totals struct{ Total json.Number }
}

func (i invoice) String() string {
	number := "without number"
	if i.Number != nil {
		number = *i.Number
	}
	return fmt.Sprintf("%s %s %s %s %+v %v", i.ID, i.InvoiceType, number, i.Status, i.PendingReason, i.Rejection)
}

// list is a page of invoices.
type list struct {
	Page         int
	TotalPages   int     `json:"total_pages"`
	TotalResults int     `json:"total_results"`
	NextCursor   *string `json:"next_cursor"`
	UpdatedUntil string  `json:"updated_until"`
	Data         []invoice
}

// post creates an invoice.
func (c company) post(t testing.TB, body any) invoice {
	t.Helper()
	return decode[invoice](t, c.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", body))
}

func (c company) read(t testing.TB, id string) invoice {
	t.Helper()
	return get[invoice](t, c.client, "/api/invoices/"+id)
}

// verdictLimit is how long the sandbox's verdict may take to be read, on a busy machine.
const verdictLimit = 60 * time.Second

// accepted waits until the authority has accepted an invoice.
func (c company) accepted(t testing.TB, id string) invoice {
	t.Helper()
	var i invoice
	eventually(t, verdictLimit, "invoice "+id+" is accepted", func() (string, bool) {
		if i = c.read(t, id); i.Status == "Rejected" {
			t.Fatalf("rejected: %s", i)
		}
		return i.String(), i.Status == "Accepted"
	})
	return i
}

// issue creates an invoice and waits for its acceptance.
func (c company) issue(t testing.TB, body any) invoice {
	t.Helper()
	return c.accepted(t, c.post(t, body).ID)
}

// settle waits until no invoice of the company lacks a verdict.
func (c company) settle(t testing.TB, limit time.Duration) {
	t.Helper()
	eventually(t, limit, "every invoice has its verdict", func() (string, bool) {
		left := 0
		var first []invoice
		for _, status := range []string{"pending", "in%20process"} {
			l := get[list](t, c.client, "/api/invoices?per_page=1&status="+status)
			left += l.TotalResults
			first = append(first, l.Data...)
		}
		return fmt.Sprintf("%d left, such as %v", left, first), left == 0
	})
}

// all reads every invoice of the company, the newest first.
func (c company) all(t testing.TB) []invoice {
	t.Helper()
	var out []invoice
	for cursor := ""; ; {
		l := get[list](t, c.client, "/api/invoices?per_page=100"+cursor)
		out = append(out, l.Data...)
		if l.NextCursor == nil {
			if len(out) != l.TotalResults {
				t.Errorf("a walk by cursor found %d invoices, the total is %d", len(out), l.TotalResults)
			}
			return out
		}
		cursor = "&cursor=" + *l.NextCursor
	}
}

// consecutive wants every invoice accepted, the numbers 1..n in each series, and no
// CAE twice.
func consecutive(t testing.TB, all []invoice) (series map[string]int) {
	t.Helper()
	series = map[string]int{}
	numbers, caes := map[string]bool{}, map[string]bool{}
	for _, i := range all {
		if i.Status != "Accepted" || i.Number == nil || i.Authorization == nil {
			t.Errorf("without number and authorization: %s", i)
			continue
		}
		at := i.InvoiceType + " " + *i.Number
		// Argentina's of one document; a CAEA is its fortnight's, Chile's may be lost, Uruguay's is its range's
		if numbers[at] || caes[i.Authorization.Code] && len(i.Authorization.Code) == 14 && i.Authorization.Type != "CAEA" {
			t.Errorf("number or CAE given twice: %s %s", i, i.Authorization.Code)
		}
		numbers[at], caes[i.Authorization.Code] = true, true
		series[at[:len(at)-len("-00000001")]]++
	}
	for s, n := range series {
		for k := 1; k <= n; k++ {
			if at := fmt.Sprintf("%s-%08d", s, k); !numbers[at] {
				t.Errorf("the series %s has %d invoices, but no number %d", s, n, k)
			}
		}
	}
	return series
}

// pdf downloads the document of an accepted invoice.
func (c company) pdf(t testing.TB, method, id, path string) []byte {
	t.Helper()
	a := c.want(t, http.StatusOK, method, "/api/invoices/"+id+path, nil)
	if err := isPDF(a); err != nil {
		t.Fatal(err)
	}
	return a.body
}

func isPDF(a answer) error {
	if a.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(string(a.body), "%PDF-1.") ||
		!strings.Contains(string(a.body[max(0, len(a.body)-32):]), "%%EOF") {
		return fmt.Errorf("no PDF but %s: %.200q", a.header.Get("Content-Type"), a.body)
	}
	if d := a.header.Get("Content-Disposition"); !strings.HasPrefix(d, `attachment; filename="`) {
		return fmt.Errorf("content disposition %q", d)
	}
	return nil
}
