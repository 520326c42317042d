package submission

import (
	"errors"
	"fmt"
	"testing"

	"folio/fault"
	"folio/tables"
	"folio/waiting"
)

func TestADatabaseThatIsAwayIsNoFaultOfTheSeries(t *testing.T) {
	for _, c := range []struct {
		err  error
		want waiting.Code
	}{
		{fmt.Errorf("store what will be sent: %w", tables.ErrUnavailable), waiting.StoreDown},
		{&fault.Error{Code: fault.Unavailable, Constant: "LOG_UNAVAILABLE"}, waiting.LogDown},
		{errors.New("no such column"), waiting.Internal},
	} {
		v := failure(c.err)
		if v.reason.Code != c.want || !errors.Is(v.cause, c.err) {
			t.Errorf("%v: %s because of %v, want %s", c.err, v.reason.Code, v.cause, c.want)
		}
	}
}
