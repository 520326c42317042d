package writeapi_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/uy"
)

// A note that cancels a document takes the whole of it; Uruguay's recipients read the same reason.
func TestANoteThatCancelsIsOverTheWhole(t *testing.T) {
	const refused = "billing_reference[0].reason_code REASON_CANCELS_WHOLE"
	for _, c := range []struct {
		rules                       country.Rules
		company, sale, note, to, in string
		twice                       *strings.Replacer // makes a document of two of them
		whole                       string            // of two, as messages have it
	}{
		{rules: cl.Rules{}, company: "77111222-6", sale: "FAC", note: "NCE", to: chilean + `,"document_number":"76192083-9"`,
			in: "CLP", whole: "2380", twice: strings.NewReplacer(`"quantity":1`, `"quantity":2`, `"amount":190`, `"amount":380`,
				`"base_amount":1000`, `"base_amount":2000`, `"sub_total":1000`, `"sub_total":2000`, `"total":1190`,
				`"total":2380`)},
		{rules: uy.Rules{}, company: "210001300008", sale: "TIC", note: "NCT", to: nobody, in: "UYU", whole: "2440.00",
			twice: strings.NewReplacer(`"quantity":1`, `"quantity":2`, `"amount":220`, `"amount":440`, `"base_amount":1000`,
				`"base_amount":2000`, `"sub_total":1000`, `"sub_total":2000`, `"total":1220`, `"total":2440`)},
	} {
		t.Run(c.rules.Code(), func(t *testing.T) {
			w := newWorldOf(t, c.rules)
			s := w.owned(c.company)
			two := w.issuedAs(s, "A", 1, c.twice.Replace(plain(c.sale, c.to, c.in, "")))
			one := w.issuedAs(s, "A", 2, plain(c.sale, c.to, c.in, ""))
			named := func(id, reason, more string) string {
				return `{"invoice_id":"` + id + `","reason_code":"` + reason + `"` + more + `}`
			}
			for _, n := range []struct {
				name, references string
				twice            bool // the note is of two
				want             []string
			}{
				{"a half", named(two, "1", ""), false, []string{refused}},
				{"its amount is a half", named(two, "1", `,"amount":1000`) + "," + named(one, "1", `,"amount":190`), false,
					[]string{refused, strings.Replace(refused, "[0]", "[1]", 1)}},
				{"less than both", named(one, "1", "") + "," + named(two, "1", ""), true,
					[]string{strings.Replace(refused, "[0]", "[1]", 1)}},
				{"a half that corrects amounts", named(two, "3", ""), false, nil},
				{"its amount is text", named(one, "1", `,"amount":"x"`), false, []string{"billing_reference[0].amount WRONG_TYPE"}},
				{"the whole", named(one, "1", ""), false, nil},
			} {
				body := plain(c.note, c.to, c.in, n.references)
				if n.twice {
					body = c.twice.Replace(body)
				}
				if c.rules.Code() == "UY" {
					body = strings.ReplaceAll(body, `"amount":190}`, `"amount":220}`)
				}
				answer := w.call("POST", "/api/invoices", body, s.key)
				if len(n.want) == 0 {
					answer.want(201)
					continue
				}
				answer.fails(422, "VALIDATION_FAILED", n.want...)
				if text := answer.Body.String(); strings.Contains(n.want[0], "REASON") && !strings.Contains(text, "use 3") ||
					n.name == "a half" && !strings.Contains(text, "the whole of "+c.whole) {
					t.Errorf("%s: %s", n.name, text)
				}
			}
		})
	}
}
