package dgi

import (
	"regexp"
	"strings"

	"folio/authority/wire"
	"folio/authority/xmlsign"
)

// service is one of DGI's two.
type service string

const (
	reception service = "WS_eFactura"
	queries   service = "WS_eFactura_Consultas"
)

func (s service) address(e Endpoints) string {
	if s == queries {
		return e.Queries
	}
	return e.Reception
}

// action is what SOAPAction begins with, as DGI's WSDL has it: without a slash.
func (s service) action() string {
	return "http://dgi.gub.uyaction/A" + strings.ToUpper(string(s)) + "."
}

// operation is one of a service's.
type operation struct {
	service
	name string
	bare bool // its content is the element itself, not text in Datain/xmlData
}

// The operations that are used (SWE). EFACRECEPCIONREPORTE takes the daily report.
var (
	sendEnvelope = operation{reception, "EFACRECEPCIONSOBRE", false}
	sendReport   = operation{reception, "EFACRECEPCIONREPORTE", false}
	askEnvelope  = operation{reception, "EFACCONSULTARESTADOENVIO", false}
	askByNumber  = operation{queries, "EFACCONSULTARESTADOCFE", true}
)

const (
	namespaceDGI  = "http://dgi.gub.uy"
	namespaceSOAP = "http://schemas.xmlsoap.org/soap/envelope/"
	oasis         = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
	x509v3        = oasis + "x509-token-profile-1.0#X509v3"
)

// message is a SOAP 1.1 call of an operation with its Body signed: WS-Security, X.509
// token profile 1.0, the certificate as BinarySecurityToken, exclusive C14N.
func (t talk) message(o operation, content string) ([]byte, error) {
	before := `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="` + namespaceSOAP + `" xmlns:dgi="` +
		namespaceDGI + `"><soapenv:Header>` +
		`<wsse:Security xmlns:wsse="` + oasis + `wssecurity-secext-1.0.xsd" xmlns:wsu="` + oasis +
		`wssecurity-utility-1.0.xsd" soapenv:mustUnderstand="1">` +
		`<wsse:BinarySecurityToken wsu:Id="Token" EncodingType="` + oasis +
		`soap-message-security-1.0#Base64Binary" ValueType="` + x509v3 + `">` +
		t.inBase64() + `</wsse:BinarySecurityToken>`
	if !o.bare {
		content = `<dgi:Datain><dgi:xmlData><![CDATA[` + strings.ReplaceAll(content, "]]>", "]]]]><![CDATA[>") +
			`]]></dgi:xmlData></dgi:Datain>`
	}
	name := "dgi:" + string(o.service) + "." + o.name
	after := `</wsse:Security></soapenv:Header><soapenv:Body xmlns:wsu="` + oasis +
		`wssecurity-utility-1.0.xsd" wsu:Id="Body"><` + name + `>` + content +
		`</` + name + `></soapenv:Body></soapenv:Envelope>`
	signed, err := xmlsign.Signature{Key: t.key, Hash: t.messageHash, Form: xmlsign.Exclusive, Path: "/Envelope/Body",
		URI:    "#Body",
		Parent: "/Envelope/Header/Security", Transforms: []string{xmlsign.Exclusive},
		KeyInfo: `<wsse:SecurityTokenReference><wsse:Reference URI="#Token" ValueType="` + x509v3 +
			`"/></wsse:SecurityTokenReference>`}.Between(before, after)
	return []byte(signed), err
}

// secret are the contents that an exchange does not show, as elements and as escaped
// text, its line breaks too: certificates and signatures, and the token with which an
// envelope is asked for.
var secret = regexp.MustCompile(`((?:<|&lt;)(?:[\w.-]+:)?(BinarySecurityToken|SignatureValue|X509Certificate|Token)\b[^<>&]*(?:>|&gt;))(?:[^<>&]|&#\w+;)+`)

// cut is a body as an exchange shows it.
func cut(body []byte) []byte { return wire.Keep(secret.ReplaceAll(body, []byte("${1}[redacted]"))) }
