package desk

import (
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"testing"
)

type rules struct {
	Strict  bool           `json:"strict"`
	Numbers map[string]int `json:"numbers"`
}

func (r rules) clone() rules {
	r.Numbers = maps.Clone(r.Numbers)
	return r
}

func (r rules) check() error {
	if r.Numbers["a"] < 0 {
		return errors.New("a cannot be negative")
	}
	return nil
}

func TestKnobsAreChangedWholeOrInPart(t *testing.T) {
	for _, c := range []struct {
		name, text string
		keep       bool
		want       string // "" where it is refused, and nothing changes
	}{
		{"replaced", `{"numbers":{"b":2}}`, false, `{"strict":false,"numbers":{"b":2}}`},
		{"in part", `{"numbers":{"b":2}}`, true, `{"strict":true,"numbers":{"a":1,"b":2}}`},
		{"a member that there is not", `{"loose":true}`, true, ""},
		{"what no authority does", `{"strict":false,"numbers":{"a":-1}}`, true, ""},
		{"broken half-way", `{"numbers":{"a":7},"strict":1}`, true, ""},
	} {
		k := Keep(rules{Strict: true, Numbers: map[string]int{"a": 1}}, rules.clone, rules.check)
		if c.want == "" {
			c.want = `{"strict":true,"numbers":{"a":1}}`
			if k.change(json.RawMessage(c.text), c.keep) == nil {
				t.Errorf("%s: taken", c.name)
			}
		} else if err := k.change(json.RawMessage(c.text), c.keep); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got, _ := json.Marshal(k.shown()); string(got) != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestNoChangeOfKnobsIsLost(t *testing.T) {
	k := Keep(rules{}, rules.clone, rules.check)
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		all.Go(func() {
			if err := k.change(json.RawMessage(`{"numbers":{"`+name+`":1}}`), true); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	mine := k.Knobs()
	mine.Numbers["a"] = 100
	if got := k.Knobs().Numbers; len(got) != 8 || got["a"] != 1 {
		t.Errorf("there are %v", got)
	}
}
