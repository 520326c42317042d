package arca

import (
	"testing"
)

func TestWhatWSCDCSaysOfAVoucher(t *testing.T) {
	asked := Constatable{CuitEmisor: 20111111112, CbteNro: 7}
	// The shape of answers that were recorded: an event of code 0 says nothing.
	const echo = `<CmpResp><CbteModo>CAE</CbteModo><CuitEmisor>20111111112</CuitEmisor><CbteNro>7</CbteNro></CmpResp>`
	const quiet = `<FchProceso>20260925094622</FchProceso><Events><Evt><Code>0</Code></Evt></Events><Errors><Err><Code>0</Code><Msg /></Err></Errors>`
	for _, c := range []struct {
		name, result        string
		confirmed, unjudged bool
		ambiguous           bool
		codes               []int
	}{
		{name: "confirmed", result: echo + "<Resultado>A</Resultado>" + quiet, confirmed: true},
		{name: "confirmed with a remark", result: echo +
			"<Resultado>A</Resultado><Observaciones><Obs><Code>200</Code><Msg>CAEA vigente</Msg></Obs></Observaciones>" + quiet,
			confirmed: true, codes: []int{200}},
		{name: "unknown to ARCA", result: echo + "<Resultado>R</Resultado><Observaciones><Obs><Code>100</Code><Msg>no " +
			"existe</Msg></Obs></Observaciones>" + quiet, codes: []int{100}},
		{name: "a form that it does not take", result: "<Resultado>R</Resultado><Errors><Err><Code>2</Code><Msg>CbteModo</Msg></Err></Errors>", codes: []int{2}},
		{name: "a breakdown is no verdict", result: "<Resultado>R</Resultado><Errors><Err><Code>501</Code><Msg>base de " +
			"datos</Msg></Err></Errors>", unjudged: true, codes: []int{501}},
		{name: "errors without a verdict", result: "<Errors><Err><Code>7</Code><Msg>x</Msg></Err></Errors>", unjudged: true,
			ambiguous: true},
		{name: "about another voucher", result: `<CmpResp><CuitEmisor>20111111112</CuitEmisor><CbteNro>8</CbteNro></CmpResp><Resultado>A</Resultado>`, ambiguous: true},
		{name: "no verdict", result: echo, ambiguous: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, _, err := decode[constatation](opConstate, reply{Status: 200, Body: wrap(opConstate, c.result)})
			if err != nil {
				t.Fatal(err)
			}
			if res.unjudged() != c.unjudged {
				t.Errorf("taken for the service's own: %v", res.unjudged())
			}
			got, err := res.about(asked)
			if (err != nil) != c.ambiguous {
				t.Fatal(err)
			}
			if got.Confirmed != c.confirmed || len(got.Messages) != len(c.codes) {
				t.Fatalf("%+v", got)
			}
			for i, m := range got.Messages {
				if m.Code != c.codes[i] {
					t.Errorf("code %d, want %d", m.Code, c.codes[i])
				}
			}
		})
	}
}
