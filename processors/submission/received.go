package submission

import (
	"context"
	"errors"

	"folio/authority"
	"folio/commands/invoice"
)

// received tells invoices that the authority has their document and has not decided, where
// documents may be handed over before the verdict. What is not recorded now is with the next
// answer: nothing waits for it.
func (t *turn) received(ctx context.Context, submission string, invoices []string, err error) {
	if !t.c.Handover {
		return
	}
	var m *authority.Message
	receipt := ""
	if errors.As(err, &m) {
		receipt = m.Receipt
	}
	about := t.about(submission)
	for _, id := range invoices {
		if about.told[id] {
			continue
		}
		_, err := t.log.Invoices.Execute(context.WithoutCancel(ctx), id,
			invoice.RecordReceipt{Submission: submission, Receipt: receipt}, t.request(submission, "received", id))
		if err != nil {
			t.Logger.Warn("that the authority has an invoice was not recorded", "invoice", id, "error", err)
			return
		}
		about.told[id] = true
	}
}
