package readapi

import (
	"context"
	"net/http"

	"folio/fault"
	"folio/httpapi"
	"folio/papers"
	"folio/projections"
	"folio/strict"
)

// downloadPDF answers with the A4 document of an accepted invoice, the same bytes each
// time.
func (a api) downloadPDF(w http.ResponseWriter, r *http.Request) error {
	return a.download(w, r, paper{a.papers.PDF, papers.A4, ""})
}

// downloadTicket does the same with the ticket for a roll of 80 mm.
func (a api) downloadTicket(w http.ResponseWriter, r *http.Request) error {
	return a.download(w, r, paper{a.papers.Ticket, papers.Roll, "-ticket"})
}

// paper is how an invoice is drawn, accepted or without a verdict. The suffix tells its files from those of other
// papers.
type paper struct {
	make   func(context.Context, projections.Invoice) ([]byte, error)
	draw   papers.Draw
	suffix string
}

// download answers with the paper of an accepted invoice, or with before_verdict with that of one that may be handed
// over already.
func (a api) download(w http.ResponseWriter, r *http.Request, p paper) error {
	q := strict.ReadQuery(r)
	before := a.Handover != nil && q.String("before_verdict", strict.OneOf("true", "false")) == "true"
	if err := q.Done(); err != nil {
		return err
	}
	known, err := a.readyInvoice(r)
	if err != nil {
		return err
	}
	if made, ok := a.pdfs.Get(known.id + p.suffix); ok && known.status == projections.StatusAccepted {
		made.write(w, r)
		return nil
	}
	i, err := a.invoice(r)
	if err != nil {
		return err
	}
	switch {
	case i.Status == projections.StatusAccepted:
	case i.Status == projections.StatusRejected:
		return fault.New(fault.Conflict, "INVOICE_NOT_ACCEPTED",
			"Only an accepted invoice has a PDF; this one is Rejected and will never have one: rejection in its record says "+
				"why. Issue another invoice in its place.")
	case before:
		return a.downloadBefore(w, r, i, p)
	default:
		return fault.New(fault.Conflict, "INVOICE_NOT_ACCEPTED",
			"Only an accepted invoice has a PDF; this one is "+i.Status+". Ask again when its status is Accepted.")
	}
	name, err := a.papers.Name(i)
	if err != nil {
		return err
	}
	var document []byte
	if err := a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), papers.PDFMemory, func() (err error) {
		document, err = p.make(r.Context(), i)
		return err
	}); err != nil {
		return err
	}
	made := file{name + p.suffix + ".pdf", "application/pdf", document, false}.tagged()
	a.pdfs.Add(i.ID+p.suffix, made)
	made.write(w, r)
	return nil
}

// downloadBefore answers with the paper of an invoice without a verdict.
func (a api) downloadBefore(w http.ResponseWriter, r *http.Request, i projections.Invoice, p paper) error {
	document, err := a.beforeVerdict(r.Context(), i, p.draw)
	if err != nil {
		return err
	}
	name, err := a.papers.Name(i)
	if err != nil {
		return err
	}
	file{name + p.suffix + "-sin-veredicto.pdf", "application/pdf", document, true}.write(w, r)
	return nil
}
