package sii

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math/big"
	"time"

	"folio/sandbox/desk"

	"github.com/beevik/etree"
)

// seedLife is how long a seed may be used, once (AUT, section 2).
const seedLife = 2 * time.Minute

const defaultTokenLife = time.Hour

// loginTexts are the GLOSA of a login's ESTADO (AUT, section 4).
var loginTexts = map[string]string{
	"02": "Error al parsear el archivo XML", "04": "No se encontro el nodo Signature", "05": "Firma no corresponde",
	"06": "No se encontro el nodo Semilla", "08": "Semilla caducada o inexistente",
	"11": "Certificado no valido o desconocido",
	"12": "RUT del certificado no valido",
}

func response(state, text, body string) string {
	glosa := ""
	if text != "" {
		glosa = "<GLOSA>" + desk.Escape(text) + "</GLOSA>"
	}
	return `<?xml version="1.0" encoding="UTF-8"?><SII:RESPUESTA xmlns:SII="http://www.sii.cl/XMLSchema"><SII:RESP_HDR><ESTADO>` + state + `</ESTADO>` + glosa +
		`</SII:RESP_HDR><SII:RESP_BODY>` + body + `</SII:RESP_BODY></SII:RESPUESTA>`
}

// soapAnswer is the text of an operation's result inside SOAP 1.1, with the prefixes that real
// answers have.
func (c *call) soapAnswer(op, text string) {
	c.answer(200, "text/xml;charset=utf-8", `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body><ns1:`+
		op+`Response xmlns:ns1="http://DefaultNamespace"><ns1:`+op+`Return xsi:type="xsd:string">`+desk.Escape(text)+`</ns1:`+
		op+`Return></ns1:`+op+`Response></soapenv:Body></soapenv:Envelope>`)
}

// argument is one of an operation's parameters in a SOAP body; "" when it is not there.
func (c *call) arguments(op string) map[string]string {
	out := map[string]string{}
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(c.body); err != nil || doc.Root() == nil {
		return out
	}
	body := doc.Root().SelectElement("Body")
	if body == nil {
		return out
	}
	if asked := body.SelectElement(op); asked != nil {
		for _, e := range asked.ChildElements() {
			out[e.Tag] = e.Text()
		}
	}
	return out
}

func (c *call) seedBySOAP() {
	if c.begin("getSeed", "") {
		return
	}
	if text, ok := c.newSeed(); ok {
		c.soapAnswer("getSeed", text)
	}
}

func (c *call) seedByREST() {
	if c.begin("getSeed", "") {
		return
	}
	if text, ok := c.newSeed(); ok {
		c.answer(200, "application/xml", text)
	}
}

func (c *call) newSeed() (string, bool) {
	c.seen.Private()
	if f, ok := c.fault(Error); ok {
		return response(f.Code, f.Text, ""), true
	}
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000_000_000))
	if err == nil {
		seed := fmt.Sprintf("%012d", n)
		if err = c.store.addSeed(c.r.Context(), c.environment, seed, c.Now()); err == nil {
			return response("00", "", "<SEMILLA>"+seed+"</SEMILLA>"), true
		}
	}
	c.broken(err)
	return "", false
}

func (c *call) tokenBySOAP() {
	if c.begin("getToken", "") {
		return
	}
	if text, ok := c.newToken([]byte(c.arguments("getToken")["pszXml"])); ok {
		c.soapAnswer("getToken", text)
	}
}

func (c *call) tokenByREST() {
	if c.begin("getToken", "") {
		return
	}
	if text, ok := c.newToken(c.body); ok {
		c.answer(200, "application/xml", text)
	}
}

func (c *call) newToken(request []byte) (string, bool) {
	c.seen.Private()
	if f, ok := c.fault(Error); ok {
		return response(f.Code, f.Text, ""), true
	}
	state, token, err := c.login(c.r.Context(), request)
	switch {
	case err != nil:
		c.broken(err)
		return "", false
	case state != "00":
		c.seen.Verdict = "refused: " + state + " " + loginTexts[state]
		return response(state, loginTexts[state], ""), true
	}
	return response("00", "Token Creado", "<TOKEN>"+token+"</TOKEN>"), true
}

// login gives a token for a seed that a trusted certificate signed.
func (c *call) login(ctx context.Context, request []byte) (state, token string, err error) {
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(request); err != nil || doc.Root() == nil || doc.Root().Tag != "getToken" {
		return "02", "", nil
	}
	sig := doc.Root().SelectElement("Signature")
	if sig == nil {
		return "04", "", nil
	}
	seed := doc.Root().FindElement("item/Semilla")
	if seed == nil {
		return "06", "", nil
	}
	// The signature is enveloped: what it is over is the rest of the document.
	rest := doc.Copy().Root()
	rest.RemoveChild(rest.SelectElement("Signature"))
	by, bad := verify(rest, sig)
	switch {
	case bad != nil:
		return "05", "", nil
	case c.trusts(by.certificate) != nil:
		return "11", "", nil
	case by.rut == "":
		return "12", "", nil
	}
	fresh, err := c.store.takeSeed(ctx, c.environment, seed.Text(), c.Now().Add(-seedLife))
	if err != nil {
		return "", "", err
	}
	if !fresh {
		return "08", "", nil
	}
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		return "", "", err
	}
	token = hex.EncodeToString(raw)
	life := time.Duration(c.Knobs().TokenLife)
	if life <= 0 {
		life = defaultTokenLife
	}
	return "00", token, c.store.addToken(ctx, c.environment, token, by.rut, c.Now().Add(life))
}

// cookie is the holder of the token in the request's cookie, "" for none.
func (c *call) cookie() (string, error) {
	token, err := c.r.Cookie("TOKEN")
	if err != nil {
		return "", nil
	}
	return c.store.holder(c.r.Context(), c.environment, token.Value, c.Now())
}
