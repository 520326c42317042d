package dgi

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/beevik/etree"

	"folio/sandbox"
	"folio/sandbox/desk"
)

const (
	namespaceWS   = "http://dgi.gub.uy"
	namespaceSOAP = "http://schemas.xmlsoap.org/soap/envelope/"
	oasis         = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
)

// message is a SOAP call whose WS-Security holds.
type message struct {
	operation   string
	content     string         // of Datain/xmlData
	bare        *etree.Element // the operation's element
	certificate *x509.Certificate
	ruc         string // the certificate's, "" for none
	token       string // the certificate's text
}

// readMessage reads SOAP 1.1 with an X.509 token whose key signed the Body. What it has
// read it returns with an error too.
func readMessage(body []byte, service string) (message, error) {
	var m message
	if bytes.Contains(body, []byte("<!DOCTYPE")) || bytes.Contains(body, []byte("<!ENTITY")) {
		return m, errors.New("no se admite DTD")
	}
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(body); err != nil || doc.Root() == nil {
		return m, errors.New("no es XML")
	}
	root := doc.Root()
	parts := root.ChildElements()
	if root.Tag != "Envelope" || root.NamespaceURI() != namespaceSOAP || len(parts) != 2 || parts[0].Tag != "Header" ||
		parts[1].Tag != "Body" {
		return m, errors.New("no es un mensaje SOAP 1.1 con Header y Body")
	}
	asked := parts[1].ChildElements()
	if len(asked) != 1 || asked[0].NamespaceURI() != namespaceWS {
		return m, errors.New("el Body no tiene una operacion de " + namespaceWS)
	}
	m.bare = asked[0]
	m.operation = strings.TrimPrefix(m.bare.Tag, service+".")
	if data := m.bare.FindElement("Datain/xmlData"); data != nil {
		m.content = data.Text()
	}
	security := parts[0].SelectElement("Security")
	if security == nil {
		return m, errors.New("falta wsse:Security")
	}
	token := security.SelectElement("BinarySecurityToken")
	if token == nil {
		return m, errors.New("falta BinarySecurityToken")
	}
	m.token = strings.TrimSpace(token.Text())
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(m.token), ""))
	if err == nil {
		m.certificate, err = x509.ParseCertificate(der)
	}
	if err != nil {
		return m, errors.New("BinarySecurityToken no es un certificado")
	}
	m.ruc = rucOf(m.certificate)
	if err := signedBody(root, parts[1], security, token, m.certificate); err != nil {
		return m, err
	}
	return m, nil
}

// signedBody wants the signature in the header to be over this very Body.
func signedBody(root, body, security, token *etree.Element, certificate *x509.Certificate) error {
	sig := security.SelectElement("Signature")
	if sig == nil {
		return errors.New("falta la firma del mensaje")
	}
	used := sig.FindElement("KeyInfo/SecurityTokenReference/Reference")
	if used == nil || used.SelectAttrValue("URI", "") != "#"+identifier(token) {
		return errors.New("la firma del mensaje no refiere al BinarySecurityToken")
	}
	covered := false
	err := verify(sig, certificate, true, func(uri string) (*etree.Element, error) {
		found := withID(root, strings.TrimPrefix(uri, "#"))
		if len(found) != 1 || !strings.HasPrefix(uri, "#") {
			return nil, fmt.Errorf("la referencia %.40q no es a un elemento", uri)
		}
		covered = covered || found[0] == body
		return found[0], nil
	})
	if err == nil && !covered {
		err = errors.New("la firma no cubre el Body")
	}
	return err
}

func identifier(e *etree.Element) string {
	for _, a := range e.Attr {
		if a.Key == "Id" {
			return a.Value
		}
	}
	return ""
}

func withID(e *etree.Element, id string) (out []*etree.Element) {
	if id != "" && identifier(e) == id {
		out = append(out, e)
	}
	for _, c := range e.ChildElements() {
		out = append(out, withID(c, id)...)
	}
	return out
}

// rucOf is the RUC in the subject of a certificate: serialNumber "RUC" and 12 digits.
func rucOf(c *x509.Certificate) string {
	digits, named := strings.CutPrefix(strings.ReplaceAll(c.Subject.SerialNumber, " ", ""), "RUC")
	ruc, err := sandbox.ParseRUC(digits)
	if !named || err != nil {
		return ""
	}
	return ruc
}

// trusts wants a certificate of the sandbox's own authority that holds now.
func (s *Server) trusts(c *x509.Certificate) error { return s.ca.Trusts(c, s.Now()) }

const soap = "text/xml; charset=utf-8"

func (c *call) send(status int, body string) {
	desk.Answer(c.w, c.r, c.struck, desk.Reply{Status: status, ContentType: soap,
		Body: `<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="` + namespaceSOAP +
			`"><SOAP-ENV:Body>` + body +
			`</SOAP-ENV:Body></SOAP-ENV:Envelope>`})
}

// answer is the text of Dataout/xmlData.
func (c *call) answer(text string) {
	name := c.service + "." + c.message.operation + "Response"
	c.send(http.StatusOK, `<`+name+` xmlns="`+namespaceWS+`"><Dataout><xmlData>`+desk.Escape(text)+
		`</xmlData></Dataout></`+name+`>`)
}

// refuse answers an error of the service (ExcepcionesServicios.xsd).
func (c *call) refuse(code, detail string) {
	c.seen.Verdict = "refused: " + strings.TrimSpace(code+" "+refusals[code]+" "+detail)
	c.answer(`<?xml version="1.0" encoding="UTF-8"?><Respuestas><Respuesta><codigo>` + desk.Escape(code) +
		`</codigo><descripcion>` + desk.Escape(cmp.Or(refusals[code], "Error")) +
		`</descripcion><detalle>` + desk.Escape(detail) + `</detalle></Respuesta></Respuestas>`)
}

// fault answers a SOAP Fault.
func (c *call) fault(code, text string) {
	c.seen.Verdict = cmp.Or(c.seen.Verdict, "fault: "+text)
	c.send(http.StatusInternalServerError, `<SOAP-ENV:Fault xmlns:wsse="`+oasis+
		`wssecurity-secext-1.0.xsd" xmlns:soapenv="`+namespaceSOAP+`"><faultcode>`+desk.Escape(code)+
		`</faultcode><faultstring>`+desk.Escape(text)+`</faultstring></SOAP-ENV:Fault>`)
}
