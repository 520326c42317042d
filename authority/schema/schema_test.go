package schema_test

import (
	"strings"
	"testing"

	"github.com/beevik/etree"

	"folio/authority/schema"
)

const file = `
# a comment
Invoice
  Head HeadType
  Line[1..2]
    Name string len≤3
    Amount dec 5.2 ≥0
  Rate[0..1] decimal 6.3 {10.000,22.000}
HeadType
  RUC RUC
  At[0..1] dateTimeZoned
  Day[0..1] date
  Series[0..1] series
  Kind[0..1] int>0 {1,2}
  Many[0..1] int>0 maxInc=40
`

func TestCheck(t *testing.T) {
	rule := schema.Read(file)["Invoice"]
	const head, line = `<Head><RUC>214844360018</RUC></Head>`, `<Line><Name>ñññ</Name><Amount>1.50</Amount></Line>`
	for name, c := range map[string]struct{ body, fault string }{
		"as it should be":                {head + line, ""},
		"rates are compared as numbers":  {head + line + `<Rate>22</Rate>`, ""},
		"numbers may have blanks around": {head + `<Line><Name>a</Name><Amount> 1 </Amount></Line>`, ""},
		"everything at once":             {`<Head><RUC>214844360018</RUC><At>2026-11-27T12:00:00-03:00</At><Day>2026-11-27</Day><Series>9Z</Series><Kind>2</Kind><Many>40</Many></Head>` + line + line, ""},
		"one is missing":                 {head, "/Invoice: 0 times Line"},
		"one too many":                   {head + line + line + line, "/Invoice: 3 times Line"},
		"out of order":                   {line + head, "/Invoice: 0 times Head"},
		"one that is not known":          {head + line + `<Other>1</Other>`, "/Invoice: Other is not expected"},
		"a type by its name": {`<Head><RUC>1</RUC></Head>` + line,
			"/Invoice/Head/RUC: it is \"1\", which is not twelve digits"},
		"too long": {head + `<Line><Name>aaaa</Name><Amount>1</Amount></Line>`,
			"/Invoice/Line/Name: it has more than 3"},
		"empty": {head + `<Line><Name></Name><Amount>1</Amount></Line>`,
			"/Invoice/Line/Name: it is empty"},
		"elements in a text": {head + `<Line><Name><b/></Name><Amount>1</Amount></Line>`,
			"/Invoice/Line/Name has elements"},
		"too many decimals":           {head + `<Line><Name>a</Name><Amount>1.234</Amount></Line>`, "Amount"},
		"negative where it cannot be": {head + `<Line><Name>a</Name><Amount>-1</Amount></Line>`, "Amount"},
		"too many digits":             {head + `<Line><Name>a</Name><Amount>12345678</Amount></Line>`, "Amount"},
		"no number":                   {head + `<Line><Name>a</Name><Amount>1e2</Amount></Line>`, "Amount"},
		"another rate":                {head + line + `<Rate>21</Rate>`, "/Invoice/Rate"},
		"a time without zone":         {`<Head><RUC>214844360018</RUC><At>2026-11-27T12:00:00</At></Head>` + line, "zone"},
		"no date":                     {`<Head><RUC>214844360018</RUC><Day>2026-02-30</Day></Head>` + line, "date"},
		"no series":                   {`<Head><RUC>214844360018</RUC><Series>AAA</Series></Head>` + line, "series"},
		"none of the choices":         {`<Head><RUC>214844360018</RUC><Kind>3</Kind></Head>` + line, "none of"},
		"more than the largest":       {`<Head><RUC>214844360018</RUC><Many>41</Many></Head>` + line, "more than 40"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := etree.NewDocument()
			if err := doc.ReadFromString(`<Invoice>` + c.body + `</Invoice>`); err != nil {
				t.Fatal(err)
			}
			err := rule.Check(doc.Root())
			if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%v, want %q", err, c.fault)
			}
		})
	}
}
