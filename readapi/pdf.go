package readapi

import (
	"context"
	"net/http"

	"folio/fault"
	"folio/httpapi"
	"folio/papers"
	"folio/projections"
)

// downloadPDF answers with the A4 document of an accepted invoice, the same bytes each
// time.
func (a api) downloadPDF(w http.ResponseWriter, r *http.Request) error {
	return a.download(w, r, a.papers.PDF, "")
}

// downloadTicket does the same with the ticket for a roll of 80 mm.
func (a api) downloadTicket(w http.ResponseWriter, r *http.Request) error {
	return a.download(w, r, a.papers.Ticket, "-ticket")
}

// download answers with what draw makes of an accepted invoice. The suffix tells its files from those of other papers.
func (a api) download(
	w http.ResponseWriter, r *http.Request,
	draw func(context.Context, projections.Invoice) ([]byte, error), suffix string,
) error {
	if err := noParameters(r); err != nil {
		return err
	}
	known, err := a.readyInvoice(r)
	if err != nil {
		return err
	}
	if made, ok := a.pdfs.Get(known.about.ID + suffix); ok && known.about.Status == projections.StatusAccepted {
		made.write(w, r)
		return nil
	}
	i, err := a.invoice(r)
	if err != nil {
		return err
	}
	switch i.Status {
	case projections.StatusAccepted:
	case projections.StatusRejected:
		return fault.New(fault.Conflict, "INVOICE_NOT_ACCEPTED",
			"Only an accepted invoice has a PDF; this one is Rejected and will never have one: rejection in its record says "+
				"why. Issue another invoice in its place.")
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
		document, err = draw(r.Context(), i)
		return err
	}); err != nil {
		return err
	}
	made := taggedFile{file{name + suffix + ".pdf", "application/pdf", document}, tagOf(document)}
	a.pdfs.Add(i.ID+suffix, made)
	made.write(w, r)
	return nil
}
