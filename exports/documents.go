package exports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"folio/audit"
	"folio/events"
	"folio/money"
	"folio/papers"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
)

// documents writes each invoice as it was: its PDF and signed XML, and aside its record and its row of the table.
func (w *writer) documents(ctx context.Context) error {
	records, err := w.spool()
	if err != nil {
		return err
	}
	rows, err := w.spool()
	if err != nil {
		return err
	}
	table := past.NewCSV(rows.w)
	table.Header("\ufeffid," + tableColumns) // the mark tells spreadsheets that it is UTF-8
	for n, id := range w.invoices {
		w.tell(Progress{Step: "documents", Done: n, Total: len(w.invoices)})
		record, pdf, xml, err := w.document(ctx, id)
		if err != nil {
			return fmt.Errorf("invoice %s: %w", id, err)
		}
		if err := records.line(record); err != nil {
			return err
		}
		table.Row(row(record, pdf, xml)...)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if err := w.archive.spooled(audit.TableName, rows); err != nil {
		return err
	}
	return w.archive.add(audit.InvoicesName, func(to io.Writer) error {
		if _, err := io.WriteString(to, "[\n"); err != nil {
			return err
		}
		if err := records.separated(to); err != nil {
			return err
		}
		_, err := io.WriteString(to, "]\n")
		return err
	})
}

// document writes the files of one invoice, whose names come back; empty where there is none.
func (w *writer) document(ctx context.Context, id string) (record resource.Invoice, pdf, xml string, err error) {
	var printed, signed []byte
	if err := w.turn(ctx, papers.PDFMemory, func() error {
		i, err := engine.GetAt[projections.Invoice](ctx, w.Documents, projections.Invoices, id,
			events.Moment{Position: w.prover.Last})
		if err != nil {
			return err
		}
		if record, err = w.Papers.Record(i); err != nil {
			return err
		}
		name, err := w.Papers.Name(i)
		if err != nil {
			return err
		}
		name = audit.Documents + name + "_" + i.ID
		if i.Status == projections.StatusAccepted {
			pdf = name + ".pdf"
			if printed, err = w.Papers.PDF(ctx, i); err != nil {
				return err
			}
		}
		signs, err := w.Papers.Signs(i)
		if err != nil || !signs || i.Number == 0 || w.sent[i.Submission] == "" {
			return err
		}
		xml = name + ".xml"
		file, err := w.Papers.XML(ctx, i, w.sent[i.Submission])
		signed = file.Content
		return err
	}); err != nil {
		return record, "", "", err
	}
	if pdf != "" {
		err = w.archive.bytes(pdf, printed)
	}
	if xml != "" {
		err = errors.Join(err, w.archive.bytes(xml, signed))
	}
	return record, pdf, xml, err
}

// turn runs what takes memory when it is the company's turn.
func (w *writer) turn(ctx context.Context, memory int64, f func() error) error {
	if w.Turn == nil {
		return f()
	}
	return w.Turn(ctx, w.Company, memory, f)
}

// tableColumns are those of invoices.csv behind the id.
const tableColumns = "number,invoice_type,invoice_date,status,environment,recipient,recipient_document_type," +
	"recipient_document,currency,exchange_rate,sub_total,discount,taxes,total,authorization,authorization_expires," +
	"external_reference,created_at,credited_total,balance,no_fiscal_value,pdf,xml"

// row is an invoice as a row of the table.
func row(i resource.Invoice, pdf, xml string) []string {
	rate, taxes, code, expires := "", "", "", ""
	if i.Currency.ExchangeRate != nil {
		rate = i.Currency.ExchangeRate.Decimal.String()
	}
	sum := money.Zero
	for _, t := range i.Totals.Taxes {
		sum = sum.Add(t.Amount.Decimal)
	}
	taxes = sum.String()
	if a := i.Authorization; a != nil {
		code, expires = a.Code, text(a.ExpirationDate)
	}
	return []string{i.ID, text(i.Number), i.InvoiceType, i.InvoiceDate, i.Status, text(i.Environment),
		i.Recipient.LegalName, text(i.Recipient.DocumentType), text(i.Recipient.DocumentNumber), i.Currency.Code, rate,
		i.Totals.SubTotal.Decimal.String(), i.Totals.Discount.Decimal.String(), taxes,
		i.Totals.Total.Decimal.String(), code,
		expires, i.ExternalReference, i.CreatedAt.UTC().Format("2006-01-02T15:04:05Z"),
		i.CreditedTotal.Decimal.String(),
		i.Balance.Decimal.String(), strconv.FormatBool(i.NoFiscalValue), pdf, xml}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// encode writes a value as a line of JSON.
func encode(to io.Writer, v any) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
