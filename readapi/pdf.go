package readapi

import (
	"net/http"

	"folio/fault"
	"folio/httpapi"
	"folio/papers"
	"folio/projections"
)

// downloadPDF answers with the A4 document of an accepted invoice, the same bytes each
// time.
func (a api) downloadPDF(w http.ResponseWriter, r *http.Request) error {
	if err := noParameters(r); err != nil {
		return err
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
	document, ok := a.pdfs.Get(i.ID)
	if !ok {
		if err := a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), papers.PDFMemory, func() (err error) {
			document, err = a.papers.PDF(r.Context(), i)
			return err
		}); err != nil {
			return err
		}
		a.pdfs.Add(i.ID, document)
	}
	file{name + ".pdf", "application/pdf", document}.write(w, r)
	return nil
}
