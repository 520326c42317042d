package e2e

import (
	"strconv"
	"testing"
)

// A dozen read models and the processors hear of each event, which their process reads once.
func TestTheLogIsReadOnceAProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	c := register(t, login(t, p.base, email, password), cuit(1))
	c.certify(t, dir)
	for i := range 3 {
		c.accepted(t, c.post(t, body("FCA", 1, strconv.Itoa(i))).ID)
	}
	figure := func(name string) float64 {
		n, err := strconv.ParseFloat(metric(t, p, name), 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	read, written := figure("folio_reader_events"), figure("folio_log_events")
	if read == 0 || read > written {
		t.Errorf("%v events were read, of %v that were written", read, written)
	}
	if n := figure("folio_log_subscriptions"); n > 8 {
		t.Errorf("the log has %v subscriptions: one is for all read models and processors", n)
	}
	const handled = `folio_watermill_handler_execution_time_seconds_count{handler_name="submission",success="true"}`
	if n := figure(handled); n < 3 {
		t.Errorf("submission handled %v messages", n)
	}
	p.stop(t)
}
