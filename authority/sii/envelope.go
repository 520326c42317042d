package sii

import (
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"folio/authority"
	"folio/authority/schema"
	"folio/country/cl"
	"folio/events"
)

const (
	namespace   = "http://www.sii.cl/SiiDte"
	instance    = "http://www.w3.org/2001/XMLSchema-instance"
	setID       = "SetDoc"
	stampForm   = "2006-01-02T15:04:05"
	declaration = `<?xml version="1.0" encoding="ISO-8859-1"?>` + "\n"
)

// write stamps and signs one document and its envelope at a moment. One document goes
// in an envelope: SII judges envelopes, and so the verdict is the document's.
func (i identity) write(d authority.Document, at time.Time) ([]byte, error) {
	_, signer, err := numbered(d)
	if err != nil {
		return nil, err
	}
	sender, err := i.sender(d)
	if err != nil {
		return nil, err
	}
	stamp, err := cl.Stamp(d.Document, d.Number, signer, at)
	if errors.Is(err, cl.ErrNotLatin1) {
		return nil, &authority.Unfit{Invoice: d.Invoice, Err: err}
	}
	if err != nil {
		return nil, err
	}
	signed, err := i.document(d, stamp, at)
	if err != nil {
		return nil, err
	}
	return i.envelope(d, sender, signed, at)
}

// envelope is what is sent of a signed document, in ISO-8859-1.
func (i identity) envelope(d authority.Document, sender, signed string, at time.Time) ([]byte, error) {
	set, err := i.set(d, sender, cl.SIIRUT, signed, at)
	if err != nil {
		return nil, err
	}
	return cl.ToLatin1(declaration + set)
}

// document is the signed DTE. It declares the namespaces of the envelope itself, so that
// the same text is signed (inclusive C14N) where it stands in one and taken out of it.
func (i identity) document(d authority.Document, stamp []byte, at time.Time) (string, error) {
	dte := cl.NewDTE(d.Document, d.Taxes, d.Profile, d.Number)
	dte.TED, dte.TmstFirma = cl.FromLatin1(stamp), moment(d, at)
	body, err := xml.Marshal(dte)
	if err != nil {
		return "", fmt.Errorf("write the DTE: %w", err)
	}
	if err := fits(d, dte.XMLName.Local, string(body)); err != nil {
		return "", err
	}
	return i.sign(`<DTE xmlns="`+namespace+`" xmlns:xsi="`+instance+`" version="1.0">`+string(body), `</DTE>`,
		"/DTE/"+dte.XMLName.Local, dte.ID, c14n)
}

// fits holds a document, before anything is signed, to SII's schema and its encoding.
func fits(d authority.Document, element, body string) error {
	if element == "Documento" && cl.IsReceipt(d.Document.OfficialCode) {
		element = "Boleta"
	}
	err := schema.SII(element).CheckText(body)
	if err == nil {
		_, err = cl.ToLatin1(body)
	}
	if err != nil {
		return &authority.Unfit{Invoice: d.Invoice, Err: err}
	}
	return nil
}

// set is the envelope for a recipient, SII or the buyer, around a signed DTE.
func (i identity) set(d authority.Document, sender, recipient, signed string, at time.Time) (string, error) {
	issuer, err := cl.ParseRUT(d.Document.Issuer.DocumentNumber)
	if err != nil {
		return "", &authority.Unfit{Invoice: d.Invoice, Err: fmt.Errorf("issuer: %w", err)}
	}
	date, number := cl.Resolution(d.Document)
	if date == "" || number == "" {
		return "", &authority.Unfit{Invoice: d.Invoice,
			Err: errors.New(events.Because("it does not say by which resolution " +
				"its issuer may issue"))}
	}
	cover := `<Caratula version="1.0"><RutEmisor>` + issuer + `</RutEmisor><RutEnvia>` + sender +
		`</RutEnvia><RutReceptor>` + recipient +
		`</RutReceptor><FchResol>` + date + `</FchResol><NroResol>` + strings.TrimLeft(number[:len(number)-1], "0") +
		number[len(number)-1:] +
		`</NroResol><TmstFirmaEnv>` + moment(d, at) + `</TmstFirmaEnv><SubTotDTE><TpoDTE>` +
		strconv.Itoa(d.Document.OfficialCode) +
		`</TpoDTE><NroDTE>1</NroDTE></SubTotDTE></Caratula>`
	if err := schema.SII("Caratula").CheckText(cover); err != nil {
		return "", &authority.Unfit{Invoice: d.Invoice, Err: err}
	}
	root, location := "EnvioDTE", "EnvioDTE_v10.xsd"
	if cl.IsReceipt(d.Document.OfficialCode) {
		root, location = "EnvioBOLETA", "EnvioBOLETA_v11.xsd"
	}
	// Without schemaLocation SII answers an upload with STATUS 7.
	before := `<` + root + ` xmlns="` + namespace + `" xmlns:xsi="` + instance + `" xsi:schemaLocation="` +
		namespace + ` ` + location + `" version="1.0"><SetDTE ID="` + setID + `">` + cover + signed + `</SetDTE>`
	return i.sign(before, `</`+root+`>`, "/"+root+"/SetDTE", setID, c14n)
}

// moment is a dateTime of the schemas: local to the company, without a zone.
func moment(d authority.Document, at time.Time) string {
	return at.In(cl.LocationOf(d.Document)).Format(stampForm)
}

var (
	senderInside = regexp.MustCompile(`<RutEnvia>([0-9]+-[0-9K])</RutEnvia>`)
	stampInside  = regexp.MustCompile(`(?s)<TED version="1\.0">.*?</TED>`)
	dteInside    = regexp.MustCompile(`(?s)<DTE xmlns=.*</DTE>`)
	valueInside  = regexp.MustCompile(`<SignatureValue>([^<]+)</SignatureValue>`)
)

// senderOf is RutEnvia of an envelope: the certificate may be another by now.
func senderOf(content []byte) string {
	if found := senderInside.FindSubmatch(content); found != nil {
		return string(found[1])
	}
	return ""
}

// stampOf is the stamp in an envelope of ours, byte for byte.
func stampOf(content []byte) []byte { return stampInside.Find(content) }

// documentOf is the signed document in an envelope of ours, byte for byte.
func documentOf(content []byte) []byte { return dteInside.Find(content) }

// signatureOf is SignatureValue of the document in an envelope of ours, without line ends.
func signatureOf(content []byte) string {
	found := valueInside.FindSubmatch(documentOf(content))
	if found == nil {
		return ""
	}
	return strings.Join(strings.Fields(string(found[1])), "")
}
