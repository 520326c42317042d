package sii

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"

	"folio/authority/wire"
	"folio/authority/xmlsign"
)

// argument is one parameter of an operation of SII's SOAP services (1.1, RPC).
type argument struct{ name, value string }

// soap is the call of an operation. The value of the argument named Token is left out
// of what an exchange shows.
func soap(op, url string, args ...argument) request {
	write := func(hide bool) []byte {
		var b strings.Builder
		b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header/><soapenv:Body><`)
		b.WriteString(op + ` xmlns="http://DefaultNamespace">`)
		for _, a := range args {
			if hide && a.name == "Token" {
				continue
			}
			b.WriteString("<" + a.name + ">" + xmlsign.Escape(a.value) + "</" + a.name + ">")
		}
		b.WriteString("</" + op + "></soapenv:Body></soapenv:Envelope>")
		return []byte(b.String())
	}
	return request{op: op, method: http.MethodPost, url: url, body: write(false), shown: write(true),
		headers: map[string]string{"Content-Type": "text/xml; charset=utf-8", "SOAPAction": `""`}}
}

// returned is the text of the element op+"Return", whatever its prefix: real answers
// have ns1 (AUT shows none).
func returned(op string, body []byte) (string, error) {
	d := wire.Decoder(body)
	for {
		t, err := d.Token()
		if err != nil {
			return "", fmt.Errorf("%s: %w", op, errNoAnswer)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case op + "Return":
			var text string
			if err := d.DecodeElement(&text, &start); err != nil {
				return "", fmt.Errorf("%s: %w", op, errNoAnswer)
			}
			return text, nil
		case "Fault":
			var f struct {
				Text string `xml:"faultstring"`
			}
			if err := d.DecodeElement(&f, &start); err == nil {
				return "", fmt.Errorf("%s: SOAP fault: %.200s", op, f.Text)
			}
		}
	}
}

// answerXML is RESPUESTA, in which SII's services answer.
type answerXML struct {
	XMLName  xml.Name `xml:"RESPUESTA"`
	State    string   `xml:"RESP_HDR>ESTADO"`
	Text     string   `xml:"RESP_HDR>GLOSA"`
	StateTxt string   `xml:"RESP_HDR>GLOSA_ESTADO"`
	ErrCode  string   `xml:"RESP_HDR>ERR_CODE"`
	ErrText  string   `xml:"RESP_HDR>GLOSA_ERR"`
	Seed     string   `xml:"RESP_BODY>SEMILLA"`
	Token    string   `xml:"RESP_BODY>TOKEN"`
	Received string   `xml:"RESP_BODY>RECIBIDO"` // SI or NO, of getEstDteAv
	Track    string   `xml:"RESP_BODY>TRACKID"`  // likewise
	// The counters of an envelope repeat, one of each per document type.
	Types    []string `xml:"RESP_BODY>TIPO_DOCTO"`
	Accepted []int    `xml:"RESP_BODY>ACEPTADOS"`
	Rejected []int    `xml:"RESP_BODY>RECHAZADOS"`
	Repairs  []int    `xml:"RESP_BODY>REPAROS"`
}

func readAnswer(op, text string) (answerXML, error) {
	var a answerXML
	if err := wire.TextDecoder(text).Decode(&a); err != nil || strings.TrimSpace(a.State) == "" {
		return a, fmt.Errorf("%s: %w", op, errNoAnswer)
	}
	a.State = strings.TrimSpace(a.State)
	return a, nil
}
