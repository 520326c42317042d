package arca

import (
	"context"
	"errors"

	"folio/money"
)

// Rate is what the authority holds as the price of one unit of monID in pesos; date is
// yyyymmdd or empty for the latest. False: it has none (for PES always).
func (s *Session) Rate(ctx context.Context, monID, date string) (rate money.Decimal, of string, ok bool, err error) {
	const op = "FEParamGetCotizacion"
	parts := []any{field("MonId", monID)}
	if date != "" {
		parts = append(parts, field("FchCotiz", date))
	}
	in, err := args(parts...)
	if err != nil {
		return money.Zero, "", false, &NotSent{op, err}
	}
	type answer struct {
		MonCotiz money.Decimal `xml:"ResultGet>MonCotiz"`
		FchCotiz string        `xml:"ResultGet>FchCotiz"`
		failures
	}
	res, err := call(ctx, s, request{web: wsfe, op: op, args: in}, always[answer])
	if notFound(err) {
		return money.Zero, "", false, nil
	}
	return res.MonCotiz, res.FchCotiz, err == nil, err
}

func notFound(err error) bool {
	var r *Refused
	return errors.As(err, &r) && r.Has(CodeNotFound)
}
