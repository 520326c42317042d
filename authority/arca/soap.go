package arca

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"folio/authority/wire"
)

const (
	envelopeHead = xml.Header + `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>`
	envelopeTail = `</soap:Body></soap:Envelope>`
)

// envelope wraps one operation; its namespace is the default one from there on.
func envelope(operation any) ([]byte, error) {
	inner, err := xml.Marshal(operation)
	if err != nil {
		return nil, fmt.Errorf("write request: %w", err)
	}
	out := make([]byte, 0, len(envelopeHead)+len(inner)+len(envelopeTail))
	return append(append(append(out, envelopeHead...), inner...), envelopeTail...), nil
}

// soapFault reads both fault shapes, SOAP 1.1 and 1.2, by local name.
type soapFault struct {
	Code   string `xml:"faultcode"`
	Text   string `xml:"faultstring"`
	Code2  string `xml:"Code>Value"`
	Reason string `xml:"Reason>Text"`
}

type answerEnvelope[T any] struct {
	XMLName xml.Name `xml:"Envelope"`
	Header  struct {
		Info struct {
			Ambiente string `xml:"ambiente"`
			Fecha    string `xml:"fecha"`
			ID       string `xml:"id"`
		} `xml:"FEHeaderInfo"`
	} `xml:"Header"`
	Body struct {
		Fault *soapFault `xml:"Fault"`
		Inner T          `xml:",any"`
	} `xml:"Body"`
}

// read decodes an answer. Everything that is not a whole SOAP envelope (a page of a
// proxy, a cut-off document) is an error that quotes the first letters of it.
func read[T any](r reply) (*answerEnvelope[T], error) {
	var env answerEnvelope[T]
	d := xml.NewTokenDecoder(&lenient{from: wire.Decoder(r.Body)})
	err := d.Decode(&env)
	if err == nil {
		err = onlySpaceFollows(d)
	}
	if err != nil {
		return nil, fmt.Errorf("HTTP %d with an answer that is not SOAP (%.60q): %w", r.Status, r.Body, err)
	}
	if env.Body.Fault == nil && r.Status != http.StatusOK {
		return nil, fmt.Errorf("HTTP %d without a SOAP fault", r.Status)
	}
	return &env, nil
}

func onlySpaceFollows(d *xml.Decoder) error {
	for {
		t, err := d.Token()
		switch t := t.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return errors.New("text after the envelope")
			}
		case xml.StartElement:
			return errors.New("a second document after the envelope")
		}
	}
}

// blamesRequest tells a fault that blames the request from one that blames the server.
func (f *soapFault) blamesRequest() bool {
	code := f.code()
	return strings.HasPrefix(code, "Client") || strings.HasPrefix(code, "Sender")
}

// code is the fault's code without its prefix.
func (f *soapFault) code() string {
	code := strings.TrimSpace(f.Code + f.Code2)
	if _, local, ok := strings.Cut(code, ":"); ok {
		return local
	}
	return code
}

func (f *soapFault) text() string {
	text := repair(strings.TrimSpace(f.Text + f.Reason))
	const most = 500
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
