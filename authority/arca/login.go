package arca

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/smallstep/pkcs7"

	"folio/authority/wire"
)

// slack dates a request for a ticket ten minutes to either side: WSAA refuses any
// generation time in its future.
const slack = 10 * time.Minute

type ticketRequest struct {
	XMLName    xml.Name `xml:"loginTicketRequest"`
	Version    string   `xml:"version,attr"`
	UniqueID   uint32   `xml:"header>uniqueId"`
	Generation string   `xml:"header>generationTime"`
	Expiration string   `xml:"header>expirationTime"`
	Service    string   `xml:"service"`
}

// TicketRequest is the document (TRA) to be signed for a ticket of service at now.
// Times carry their offset: without one they have been refused.
func TicketRequest(service string, now time.Time) ([]byte, error) {
	local := now.In(Zone).Truncate(time.Second)
	doc, err := xml.Marshal(ticketRequest{
		Version: "1.0", UniqueID: uint32(now.Unix()), Service: service,
		Generation: local.Add(-slack).Format(time.RFC3339), Expiration: local.Add(slack).Format(time.RFC3339),
	})
	if err != nil {
		return nil, fmt.Errorf("write ticket request: %w", err)
	}
	return doc, nil
}

// SignCMS wraps content in a CMS SignedData (DER), attached, RSA with SHA-256, with the
// signer's certificate and no signed attributes (WSAA specification, section 3).
func SignCMS(content []byte, c Credential) ([]byte, error) {
	sd, err := pkcs7.NewSignedData(content)
	if err != nil {
		return nil, fmt.Errorf("sign ticket request: %w", err)
	}
	sd.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	sd.SetEncryptionAlgorithm(pkcs7.OIDEncryptionAlgorithmRSA)
	if err := sd.SignWithoutAttr(c.Certificate, c.Key, pkcs7.SignerInfoConfig{}); err != nil {
		return nil, fmt.Errorf("sign ticket request: %w", err)
	}
	der, err := sd.Finish()
	if err != nil {
		return nil, fmt.Errorf("sign ticket request: %w", err)
	}
	return der, nil
}

// WSAA is ARCA's login service as a client reaches it.
type WSAA struct {
	HTTP *http.Client
	URL  string
}

// Login asks for a ticket. Its errors are *LoginFault (refused, nothing changed),
// *NotSent or *Ambiguous; none of them holds anything secret. Use Tickets, which
// logs in once for all: WSAA refuses a second login within its guard window.
func (w WSAA) Login(ctx context.Context, cred Credential, service string, now time.Time) (Ticket, error) {
	tra, err := TicketRequest(service, now)
	if err != nil {
		return Ticket{}, err
	}
	der, err := SignCMS(tra, cred)
	if err != nil {
		return Ticket{}, err
	}
	body, err := envelope(struct {
		XMLName xml.Name `xml:"http://wsaa.view.sua.dvadac.desein.afip.gov loginCms"`
		In0     string   `xml:"in0"`
	}{In0: base64.StdEncoding.EncodeToString(der)})
	if err != nil {
		return Ticket{}, err
	}
	r, err := post(ctx, w.HTTP, wire.Request{Operation: loginOperation, URL: w.URL, Body: body}, "")
	if err != nil {
		return Ticket{}, err
	}
	return readLogin(r)
}

// loginOperation is the one that WSAA has.
const loginOperation = "loginCms"

func readLogin(r reply) (Ticket, error) {
	env, err := read[struct {
		Return string `xml:"loginCmsReturn"`
	}](r)
	if err != nil {
		return Ticket{}, &Ambiguous{loginOperation, withoutAnswer(err, r)}
	}
	if f := env.Body.Fault; f != nil {
		return Ticket{}, &LoginFault{Code: f.code(), Text: f.text()}
	}
	t, err := parseTicket(env.Body.Inner.Return)
	if err != nil {
		return Ticket{}, &Ambiguous{loginOperation, err}
	}
	return t, nil
}

// withoutAnswer keeps what an answer of WSAA holds out of the error: it may be a
// damaged ticket.
func withoutAnswer(err error, r reply) error {
	if strings.Contains(string(r.Body), "loginCmsReturn") {
		return errors.New("the answer is damaged")
	}
	return err
}
