package dgi_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"folio/country"
	"folio/country/uy"
	"folio/fault"
)

// What this driver signs is what a supplier's system sends: the rules read it back from
// DGI's envelope and from the one that companies exchange, and notice any change.
func TestASignedDocumentIsReadAsAPurchase(t *testing.T) {
	w := newWorld(t)
	for i, k := range (uy.Rules{}).DocumentTypes() {
		b := batch(t, k.InvoiceType, int64(i+1), 1)
		content := string(w.prepare(b).Content)
		cfe := documentsIn([]byte(content))[0]
		if !strings.Contains(content, "<EnvioCFE") { // told in the daily report only
			content = string(cfe)
		}
		p, err := uy.Rules{}.ReadPurchaseXML([]byte(content), country.Trust{})
		if !strings.Contains(content, "<X509Certificate>") {
			if err == nil || !strings.Contains(err.Error(), "EnvioCFE_entreEmpresas") {
				t.Errorf("%s: %v", k.InvoiceType, err)
			}
			continue
		}
		if err != nil || p.OfficialCode != k.Code || p.Number != int64(i+1) || p.Series != "A" ||
			p.Supplier.DocumentNumber != issuerRUC ||
			p.Verification != country.SignatureValid || k.Code != 181 && !p.Total.Equal(b.Documents[0].Document.Totals.Total) {
			t.Errorf("%s: %+v, %v", k.InvoiceType, p, err)
		}
		wrapped := envelopeOfCompanies(content, string(cfe))
		again, err := (uy.Rules{}).ReadPurchaseXML([]byte(wrapped), country.Trust{})
		if err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%s among companies: %+v, %v", k.InvoiceType, again, err)
		}
		changed := strings.Replace(wrapped, "<FchEmis>2026-", "<FchEmis>2025-", 1)
		if _, err := (uy.Rules{}).ReadPurchaseXML([]byte(changed), country.Trust{}); changed == wrapped ||
			fault.As(err) == nil {
			t.Errorf("%s: another date is not noticed: %v", k.InvoiceType, err)
		}
	}
}

// envelopeOfCompanies has a prefix of its own and namespaces that the document lacks.
func envelopeOfCompanies(content, cfe string) string {
	from := strings.Index(content, "<X509Certificate>") + len("<X509Certificate>")
	certificate := content[from : from+strings.Index(content[from:], "<")]
	return fmt.Sprintf(`<ns0:EnvioCFE_entreEmpresas xmlns:ns0="http://cfe.dgi.gub.uy" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0">`+
		`<ns0:Caratula version="1.0"><ns0:X509Certificate>%s</ns0:X509Certificate></ns0:Caratula><ns0:CFE_Adenda>%s<ns0:Adenda>Gracias</ns0:Adenda></ns0:CFE_Adenda></ns0:EnvioCFE_entreEmpresas>`,
		certificate, cfe)
}
