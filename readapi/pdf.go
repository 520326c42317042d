package readapi

import (
	"context"
	"fmt"
	"net/http"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/pdf"
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
	rules, err := a.rules(i)
	if err != nil {
		return err
	}
	form := rules.Form(i.Issued())
	document, ok := a.pdfs.Get(i.ID)
	if !ok {
		if err := a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), pdfMemory, func() (err error) {
			document, err = a.render(r.Context(), form)
			return err
		}); err != nil {
			return err
		}
		a.pdfs.Add(i.ID, document)
	}
	file{fileName(form) + ".pdf", "application/pdf", document}.write(w, r)
	return nil
}

// pdfMemory is what printing a long document takes; an ordinary one takes a tenth.
const pdfMemory = 32 << 20

func (a api) render(ctx context.Context, form country.Form) ([]byte, error) {
	var logo []byte
	if form.Logo != "" {
		var err error
		if logo, err = a.Files.File(ctx, form.Logo); err != nil {
			return nil, fmt.Errorf("logo of invoice %s: %w", form.ID, err)
		}
	}
	document, err := pdf.Render(form, logo)
	if err != nil {
		return nil, fmt.Errorf("render invoice %s: %w", form.ID, err)
	}
	return document, nil
}
