package readapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/money"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

// Rates asks the authority of a company's country for its exchange rate of a currency, for
// a document of a day (YYYY-MM-DD, local): the price of one unit in local currency, and
// the day of the rate. Its refusals are faults for the caller.
type Rates interface {
	Rate(ctx context.Context, company, currency, day string) (rate money.Decimal, of string, err error)
}

// NoRate refuses a rate that no authority fixes.
var NoRate = fault.New(fault.NotFound, "RATE_NOT_FOUND",
	"The authority has no exchange rate for this currency and day: see the currencies of GET /api/catalogues/ar.")

// notQuoted refuses a country whose authority tells no rates, and one that is not the company's.
var notQuoted = fault.New(fault.NotFound, "RATE_NOT_FOUND", "Only companies of Argentina can ask for rates, at "+
	"GET /api/catalogues/ar/rate: elsewhere no authority tells any. Give currency.exchange_rate yourself.")

// officialRate answers with the rate that the authority takes for a document of a day,
// today where none is given. A day that is still to come has no rate yet, and is refused.
func (a api) officialRate(w http.ResponseWriter, r *http.Request) error {
	q := strict.ReadQuery(r)
	currency, day := q.String("currency", strict.Required, strict.MaxLen(3)), q.Date("date")
	if err := q.Done(); err != nil {
		return err
	}
	company := httpapi.Caller(r.Context()).Company
	c, err := a.Documents.GetCompany(r.Context(), company)
	if err != nil {
		return err
	}
	rules, ok := a.Countries.ByCode(chi.URLParam(r, "country"))
	if _, quoted := rules.(country.Quoted); !ok || !quoted || rules.Code() != c.Country {
		return notQuoted
	}
	today := a.Clock().In(rules.Location()).Format(time.DateOnly)
	if day > today {
		return fault.Field("date", strict.CodeOutOfRange, fmt.Sprintf("the authority fixes the rate of %s when that day "+
			"has come: ask for %s or earlier, or leave date out for today's", day, today))
	}
	day = cmp.Or(day, today)
	rate, of, err := a.Rates.Rate(r.Context(), company, currency, day)
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, struct {
		Currency string         `json:"currency"`
		Date     string         `json:"date"`
		Rate     httpapi.Number `json:"exchange_rate"`
		Of       string         `json:"rate_date"`
	}{currency, day, httpapi.Num(rate), of})
}
