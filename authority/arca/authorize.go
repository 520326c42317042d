package arca

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"

	"folio/country"
)

// Decision is what ARCA decided about one voucher.
type Decision string

// The decisions about one voucher (manual, FECAESolicitar; its rules of batches).
const (
	// Accepted: it has a CAE; Messages are remarks and never a failure.
	Accepted Decision = "accepted"
	// Rejected: refused for its own reasons, in Messages. Its number stays free.
	Rejected Decision = "rejected"
	// NotProcessed: refused only because one before it in the request was.
	NotProcessed Decision = "not processed"
	// OutOfStep: refused because number or date do not follow the last voucher (10016 in
	// Errors). Ask Find: it may be our own voucher whose answer was lost.
	OutOfStep Decision = "out of step"
	// Unclear: the answer does not say. Ask Find.
	Unclear Decision = "unclear"
)

// Verdict is the answer about one voucher.
type Verdict struct {
	Number   int64
	Decision Decision
	CAE      string // 14 digits
	Expires  string // yyyymmdd, CAEFchVto
	Date     string // yyyymmdd, the date that the authority holds
	Messages []Message
}

// Authorization is the answer to a Request, one verdict for each voucher in its order.
type Authorization struct {
	Verdicts  []Verdict
	Processed string // yyyymmddhhmmss
	Errors    []Message
	Events    []Message // notices of the administration, never a failure
}

type detail struct {
	CbteDesde     int64     `xml:"CbteDesde"`
	CbteFch       string    `xml:"CbteFch"`
	Resultado     string    `xml:"Resultado"`
	Observaciones []Message `xml:"Observaciones>Obs"`
	CAE           string    `xml:"CAE"`
	CAEFchVto     string    `xml:"CAEFchVto"`
}

type authorizeResult struct {
	Head *struct {
		FchProceso string `xml:"FchProceso"`
	} `xml:"FeCabResp"`
	Details []detail `xml:"FeDetResp>FECAEDetResponse"`
	failures
}

// Authorize sends content, which is r.XML(), once. Errors: *NotSent; *Refused (the whole
// request, nothing was processed); *SOAPFault (the service could not read it);
// *Ambiguous for everything else, codes 501 and 502 and an unexplained 500 among it
// (errors.As finds the *Refused inside): the vouchers may have been authorized.
func (s *Session) Authorize(ctx context.Context, r Request, content []byte) (Authorization, error) {
	const op = "FECAESolicitar"
	res, err := call(ctx, s, request{web: wsfe, op: op, args: content}, refusesAll)
	var refused *Refused
	if errors.As(err, &refused) && uncertain(refused) {
		return Authorization{}, &Ambiguous{op, refused}
	}
	if err != nil {
		return Authorization{}, err
	}
	a := Authorization{Errors: plain(res.Errors), Events: plain(res.Events)}
	if res.Head != nil {
		a.Processed = res.Head.FchProceso
	}
	a.Verdicts = judge(r.Vouchers, res.Details, a.Errors)
	return a, nil
}

// uncertain says that an error of the service's own may have come after its commit.
func uncertain(e *Refused) bool {
	if e.Has(CodeDatabase) || e.Has(CodeTransaction) {
		return true
	}
	return e.Has(CodeInternal) && e.Errors[0].Text != missingAuth
}

const missingAuth = "Campo Auth no fue ingresado o esta mal formado."

// refusesAll says that the errors concern the request and not one voucher: there is
// no detail, or the codes are those of issuer and header (10000 to 10007) and the
// service's own.
func refusesAll(r authorizeResult) bool {
	if len(r.Details) == 0 {
		return true
	}
	taken := slices.ContainsFunc(r.Details, func(d detail) bool { return d.Resultado == "A" })
	return !taken && slices.ContainsFunc(r.Errors, func(m Message) bool {
		return m.Code >= 10000 && m.Code <= 10007 || m.Code < 1000
	})
}

// judge gives every voucher its verdict. The service stops at the first refusal: what
// follows comes back as R without any code of its own.
func judge(sent []Voucher, details []detail, errs []Message) []Verdict {
	byNumber := make(map[int64]detail, len(details))
	for _, d := range details {
		byNumber[d.CbteDesde] = d
	}
	verdicts := make([]Verdict, len(sent))
	stopped := false
	for i, v := range sent {
		d, ok := byNumber[v.CbteDesde]
		verdicts[i] = verdict(v, d, ok, stopped, errs)
		stopped = stopped || verdicts[i].Decision == Rejected || verdicts[i].Decision == OutOfStep
	}
	return verdicts
}

func verdict(v Voucher, d detail, present, stopped bool, errs []Message) Verdict {
	own := Verdict{Number: v.CbteDesde, Date: d.CbteFch, Messages: plain(d.Observaciones)}
	switch {
	case !present:
		own.Decision = Unclear
	case d.Resultado == "A" && isCode(d.CAE):
		own.Decision, own.CAE, own.Expires = Accepted, d.CAE, d.CAEFchVto
	case d.Resultado != "R":
		own.Decision = Unclear
	case len(own.Messages) > 0:
		own.Decision = Rejected
	case stopped:
		own.Decision = NotProcessed
	case len(errs) == 0:
		own.Decision = Unclear
	default:
		own.Messages = errs
		own.Decision = Rejected
		for _, m := range errs {
			if m.Code == CodeOutOfStep {
				own.Decision = OutOfStep
			}
		}
	}
	return own
}

// isCode says whether s has the form of a CAE or a CAEA: 14 decimal digits.
func isCode(s string) bool { return len(s) == 14 && country.AllDigits(s) }

// Last is the number of the last authorized voucher of a series, 0 before the first
// (FECompUltimoAutorizado).
func (s *Session) Last(ctx context.Context, ptoVta, cbteTipo int) (int64, error) {
	const op = "FECompUltimoAutorizado"
	in, err := args(field("PtoVta", ptoVta), field("CbteTipo", cbteTipo))
	if err != nil {
		return 0, &NotSent{op, err}
	}
	type answer struct {
		PtoVta   int64  `xml:"PtoVta"`
		CbteTipo int64  `xml:"CbteTipo"`
		CbteNro  *int64 `xml:"CbteNro"` // none is no answer: 0 would say that nothing was issued
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, always[answer])
	if err != nil {
		return 0, err
	}
	if res.CbteNro == nil || *res.CbteNro < 0 {
		return 0, &Ambiguous{op, errors.New("the answer holds no number")}
	}
	if int(res.PtoVta) != ptoVta || int(res.CbteTipo) != cbteTipo {
		return 0, &Ambiguous{op, fmt.Errorf("asked for %d of point of sale %d, answered for %d of %d", cbteTipo, ptoVta,
			res.CbteTipo, res.PtoVta)}
	}
	return *res.CbteNro, nil
}

// Limit is how many vouchers one Request may carry (FECompTotXRequest).
func (s *Session) Limit(ctx context.Context) (int, error) {
	type answer struct {
		RegXReq int64 `xml:"RegXReq"`
		failures
	}
	const op = "FECompTotXRequest"
	res, err := call(ctx, s, request{web: wsfe, op: op}, always[answer])
	if err == nil && res.RegXReq < 1 {
		err = &Ambiguous{op, fmt.Errorf("a limit of %d vouchers", res.RegXReq)}
	}
	return int(res.RegXReq), err
}

// Status is what the service says of its parts; all OK does not mean that it works.
type Status struct {
	AppServer  string `xml:"AppServer"`
	DbServer   string `xml:"DbServer"`
	AuthServer string `xml:"AuthServer"`
}

// OK says that every part reports OK.
func (s Status) OK() bool { return s.AppServer == "OK" && s.DbServer == "OK" && s.AuthServer == "OK" }

// Dummy asks the service for its status (FEDummy). It needs no ticket.
func (c *Client) Dummy(ctx context.Context) (Status, error) {
	return once[Status](ctx, c, request{web: wsfe, op: "FEDummy"}, nil, func(Exchange) {})
}

// element is one simple argument.
type element struct {
	XMLName xml.Name
	Value   any `xml:",chardata"`
}

func field(name string, value any) element {
	return element{XMLName: xml.Name{Local: name}, Value: value}
}
