package readapi_test

import (
	"context"
	"strings"
	"testing"

	"folio/money"
)

// rates is an authority with one rate.
type rates struct{}

func (rates) Rate(_ context.Context, _, _, day string) (money.Decimal, string, error) {
	return money.FromInt(1400), day, nil
}

func TestTheRateOfADayThatIsStillToComeIsRefused(t *testing.T) {
	w := newWorld(t, company("A1", "C1"))
	today := now.Format("2006-01-02")
	w.get("/api/catalogues/ar/rate?currency=USD&date="+today, key1).want(200)
	a := w.get("/api/catalogues/ar/rate?currency=USD&date="+now.AddDate(0, 0, 1).Format("2006-01-02"), key1)
	a.fails(422, "VALIDATION_FAILED", "date OUT_OF_RANGE")
	if text := a.Body.String(); !strings.Contains(text, "ask for "+today+" or earlier") {
		t.Errorf("it does not say what to do: %s", text)
	}
	a = w.get("/api/catalogues/cl/rate?currency=USD", key1)
	a.fails(404, "RATE_NOT_FOUND")
	if text := a.Body.String(); !strings.Contains(text, "Give currency.exchange_rate yourself") {
		t.Errorf("it speaks of another country's currencies: %s", text)
	}
}
