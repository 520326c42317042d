package dgi

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"time"

	"folio/authority"
	"folio/country/uy"
)

// Exchange is the envelope that companies exchange (EnvioCFE_entreEmpresas, "Formato de los CFE"): the signed CFE with
// its ADENDA and the certificate that verifies it, in a cover addressed to the buyer's RUC. The cover has the number of
// the envelope in which DGI received the document. Nothing of it is signed but the CFE. Buyers without a RUC receive
// the
// printed document alone, and so does the buyer of an e-Ticket that DGI received in no envelope.
func (d *Driver) Exchange(_ authority.Credential, doc authority.Document, sent []byte, at time.Time) (
	*authority.File, error,
) {
	ruc, err := uy.ParseRUT(doc.Document.Recipient.DocumentNumber)
	number, certificate := inside(envelopeInside, sent), inside(certificateInside, sent)
	if err != nil || !uy.IdentifiedByRUT(doc.Document.Recipient) || number == "" || certificate == "" {
		return nil, nil
	}
	issuer, err := uy.ParseRUT(doc.Profile.TaxIdentifier)
	if err != nil {
		return nil, fmt.Errorf("issuer of invoice %s: %w", doc.Invoice, err)
	}
	file, err := uy.Rules{}.SignedDocument(sent, doc.Number)
	if err != nil {
		return nil, err
	}
	cfe := file.Content[bytes.Index(file.Content, []byte("<CFE")):]
	var out bytes.Buffer
	out.WriteString(declaration + `<EnvioCFE_entreEmpresas xmlns="` + uy.Namespace +
		`" version="1.0"><Caratula version="1.0"><RutReceptor>` + ruc + `</RutReceptor><RUCEmisor>` + issuer +
		`</RUCEmisor><Idemisor>` + number + `</Idemisor><CantCFE>1</CantCFE><Fecha>` + moment(at) +
		`</Fecha><X509Certificate>` + certificate + `</X509Certificate></Caratula><CFE_Adenda>`)
	out.Write(cfe)
	if notes := doc.Document.Observations; notes != "" {
		out.WriteString(`<Adenda>`)
		if err := xml.EscapeText(&out, []byte(notes)); err != nil {
			return nil, err
		}
		out.WriteString(`</Adenda>`)
	}
	out.WriteString(`</CFE_Adenda></EnvioCFE_entreEmpresas>`)
	return &authority.File{Name: "Sob_" + issuer + "_" + at.In(uy.Rules{}.Location()).Format("20060102") + "_" + number +
		".xml", Type: "application/xml", Content: out.Bytes()}, nil
}
