package arca

import (
	"encoding/json"
	"errors"
	"strconv"

	"folio/sandbox/desk"
)

// words are the administration's in ARCA's terms: companies are CUITs, codes and companies
// are numbers, documents are vouchers.
var words = desk.Words{Company: "cuit", Number: wantCUIT, ReadFault: readFault, ShowFault: showFault,
	ShowCall: showCall}

func wantCUIT(text string) error {
	if number(text) <= 0 {
		return errors.New("it is eleven digits")
	}
	return nil
}

// number is that of a text, 0 for none.
func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// text is a number as a fault and a call have it, "" for 0.
func text(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

type shownFault struct {
	desk.Fault
	CUIT    int64 `json:"cuit,omitempty"`
	Code    int64 `json:"code,omitempty"`
	Voucher int   `json:"voucher,omitempty"`
}

func showFault(f desk.Fault) any {
	out := shownFault{Fault: f, CUIT: number(f.Company), Code: number(f.Code), Voucher: f.Document}
	out.Company, out.Document = "", 0
	return out
}

func readFault(raw json.RawMessage) (desk.Fault, error) {
	var in shownFault
	err := desk.Strict(raw, &in)
	f := in.Fault
	f.Company, f.Code, f.Document = text(in.CUIT), text(in.Code), in.Voucher
	return f, err
}

type shownCall struct {
	desk.Call
	CUIT     int64          `json:"cuit,omitempty"`
	Vouchers []shownVoucher `json:"vouchers,omitempty"`
}

type shownVoucher struct {
	Number    int64  `json:"number"`
	Recipient string `json:"recipient"`
	Total     string `json:"total"`
	Verdict   string `json:"verdict"`
}

func showCall(c desk.Call) any {
	out := shownCall{Call: c, CUIT: number(c.Company)}
	for _, d := range c.Documents {
		out.Vouchers = append(out.Vouchers, shownVoucher{number(d.Document), d.Recipient, d.Total, d.Verdict})
	}
	out.Company, out.Documents = "", nil
	return out
}
