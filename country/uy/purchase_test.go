package uy_test

import (
	"crypto/x509"
	"encoding/base64"
	"strings"
	"testing"

	"folio/country"
	"folio/country/uy"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// supplierCFE is an e-Factura as another system writes it, with numbers that its author
// broke into lines, unsigned.
const supplierCFE = `<CFE xmlns="http://cfe.dgi.gub.uy" version="1.0"><eFact><TmstFirma>2026-11-27T10:05:09-03:00</TmstFirma>` +
	`<Encabezado><IdDoc><TipoCFE>111</TipoCFE><Serie>AB</Serie><Nro>
1520</Nro><FchEmis>2026-11-26</FchEmis><FmaPago>1</FmaPago></IdDoc>` +
	`<Emisor><RUCEmisor>217111220014</RUCEmisor><RznSoc>Ñandubay &amp; Cía. S.A.</RznSoc><CdgDGISucur>1</CdgDGISucur><DomFiscal>Rincón 520</DomFiscal><Ciudad>Montevideo</Ciudad><Departamento>Montevideo</Departamento></Emisor>` +
	`<Receptor><TipoDocRecep>2</TipoDocRecep><CodPaisRecep>UY</CodPaisRecep><DocRecep>219999830019</DocRecep></Receptor>` +
	`<Totales><TpoMoneda>USD</TpoMoneda><TpoCambio>40.125</TpoCambio><MntTotal>122.00</MntTotal><CantLinDet>1</CantLinDet><MntPagar>122.00</MntPagar></Totales></Encabezado>` +
	`<CAEData><CAE_ID>90260001231</CAE_ID><DNro>1</DNro><HNro>9999</HNro><FecVenc>2028-10-05</FecVenc></CAEData></eFact></CFE>`

// supplier is who signs it.
func supplier(t testing.TB) authority {
	t.Helper()
	return newSupplier(t, "RUC217111220014")
}

// inEnvelope puts a signed CFE unaltered into the envelope that companies exchange.
func inEnvelope(cfe []byte, by authority) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<DGICFE:EnvioCFE_entreEmpresas xmlns:DGICFE="http://cfe.dgi.gub.uy" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0" xsi:schemaLocation="http://cfe.dgi.gub.uy EnvioCFE_entreEmpresas_v1.11.xsd">` +
		`<DGICFE:Caratula version="1.0"><DGICFE:RutReceptor>219999830019</DGICFE:RutReceptor><DGICFE:X509Certificate>` +
		base64.StdEncoding.EncodeToString(by.der) + `</DGICFE:X509Certificate></DGICFE:Caratula>` +
		`<DGICFE:CFE_Adenda>` + string(cfe) + `<DGICFE:Adenda>Gracias por su compra</DGICFE:Adenda></DGICFE:CFE_Adenda></DGICFE:EnvioCFE_entreEmpresas>`
}

func TestASuppliersDocumentIsRead(t *testing.T) {
	by := supplier(t)
	alone, named := by.sign(t, supplierCFE, true), by.sign(t, supplierCFE, false)
	want := country.Purchase{
		OfficialCode: 111, Series: "AB", Number: 1520, Date: "2026-11-26", Recipient: "219999830019", Currency: "USD",
		Total: money.MustParse("122.00"),
		Supplier: events.Party{LegalName: "Ñandubay & Cía. S.A.", DocumentType: "RUT", DocumentNumber: "217111220014",
			Address: events.Address{Country: "UY", Address: "Rincón 520"}},
		Authorization: "90260001231", Verification: country.SignatureValid,
		Verified: "Signed and unaltered, by the certificate of DGI de prueba; DGI was not asked.",
	}
	for name, document := range map[string]string{
		"alone, with its certificate":               string(alone),
		"with a declaration":                        `<?xml version="1.0" encoding="utf-8"?>` + "\n" + string(alone),
		"in its envelope, certificate in it":        inEnvelope(alone, by),
		"in its envelope, certificate in the cover": inEnvelope(named, by),
		"in ISO-8859-1":                             inLatin1(`<?xml version="1.0" encoding="ISO-8859-1"?>` + string(alone)),
	} {
		got, err := uy.Rules{}.ReadPurchaseXML([]byte(document), country.Trust{})
		if err != nil || got != want {
			t.Errorf("%s:\n got %+v, %v\nwant %+v", name, got, err, want)
		}
	}
	taxed := by.sign(t, strings.Replace(supplierCFE, "<MntTotal>", "<MntNoGrv>10.00</MntNoGrv><MntNetoIvaTasaMin>20.00"+
		"</MntNetoIvaTasaMin><MntNetoIVATasaBasica>73.77</MntNetoIVATasaBasica><IVATasaMin>10.000</IVATasaMin>"+
		"<MntIVATasaMin>2.00</MntIVATasaMin><MntIVATasaBasica>16.23</MntIVATasaBasica><MntTotal>", 1), true)
	if got, err := (uy.Rules{}).ReadPurchaseXML(taxed, country.Trust{}); err != nil || got.Taxes == nil ||
		*got.Taxes != (events.PurchaseTaxes{Net: "93.77", Exempt: "10.00", Tax: "18.23"}) {
		t.Errorf("taxes: %+v, %v", got.Taxes, err)
	}
	remito := by.sign(t, strings.NewReplacer("eFact>", "eRem>", "<TipoCFE>111", "<TipoCFE>181",
		supplierCFE[strings.Index(supplierCFE, "<TpoMoneda>"):strings.Index(supplierCFE, "<CantLinDet>")], "",
		"<MntPagar>122.00</MntPagar>", "").Replace(supplierCFE), true)
	if got, err := (uy.Rules{}).ReadPurchaseXML(remito, country.Trust{}); err != nil || got.OfficialCode != 181 ||
		!got.Total.IsZero() || got.Currency != "UYU" {
		t.Errorf("an e-Remito: %+v, %v", got, err)
	}
}

func TestWhatASupplierWritesIsShownOnOneLineAndLeftToRight(t *testing.T) {
	by := newAuthorityNamed(t, true, nil, "RUC217111220014")
	document := strings.NewReplacer("Ñandubay &amp; Cía. S.A.", "A&#10;B&#x202E;C&#x85;"+strings.Repeat("ñ", 300),
		"Rincón 520", "x&#x2066;\n\ty").Replace(supplierCFE)
	got, err := uy.Rules{}.ReadPurchaseXML(by.sign(t, document, true), country.Trust{})
	if name := "A BC " + strings.Repeat("ñ", 195); err != nil || got.Supplier.LegalName != name ||
		got.Supplier.Address.Address != "x y" {
		t.Errorf("%q, %q, %v", got.Supplier.LegalName, got.Supplier.Address.Address, err)
	}
}

func inLatin1(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		out = append(out, byte(r))
	}
	return string(out)
}

func TestBadDocumentsAreRefusedWithTheReason(t *testing.T) {
	by, other := supplier(t), newSupplier(t, "RUC219999830019")
	alone, named := string(by.sign(t, supplierCFE, true)), by.sign(t, supplierCFE, false)
	signed := func(from, to string) string {
		return string(by.sign(t, strings.Replace(supplierCFE, from, to, 1), true))
	}
	// The signature comes first and holds a head of its own, which nothing signs.
	at := strings.Index(alone, "<Signature ")
	document, signature := alone[strings.Index(alone, "<eFact>"):at], alone[at:strings.Index(alone, "</CFE>")]
	wrapped := strings.Replace(alone, document+signature, strings.Replace(signature, "</Signature>",
		strings.Replace(strings.TrimSuffix(strings.TrimPrefix(document, "<eFact>"), "</eFact>"), "122.00</MntPagar>",
			"9.00</MntPagar>", 1)+"</Signature>", 1)+document, 1)
	for name, c := range map[string]struct{ document, says string }{
		"nothing":                    {"", "no whole XML"},
		"unsigned head in signature": {wrapped, "one document and one signature in it, in this order"},
		"a DTD":                      {"<!DOCTYPE x>" + alone, "DTD"},
		"another document":           {"<DTE/>", "exactly one CFE"},
		"another namespace":          {strings.Replace(alone, "http://cfe.dgi.gub.uy", "urn:x", 1), "exactly one CFE"},
		"two of them":                {"<a>" + alone + alone + "</a>", "exactly one CFE"},
		"another total": {strings.Replace(alone, "<MntPagar>122.00", "<MntPagar>12.00", 1),
			"changed after it was signed"},
		"another total in envelope": {strings.Replace(inEnvelope(named, by), "<MntPagar>122.00", "<MntPagar>12.00", 1),
			"changed after it was signed"},
		"another number": {strings.Replace(alone, "1520", "1521", 1), "changed after it was signed"},
		"another signature value": {strings.Replace(alone, "<SignatureValue>", "<SignatureValue>AAAA", 1),
			"does not verify"},
		"no signature":               {supplierCFE, "0 signatures"},
		"its certificate only named": {string(named), "give the envelope"},
		"another's certificate":      {inEnvelope(named, other), "does not verify"},
		"signed by another company": {string(other.sign(t, supplierCFE, true)),
			"the certificate that signed it is of 219999830019"},
		"two documents in it":   {signed("</eFact>", "</eFact><eFact/>"), "one document and one signature"},
		"a RUC that is none":    {signed("217111220014", "217111220015"), "RUCEmisor"},
		"no number":             {signed("\n1520", "x"), "TipoCFE, Nro or FchEmis"},
		"no such day":           {signed("2026-11-26", "2026-02-30"), "TipoCFE, Nro or FchEmis"},
		"no total":              {signed("<MntPagar>122.00", "<MntPagar>x"), "no total"},
		"a type that is none":   {signed("<TipoCFE>111", "<TipoCFE>33"), "no type of CFE"},
		"a series that is none": {signed("<Serie>AB", "<Serie>ab"), "a series is"},
		"a negative total":      {signed("<MntPagar>122.00", "<MntPagar>-1"), "not negative"},
		"too large":             {alone + strings.Repeat(" ", 200_000), "200000"},
	} {
		_, err := uy.Rules{}.ReadPurchaseXML([]byte(c.document), country.Trust{})
		f := fault.As(err)
		if f == nil || f.Violations[0].Path != "xml" || !strings.Contains(f.Violations[0].Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTypedPurchases(t *testing.T) {
	good := country.Purchase{OfficialCode: 101, Series: "1A", Number: 7,
		Supplier: events.Party{DocumentNumber: "214844360018"}, Currency: "UYI",
		Total: money.MustParse("10.50"), Authorization: "90260001231"}
	if vs := (uy.Rules{}).CheckPurchase(good); vs != nil {
		t.Errorf("refused: %v", vs)
	}
	bad := country.Purchase{OfficialCode: 33, BranchOffice: 2, Series: "a", Number: 10_000_000,
		Supplier: events.Party{DocumentNumber: "1"}, Currency: "pesos",
		Total: money.MustParse("-1.005"), Authorization: "123"}
	var paths []string
	for _, v := range (uy.Rules{}).CheckPurchase(bad) {
		paths = append(paths, v.Path)
	}
	if got := strings.Join(paths, " "); got != "invoice_type supplier.document_number number series branch_office "+
		"authorization_code currency total" {
		t.Errorf("refused: %s", got)
	}
}

func FuzzReadPurchaseXML(f *testing.F) {
	by := supplier(f)
	f.Add(by.sign(f, supplierCFE, true))
	f.Add([]byte(inEnvelope(by.sign(f, supplierCFE, false), by)))
	f.Add([]byte(`<CFE xmlns="http://cfe.dgi.gub.uy"><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/></CFE>`))
	f.Fuzz(func(t *testing.T, document []byte) {
		p, err := uy.Rules{}.ReadPurchaseXML(document, country.Trust{})
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("an error without a path: %v", err)
			}
			return
		}
		if p.Verification != country.SignatureValid || len((uy.Rules{}).CheckPurchase(p)) > 0 {
			t.Fatalf("%+v", p)
		}
	})
}

// newSupplier is a company with a certificate that says its RUC.
func newSupplier(t testing.TB, serialNumber string) authority {
	t.Helper()
	a := newAuthorityNamed(t, true, nil, serialNumber)
	if c, err := x509.ParseCertificate(a.der); err != nil || c.Subject.SerialNumber != serialNumber {
		t.Fatalf("%v, %v", c, err)
	}
	return a
}
