package arca

import (
	"context"
	"fmt"
	"time"

	"folio/authority"
	"folio/country/ar"
	"folio/money"
)

// daysBack is how far a banking day may lie before the document: the longest row of
// holidays and weekends with some to spare.
const daysBack = 10

// Quote is the rate of the banking day before the document's date, before today for a
// later date (RG 5616/2024; WSFEv1 manual, MonCotiz with CanMisMonExt S). Weekends are
// passed over; a day of which ARCA has no rate is a holiday, and the one before it is
// asked. Documents of WSFEXv1 are priced by FEXGetPARAM_Ctz, which knows the last day only.
// That FchCotiz is the day of the rate itself is not said anywhere: unverified.
func (d *Driver) Quote(ctx context.Context, c authority.Credential, q authority.Question,
	rec authority.Recorder) (authority.Quotation, error) {
	mon, ok := ar.MonID(q.Currency)
	day, err := time.ParseInLocation(time.DateOnly, q.Date, Zone)
	if !ok || err != nil {
		return authority.Quotation{}, authority.ErrNoQuotation
	}
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Quotation{}, err
	}
	if isExport(q.OfficialCode) {
		rate, of, ok, err := t.ExportRate(ctx, mon)
		return quotation(rate, of, ok, err)
	}
	if today := d.clients[c.Environment].now().In(Zone); day.After(today) {
		day = today
	}
	for range daysBack {
		if day = day.AddDate(0, 0, -1); day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			continue
		}
		rate, of, ok, err := t.Rate(ctx, mon, day.Format("20060102"))
		if err != nil || ok {
			return quotation(rate, of, ok, err)
		}
	}
	return authority.Quotation{}, authority.ErrNoQuotation
}

func quotation(rate money.Decimal, of string, ok bool, err error) (authority.Quotation, error) {
	switch {
	case err != nil:
		return authority.Quotation{}, translate(err)
	case !ok || rate.Sign() <= 0:
		return authority.Quotation{}, authority.ErrNoQuotation
	}
	return authority.Quotation{Rate: rate, Date: isoDate(of)}, nil
}

// ExportRate is what WSFEXv1 holds as the price of one unit of monID in pesos
// (FEXGetPARAM_Ctz); false: it has none.
func (s *Session) ExportRate(ctx context.Context, monID string) (rate money.Decimal, of string, ok bool, err error) {
	const op = "FEXGetPARAM_Ctz"
	in, err := args(field("Mon_id", monID))
	if err != nil {
		return money.Zero, "", false, &NotSent{op, err}
	}
	type answer struct {
		Rate money.Decimal `xml:"FEXResultGet>Mon_ctz"`
		Date string        `xml:"FEXResultGet>Mon_fecha"`
		fexFailures
	}
	res, err := call(ctx, s, request{web: wsfex, op: op, args: in}, always[answer])
	if err != nil {
		return money.Zero, "", false, fmt.Errorf("the rate of %s: %w", monID, err)
	}
	return res.Rate, res.Date, true, nil
}
