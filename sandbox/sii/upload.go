package sii

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"folio/sandbox"
	"folio/sandbox/desk"
)

// sending is an upload as it arrived.
type sending struct {
	sender, issuer string
	name           string
	file           []byte
}

// limits of a file: SII calls others too small or too big.
const (
	minFile = 500
	maxFile = 5 << 20
)

func (c *call) readForm() (sending, bool) {
	var s sending
	kind, params, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return s, false
	}
	fields := map[string]string{}
	for r := multipart.NewReader(bytes.NewReader(c.body), params["boundary"]); ; {
		part, err := r.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return s, false
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return s, false
		}
		if part.FormName() == "archivo" {
			s.file, s.name = content, part.FileName()
			continue
		}
		fields[part.FormName()] = string(content)
	}
	s.sender, err = sandbox.ParseRUT(fields["rutSender"] + "-" + fields["dvSender"])
	if err != nil {
		return s, false
	}
	s.issuer, err = sandbox.ParseRUT(fields["rutCompany"] + "-" + fields["dvCompany"])
	return s, err == nil && s.file != nil
}

// browser wants the User-Agent that SII's servers let in.
func (c *call) browser() bool {
	agent := c.r.Header.Get("User-Agent")
	return strings.HasPrefix(agent, "Mozilla/") && strings.Contains(agent, "PROG 1.0")
}

// received is RECEPCIONDTE.
func (c *call) received(s sending, status string, track int64, errors ...string) {
	if status != "0" {
		c.seen.Verdict = "refused: STATUS " + status + " " + strings.Join(errors, "; ")
	}
	detail, id := "", ""
	if len(errors) > 0 {
		detail = "<DETAIL>"
		for _, e := range errors {
			detail += "<ERROR>" + desk.Escape(e) + "</ERROR>"
		}
		detail += "</DETAIL>"
	}
	if track > 0 {
		id = "<TRACKID>" + strconv.FormatInt(track, 10) + "</TRACKID>"
	}
	c.answer(http.StatusOK, "text/xml; charset=UTF-8",
		`<?xml version="1.0"?><RECEPCIONDTE><RUTSENDER>`+s.sender+`</RUTSENDER><RUTCOMPANY>`+s.issuer+
			`</RUTCOMPANY><FILE>`+desk.Escape(s.name)+`</FILE><TIMESTAMP>`+c.Now().In(zone).Format(time.DateTime)+
			`</TIMESTAMP><STATUS>`+status+`</STATUS>`+id+detail+`</RECEPCIONDTE>`)
}

// upload is DTEUpload. The order of its checks is token, rights, size, schema.
func (c *call) upload() {
	s, whole := c.readForm()
	set, schema := readSet(s.file, false)
	if c.begin("DTEUpload", s.issuer, c.marks(s, set)...) {
		return
	}
	if f, ok := c.fault(Error); ok {
		c.received(s, f.Code, 0)
		return
	}
	holder, err := c.cookie()
	switch {
	case err != nil:
		c.broken(err)
	case holder == "" || !c.browser():
		c.received(s, "5", 0)
	case !whole || c.r.ContentLength < 0:
		c.received(s, "3", 0)
	case holder != s.sender:
		c.received(s, "1", 0)
	case len(s.file) < minFile || len(s.file) > maxFile:
		c.received(s, "2", 0)
	case schema != nil:
		c.received(s, "7", 0, schema.Error())
	default:
		r, err := c.take(s, set, false)
		switch {
		case err != nil:
			c.broken(err)
		case r.repeated && c.Knobs().Repeats99:
			c.received(s, "99", 0)
		default:
			c.received(s, "0", r.track)
		}
	}
}

// uploadReceipt is boleta.electronica.envio.
func (c *call) uploadReceipt() {
	s, whole := c.readForm()
	set, schema := readSet(s.file, true)
	if c.begin("boleta.electronica.envio", s.issuer, c.marks(s, set)...) {
		return
	}
	refuse := func(code, text string) {
		c.json(http.StatusBadRequest, map[string]string{"codigo": code, "descripcion": text})
	}
	if f, ok := c.fault(Error); ok {
		refuse(f.Code, f.Text)
		return
	}
	holder, err := c.cookie()
	switch {
	case err != nil:
		c.broken(err)
	case holder == "" || !c.browser():
		c.answer(http.StatusUnauthorized, "text/plain", "NO ESTA AUTENTICADO")
	case !whole || c.r.ContentLength < 0:
		refuse("LPX-00007", "CHR-00002: el archivo llego cortado")
	case holder != s.sender:
		refuse("1", "El usuario no tiene permiso para enviar")
	case schema != nil:
		refuse("7", schema.Error())
	default:
		r, err := c.take(s, set, true)
		switch {
		case err != nil:
			c.broken(err)
		default:
			c.json(http.StatusOK, map[string]any{"rut_emisor": s.issuer, "rut_envia": s.sender, "trackid": r.track,
				"fecha_recepcion": c.Now().In(zone).Format(time.DateTime), "estado": "REC", "file": s.name})
		}
	}
}

func (c *call) json(status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		c.broken(err)
		return
	}
	c.answer(status, "application/json", string(body))
}

// taken is what became of a file.
type taken struct {
	repeated bool
	track    int64
}

// take judges a file and keeps it with its verdict, all on disk before it returns.
func (c *call) take(s sending, set set, receipt bool) (out taken, err error) {
	sum := sha256.Sum256(s.file)
	_, stuck := c.fault(Stick)
	e := envelope{environment: c.environment, issuer: s.issuer, hash: hex.EncodeToString(sum[:]), receipt: receipt,
		at: c.Now(), stuck: stuck}
	out.track, err = c.store.add(c.r.Context(), e, func(q desk.Querier, e *envelope) error {
		if out.repeated, err = repeats(c.r.Context(), q, e); err != nil {
			return err
		}
		if out.repeated {
			e.state = "RPT"
			return nil
		}
		if e.state = c.judgeSet(s, set); e.state != "EPR" {
			return nil
		}
		for i, d := range set.documents {
			verdict, err := c.judge(q, s.issuer, d, i)
			if err != nil {
				return err
			}
			e.docs = append(e.docs, verdict)
			c.seen.Documents = append(c.seen.Documents, verdict.seen())
		}
		return nil
	})
	c.seen.Verdict = fmt.Sprintf("track %d", out.track)
	return out, err
}

// seen is a document as the administration shows it.
func (d document) seen() desk.Seen {
	verdict := string(d.Outcome)
	for _, r := range d.Remarks {
		verdict += " " + r.Code + " " + r.Text
	}
	return desk.Seen{Document: fmt.Sprintf("%d %d", d.Type, d.Folio), Recipient: d.Recipient, Total: d.Amount,
		Verdict: verdict, Refused: d.Outcome == refused}
}
