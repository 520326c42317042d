package arca

import (
	"strings"
	"testing"
	"time"

	"folio/authority"
)

const someCAEA = "36482345678901"

func caeaOrder() map[string][]string {
	order := map[string][]string{
		"FECAEASolicitar": {"Auth", "Periodo", "Orden"}, "FECAEAConsultar": {"Auth", "Periodo", "Orden"},
		"FECAEASinMovimientoInformar":  {"Auth", "PtoVta", "CAEA"},
		"FECAEASinMovimientoConsultar": {"Auth", "CAEA", "PtoVta"},
		"FECAEARegInformativo":         {"Auth", "FeCAEARegInfReq"},
		"FeCAEARegInfReq":              {"FeCabReq", "FeDetReq"},
		"FeDetReq":                     {"FECAEADetRequest"},
		"FECAEADetRequest":             append(wsdlOrder["FECAEDetRequest"][:26:26], "CAEA", "CbteFchHsGen"),
	}
	for name, members := range wsdlOrder {
		if order[name] == nil {
			order[name] = members
		}
	}
	return order
}

func TestRequestsOfCAEAHaveTheNamesAndOrderOfTheWSDL(t *testing.T) {
	detail := func(v Voucher) []byte {
		content, err := CAEAVoucher{Voucher: v, CAEA: someCAEA, Generated: generated(time.Date(2026, 12, 16, 2, 30, 5, 0,
			time.UTC))}.XML()
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	full, bare := detail(fullVoucher()), detail(bareVoucher())
	if want := "<CbteFchHsGen>20261215233005</CbteFchHsGen></FECAEADetRequest>"; !strings.HasSuffix(string(full), want) {
		t.Errorf("%s does not end with %s, the time of Argentina", full, want)
	}
	regInf, err := report(12, 3, [][]byte{full, bare})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(regInf), string(full)+string(bare)) {
		t.Error("the details are not in the report byte by byte")
	}
	of := func(parts ...any) []byte {
		in, err := args(parts...)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	for op, content := range map[string][]byte{
		"FECAEASolicitar":              of(field("Periodo", 202612), field("Orden", 1)),
		"FECAEAConsultar":              of(field("Periodo", 202612), field("Orden", 1)),
		"FECAEASinMovimientoInformar":  of(field("PtoVta", 12), field("CAEA", someCAEA)),
		"FECAEASinMovimientoConsultar": of(field("CAEA", someCAEA), field("PtoVta", 12)),
		"FECAEARegInformativo":         regInf,
	} {
		t.Run(op, func(t *testing.T) {
			body, err := request{web: wsfe, op: op, args: content}.body(&auth{Token: "TOKEN", Sign: "SIGN",
				Cuit: 30500010912})
			if err != nil {
				t.Fatal(err)
			}
			checkOrderOf(t, body, caeaOrder(), namespaceWSFE)
			golden(t, "testdata/"+op+".xml", body)
		})
	}
}

func TestWhatIsReadOfAFrozenVoucherIsWhatWasWritten(t *testing.T) {
	for _, v := range []Voucher{fullVoucher(), bareVoucher()} {
		was := CAEAVoucher{Voucher: v, CAEA: someCAEA, Generated: "20261215120000"}
		content, err := was.XML()
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseCAEAVoucher(content)
		if err != nil || got.CAEA != was.CAEA || got.Generated != was.Generated {
			t.Fatalf("%+v, %v", got, err)
		}
		if d := (Registered{Voucher: got.Voucher}).Differences(was.Voucher); len(d) > 0 {
			t.Errorf("%v differ", d)
		}
	}
}

func TestOnlyWhatWasFrozenIsReported(t *testing.T) {
	content, err := CAEAVoucher{Voucher: bareVoucher(), CAEA: someCAEA, Generated: "20261215120000"}.XML()
	if err != nil {
		t.Fatal(err)
	}
	whole := authority.Frozen{Number: 1, Prepared: authority.Prepare(content)}
	if _, details, err := thawed([]authority.Frozen{whole}); err != nil || string(details[0]) != string(content) {
		t.Fatalf("%s, %v", details, err)
	}
	changed := whole
	changed.Content = []byte(strings.Replace(string(content), "<DocTipo>99", "<DocTipo>80", 1))
	other := whole
	other.Number = 2
	broken := authority.Frozen{Number: 1, Prepared: authority.Prepare([]byte("<FECAEADetRequest>"))}
	for name, f := range map[string]authority.Frozen{"changed": changed, "of another number": other, "broken": broken} {
		if _, _, err := thawed([]authority.Frozen{f}); err == nil {
			t.Errorf("%s: it would be reported", name)
		}
	}
}

func TestVerdictsOnAReport(t *testing.T) {
	detail := func(number, result, obs, caea string) string {
		return `<FECAEADetResponse><CbteDesde>` + number + `</CbteDesde><Resultado>` + result + `</Resultado>` + obs +
			`<CAEA>` + caea + `</CAEA></FECAEADetResponse>`
	}
	obs := func(code string) string {
		return `<Observaciones><Obs><Code>` + code + `</Code><Msg>x</Msg></Obs></Observaciones>`
	}
	errs := func(code string) string { return `<Errors><Err><Code>` + code + `</Code><Msg>x</Msg></Err></Errors>` }
	const none = "whole"
	for _, c := range []struct {
		name, details, errors string
		want                  string
	}{
		{"all taken, one with a remark", detail("1", "A", obs("724"), someCAEA) + detail("2", "A", "", someCAEA), "",
			"accepted, accepted"},
		{"a refusal stops the rest", detail("1", "R", obs("900"), someCAEA) + detail("2", "R", "", someCAEA), "",
			"rejected, not processed"},
		{"the number, among remarks", detail("1", "R", obs("703"), someCAEA) + detail("2", "R", "", someCAEA), "",
			"out of step, not processed"},
		{"the number, outside", detail("1", "R", "", someCAEA) + detail("2", "R", "", someCAEA), errs("703"),
			"out of step, not processed"},
		{"no CAEA, as it was recorded", detail("1", "R", "", "") + detail("2", "R", "", ""), errs("782"),
			"rejected, not processed"},
		{"a rate of IVA is no ticket", detail("1", "R", "", someCAEA) + detail("2", "R", "", someCAEA), errs("1000"),
			"rejected, not processed"},
		{"taken under another code is unclear", detail("1", "A", "", "86500000000017") + detail("2", "A", "", someCAEA), "",
			"unclear, accepted"},
		{"refused without a reason is unclear", detail("1", "R", "", someCAEA) + detail("2", "R", "", ""), "",
			"unclear, unclear"},
		{"the head", detail("1", "R", "", someCAEA) + detail("2", "R", "", someCAEA), errs("701"), none},
		{"no details", "", errs("1414"), none},
		{"the service itself", detail("1", "R", "", ""), errs("501"), none},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, _, err := decode[reportResult]("FECAEARegInformativo", reply{Status: 200, Body: wrap("FECAEARegInformativo",
				"<FeDetResp>"+c.details+"</FeDetResp>"+c.errors)})
			if err != nil {
				t.Fatal(err)
			}
			if whole := len(res.Errors) > 0 && refusesReport(res); whole != (c.want == none) {
				t.Fatalf("refused as a whole: %v", whole)
			}
			if c.want == none {
				return
			}
			var got []string
			for _, v := range judgeReport([]CAEAVoucher{{Voucher: Voucher{CbteDesde: 1}, CAEA: someCAEA},
				{Voucher: Voucher{CbteDesde: 2}, CAEA: someCAEA}}, res.Details, plain(res.Errors)) {
				got = append(got, string(v.Decision))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
			refused := &Refused{"FECAEARegInformativo", res.Errors}
			if refused.token() {
				t.Error("it was taken for a refusal of the ticket")
			}
		})
	}
}

func TestAnswersAboutACodeAreReadStrictly(t *testing.T) {
	const good = `<CAEA>` + someCAEA + `</CAEA><Periodo>202612</Periodo><Orden>1</Orden>` +
		`<FchVigDesde>20261201</FchVigDesde><FchVigHasta>20261215</FchVigHasta><FchTopeInf>20261223</FchTopeInf>` +
		`<FchProceso>20261127100000</FchProceso>`
	for _, c := range []struct {
		name, get, errs string
		ok              bool
	}{
		{"as it should be", good, "", true},
		{"with a remark outside", good, `<Errors><Err><Code>15014</Code><Msg>202610;1;3</Msg></Err></Errors>`, true},
		{"an echo alone", `<Periodo>202612</Periodo><Orden>1</Orden>`, "", false},
		{"another fortnight", strings.Replace(good, "<Orden>1", "<Orden>2", 1), "", false},
		{"another month", strings.ReplaceAll(good, "202612", "202611"), "", false},
		{"thirteen digits", strings.Replace(good, someCAEA, someCAEA[1:], 1), "", false},
		{"no day to report until", strings.Replace(good, "20261223", "NULL", 1), "", false},
		{"a day that is none", strings.Replace(good, "20261215", "20261299", 1), "", false},
		{"reported before it ends", strings.Replace(good, "20261223", "20261210", 1), "", false},
	} {
		res, _, err := decode[caeaAnswer]("FECAEASolicitar", reply{Status: 200,
			Body: wrap("FECAEASolicitar", "<ResultGet>"+c.get+"</ResultGet>"+c.errs)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := res.code("FECAEASolicitar", 202612, 1)
		if (err == nil) != c.ok || c.ok && (got.ReportUntil != "20261223" || len(got.Observations) != len(res.Errors)) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func FuzzCAEAAnswer(f *testing.F) {
	f.Add([]byte(wrap("X", `<ResultGet><CAEA>`+someCAEA+`</CAEA><Periodo>202612</Periodo><Orden>1</Orden></ResultGet>`)))
	f.Add([]byte(wrap("X", `<FeDetResp><FECAEADetResponse><CbteDesde>1</CbteDesde><Resultado>A</Resultado><CAEA>`+someCAEA+
		`</CAEA></FECAEADetResponse></FeDetResp><Errors><Err><Code>703</Code></Err></Errors>`)))
	f.Fuzz(func(t *testing.T, body []byte) {
		if res, _, err := decode[caeaAnswer]("X", reply{Status: 200, Body: body}); err == nil {
			if c, err := res.code("X", 202612, 1); err == nil && (!isCode(c.Code) || c.ReportUntil < c.To) {
				t.Errorf("%+v", c)
			}
		}
		if res, _, err := decode[reportResult]("X", reply{Status: 200, Body: body}); err == nil {
			sent := []CAEAVoucher{{Voucher: Voucher{CbteDesde: 1}, CAEA: someCAEA}}
			for _, v := range judgeReport(sent, res.Details, plain(res.Errors)) {
				if v.Decision == "" || (v.Decision == Accepted) != (v.CAE == someCAEA) {
					t.Errorf("%+v", v)
				}
			}
		}
		if v, err := ParseCAEAVoucher(body); err == nil {
			_ = (Registered{}).Differences(v.Voucher)
		}
	})
}
