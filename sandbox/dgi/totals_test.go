package dgi

import (
	"strings"
	"testing"

	"github.com/beevik/etree"

	"folio/money"
)

// Amounts that the schema takes can be too large to be multiplied: such a document is
// refused, and does not end the call.
func TestAmountsTooLargeToMakeAgain(t *testing.T) {
	h := newHouse(t)
	h.server.SetKnobs(Knobs{IdentifyFrom: money.FromInt(1)})
	huge := strings.Repeat("9", 15)
	line := func(quantity, price, amount string) string {
		return "<Item><NroLinDet>1</NroLinDet><IndFact>3</IndFact><Cantidad>" + quantity + "</Cantidad><PrecioUnitario>" +
			price +
			"</PrecioUnitario><MontoItem>" + amount + "</MontoItem></Item>"
	}
	for _, c := range []struct{ name, lines, global, totals, want string }{
		{"a product", line(huge[:14], huge[:11], "1.00"), "", "", "demasiado grandes"},
		{"an amount of a line", line("1", "1", huge+"9"), "", "", "demasiado grandes"},
		{"a sum of lines", strings.Repeat(line("1", huge, huge+".00"), 700), "", "", "demasiado grandes"},
		{"a percentage of all lines", line("1", huge, huge+".00"),
			"<DRG_Item><TpoMovDR>D</TpoMovDR><TpoDR>2</TpoDR><ValorDR>" + huge + "</ValorDR><IndFactDR>3</IndFactDR></DRG_Item>",
			"", "demasiado grandes"},
		{"a total", line("1", "1", "1.00"), "", "<MntNetoIVATasaBasica>" + huge + "9999</MntNetoIVATasaBasica>",
			"demasiado grandes"},
		{"the largest that fits", line("1", huge, huge+".00"), "",
			"<MntNetoIVATasaBasica>" + huge + ".00</MntNetoIVATasaBasica>", "MntTotal dice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := etree.NewDocument()
			if err := tree.ReadFromString("<CFE><eTck><Encabezado><Totales><TpoMoneda>USD</TpoMoneda><TpoCambio>9999.999</TpoCambio><MntTotal>" + huge +
				".00</MntTotal><MntIVAOtra>-" + huge + ".00</MntIVAOtra>" + c.totals + "</Totales></Encabezado><Detalle>" +
				c.lines + "</Detalle><DscRcgGlobal>" +
				c.global + "</DscRcgGlobal></eTck></CFE>"); err != nil {
				t.Fatal(err)
			}
			x := &examination{call: &call{Server: h.server},
				d: cfe{root: tree.Root(), body: tree.Root().ChildElements()[0], kind: 101}}
			x.totals()
			if !x.aboveThreshold() {
				t.Error("it is not above the threshold")
			}
			said := ""
			for _, r := range x.out.Remarks {
				said += r.Code + " " + r.Detail + "\n"
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("it says %q", said)
			}
		})
	}
}
