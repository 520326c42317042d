package dgi

import "testing"

// What a note says of a document that is here agrees with it (Formato de CFE v25, F-C8 to
// F-C10).
func TestNotesAgreeWithWhatTheyName(t *testing.T) {
	h := newHouse(t)
	dollars := []string{"<TpoMoneda>UYU</TpoMoneda>", "<TpoMoneda>USD</TpoMoneda><TpoCambio>39.250</TpoCambio>"}
	if got := h.verdict(1, h.invoice(111, 1)) + h.verdict(2, h.invoice(111, 2, dollars...)); got != "AEAE" {
		t.Fatal(got)
	}
	id, number := 2, int64(0)
	for _, c := range []struct {
		name, of, three string
		required        bool
		want            string
	}{
		{"nothing", "1", "", false, "AE"},
		{"nothing, where it is required", "1", "", true, "BE E05"},
		{"all of it", "1", "<MntCFEref>245.22</MntCFEref><TpoMonedaRef>UYU</TpoMonedaRef>", true, "AE"},
		{"more than all of it", "1", "<MntCFEref>245.23</MntCFEref><TpoMonedaRef>UYU</TpoMonedaRef>", false, "BE E05"},
		{"another currency", "1", "<MntCFEref>1.00</MntCFEref><TpoMonedaRef>USD</TpoMonedaRef><TpoCambioRef>39.250</TpoCambioRef>", false, "BE E05"},
		{"its rate", "2", "<MntCFEref>1.00</MntCFEref><TpoMonedaRef>USD</TpoMonedaRef><TpoCambioRef>39.25</TpoCambioRef>",
			true, "AE"},
		{"another rate", "2", "<MntCFEref>1.00</MntCFEref><TpoMonedaRef>USD</TpoMonedaRef><TpoCambioRef>40.000</TpoCambioRef>", false, "BE E05"},
		{"no rate", "2", "<MntCFEref>1.00</MntCFEref><TpoMonedaRef>USD</TpoMonedaRef>", false, "BE E05"},
		{"a document that is not here", "99", "<MntCFEref>9999.00</MntCFEref><TpoMonedaRef>EUR</TpoMonedaRef><TpoCambioRef>44.000</TpoCambioRef>", true, "AE"},
		{"no rate of one that is not here", "99", "<MntCFEref>9999.00</MntCFEref><TpoMonedaRef>EUR</TpoMonedaRef>", true,
			"BE E05"},
	} {
		id, number = id+1, number+1
		h.server.SetKnobs(Knobs{RequireAmounts: c.required})
		if got := h.verdict(id, h.invoice(112, number, "<NroCFERef>1</NroCFERef>",
			"<NroCFERef>"+c.of+"</NroCFERef>"+c.three)); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	period := "<IndGlobal>1</IndGlobal><RazonRef>x</RazonRef>"
	coordinates := "<TpoDocRef>111</TpoDocRef><Serie>A</Serie><NroCFERef>1</NroCFERef>"
	for three, want := range map[string]string{"": "AE", "<TpoMonedaRef>UYU</TpoMonedaRef>": "BE E05"} {
		id, number = id+1, number+1
		if got := h.verdict(id, h.invoice(112, number, coordinates, period+three)); got != want {
			t.Errorf("a period with %q: %s", three, got)
		}
	}
}
