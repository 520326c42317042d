package sii

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"folio/authority"
	"folio/country/cl"
	"folio/events"
)

// documentState asks for one document by what identifies it: getEstDte, or the
// boletas' interface.
// SII compares recipient, date and amount itself; it carries nothing else of the document,
// neither lines nor references.
func (t talk) documentState(ctx context.Context, d authority.Document, issuer string) (state, error) {
	dte := cl.NewDTE(d.Document, d.Taxes, d.Profile, d.Number)
	day, err := time.Parse(time.DateOnly, dte.Encabezado.IdDoc.FchEmis)
	if err != nil {
		return state{}, fmt.Errorf("date of folio %d: %w", d.Number, err)
	}
	if cl.IsReceipt(d.Document.OfficialCode) {
		return t.receiptDocument(ctx, dte, issuer, day)
	}
	const op = "getEstDte"
	asker, askerDigit := cl.SplitRUT(t.asker(d, issuer))
	var out state
	err = t.call(ctx, documents, func(token string) request {
		args := append([]argument{{"RutConsultante", asker}, {"DvConsultante", askerDigit}},
			identifying("Compania", issuer, dte, day.Format("02012006"))...)
		r := soap(op, t.endpoints.document(), append(args, argument{"Token", token})...)
		r.token = token
		return r
	}, func(r reply) error {
		a, err := readSOAP(op, r)
		if err != nil {
			return err
		}
		out, err = readDocument(op, a)
		return err
	})
	return out, err
}

// identifying are the arguments that say which document is meant: its issuer, under the
// name that the operation has for it, its recipient, type, folio, date and amount.
func identifying(who, issuer string, dte cl.DTE, day string) []argument {
	company, companyDigit := cl.SplitRUT(issuer)
	recipient, recipientDigit := cl.SplitRUT(dte.Encabezado.Receptor.RUTRecep)
	return []argument{{"Rut" + who, company}, {"Dv" + who, companyDigit}, {"RutReceptor", recipient},
		{"DvReceptor", recipientDigit},
		{"TipoDte", strconv.Itoa(dte.Encabezado.IdDoc.TipoDTE)},
		{"FolioDte", strconv.FormatInt(dte.Encabezado.IdDoc.Folio, 10)},
		{"FechaEmisionDte", day}, {"MontoDte", dte.Encabezado.Totales.MntTotal}}
}

// lostTrack asks for a document by its signature (getEstDteAv), for the track id of the
// envelope that it came in, and says whether SII has it at all. The answer's form and the
// date's are known from other clients only, and are unverified against SII; so any trouble
// with this question is no news, and changes nothing. It is not there for boletas.
func (t talk) lostTrack(ctx context.Context, d authority.Document, issuer string,
	kept receipt) (track string, there bool) {
	dte := cl.NewDTE(d.Document, d.Taxes, d.Profile, d.Number)
	day, err := time.Parse(time.DateOnly, dte.Encabezado.IdDoc.FchEmis)
	if err != nil || kept.Signature == "" || cl.IsReceipt(d.Document.OfficialCode) {
		return "", false
	}
	const op = "getEstDteAv"
	_ = t.call(ctx, documents, func(token string) request {
		args := append(identifying("Empresa", issuer, dte, day.Format("02-01-2006")), argument{"FirmaDte", kept.Signature},
			argument{"Token", token})
		r := soap(op, t.endpoints.signature(), args...)
		r.token = token
		return r
	}, func(r reply) error {
		a, err := readSOAP(op, r)
		if err != nil {
			return err
		}
		if err := refusedQuery(a); err != nil && a.Received == "" {
			return err
		}
		if there = strings.EqualFold(strings.TrimSpace(a.Received), "SI"); !there {
			return nil
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(a.Track), 10, 64); err == nil && n > 0 {
			track = strconv.FormatInt(n, 10)
		}
		return nil
	}) // an answer that cannot be had is in the record of the calls
	return track, there
}

// asker is who asks: the holder of the certificate, or else the company.
func (t talk) asker(d authority.Document, issuer string) string {
	if rut, err := t.sender(d); err == nil {
		return rut
	}
	return issuer
}

func readDocument(op string, a answerXML) (state, error) {
	v, ok := documentStates[a.State]
	switch {
	case ok:
	case a.State == "EMP":
		return state{}, authority.Said(a.State, cmp.Or(a.StateTxt, "The company is not authorised at SII"),
			authority.ErrCredential)
	default:
		if err := refusedQuery(a); err != nil {
			return state{}, err
		}
		return state{}, authority.Said(a.State, cmp.Or(a.StateTxt, op+" answered with a state that is not known"), nil)
	}
	s := state{verdict: v, code: a.State}
	if a.State != "DOK" {
		s.said = message(a.State, a.StateTxt)
	}
	if a.ErrText != "" && a.State != "DOK" {
		s.said = append(s.said, events.AuthorityMessage{Code: cmp.Or(a.ErrCode, a.State), Text: a.ErrText})
	}
	return s, nil
}

func (t talk) receiptDocument(ctx context.Context, dte cl.DTE, issuer string, day time.Time) (state, error) {
	company, companyDigit := cl.SplitRUT(issuer)
	recipient, recipientDigit := cl.SplitRUT(dte.Encabezado.Receptor.RUTRecep)
	query := url.Values{"rut_receptor": {recipient}, "dv_receptor": {recipientDigit},
		"monto": {dte.Encabezado.Totales.MntTotal}, "fechaEmision": {day.Format("02-01-2006")}}
	const op = "boleta.electronica.estado"
	var out state
	err := t.call(ctx, receipts, func(token string) request {
		return request{op: op, method: http.MethodGet, token: token, headers: map[string]string{"Accept": "application/json"},
			url: fmt.Sprintf("%s/boleta.electronica/%s-%s-%d-%d/estado?%s", t.endpoints.Receipts, company, companyDigit,
				dte.Encabezado.IdDoc.TipoDTE, dte.Encabezado.IdDoc.Folio, query.Encode())}
	}, func(r reply) error {
		switch r.Status {
		case http.StatusUnauthorized:
			return errToken
		case http.StatusNotFound:
			out = state{verdict: absent}
			return nil
		}
		if err := r.Fine(op); err != nil {
			return err
		}
		var a struct {
			Code string `json:"codigo"`
			Text string `json:"descripcion"`
		}
		if err := json.Unmarshal(r.Body, &a); err != nil || a.Code == "" {
			return fmt.Errorf("%s: %w", op, errNoAnswer)
		}
		var err error
		out, err = readDocument(op, answerXML{State: a.Code, StateTxt: a.Text})
		return err
	})
	return out, err
}
