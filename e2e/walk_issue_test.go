package e2e

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// sample is the specification's kind of body: goods and services, two rates, a discount.
func sample() map[string]any {
	b := body("FCA", 1, "A-1042")
	due, _ := time.Parse(time.DateOnly, today)
	b["concept"], b["payment_due_date"] = "3", due.AddDate(0, 1, 0).Format(time.DateOnly)
	b["service_start_date"], b["service_end_date"] = today+" 00:00:00", today+" 23:59:59"
	b["items"] = []map[string]any{
		{"quantity": 2, "code_unit_of_measure": "u", "unit_price": 100, "discount_amount": 10,
			"description": "Servicio de mantenimiento",
			"code":        map[string]any{"type": "sku", "value": "A-17"},
			"taxes":       []map[string]any{{"type": "iva21", "amount": json.Number("39.9"), "rate": 21}}},
		{"quantity": json.Number("1.5"), "code_unit_of_measure": "u", "unit_price": json.Number("33.34"),
			"discount_amount": 0, "description": "Repuesto → «Ñ» 😀",
			"taxes": []map[string]any{{"type": "iva105", "amount": json.Number("5.25"), "rate": json.Number("10.5")}}},
	}
	b["totals"] = map[string]any{"sub_total": json.Number("250.01"), "discount": 10, "total": json.Number("285.16"),
		"taxes": []map[string]any{{"type": "iva21", "amount": json.Number("39.9"), "base_amount": 190},
			{"type": "iva105", "amount": json.Number("5.25"), "base_amount": json.Number("50.01")}}}
	return b
}

// creditInvoice is a factura de crédito electrónica MiPyMEs A.
func creditInvoice() map[string]any {
	b := body("FMA", 1, "mipyme")
	b["payment_due_date"] = today
	b["additional_header_info"] = map[string]any{"cbu": "0110012345678901234567", "transfer_system": "SCA"}
	return b
}

var caeForm = regexp.MustCompile(`^[0-9]{14}$`)

func (w *walk) kinds(t *testing.T) {
	for kind, b := range map[string]map[string]any{
		"FCA": sample(), "FCB": body("FCB", 1, "B"), "RCB": body("RCB", 1, "R"), "FMA": creditInvoice(),
	} {
		w.issued[kind] = w.c.post(t, b)
	}
	for kind, made := range w.issued {
		i := w.c.accepted(t, made.ID)
		w.issued[kind] = i
		a := i.Authorization
		if *i.Number != "0001-00000001" || a == nil || a.Type != "CAE" || !caeForm.MatchString(a.Code) {
			t.Errorf("%s was accepted as %s with %+v", kind, i, a)
			continue
		}
		if expires, err := time.Parse(time.DateOnly, a.ExpirationDate); err != nil || expires.Format(time.DateOnly) < today {
			t.Errorf("the CAE of %s expires on %q", kind, a.ExpirationDate)
		}
		w.checkQR(t, i)
	}
}

// checkQR reads the address as RG 4892 has it: numbers as numbers, strict base64.
func (w *walk) checkQR(t *testing.T, i invoice) {
	t.Helper()
	payload, ok := strings.CutPrefix(i.Authorization.QR, "https://www.arca.gob.ar/fe/qr/?p=")
	if !ok {
		payload, ok = strings.CutPrefix(i.Authorization.QR, "https://www.afip.gob.ar/fe/qr/?p=")
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(payload)
	if !ok || err != nil || i.Authorization.QRURL != i.Authorization.QR {
		t.Fatalf("QR %q and qr_url %q: %v", i.Authorization.QR, i.Authorization.QRURL, err)
	}
	var qr struct {
		Ver, CUIT, PtoVta, NroCmp, CodAut json.Number
		Importe                           json.Number
		Fecha                             string
	}
	if err := json.Unmarshal(raw, &qr); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if qr.Ver != "1" || qr.CUIT.String() != w.c.cuit || qr.PtoVta != "1" || qr.NroCmp != "1" || qr.Fecha != today ||
		qr.CodAut.String() != i.Authorization.Code || !sameAmount(qr.Importe, i.Totals.Total) {
		t.Errorf("the QR of %s holds %s", i, raw)
	}
}

func sameAmount(a, b json.Number) bool {
	x, err1 := a.Float64()
	y, err2 := b.Float64()
	return err1 == nil && err2 == nil && x == y
}

func (w *walk) notes(t *testing.T) {
	note := sample()
	note["invoice_type"], note["billing_reference"] = "NCA", []map[string]any{{"invoice_id": w.issued["FCA"].ID}}
	delete(note, "payment_due_date")
	note["payment_due_date"] = today
	w.issued["NCA"] = w.c.issue(t, note)
	credit := body("CMA", 1, "mipyme")
	credit["billing_reference"] = []map[string]any{{"invoice_id": w.issued["FMA"].ID}}
	credit["additional_header_info"] = map[string]any{"cancellation": "N"}
	w.issued["CMA"] = w.c.issue(t, credit)
	record := get[struct {
		References []struct {
			InvoiceID      string `json:"invoice_id"`
			Type           string
			BranchOffice   int `json:"branch_office"`
			Number         int
			Date           string
			DocumentNumber string `json:"document_number"`
		} `json:"billing_reference"`
	}](t, w.c.client, "/api/invoices/"+w.issued["NCA"].ID)
	if len(record.References) != 1 {
		t.Fatalf("the note refers to %+v", record.References)
	}
	if r := record.References[0]; r.InvoiceID != w.issued["FCA"].ID || r.Type != "FCA" || r.BranchOffice != 1 ||
		r.Number != 1 ||
		r.Date != today || r.DocumentNumber != w.c.cuit {
		t.Errorf("the note refers to %+v", r)
	}
	if soap := w.authority.requestOf("<CbteTipo>3</CbteTipo>", "<CbteAsoc>"); soap == "" {
		t.Error("the authority was not told which document the note corrects")
	}
	eventually(t, verdictLimit, "the note cancels its invoice", func() (string, bool) {
		i := w.c.read(t, w.issued["FCA"].ID)
		return i.String(), i.Status == "Accepted" && i.CancellationDate != nil && *i.CancellationDate == today
	})
	// A note on what is not ours is refused before it takes a number.
	note["billing_reference"] = []map[string]any{{"invoice_id": w.c.id}}
	w.c.refused(t, 422, "VALIDATION_FAILED", "POST", "/api/invoices", note)
}

// record compares what was sent, member by member, with what a read shows.
func (w *walk) record(t *testing.T) {
	sent, err := json.Marshal(sample())
	if err != nil {
		t.Fatal(err)
	}
	made := w.c.want(t, http.StatusCreated, "POST", "/api/invoices", sample())
	id := decode[invoice](t, made).ID
	w.c.accepted(t, id)
	read := w.c.want(t, http.StatusOK, "GET", "/api/invoices/"+id, nil)
	var want, got, first map[string]any
	for raw, into := range map[string]*map[string]any{string(sent): &want, string(read.body): &got,
		string(made.body): &first} {
		d := json.NewDecoder(strings.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	want["invoice_date"] = today // a read shows the date only
	subset(t, "", want, got)
	for name := range first {
		if _, ok := got[name]; !ok {
			t.Errorf("the read lacks %s", name)
		}
	}
	for _, name := range []string{"id", "number", "reason_code", "cancellation_date", "status", "tax_information",
		"global_taxes",
		"additional_header_info", "additional_export_info", "electronic_authorization", "billing_reference"} {
		if _, ok := got[name]; !ok {
			t.Errorf("the read lacks the specification's %s", name)
		}
	}
}

// subset wants every member of want in got, numbers as they were written.
func subset(t *testing.T, path string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: %v", path, got)
			return
		}
		for k, v := range want {
			subset(t, path+"."+k, v, g[k])
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
			return
		}
		for i := range want {
			subset(t, path, want[i], g[i])
		}
	default:
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
