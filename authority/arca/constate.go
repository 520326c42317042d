package arca

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"folio/authority"
	"folio/country"
)

// namespaceWSCDC is that of WSCDC; it never became ARCA's.
const namespaceWSCDC = "http://servicios1.afip.gob.ar/wscdc/"

// opConstate is the operation of WSCDC (Constatación de Comprobantes, manual of
// 2013-09-25, 2.2) that confirms a voucher.
const opConstate = "ComprobanteConstatar"

// Constatable is a voucher as ComprobanteConstatar asks about it (CmpReq). Its amounts
// are in the voucher's own currency.
type Constatable struct {
	XMLName         xml.Name `xml:"CmpReq"`
	CbteModo        string   `xml:"CbteModo"` // CAE, CAEA or CAI
	CuitEmisor      int64    `xml:"CuitEmisor"`
	PtoVta          int      `xml:"PtoVta"`
	CbteTipo        int      `xml:"CbteTipo"`
	CbteNro         int64    `xml:"CbteNro"`
	CbteFch         string   `xml:"CbteFch"` // yyyymmdd
	ImpTotal        string   `xml:"ImpTotal"`
	CodAutorizacion string   `xml:"CodAutorizacion"`
	DocTipoReceptor string   `xml:"DocTipoReceptor,omitempty"`
	DocNroReceptor  string   `xml:"DocNroReceptor,omitempty"`
}

// Constatation is the answer: Confirmed is Resultado A, which may carry remarks; a
// refusal (R) has its reasons in Messages, those of the form (Errors) first.
type Constatation struct {
	Confirmed bool
	Messages  []Message
	Processed string // yyyymmddhhmmss
}

type constatation struct {
	Answered *struct {
		CuitEmisor int64 `xml:"CuitEmisor"`
		CbteNro    int64 `xml:"CbteNro"`
	} `xml:"CmpResp"`
	Resultado     string    `xml:"Resultado"`
	FchProceso    string    `xml:"FchProceso"`
	Observaciones []Message `xml:"Observaciones>Obs"`
	failures
}

// Constate asks about one voucher. It changes nothing, so any error just means to ask
// again; a voucher that is not confirmed is no error.
func (s *Session) Constate(ctx context.Context, v Constatable) (Constatation, error) {
	in, err := args(v)
	if err != nil {
		return Constatation{}, &NotSent{opConstate, err}
	}
	res, err := call(ctx, s, request{web: wscdc, op: opConstate, args: in}, constatation.unjudged)
	if err != nil {
		return Constatation{}, err
	}
	return res.about(v)
}

// unjudged says that errors are the service's own and no verdict on the voucher.
func (c constatation) unjudged() bool {
	errs := told(c.Errors)
	return len(errs) > 0 && (c.Resultado != "R" || (&Refused{opConstate, errs}).Transient())
}

// about is the verdict, if it is on v.
func (c constatation) about(v Constatable) (Constatation, error) {
	ours := c.Answered == nil || c.Answered.CuitEmisor == v.CuitEmisor && c.Answered.CbteNro == v.CbteNro
	if !ours || c.Resultado != "A" && c.Resultado != "R" {
		return Constatation{}, &Ambiguous{opConstate, errors.New("the answer does not say what became of the voucher that " +
			"was asked about")}
	}
	return Constatation{Confirmed: c.Resultado == "A", Processed: c.FchProceso,
		Messages: append(told(c.Errors), told(c.Observaciones)...)}, nil
}

// told are messages without the code 0, which says that there is nothing to say.
func told(ms []Message) []Message {
	var out []Message
	for _, m := range plain(ms) {
		if m.Code != 0 {
			out = append(out, m)
		}
	}
	return out
}

// Verify asks WSCDC whether ARCA authorized a voucher that was issued to the company.
// The company's certificate must be associated with the service wscdc.
func (d *Driver) Verify(ctx context.Context, c authority.Credential, p country.Purchase,
	rec authority.Recorder) (authority.Verification, error) {
	v, err := constatable(p, c.TaxIdentifier)
	if err != nil {
		return authority.Verification{}, err
	}
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Verification{}, err
	}
	got, err := t.Constate(ctx, v)
	if err != nil {
		return authority.Verification{}, translate(err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return authority.Verification{Confirmed: got.Confirmed, Messages: messages(got.Messages), Announced: t.ambiente}, nil
}

// constatable asks about the voucher with the recipient that it names. A voucher whose
// fields were typed without one is asked about as issued to the company itself.
func constatable(p country.Purchase, company string) (Constatable, error) {
	issuer, err := strconv.ParseInt(p.Supplier.DocumentNumber, 10, 64)
	if err != nil {
		return Constatable{}, fmt.Errorf("%w: the supplier's CUIT is not a number", authority.ErrRefused)
	}
	v := Constatable{
		CbteModo: p.AuthorizationType, CuitEmisor: issuer, PtoVta: p.BranchOffice, CbteTipo: p.OfficialCode,
		CbteNro: p.Number,
		CbteFch: strings.ReplaceAll(p.Date, "-", ""), ImpTotal: p.Total.Round(2).String(), CodAutorizacion: p.Authorization,
		DocTipoReceptor: strconv.Itoa(p.RecipientType), DocNroReceptor: p.Recipient,
	}
	v.CbteModo = cmp.Or(v.CbteModo, "CAE")
	if p.RecipientType == 0 {
		v.DocTipoReceptor = docCUIT
		v.DocNroReceptor = cmp.Or(v.DocNroReceptor, company)
	}
	if v.DocNroReceptor == "" {
		v.DocNroReceptor = "0" // a final consumer who is not named
	}
	return v, nil
}

// docCUIT is the code of a CUIT among the recipient's documents.
const docCUIT = "80"
