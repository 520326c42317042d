package sii

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/cl"
)

// parcel is one envelope on its way.
type parcel struct {
	receipt bool // a boleta
	issuer  string
	sender  string
	name    string
	content []byte
}

// form is the body of an upload, the same five parts at both services (section 7 of
// SII's upload manual, REST).
func (p parcel) form() (body []byte, contentType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	sender, senderDigit := cl.SplitRUT(p.sender)
	company, companyDigit := cl.SplitRUT(p.issuer)
	var errs []error
	for _, f := range [][2]string{{"rutSender", sender}, {"dvSender", senderDigit}, {"rutCompany", company},
		{"dvCompany", companyDigit}} {
		errs = append(errs, w.WriteField(f[0], f[1]))
	}
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", `form-data; name="archivo"; filename="`+p.name+`"`)
	h.Set("Content-Type", "text/xml")
	part, err := w.CreatePart(h)
	if err == nil {
		_, err = part.Write(p.content)
	}
	err = errors.Join(append(errs, err, w.Close())...)
	return b.Bytes(), w.FormDataContentType(), err
}

// upload sends an envelope once and returns SII's track id, empty when it says that it
// has this one already.
func (t talk) upload(ctx context.Context, p parcel) (track string, err error) {
	url, op, accept := t.endpoints.upload(), "DTEUpload", "text/xml"
	if p.receipt {
		url, op, accept = t.endpoints.ReceiptUpload+"/boleta.electronica.envio", "boleta.electronica.envio",
			"application/json"
	}
	body, kind, err := p.form()
	if err != nil {
		return "", authority.NotSent(err)
	}
	ask := func(token string) request {
		return request{op: op, method: http.MethodPost, url: url, body: body, token: token,
			headers: map[string]string{"Content-Type": kind, "Accept": accept}}
	}
	err = t.call(ctx, systemOf(p.receipt), ask, func(r reply) (err error) {
		if p.receipt {
			track, err = readReceiptUpload(r)
		} else {
			track, err = readUpload(r)
		}
		return err
	})
	return track, err
}

// uploaded is RECEPCIONDTE.
type uploaded struct {
	XMLName xml.Name `xml:"RECEPCIONDTE"`
	Status  *string  `xml:"STATUS"`
	Track   string   `xml:"TRACKID"`
	Errors  []string `xml:"DETAIL>ERROR"`
}

// codeSender is the STATUS of a sender who may not send for the company, or not with this token.
const codeSender = "1"

// statuses are those of an upload that say what to do. The numbers are SII's.
var statuses = map[string]struct {
	text    string
	meaning error
}{
	codeSender: {"The sender may not send documents of this company: give the holder of the certificate that right at SII",
		authority.ErrCredential},
	"2": {"The file is too small or too large", authority.ErrRefused},
	"3": {"The file arrived cut off", authority.ErrNotSent},
	"6": {"The company may not send electronic documents: it must be authorised at SII", authority.ErrCredential},
	"7": {"The file does not follow SII's schema", authority.ErrRefused},
	"8": {"The signature of the document is wrong", authority.ErrRefused},
	"9": {"SII's system is locked", authority.ErrNotSent},
}

// readUpload reads the answer of DTEUpload. Only STATUS 0 is a receipt; 99 says that
// SII has the same file already. Anything else that is not in the table, a page or an
// answer without STATUS, is ambiguous.
func readUpload(r reply) (string, error) {
	const op = "DTEUpload"
	if err := r.Fine(op); err != nil {
		return "", err
	}
	var a uploaded
	if err := wire.Decoder(r.Body).Decode(&a); err != nil || a.Status == nil {
		return "", fmt.Errorf("%s: %w", op, errNoAnswer)
	}
	status := strings.TrimSpace(*a.Status)
	switch known, ok := statuses[status]; {
	case status == "0":
		track := strings.TrimSpace(a.Track)
		if n, err := strconv.ParseInt(track, 10, 64); err != nil || n <= 0 {
			return "", fmt.Errorf("%s: STATUS 0 without a track id", op)
		}
		return track, nil
	case status == "99":
		return "", nil
	case status == "5":
		return "", errToken
	case ok:
		return "", authority.Said(status, strings.Join(append([]string{known.text}, a.Errors...), ": "), known.meaning)
	}
	return "", authority.Said(status, "SII answered the upload with a status that is not known", nil)
}

// surelyShown is how long after it was signed SII shows a document that it received: it
// answers in minutes or hours, and one whose answer was lost may be under way until then.
const surelyShown = 24 * time.Hour

// replaced makes it definitive that the sender may not send, where the certificate is
// another person's by now: the envelope names its sender and cannot be signed again.
func (t talk) replaced(sender string, signed time.Time, err error) error {
	var m *authority.Message
	if errors.As(err, &m) && m.Code == codeSender && t.rut != "" && sender != "" && t.rut != sender &&
		t.now().Sub(signed) > surelyShown {
		return authority.Said(m.Code, fmt.Sprintf("SII does not take what RUT %s signed under the certificate of RUT %s, "+
			"which the company has by now: issue the document again", sender, t.rut), authority.ErrRefused)
	}
	return err
}

// readReceiptUpload reads the answer of boleta.electronica.envio.
func readReceiptUpload(r reply) (string, error) {
	const op = "boleta.electronica.envio"
	if r.Status == http.StatusUnauthorized {
		return "", errToken
	}
	var a struct {
		Track json.Number `json:"trackid"`
		State string      `json:"estado"`
		Code  json.Number `json:"codigo"`
		Text  string      `json:"descripcion"`
	}
	err := json.Unmarshal(r.Body, &a)
	if r.Status == http.StatusBadRequest && err == nil && a.Code != "" {
		if known, ok := statuses[a.Code.String()]; ok {
			return "", authority.Said(a.Code.String(), strings.TrimSuffix(known.text+": "+strings.TrimSpace(a.Text), ": "),
				known.meaning)
		}
	}
	if err := r.Fine(op); err != nil {
		return "", err
	}
	if n, bad := a.Track.Int64(); err != nil || bad != nil || n <= 0 {
		return "", fmt.Errorf("%s: %w", op, errNoAnswer)
	}
	return a.Track.String(), nil
}
