package eventstore

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// What an append takes for JSON is what encoding/json does, though another program checks it.
func TestTheLogTakesForJSONWhatEncodingJSONDoes(t *testing.T) {
	texts := []string{"", " ", "{}", " {} ", "{}\n", "{}{}", "{} x", "null", "nul", "1", "01", "-", "1e5", "1.", `"a"`, `"a`,
		`"\ud800"`, `"\ud800\u0041"`, `"\x"`, `"\u12"`, "\"\xff\"", "\"\n\"", `{"a":1,"a":2}`, `{"a":1,}`, `[1,]`, `[`,
		`{"a" 1}`, `{1:1}`, "\ufeff{}", "\x00", `{"a":{"b":[1,2,{"c":null}]}}`, strings.Repeat("[", 2000) +
			strings.Repeat("]", 2000)}
	for _, text := range texts {
		p := Pending{ID: uuid.New(), Type: "T", Data: []byte(text)}
		if taken, valid := p.check() == nil, json.Valid([]byte(text)); taken != valid {
			t.Errorf("%.40q: taken %v, encoding/json says %v", text, taken, valid)
		}
	}
}
