package dgi

import (
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"

	"folio/authority"
	"folio/authority/schema"
	"folio/country"
	"folio/country/uy"
	"folio/money"
)

const (
	momentForm  = "2006-01-02T15:04:05-07:00"
	declaration = `<?xml version="1.0" encoding="UTF-8"?>`
)

// moment is a dateTime of the schemas, in Uruguay's time with its zone.
func moment(at time.Time) string { return at.In(uy.Rules{}.Location()).Format(momentForm) }

// write signs the documents of a batch, each as one of its own, at one moment. Without an
// envelope it is they alone, one after the other.
func (t talk) write(b authority.Batch, at time.Time, inEnvelope bool) (string, error) {
	var all strings.Builder
	var first uy.CAE
	for i, d := range b.Documents {
		cae, err := caeOf(d)
		if err != nil {
			return "", err
		}
		if i == 0 {
			first = cae
		}
		plain, err := uy.CFE(country.Issued{Document: d.Document, Taxes: d.Taxes, Profile: d.Profile, Number: d.Number}, cae,
			at)
		if errors.Is(err, uy.ErrRegime) {
			return "", &authority.Unfit{Invoice: d.Invoice, Err: err}
		}
		if err != nil {
			return "", fmt.Errorf("write number %d: %w", d.Number, err)
		}
		if err := fits(plain); err != nil {
			return "", &authority.Unfit{Invoice: d.Invoice, Err: err}
		}
		signed, err := t.signAlone(string(plain), "CFE", t.hash)
		if err != nil {
			return "", fmt.Errorf("sign number %d: %w", d.Number, err)
		}
		all.WriteString(signed)
	}
	if !inEnvelope {
		return all.String(), nil
	}
	// No namespace but the documents' own: they verify where they are as well. Split reads
	// this cover again.
	return declaration + `<EnvioCFE xmlns="` + uy.Namespace + `" version="1.0"><Caratula version="1.0"><RutReceptor>` +
		t.recipient + `</RutReceptor><RUCEmisor>` +
		first.RUC + `</RUCEmisor><Idemisor>` + strconv.FormatInt(envelopeID(first.Type, first.Series, b.Documents[0].Number),
		10) + `</Idemisor><CantCFE>` +
		strconv.Itoa(len(b.Documents)) + `</CantCFE><Fecha>` + moment(at) + `</Fecha><X509Certificate>` + t.inBase64() +
		`</X509Certificate></Caratula>` +
		all.String() + `</EnvioCFE>`, nil
}

// caeOf is the CAE of a document's number.
func caeOf(d authority.Document) (uy.CAE, error) {
	if d.Range == nil {
		return uy.CAE{}, fmt.Errorf("there is no CAE for number %d", d.Number)
	}
	cae, err := uy.ReadCAE(d.Range.File)
	if err != nil {
		return uy.CAE{}, fmt.Errorf("open the CAE of number %d: %w", d.Number, err)
	}
	return cae, nil
}

// fits holds a CFE, before it is signed, to DGI's schema.
func fits(plain []byte) error {
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(plain); err != nil {
		return err
	}
	for _, body := range doc.Root().ChildElements() {
		rule := schema.CFE(body.Tag)
		if rule == nil {
			return fmt.Errorf("%s is no document of the schema", body.Tag)
		}
		if err := rule.Check(body); err != nil {
			return err
		}
	}
	return nil
}

var (
	cfeInside         = regexp.MustCompile(`(?s)<CFE[ >].*?</CFE>`)
	envelopeInside    = regexp.MustCompile(`<Idemisor>([0-9]{1,10})</Idemisor>`)
	certificateInside = regexp.MustCompile(`</Fecha><X509Certificate>([^<]+)</X509Certificate></Caratula>`)
)

// inside is the first group of what a pattern finds in bytes of ours.
func inside(pattern *regexp.Regexp, content []byte) string {
	if found := pattern.FindSubmatch(content); found != nil {
		return string(found[1])
	}
	return ""
}

// signed is what is printed and asked about of a signed document, from its bytes.
type signed struct {
	Type   int           `json:"type"`
	Series string        `json:"series"`
	Number int64         `json:"number"`
	Hash   string        `json:"hash"`           // DigestValue of its signature
	Date   string        `json:"date,omitempty"` // FchEmis; what was kept before it was is empty
	At     time.Time     `json:"at"`
	Amount money.Decimal `json:"amount"`
}

// signedIn are the documents of a batch as they were signed, in its order.
func signedIn(content []byte, b authority.Batch) ([]signed, error) {
	found := cfeInside.FindAll(content, -1)
	if len(found) != len(b.Documents) {
		return nil, fmt.Errorf("%d documents were prepared for %d", len(found), len(b.Documents))
	}
	out := make([]signed, len(found))
	for i, document := range found {
		var err error
		if out[i], err = readSigned(document); err != nil {
			return nil, fmt.Errorf("read number %d as it was signed: %w", b.Documents[i].Number, err)
		}
		if out[i].Number != b.Documents[i].Number {
			return nil, fmt.Errorf("number %d was prepared in the place of %d", out[i].Number, b.Documents[i].Number)
		}
	}
	return out, nil
}

// readSigned reads one of our documents. The amount is MntPagar, MntTotal where there is
// none (124), or nothing (181): CFE25, the printed code.
func readSigned(document []byte) (signed, error) {
	var x struct {
		Body struct {
			At     string        `xml:"TmstFirma"`
			Type   int           `xml:"Encabezado>IdDoc>TipoCFE"`
			Series string        `xml:"Encabezado>IdDoc>Serie"`
			Number int64         `xml:"Encabezado>IdDoc>Nro"`
			Date   string        `xml:"Encabezado>IdDoc>FchEmis"`
			Total  money.Decimal `xml:"Encabezado>Totales>MntTotal"`
			ToPay  string        `xml:"Encabezado>Totales>MntPagar"`
		} `xml:",any"`
		Hash string `xml:"Signature>SignedInfo>Reference>DigestValue"`
	}
	if err := xml.Unmarshal(document, &x); err != nil {
		return signed{}, err
	}
	s := signed{Type: x.Body.Type, Series: x.Body.Series, Number: x.Body.Number, Date: x.Body.Date, Hash: x.Hash,
		Amount: x.Body.Total}
	var err, err2 error
	if x.Body.ToPay != "" {
		s.Amount, err = money.Parse(x.Body.ToPay)
	}
	s.At, err2 = time.Parse(momentForm, x.Body.At)
	if s.Hash == "" {
		err = errors.Join(err, errors.New("it has no signature"))
	}
	return s, errors.Join(err, err2)
}
