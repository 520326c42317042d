package httpapi

import (
	"net/http/httptest"
	"testing"

	"folio/money"

	"github.com/go-json-experiment/json"
)

func TestNumbersAreWrittenAsGiven(t *testing.T) {
	n := Num(money.MustParse("121.00"))
	w := httptest.NewRecorder()
	err := JSON(w, 201, struct {
		A Number         `json:"a"`
		B *Number        `json:"b"`
		C *Number        `json:"c"`
		D []Number       `json:"d"`
		E map[string]int `json:"e"`
		F string         `json:"f"`
	}{A: n, B: &n, F: "<ñ>"})
	if want := `{"a":121.00,"b":121.00,"c":null,"d":[],"e":{},"f":"<ñ>"}` + "\n"; err != nil || w.Body.String() != want ||
		w.Code != 201 {
		t.Errorf("got %d %s %v, want %s", w.Code, w.Body, err, want)
	}
	if w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Content-Length") == "" {
		t.Errorf("headers are %v", w.Header())
	}
	for _, s := range []string{"0", "-0.5", "1234567890123456789", "0.0000001", "100000000.10"} {
		var back Number
		b, err := json.Marshal(Num(money.MustParse(s)))
		if err != nil || string(b) != s {
			t.Errorf("%s is written %s (%v)", s, b, err)
		}
		if err := json.Unmarshal(b, &back); err != nil || back.Decimal.String() != s {
			t.Errorf("%s is read back as %s (%v)", s, back.Decimal, err)
		}
	}
}

func TestAnswerThatCannotBeEncodedHasNotBegun(t *testing.T) {
	w := httptest.NewRecorder()
	if err := JSON(w, 200, func() {}); err == nil || w.Body.Len() > 0 {
		t.Errorf("error %v, body %s", err, w.Body)
	}
}
