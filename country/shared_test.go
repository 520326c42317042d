package country_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

func codesOf(v country.Violations) string {
	var all []string
	for _, x := range v.All {
		all = append(all, x.Path+" "+x.Code)
	}
	return strings.Join(all, ", ")
}

func TestShortNamesKeepWholeWords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		n          int
		want       string
	}{
		{"what fits stays", "Café molido", 11, "Café molido"},
		{"white space is one space", " Café \n molido ", 11, "Café molido"},
		{"a word that does not fit is left out", "Café molido fino", 13, "Café molido"},
		{"a single long word is cut between characters", "ñññññññ", 4, "ññññ"},
		{"a space in the first half cuts too much", "a bcdefghijkl", 8, "a bcdefg"},
	} {
		if got := country.ShortName(c.text, c.n); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "línea\n\tdos\r": "", "ñañas": "", "seis66": "p X-01", "a\x00": "p X-03", "a\uffff": "p X-03",
		"\xff": "p X-03", "a\u202eb": "p X-03", "a\u2067b": "p X-03", "a\u200fb": "", "seis6\x01": "p X-01, p X-03",
	} {
		var v country.Violations
		v.Text("X", "p", text, 5)
		if text == "línea\n\tdos\r" {
			v = country.Violations{}
			v.Text("X", "p", text, 50)
		}
		if got := codesOf(v); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestProfileFieldsHoldNoTextThatIsReadBackwards(t *testing.T) {
	for value, fits := range map[string]bool{"Ñuñoa": true, "seis66": false, "a\nb": false, "a\u202eb": false,
		"a\uffff": false} {
		if err := country.UpTo(5)(value); (err == nil) != fits {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func TestForeignTextsAreMadeFitToShow(t *testing.T) {
	for text, want := range map[string]string{
		" Ñandú\n\tS.A. ": "Ñandú S.A.", "a\x00b\x7f": "ab", "a\xffb": "ab", "شركة": "شركة",
		"a\u202eb\u2066c\u200fd\u061ce": "abcde", strings.Repeat("ñ", 201): strings.Repeat("ñ", 200),
	} {
		if got := country.Foreign(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]string{"2026-11-28": "2026-11-28", "2026-02-29": "", "2024-02-29": "2024-02-29",
		"1999-12-31": "", "": "", "2026-11-28 ": "", "28/11/2026": ""} {
		var v country.Violations
		got, ok := v.Date("X", "d", text, time.DateOnly)
		if ok != (want != "") || ok && got.Format(time.DateOnly) != want || v.None() != ok {
			t.Errorf("%q: %v %v %v", text, got, ok, v.All)
		}
	}
	var v country.Violations
	if _, ok := v.Date("X", "d", "2026-11-28 10:00:00.5", time.DateTime); ok ||
		!strings.Contains(v.All[0].Message, "YYYY-MM-DD HH:MM:SS") {
		t.Errorf("a fraction of a second: %v", v.All)
	}
	var old country.Violations
	if old.Date("X", "d", "1999-12-31", time.DateOnly); !strings.Contains(old.All[0].Message, "2000") {
		t.Errorf("a date in the right form: %v", old.All)
	}
}

func TestAddresses(t *testing.T) {
	known := func(region string) bool { return region == "UY-MO" }
	for _, c := range []struct{ nation, region, want string }{
		{"", "", ""}, {"UY", "UY-MO", ""}, {"", "UY-MO", ""}, {"BR", "BR-RS", ""}, {"Uruguay", "", "r.address.country A-01"},
		{"UY", "UY-XX", "r.address.region A-02"}, {"AR", "UY-MO", "r.address.region A-02"},
		{"UY", "Montevideo", "r.address.region A-02"},
	} {
		var v country.Violations
		v.Address("A", "r", events.Address{Country: c.nation, Region: c.region}, "UY-MO", known)
		if got := codesOf(v); got != c.want {
			t.Errorf("%s %s: %s", c.nation, c.region, got)
		}
	}
}

func TestMembersAreReadWithTheirPaths(t *testing.T) {
	type part struct {
		Count int `json:"count,omitempty"`
	}
	type header struct {
		Name   string            `json:"name,omitempty"`
		Weight money.Decimal     `json:"weight,omitzero"`
		Part   *part             `json:"part,omitempty"`
		Parts  []part            `json:"parts,omitempty"`
		Fields map[string]string `json:"fields,omitempty"`
	}
	for _, c := range []struct{ name, raw, want string }{
		{"nothing", "", ""}, {"null", "null", ""}, {"null members", `{"name":null,"part":null,"parts":null}`, ""},
		{"everything", `{"name":"a","weight":12.50,"part":{"count":1},"parts":[{"count":2}],"fields":{"a":"b"}}`, ""},
		{"a decimal as text", `{"weight":"12.50"}`, ""},
		{"no object", `[]`, "h X"}, {"an unknown member", `{"b":1,"a":1}`, "h.a X, h.b X"},
		{"wrong types", `{"name":1,"weight":true,"part":[],"parts":[1],"fields":{"a":1}}`,
			"h.fields X, h.name X, h.part X, h.parts[0] X, h.weight X"},
		{"too many", `{"parts":[` + strings.Repeat("{},", 100) + `{}]}`, "h.parts X"},
	} {
		var v country.Violations
		var h header
		country.ReadMembers(&v, "h", "X", json.RawMessage(c.raw), &h)
		if got := codesOf(v); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
		if c.name == "everything" && (h.Name != "a" || h.Weight.String() != "12.50" || h.Part.Count != 1 ||
			h.Parts[0].Count != 2 || h.Fields["a"] != "b") {
			t.Errorf("%+v", h)
		}
	}
}

func TestMembersAreSet(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		value     any
		want      string
	}{
		{"into nothing", "", true, `{"m":true}`},
		{"beside others", `{"a":1.50}`, "x", `{"a":1.50,"m":"x"}`},
		{"over an older one", `{"m":1}`, 2, `{"m":2}`},
		{"taken out", `{"a":1,"m":2}`, nil, `{"a":1}`},
		{"the last one taken out", `{"m":2}`, nil, ``},
		{"what is no object stays", `[1]`, true, `[1]`},
		{"what cannot be written changes nothing", `{"a":1}`, func() {}, `{"a":1}`},
	} {
		if got := country.SetMember(json.RawMessage(c.raw), "m", c.value); string(got) != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	fields := []country.ProfileField{{Name: "city", Required: true}, {Name: "email"}}
	if got := country.FreezeIssuer([]byte(`{"issuer":{"city":"mine"}}`), fields,
		map[string]string{"city": "Salto", "other": "x"}); string(got) != `{"issuer":{"city":"Salto"}}` {
		t.Errorf("%s", got)
	}
	if got := country.FreezeIssuer([]byte(`{"issuer":{"city":"mine"}}`), fields, nil); got != nil {
		t.Errorf("%s", got)
	}
	if got := country.MissingFields(fields, country.Issuer{}); len(got) != 2 || got[0] != "address" || got[1] != "city" {
		t.Errorf("%v", got)
	}
}

func TestAnIdentifierIsRefusedInTheWordsOfEachCountryThatHasItsName(t *testing.T) {
	all := country.Registry{ar.Rules{}, cl.Rules{}, uy.Rules{}}
	for _, c := range []struct{ name, number, code, says string }{
		{"RUT", "217111220014", "UY", ""},
		{"rut", "76.192.083-9", "CL", ""},
		{"RUT", "217111220015", "", "in Uruguay, 217111220015 has a wrong check digit"},
		{"RUT", "76192083-1", "", "in Chile, 76192083-1 has a wrong check digit"},
		{"CUIT", "1", "", `"1" must have 11 digits`},
		{"NIT", "1", "", ""},
	} {
		rules, _, _, err := all.ByIdentifier(c.name, c.number)
		switch {
		case c.code != "" && (err != nil || rules.Code() != c.code):
			t.Errorf("%s %s: %v", c.name, c.number, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s %s: %v, want %s", c.name, c.number, err, c.says)
		}
	}
}

func TestATextThatCannotBeSeenIsBlank(t *testing.T) {
	for text, blank := range map[string]bool{
		"": true, " \t\n\u00a0": true, "\u200b": true, "\ufeff\u2060": true, "\u00ad": true, "\x01": true,
		"\u3164\u115f": true,
		"\u2800":       true, "\ufe0f": true, "a": false, "\u200b.": false, "😀": false, "漢": false, "0": false,
	} {
		if got := country.Blank(text); got != blank {
			t.Errorf("%q: %v", text, got)
		}
		if blank && country.Line(text) != "" {
			t.Errorf("%q is a line", text)
		}
	}
}
