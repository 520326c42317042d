package arca

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"
)

// sso is what a token holds once decoded from base64.
type sso struct {
	XMLName xml.Name `xml:"sso"`
	Version string   `xml:"version,attr"`
	ID      struct {
		Src      string `xml:"src,attr"`
		Dst      string `xml:"dst,attr"`
		UniqueID uint32 `xml:"unique_id,attr"`
		GenTime  int64  `xml:"gen_time,attr"`
		ExpTime  int64  `xml:"exp_time,attr"`
	} `xml:"id"`
	Operation struct {
		Type  string `xml:"type,attr"`
		Value string `xml:"value,attr"`
		Login struct {
			Entity     string     `xml:"entity,attr"`
			Service    string     `xml:"service,attr"`
			UID        string     `xml:"uid,attr"`
			AuthMethod string     `xml:"authmethod,attr"`
			RegMethod  string     `xml:"regmethod,attr"`
			Relations  []relation `xml:"relations>relation"`
		} `xml:"login"`
	} `xml:"operation"`
}

type relation struct {
	Key     int64  `xml:"key,attr"`
	RelType string `xml:"reltype,attr"`
}

const wsaaDN = "CN=wsaa-simulador, O=Folio Sandbox, C=AR, SERIALNUMBER=CUIT 33693450239"

// permission is a right to use a service for taxpayers, for a while.
type permission struct {
	environment, service, holder string
	cuits                        []int64
	unique                       uint32
	from, expires                time.Time
}

// issueToken signs a permission.
func (s *Server) issueToken(p permission) (token, sign string, err error) {
	var t sso
	t.Version = "2.0"
	t.ID.Src, t.ID.Dst, t.ID.UniqueID = wsaaDN+", OU="+p.environment, "CN="+p.service+", O=AFIP, C=AR", p.unique
	t.ID.GenTime, t.ID.ExpTime = p.from.Unix()-60, p.expires.Unix()
	t.Operation.Type, t.Operation.Value = "login", "granted"
	l := &t.Operation.Login
	l.Entity, l.Service, l.UID, l.AuthMethod, l.RegMethod = "33693450239", p.service, p.holder, "cms", "22"
	for _, c := range p.cuits {
		l.Relations = append(l.Relations, relation{c, "4"})
	}
	doc, err := xml.Marshal(t)
	if err != nil {
		return "", "", fmt.Errorf("write token: %w", err)
	}
	token = base64.StdEncoding.EncodeToString(doc)
	sum := sha256.Sum256([]byte(token))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.ca.Signer(), crypto.SHA256, sum[:])
	if err != nil {
		return "", "", fmt.Errorf("sign token: %w", err)
	}
	return token, base64.StdEncoding.EncodeToString(signature), nil
}

// checkAuth verifies a ticket in the order of the real service: presence, XML, dates,
// hash, system, relations. nil: it is good.
func (s *Server) checkAuth(c *call, read *reader, auth *node) *Message {
	refuse := func(text string) *Message { return &Message{600, "ValidacionDeToken: " + text} }
	if auth == nil {
		return &Message{500, "Campo Auth no fue ingresado o esta mal formado."}
	}
	token, sign := read.text(auth, "Token"), read.text(auth, "Sign")
	if token == "" {
		return refuse("Parametro nulo o vacio (token)")
	}
	if sign == "" {
		return refuse("Parametro nulo o vacio (sign)")
	}
	doc, err := base64.StdEncoding.DecodeString(token)
	var t sso
	if err == nil {
		err = xml.Unmarshal(doc, &t)
	}
	if err != nil {
		return refuse("No valido token. Excepcion: CargarStringBase64Token: Excepción: CargarNodos: Error al cargar token " +
			"XML. Excepcion: Data at the root level is invalid. Line 1, position 1.")
	}
	now := s.Now().Unix()
	if now < t.ID.GenTime || now >= t.ID.ExpTime {
		return refuse(fmt.Sprintf("No validaron las fechas del token. GenTime=%d, ExpTime=%d, NowUTC=%d", t.ID.GenTime,
			t.ID.ExpTime, now))
	}
	signature, err := base64.StdEncoding.DecodeString(sign)
	sum := sha256.Sum256([]byte(token))
	if err != nil || rsa.VerifyPKCS1v15(&s.ca.Signer().PublicKey, crypto.SHA256, sum[:], signature) != nil ||
		t.ID.Src != wsaaDN+", OU="+c.environment {
		return refuse("Error al verificar hash: ")
	}
	if service := t.Operation.Login.Service; service != c.service.name {
		return refuse("No valido Id Sistema: " + c.service.name + "(Id Sistema de token es: " + service + ")")
	}
	if !slices.ContainsFunc(t.Operation.Login.Relations, func(r relation) bool { return r.Key == c.cuit }) {
		return refuse(fmt.Sprintf("%s: %d", noRelation, c.cuit))
	}
	return nil
}

const noRelation = "No apareció CUIT en lista de relaciones"

// notRepresented says that a ticket is good but not for the taxpayer.
func notRepresented(m Message) bool { return strings.Contains(m.Text, noRelation) }
