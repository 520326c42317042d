package arca

import (
	"context"
	"slices"
)

type reportDetail struct {
	CbteDesde     int64     `xml:"CbteDesde"`
	CbteFch       string    `xml:"CbteFch"`
	Resultado     string    `xml:"Resultado"`
	Observaciones []Message `xml:"Observaciones>Obs"`
	CAEA          string    `xml:"CAEA"`
}

type reportResult struct {
	Head *struct {
		FchProceso string `xml:"FchProceso"`
	} `xml:"FeCabResp"`
	Details []reportDetail `xml:"FeDetResp>FECAEADetResponse"`
	failures
}

// Report reports vouchers that were issued under a CAEA (FECAEARegInformativo), once.
// details are what CAEAVoucher.XML wrote, and vouchers the same, parsed. Errors are those of
// Authorize. OutOfStep is a refusal of the number (703): ask Find, it may be our own.
func (s *Session) Report(ctx context.Context, ptoVta, cbteTipo int, vouchers []CAEAVoucher,
	details [][]byte) (Authorization, error) {
	const op = "FECAEARegInformativo"
	content, err := report(ptoVta, cbteTipo, details)
	if err != nil {
		return Authorization{}, &NotSent{op, err}
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: content}, refusesReport)
	if err != nil {
		return Authorization{}, doubted(op, err)
	}
	a := Authorization{Errors: plain(res.Errors), Events: plain(res.Events)}
	if res.Head != nil {
		a.Processed = res.Head.FchProceso
	}
	a.Verdicts = judgeReport(vouchers, res.Details, a.Errors)
	return a, nil
}

// headCodes refuse a report as a whole (manual, checks of FeCabReq): issuer, number of
// details, point of sale, type. 782 and the like, about one voucher, stand in Errors too.
var headCodes = []int{10000, 10001, 10002, 10003, 700, 701, 1300}

// refusesReport says that the errors concern the request and not one voucher.
func refusesReport(r reportResult) bool {
	if slices.ContainsFunc(r.Details, func(d reportDetail) bool { return d.Resultado == "A" }) {
		return false
	}
	return len(r.Details) == 0 || slices.ContainsFunc(plain(r.Errors), ofHead)
}

// ofHead says that an error concerns the request, or is of the service itself.
func ofHead(m Message) bool {
	return slices.Contains(headCodes, m.Code) || m.Code >= CodeInternal && m.Code <= CodeNotFound
}

// judgeReport gives every voucher its verdict, as judge does. One that the answer takes must
// carry the code that was sent.
func judgeReport(sent []CAEAVoucher, answered []reportDetail, errs []Message) []Verdict {
	vouchers, details := make([]Voucher, len(sent)), make([]detail, len(answered))
	codes := make(map[int64]string, len(sent))
	for i, v := range sent {
		vouchers[i] = v.Voucher
		codes[v.CbteDesde] = v.CAEA
	}
	for i, d := range answered {
		details[i] = detail{CbteDesde: d.CbteDesde, CbteFch: d.CbteFch, Resultado: d.Resultado,
			Observaciones: d.Observaciones}
		if d.CAEA == codes[d.CbteDesde] {
			details[i].CAE = d.CAEA
		}
	}
	verdicts := judge(vouchers, details, errs)
	for i, v := range verdicts {
		if v.Decision == Rejected && has(v.Messages, codeCAEANumber) {
			verdicts[i].Decision = OutOfStep
		}
	}
	return verdicts
}

func has(ms []Message, code int) bool {
	return slices.ContainsFunc(ms, func(m Message) bool { return m.Code == code })
}
