package audit

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"path"
	"strconv"
	"strings"
	"unicode/utf16"
)

// record is an invoice in invoices.json, as far as it is compared with the events.
type record struct {
	ID        string  `json:"id"`
	Company   string  `json:"id_company"`
	Number    *string `json:"number"`
	Type      string  `json:"invoice_type"`
	Date      string  `json:"invoice_date"`
	Reference string  `json:"external_reference"`
	Status    string  `json:"status"`
	Recipient struct {
		Name   string  `json:"legal_name"`
		Number *string `json:"document_number"`
	} `json:"recipient"`
	Currency struct {
		Code string `json:"code"`
	} `json:"currency"`
	Items []struct {
		Quantity    json.Number `json:"quantity"`
		UnitPrice   json.Number `json:"unit_price"`
		Description string      `json:"description"`
	} `json:"items"`
	Totals struct {
		SubTotal json.Number `json:"sub_total"`
		Total    json.Number `json:"total"`
	} `json:"totals"`
	Authorization *struct {
		Code string `json:"code"`
	} `json:"electronic_authorization"`
}

// invoices compares invoices.json with the events: one record an invoice, in the order in which they were created.
func (v *verifier) invoices() error {
	return v.read(InvoicesName, func(in io.Reader) error {
		limit := newBounded(in)
		d := json.NewDecoder(limit)
		fail := func(n int, err error) error {
			return differs(InvoicesName, n+2, "it cannot be read: %v", err) // "[" is the first line
		}
		if _, err := d.Token(); err != nil {
			return fail(-1, err)
		}
		n := 0
		for ; d.More(); n++ {
			limit.next()
			var r record
			if err := d.Decode(&r); err != nil {
				return fail(n, err)
			}
			if n >= len(v.facts.order) {
				return differs(InvoicesName, n+2, "no event creates the invoice %s", r.ID)
			}
			id := v.facts.order[n]
			if wrong := v.facts.invoices[id].compare(id, v.report.Manifest.Company, r); wrong != "" {
				return differs(InvoicesName, n+2, "invoice %s: %s", id, wrong)
			}
		}
		if _, err := d.Token(); err != nil {
			return fail(n, err)
		}
		if n < len(v.facts.order) {
			return differs(InvoicesName, n+2, "the invoice %s is missing, which events.ndjson has in line %d",
				v.facts.order[n], v.facts.invoices[v.facts.order[n]].line)
		}
		v.report.Invoices = n
		return nil
	})
}

// compare says where a record is not what the events say.
func (i *invoice) compare(id, company string, r record) string {
	number := ""
	if i.number != 0 {
		number = fmt.Sprintf("%04d-%08d", i.branch, i.number)
	}
	code := ""
	if r.Authorization != nil {
		code = r.Authorization.Code
	}
	d := i.document
	for _, c := range [][3]string{
		{"id", r.ID, id}, {"id_company", r.Company, company}, {"status", r.Status, i.status},
		{"number", text(r.Number), number}, {"invoice_type", r.Type, d.Type}, {"invoice_date", r.Date, head(d.Date)},
		{"external_reference", r.Reference, d.Reference}, {"recipient.legal_name", r.Recipient.Name, d.Recipient.Name},
		{"recipient.document_number", text(r.Recipient.Number), d.Recipient.Number},
		{"currency.code", r.Currency.Code, d.Currency.Code}, {"electronic_authorization.code", code, i.code},
		{"number of items", strconv.Itoa(len(r.Items)), strconv.Itoa(len(d.Items))},
	} {
		if c[1] != c[2] {
			return fmt.Sprintf("%s is %q, and the events say %q", c[0], c[1], c[2])
		}
	}
	if !equal(r.Totals.Total, d.Totals.Total) || !equal(r.Totals.SubTotal, d.Totals.SubTotal) {
		return fmt.Sprintf("totals are %s and %s, and the events say %s and %s", r.Totals.SubTotal, r.Totals.Total,
			d.Totals.SubTotal, d.Totals.Total)
	}
	for n, item := range r.Items {
		if was := d.Items[n]; item.Description != was.Description || !equal(item.Quantity, was.Quantity) ||
			!equal(item.UnitPrice, was.UnitPrice) {
			return fmt.Sprintf("items[%d] is %s × %s %q, and the events say %s × %s %q", n, item.Quantity,
				item.UnitPrice, item.Description, was.Quantity, was.UnitPrice, was.Description)
		}
	}
	return ""
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// head is the date of a date and time.
func head(s string) string { return s[:min(len(s), len("2006-01-02"))] }

// equal compares two decimals exactly.
func equal(a json.Number, b string) bool {
	x, ok := new(big.Rat).SetString(a.String())
	y, ok2 := new(big.Rat).SetString(b)
	return ok && ok2 && x.Cmp(y) == 0
}

// rows reads a table whose first row has the names of columns. A cell that a spreadsheet would take for a formula has
// an
// apostrophe before it.
func rows(name string, in io.Reader, row func(line int, cell func(string) string) error) error {
	limit := newBounded(in)
	c := csv.NewReader(limit)
	columns := map[string]int{}
	for line := 1; ; line++ {
		limit.next()
		cells, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return differs(name, line, "it cannot be read: %v", err)
		}
		if line == 1 {
			for n, column := range cells {
				columns[strings.TrimPrefix(column, "\ufeff")] = n
			}
			continue
		}
		cell := func(column string) string {
			n, ok := columns[column]
			if !ok {
				return ""
			}
			if rest, quoted := strings.CutPrefix(cells[n], "'"); quoted && rest != "" &&
				strings.ContainsAny(rest[:1], "=+-@\t\r") {
				return rest
			}
			return cells[n]
		}
		if err := row(line, cell); err != nil {
			return err
		}
	}
}

// table compares invoices.csv with the events.
func (v *verifier) table() error {
	return v.read(TableName, func(in io.Reader) error {
		n := 0
		err := rows(TableName, in, func(line int, cell func(string) string) error {
			if n >= len(v.facts.order) {
				return differs(TableName, line, "no event creates the invoice %s", cell("id"))
			}
			id := v.facts.order[n]
			i := v.facts.invoices[id]
			n++
			for column, want := range map[string]string{"id": id, "status": i.status, "invoice_type": i.document.Type,
				"invoice_date": head(i.document.Date), "authorization": i.code, "recipient": i.document.Recipient.Name,
				"recipient_document": i.document.Recipient.Number, "currency": i.document.Currency.Code} {
				if cell(column) != want {
					return differs(TableName, line, "%s is %q, and the events say %q", column, cell(column), want)
				}
			}
			if !equal(json.Number(cell("total")), i.document.Totals.Total) {
				return differs(TableName, line, "total is %s, and the events say %s", cell("total"),
					i.document.Totals.Total)
			}
			for _, column := range []string{"pdf", "xml"} {
				if name := cell(column); name != "" && v.files[name] == nil {
					return differs(name, 0, "it is missing: line %d of %s names it", line, TableName)
				}
			}
			return nil
		})
		if err == nil && n < len(v.facts.order) {
			err = differs(TableName, n+2, "the invoice %s is missing", v.facts.order[n])
		}
		return err
	})
}

// documents compares each PDF and signed XML with the events of its invoice.
func (v *verifier) documents() error {
	printed := map[string]bool{}
	for _, name := range v.names() {
		if !strings.HasPrefix(name, Documents) {
			continue
		}
		base, extension := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
		id := base[strings.LastIndexByte(base, '_')+1:]
		i := v.facts.invoices[id]
		if i == nil {
			return differs(name, 0, "no event creates the invoice %s", id)
		}
		content, err := v.all(name)
		if err != nil {
			return err
		}
		wrong := "a document is a .pdf or an .xml"
		switch extension {
		case ".pdf":
			wrong = i.printed(id, content)
			printed[id] = true
		case ".xml":
			wrong, err = v.signed(i, content)
		}
		if err != nil || wrong != "" {
			return errors.Join(err, differs(name, 0, "%s", wrong))
		}
		v.report.Documents++
	}
	for _, id := range v.facts.order {
		if i := v.facts.invoices[id]; i.status == "Accepted" && !printed[id] {
			return differs(Documents, 0, "the PDF of invoice %s is missing, which events.ndjson creates in line %d", id,
				i.line)
		}
	}
	return nil
}

// printed says whether a PDF is the invoice's: its subject is the invoice's id. That no other byte of it was changed is
// what the manifest's signature says.
func (i *invoice) printed(id string, pdf []byte) string {
	subject := []byte("/Subject (\xfe\xff")
	for _, unit := range utf16.Encode([]rune(id)) {
		subject = append(subject, byte(unit>>8), byte(unit))
	}
	switch {
	case !bytes.HasPrefix(pdf, []byte("%PDF-")):
		return "it is no PDF"
	case !bytes.Contains(pdf, append(subject, ')')):
		return fmt.Sprintf("it is not the printed form of invoice %s: its subject is another one", id)
	case i.status != "Accepted":
		return fmt.Sprintf("invoice %s is %s, and only an accepted one is printed", id, i.status)
	}
	return ""
}

// signed says whether a signed document is, byte for byte, a part of what events say was sent of the invoice.
func (v *verifier) signed(i *invoice, xml []byte) (wrong string, err error) {
	body := xml
	if end := bytes.Index(xml, []byte("?>")); bytes.HasPrefix(xml, []byte("<?xml")) && end > 0 {
		body = bytes.TrimSpace(xml[end+2:])
	}
	s := v.facts.sent[i.submission]
	if s == nil || len(body) == 0 {
		return "no event says that anything was sent of this invoice", nil
	}
	for _, base := range s.sent {
		name := v.attachment(base)
		if name == "" {
			continue
		}
		sent, err := v.all(name)
		if err != nil {
			return "", err
		}
		if bytes.Contains(sent, body) {
			return "", nil
		}
	}
	return "it is not what was sent of this invoice: " + strings.Join(s.sent, ", "), nil
}
