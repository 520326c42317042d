package sii

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"folio/authority"
	"folio/country/cl"
	"folio/events"
)

// verdict is what an answer about an envelope or a document means.
type verdict int

const (
	waiting  verdict = iota // it is there, and not decided
	accepted                // with or without remarks
	refused                 // for good
	absent                  // SII does not know it
	other                   // another document has the folio
	repeated                // the envelope came twice: ask for the document
)

// state is SII's word on something.
type state struct {
	verdict
	code string
	said []events.AuthorityMessage
	// uncounted is an envelope that was processed and whose answer counts no document: what
	// became of it is not said.
	uncounted bool
}

// codeRepeated is the reason of a document that SII has already, with the same data.
const codeRepeated = "DTE-3-100"

// repeats says that a refusal is for that reason. Codes stand before texts in what
// getEstDte says.
func (s state) repeats() bool {
	return slices.ContainsFunc(s.said, func(m events.AuthorityMessage) bool {
		return m.Code == codeRepeated || strings.Contains(m.Text, codeRepeated)
	})
}

// envelopeStates are the ESTADO of an envelope (section 8 of the query manual). EPR
// is judged by its counters; one that is not here is waited for, never guessed.
var envelopeStates = map[string]struct {
	verdict
	text string
}{
	"REC": {waiting, "Received"}, "SOK": {waiting, "Schema valid"}, "CRT": {waiting, "Cover valid"},
	"FOK": {waiting, "Signature valid"}, "PRD": {waiting, "Being processed"}, "PDR": {waiting, "Being processed"},
	"RSC": {refused, "Rejected: the schema is wrong"}, "RFR": {refused, "Rejected: the signature is wrong"},
	"RCT": {refused, "Rejected: the cover is wrong (resolution, issuer or sender)"}, "RCH": {refused, "Rejected"},
	"RPT": {repeated, "Rejected: the envelope is a repetition"}, "VOF": {absent, "The file is not there"},
	"RLV": {accepted, "Accepted with minor remarks"}, "RPR": {accepted, "Accepted with remarks"},
}

// documentStates are the ESTADO of one document. Those behind DOK tell what notes have
// changed since; the document itself is in.
var documentStates = map[string]verdict{
	"DOK": accepted, "TMD": accepted, "TMC": accepted, "MMD": accepted, "MMC": accepted, "AND": accepted, "ANC": accepted,
	"DNK": other, "FAU": absent, "FNA": refused, "FAN": refused,
	"RCH": refused, "RLV": accepted, "RPR": accepted,
}

// counted are the counters of an envelope's documents.
type counted struct{ accepted, rejected, repairs int }

// readEnvelope reads an envelope's ESTADO with the counters of its documents: with one
// document in it they are that document's verdict.
func readEnvelope(code, text string, n counted) state {
	s := state{code: code}
	known, ok := envelopeStates[code]
	switch {
	case code == "EPR" && n == counted{}:
		s.uncounted = true
	case code == "EPR" && n.rejected > 0:
		s.verdict, s.said = refused, message(code, cmp.Or(text, "Processed: rejected"))
	case code == "EPR":
		s.verdict = accepted
		if n.repairs > 0 {
			s.said = message(code, "Accepted with remarks (reparos)")
		}
	case ok:
		s.verdict = known.verdict
		s.said = message(code, cmp.Or(text, known.text))
	}
	return s
}

func message(code, text string) []events.AuthorityMessage {
	return []events.AuthorityMessage{{Code: code, Text: strings.TrimSpace(text)}}
}

// tokenStates are the ESTADO of a query that refuse the token: inactive, missing, no
// session.
var tokenStates = []string{"001", "002", "003"}

// refusedQuery is the error of a query that SII did not answer: its own troubles are
// negative or three digits.
func refusedQuery(a answerXML) error {
	text := cmp.Or(a.Text, a.StateTxt, a.ErrText)
	switch {
	case slices.Contains(tokenStates, a.State):
		return errToken
	case a.State == "106":
		return authority.Said(a.State, cmp.Or(text, "The holder of the certificate lacks the right to send documents"),
			authority.ErrCredential)
	}
	if _, err := strconv.Atoi(a.State); err == nil {
		return authority.Said(a.State, cmp.Or(text, "SII has a fault of its own"), authority.ErrNotSent)
	}
	return nil
}

// envelopeState asks getEstUp, or the boletas' interface.
func (t talk) envelopeState(ctx context.Context, d authority.Document, issuer, track string) (state, error) {
	rut, digit := cl.SplitRUT(issuer)
	var out state
	if cl.IsReceipt(d.Document.OfficialCode) {
		const op = "boleta.electronica.envio.estado"
		err := t.call(ctx, receipts, func(token string) request {
			return request{op: op, method: http.MethodGet, token: token,
				headers: map[string]string{"Accept": "application/json"},
				url:     t.endpoints.Receipts + "/boleta.electronica.envio/" + rut + "-" + digit + "-" + track}
		}, func(r reply) (err error) {
			out, err = readReceiptEnvelope(op, r)
			return err
		})
		return out, err
	}
	const op = "getEstUp"
	err := t.call(ctx, documents, func(token string) request {
		r := soap(op, t.endpoints.envelope(), argument{"RutCompania", rut}, argument{"DvCompania", digit},
			argument{"TrackId", track}, argument{"Token", token})
		r.token = token
		return r
	}, func(r reply) error {
		a, err := readSOAP(op, r)
		if err != nil {
			return err
		}
		if err := refusedQuery(a); err != nil {
			return err
		}
		out = readEnvelope(a.State, a.Text, counted{sum(a.Accepted), sum(a.Rejected), sum(a.Repairs)})
		return nil
	})
	return out, err
}

func readSOAP(op string, r reply) (answerXML, error) {
	if err := r.Fine(op); err != nil {
		return answerXML{}, err
	}
	text, err := returned(op, r.Body)
	if err != nil {
		return answerXML{}, err
	}
	return readAnswer(op, text)
}

func sum(counters []int) int {
	n := 0
	for _, c := range counters {
		n += c
	}
	return n
}

// receiptState is the answer about an envelope of boletas.
type receiptState struct {
	State    string `json:"estado"`
	Counters []struct {
		Accepted int `json:"aceptados"`
		Rejected int `json:"rechazados"`
		Repairs  int `json:"reparos"`
	} `json:"estadistica"`
	Details []struct {
		State  string `json:"estado"`
		Text   string `json:"descripcion"`
		Errors []struct {
			Code   json.RawMessage `json:"codigo"`
			Text   string          `json:"descripcion"`
			Detail string          `json:"detalle"`
		} `json:"error"`
	} `json:"detalle_rep_rech"`
}

func readReceiptEnvelope(op string, r reply) (state, error) {
	switch r.Status {
	case http.StatusUnauthorized:
		return state{}, errToken
	case http.StatusNotFound:
		return state{verdict: absent}, nil
	}
	if err := r.Fine(op); err != nil {
		return state{}, err
	}
	var a receiptState
	if err := json.Unmarshal(r.Body, &a); err != nil || a.State == "" {
		return state{}, fmt.Errorf("%s: %w", op, errNoAnswer)
	}
	var n counted
	for _, c := range a.Counters {
		n = counted{n.accepted + c.Accepted, n.rejected + c.Rejected, n.repairs + c.Repairs}
	}
	out := readEnvelope(a.State, "", n)
	for _, d := range a.Details {
		for _, e := range d.Errors {
			out.said = append(out.said, events.AuthorityMessage{Code: strings.Trim(string(e.Code), `"`),
				Text: strings.TrimSpace(e.Text + " " + e.Detail)})
		}
		if len(d.Errors) == 0 && d.Text != "" {
			out.said = append(out.said, events.AuthorityMessage{Code: d.State, Text: d.Text})
		}
	}
	return out, nil
}
