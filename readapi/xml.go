package readapi

import (
	"net/http"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/papers"
	"folio/projections"
)

// downloadXML answers with the signed document of an invoice as it was sent, whatever the
// authority said of it. It is there as soon as the invoice has its number, which is when it
// is signed.
func (a api) downloadXML(w http.ResponseWriter, r *http.Request) error {
	i, err := a.invoice(r)
	if err != nil {
		return err
	}
	signs, err := a.papers.Signs(i)
	if err != nil {
		return err
	}
	if !signs {
		return fault.New(fault.NotFound, "NO_SIGNED_XML", "Invoices of "+country.SpanishName(i.Country)+
			" are not signed XML files: the authority authorises what they say, and there is no file to hand on but the PDF.")
	}
	if i.Number == 0 {
		return fault.New(fault.Conflict, "INVOICE_NOT_SIGNED",
			"An invoice is signed when it gets its number; this one is "+i.Status+
				" and has none. Ask again when its number is there.")
	}
	// The submission was opened before anything was recorded of it in the invoice.
	if err := a.reaches(r.Context(), projections.Submissions.Name(), i.At); err != nil {
		return err
	}
	submission, err := a.Documents.GetSubmission(r.Context(), i.Submission)
	if err != nil {
		return err
	}
	var document country.SignedFile
	if err := a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), papers.EnvelopeMemory, func() (err error) {
		document, err = a.papers.XML(r.Context(), i, submission.SHA256)
		return err
	}); err != nil {
		return err
	}
	name, err := a.papers.Name(i)
	if err != nil {
		return err
	}
	file{name + ".xml", "application/xml; charset=" + document.Charset,
		document.Content, false}.write(w, r)
	return nil
}
