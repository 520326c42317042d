package arca

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"folio/sandbox"
	"folio/sandbox/desk"

	"github.com/smallstep/pkcs7"
)

// ticketLife is how long a ticket lives (WSFEv1 manual, "Autenticación").
const ticketLife = 12 * time.Hour

// refusal is a fault of WSAA.
type refusal struct{ code, text string }

var refusals = map[string]string{
	"cms.bad.base64":           "No se puede decodificar el BASE64",
	"cms.bad":                  "El CMS no es valido",
	"cms.cert.notFound":        "No se ha encontrado certificado de firmador",
	"cms.sign.invalid":         "Firma inválida o algoritmo no soportado",
	"cms.cert.expired":         "Certificado expirado",
	"cms.cert.invalid":         "Certificado con fecha de generacion posterior a la actual",
	"cms.cert.untrusted":       "Certificado no emitido por AC de confianza",
	"coe.notAuthorized":        "Computador no autorizado a acceder al servicio",
	"coe.alreadyAuthenticated": "El CEE ya posee un TA valido para el acceso al WSN solicitado",
	"xml.bad":                  "No se ha podido interpretar el XML contra el SCHEMA",
	"xml.version.notSupported": "Version de documento no soportada",
	"xml.source.invalid":       "Atributo 'source' no se corresponde con el DN del Computador",
	"xml.destination.invalid":  "Atributo 'destination' no se corresponde con el DN del WSAA",
	"xml.generationTime.invalid": "generationTime posee formato o dato inválido (ej: en el futuro o más de 24 horas de " +
		"antigüedad)",
	"xml.expirationTime.expired": "El tiempo de expiracion es inferior a la hora actual",
	"xml.expirationTime.invalid": "expirationTime posee formato o dato inválido (ej: vencimiento en más de 24 horas)",
	"wsn.notFound":               "Servicio informado inexistente",
	"wsn.unavailable":            "El servicio al que se desea acceder se encuentra momentaneamente fuera de servicio",
}

func refuse(code string) *refusal { return &refusal{code, refusals[code]} }

// logins is WSAA as far as faults and calls know it.
var logins = &service{name: "wsaa"}

const loginOperation = "loginCms"

// serveLogin answers loginCms. The namespace of the request comes back in the answer,
// as the real service does. Neither side of it is remembered: they hold the ticket.
func (s *Server) serveLogin(w http.ResponseWriter, r *http.Request, environment string, body []byte) {
	desk.Delay(r, s.Knobs().Latency)
	seen := &desk.Call{At: s.Now(), Environment: environment, Service: logins.name, Operation: loginOperation}
	seen.Private()
	w, done := s.Watch(w, seen, nil)
	defer done()
	root, parseErr := parse(body)
	asked := root.child("", "Body").child("", "loginCms")
	in0 := asked.child("", "in0")
	c := &call{service: logins, environment: environment, operation: loginOperation, seen: seen}
	if in0 != nil {
		c.cuit = holderOf(in0.text)
	}
	seen.Company = text(c.cuit)
	c.struck = s.Strike(environment, c.operation, seen.Company)
	seen.Struck(c.struck)
	if s.before(w, r, c) {
		return
	}
	if _, ok := r.Header["Soapaction"]; !ok && versionOf(r).space == envelope11 {
		s.loginFault(w, seen, "ns1:Client.NoSOAPAction", "no SOAPAction header!")
		return
	}
	switch {
	case parseErr != nil:
		s.loginFault(w, seen, "soapenv:Server.userException", "org.xml.sax.SAXParseException; "+parseErr.Error())
		return
	case in0 == nil:
		s.loginFault(w, seen, "soapenv:Server.userException", "javax.ejb.EJBException: java.lang.NullPointerException")
		return
	}
	ticket, no, err := s.login(r, c, in0.text)
	switch {
	case err != nil:
		desk.Broken(s.Logger, r, err, "sandbox of ARCA: login")
		s.loginFault(w, seen, "ns1:wsaa.internalError", "Error interno")
		return
	case no != nil:
		s.loginFault(w, seen, "ns1:"+no.code, no.text)
		return
	}
	seen.Verdict = "ticket given"
	answer := `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="` + versionOf(r).space +
		`"><soapenv:Body><loginCmsResponse xmlns="` +
		desk.Escape(asked.name.Space) + `"><loginCmsReturn>` + desk.Escape(ticket) +
		`</loginCmsReturn></loginCmsResponse></soapenv:Body></soapenv:Envelope>`
	desk.Answer(w, r, c.struck, desk.Reply{Status: http.StatusOK, ContentType: "text/xml;charset=utf-8", Body: answer})
}

// holderOf is the CUIT in a CMS that nobody has verified yet, 0 for none.
func holderOf(in0 string) int64 {
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(in0), ""))
	if err != nil || len(der) == 0 {
		return 0
	}
	p7, err := pkcs7.Parse(der)
	if err != nil || len(p7.Signers) != 1 || p7.GetOnlySigner() == nil {
		return 0
	}
	cuit, err := sandbox.ParseCUIT(strings.TrimPrefix(p7.GetOnlySigner().Subject.SerialNumber, "CUIT "))
	if err != nil {
		return 0
	}
	return cuit
}

func (s *Server) loginFault(w http.ResponseWriter, seen *desk.Call, code, text string) {
	seen.Verdict = "refused: " + code + " " + text
	w.Header().Set("Content-Type", "text/xml;charset=utf-8")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="`+envelope11+
		`"><soapenv:Body><soapenv:Fault>`+
		`<faultcode xmlns:ns1="http://xml.apache.org/axis/">`+code+`</faultcode><faultstring>`+desk.Escape(text)+
		`</faultstring><detail>`+
		`<ns2:exceptionName xmlns:ns2="http://xml.apache.org/axis/">gov.afip.desein.dvadac.sua.view.wsaa.LoginFault</ns2:exceptionName>`+
		`<ns3:hostname xmlns:ns3="http://xml.apache.org/axis/">simulador.local</ns3:hostname></detail></soapenv:Fault></soapenv:Body></soapenv:Envelope>`)
}

// login checks in the order observed live: base64, CMS, certificate, signature, dates,
// trust, XML, version, names, times, service, authorization, window.
func (s *Server) login(r *http.Request, c *call, in0 string) (ticket string, no *refusal, err error) {
	environment := c.environment
	if f, ok := desk.Find(c.struck, Error); ok {
		return "", refuse(f.Text), nil
	}
	cert, tra, no := s.openCMS(in0)
	if no != nil {
		return "", no, nil
	}
	req, no := s.readRequest(tra)
	if no != nil {
		return "", no, nil
	}
	holder, err := sandbox.ParseCUIT(strings.TrimPrefix(cert.Subject.SerialNumber, "CUIT "))
	if err != nil {
		return "", refuse("coe.notAuthorized"), nil
	}
	now, knobs := s.Now(), s.Knobs()
	sum := sha256.Sum256(cert.Raw)
	fresh, err := s.store.login(r.Context(), ticketOf{environment, hex.EncodeToString(sum[:]), req.Service}, now,
		knobs.guard(environment))
	if err != nil {
		return "", nil, err
	}
	if !fresh {
		return "", refuse("coe.alreadyAuthenticated"), nil
	}
	var id [4]byte
	if _, err := rand.Read(id[:]); err != nil {
		return "", nil, err
	}
	unique, from := binary.BigEndian.Uint32(id[:]), now.In(zone).Truncate(time.Millisecond)
	dn := cert.Subject.String()
	token, sign, err := s.issueToken(permission{environment: environment, service: req.Service, holder: dn,
		cuits: append([]int64{holder}, knobs.Represents[holder]...), unique: unique, from: from,
		expires: from.Add(ticketLife)})
	if err != nil {
		return "", nil, err
	}
	const form = "2006-01-02T15:04:05.000-07:00"
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<loginTicketResponse version="%s">
    <header>
        <source>%s</source>
        <destination>%s</destination>
        <uniqueId>%d</uniqueId>
        <generationTime>%s</generationTime>
        <expirationTime>%s</expirationTime>
    </header>
    <credentials>
        <token>%s</token>
        <sign>%s</sign>
    </credentials>
</loginTicketResponse>
`, req.Version, wsaaDN, desk.Escape(dn), unique, from.Format(form), from.Add(ticketLife).Format(form), token, sign),
		nil, nil
}

func (s *Server) openCMS(in0 string) (*x509.Certificate, []byte, *refusal) {
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(in0), ""))
	if err != nil || len(der) == 0 {
		return nil, nil, refuse("cms.bad.base64")
	}
	p7, err := pkcs7.Parse(der)
	if err != nil || len(p7.Signers) != 1 {
		return nil, nil, refuse("cms.bad")
	}
	cert := p7.GetOnlySigner()
	if cert == nil {
		return nil, nil, refuse("cms.cert.notFound")
	}
	// A signing time outside of the certificate's validity shows in the next checks.
	var outside *pkcs7.SigningTimeNotValidError
	if err := p7.Verify(); err != nil && !errors.As(err, &outside) || len(p7.Content) == 0 {
		return nil, nil, refuse("cms.sign.invalid")
	}
	now := s.Now()
	switch {
	case now.After(cert.NotAfter):
		return nil, nil, refuse("cms.cert.expired")
	case now.Before(cert.NotBefore):
		return nil, nil, refuse("cms.cert.invalid")
	case outside != nil:
		return nil, nil, refuse("cms.sign.invalid")
	}
	if err := s.ca.Trusts(cert, now); err != nil {
		return nil, nil, refuse("cms.cert.untrusted")
	}
	return cert, p7.Content, nil
}

type ticketRequest struct {
	XMLName     xml.Name `xml:"loginTicketRequest"`
	Version     string   `xml:"version,attr"`
	Source      string   `xml:"header>source"`
	Destination string   `xml:"header>destination"`
	UniqueID    uint32   `xml:"header>uniqueId"`
	Generation  string   `xml:"header>generationTime"`
	Expiration  string   `xml:"header>expirationTime"`
	Service     string   `xml:"service"`
}

var serviceName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{2,31}$`)

func (s *Server) readRequest(tra []byte) (ticketRequest, *refusal) {
	var t ticketRequest
	if err := xml.Unmarshal(tra, &t); err != nil || t.XMLName.Space != "" || !serviceName.MatchString(t.Service) {
		return t, refuse("xml.bad")
	}
	t.Version = cmp.Or(t.Version, "1.0")
	if t.Version != "1.0" && t.Version != "1" {
		return t, refuse("xml.version.notSupported")
	}
	if t.Destination != "" && t.Destination != wsaaDN {
		return t, refuse("xml.destination.invalid")
	}
	now := s.Now()
	generation, err := time.Parse(time.RFC3339, strings.TrimSpace(t.Generation))
	if err != nil || generation.After(now) || generation.Before(now.Add(-24*time.Hour)) {
		return t, refuse("xml.generationTime.invalid")
	}
	expiration, err := time.Parse(time.RFC3339, strings.TrimSpace(t.Expiration))
	switch {
	case err != nil || expiration.After(now.Add(24*time.Hour)):
		return t, refuse("xml.expirationTime.invalid")
	case expiration.Before(now):
		return t, refuse("xml.expirationTime.expired")
	}
	if t.Service != invoices.name && t.Service != exports.name && t.Service != constatations.name {
		return t, refuse("wsn.notFound")
	}
	return t, nil
}
