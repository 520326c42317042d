package arca

import (
	"errors"
	"strings"
	"testing"
)

// wrap puts a result into the envelope of the service.
func wrap(op, result string) []byte {
	return []byte(`<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header>` +
		`<FEHeaderInfo xmlns="http://ar.gov.afip.dif.FEV1/"><ambiente>Produccion - sr4</ambiente><id>7.0.0.60</id></FEHeaderInfo></soap:Header><soap:Body><` +
		op + `Response xmlns="http://ar.gov.afip.dif.FEV1/"><` + op + `Result>` + result + `</` + op + `Result></` + op +
		"Response></soap:Body></soap:Envelope>\r\n")
}

func TestVerdicts(t *testing.T) {
	detail := func(number, result, obs, cae string) string {
		return `<FECAEDetResponse><CbteDesde>` + number + `</CbteDesde><Resultado>` + result + `</Resultado>` + obs +
			`<CAE>` + cae + `</CAE></FECAEDetResponse>`
	}
	const (
		good = "86500000000017"
		obs  = `<Observaciones><Obs><Code>10015</Code><Msg>no</Msg></Obs></Observaciones>`
		e16  = `<Errors><Err><Code>10016</Code><Msg>El numero</Msg></Err></Errors>`
	)
	for _, c := range []struct {
		name, details, errors string
		want                  [3]Decision
	}{
		{"all accepted, one with a remark", detail("1", "A", obs, good) + detail("2", "A", "", good) +
			detail("3", "A", "", good), "", [3]Decision{Accepted, Accepted, Accepted}},
		{"the second refused stops the third", detail("1", "A", "", good) + detail("2", "R", obs, "") +
			detail("3", "R", "", ""), "", [3]Decision{Accepted, Rejected, NotProcessed}},
		{"10016 outside is about the first refused",
			detail("1", "R", "", "") + detail("2", "R", "", "") + detail("3", "R", "", ""), e16,
			[3]Decision{OutOfStep, NotProcessed, NotProcessed}},
		{"10016 as a remark is a rejection", detail("1", "R", strings.Replace(obs, "10015", "10016", 1), "") +
			detail("2", "R", "", "") + detail("3", "R", "", ""), "", [3]Decision{Rejected, NotProcessed, NotProcessed}},
		{"refused without any reason is unclear",
			detail("1", "R", "", "") + detail("2", "R", "", "") + detail("3", "R", "", ""), "",
			[3]Decision{Unclear, Unclear, Unclear}},
		{"accepted without a whole CAE is unclear",
			detail("1", "A", "", "123") + detail("2", "A", "", "NULL") + detail("3", "A", "", ""), "",
			[3]Decision{Unclear, Unclear, Unclear}},
		{"details that are missing are unclear", detail("2", "A", "", good), "", [3]Decision{Unclear, Accepted, Unclear}},
		{"another reason outside belongs to the first refused",
			detail("1", "R", "", "") + detail("2", "R", "", "") + detail("3", "R", "", ""),
			strings.Replace(e16, "10016", "10075", 1), [3]Decision{Rejected, NotProcessed, NotProcessed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := wrap("FECAESolicitar", `<FeCabResp><FchProceso>20261215120000</FchProceso></FeCabResp><FeDetResp>`+c.details+
				`</FeDetResp>`+c.errors)
			res, ambiente, err := decode[authorizeResult]("FECAESolicitar", reply{Status: 200, Body: body})
			if err != nil || ambiente != "Produccion - sr4" || refusesAll(res) {
				t.Fatalf("%v, %q", err, ambiente)
			}
			got := judge([]Voucher{{CbteDesde: 1}, {CbteDesde: 2}, {CbteDesde: 3}}, res.Details, plain(res.Errors))
			for i, v := range got {
				if v.Decision != c.want[i] || (v.CAE != "") != (v.Decision == Accepted) {
					t.Errorf("voucher %d: %+v, want %s", i+1, v, c.want[i])
				}
			}
		})
	}
}

func TestAnswersThatAreNoneAreAmbiguous(t *testing.T) {
	whole := wrap("FECAESolicitar", "")
	for name, r := range map[string]reply{
		"a page":                 {Status: 200, Body: []byte("<html><body>Mantenimiento<br></body></html>")},
		"nothing":                {Status: 200, Body: nil},
		"cut off":                {Status: 200, Body: whole[:len(whole)/2]},
		"cut within the end":     {Status: 200, Body: whole[:len(whole)-20]},
		"something after it":     {Status: 200, Body: append(append([]byte{}, whole...), "<x/>"...)},
		"no result":              {Status: 200, Body: wrap("FEDummy", "")},
		"HTTP 500 without fault": {Status: 500, Body: whole},
		"server's fault": {Status: 500,
			Body: []byte(`<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultcode>soap:Server</faultcode><faultstring>x</faultstring></s:Fault></s:Body></s:Envelope>`)},
		"letters for a number": {Status: 200, Body: wrap("FECAESolicitar", "<Errors><Err><Code>x</Code></Err></Errors>")},
		"unknown charset":      {Status: 200, Body: []byte(`<?xml version="1.0" encoding="klingon"?><a/>`)},
	} {
		_, _, err := decode[authorizeResult]("FECAESolicitar", r)
		var ambiguous *Ambiguous
		if !errors.As(err, &ambiguous) {
			t.Errorf("%s: %T %v", name, err, err)
		}
	}
	_, _, err := decode[authorizeResult]("FECAESolicitar",
		reply{Status: 500, Body: []byte(`<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultcode>soap:Client</faultcode><faultstring>Server was unable to read request.</faultstring></s:Fault></s:Body></s:Envelope>`)})
	var fault *SOAPFault
	var ambiguous *Ambiguous
	if !errors.As(err, &fault) || errors.As(err, &ambiguous) || fault.Code != "Client" {
		t.Errorf("a fault that blames the request: %T %v", err, err)
	}
}

func TestErrorListsWithOddItems(t *testing.T) {
	res, _, err := decode[authorizeResult]("FECAESolicitar", reply{Status: 200, Body: wrap("FECAESolicitar",
		`<Errors><Err /><Err><Msg>sin codigo</Msg></Err><Err><Code>0600</Code></Err></Errors><Events><Evt><Code>41</Code><Msg>aviso</Msg></Evt></Events>`)})
	if err != nil {
		t.Fatal(err)
	}
	if got := plain(res.Errors); len(got) != 2 || got[0].Text != "sin codigo" || got[1].Code != 600 {
		t.Errorf("%+v", got)
	}
	if got := plain(res.Events); len(got) != 1 || got[0].Code != 41 {
		t.Errorf("%+v", got)
	}
}

func TestDoublyEncodedTextIsRepaired(t *testing.T) {
	for in, want := range map[string]string{
		"El nÃºmero de la emisiÃ³n": "El número de la emisión",
		"El número":                 "El número",
		"SÃO PAULO":                 "SÃO PAULO",
		"plain":                     "plain",
		"50 Â°C":                    "50 °C",
		"precio â‚¬ Ã±":             "precio € ñ",
	} {
		if got := repair(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestUncertainErrorsOfTheService(t *testing.T) {
	for code, want := range map[int]bool{500: true, 501: true, 502: true, 600: false, 10000: false} {
		if got := uncertain(&Refused{Errors: []Message{{Code: code, Text: "x"}}}); got != want {
			t.Errorf("%d: %v", code, got)
		}
	}
	if uncertain(&Refused{Errors: []Message{{Code: 500, Text: missingAuth}}}) {
		t.Error("a request without Auth was certainly not processed")
	}
}

const ticketDocument = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<loginTicketResponse version="1.0"><header><uniqueId>2378329039</uniqueId><generationTime>2021-07-26T09:22:00.396-03:00</generationTime>
<expirationTime>2021-07-26T21:22:00.396-03:00</expirationTime></header><credentials><token>VE9LRU4=</token><sign>U0lHTg==</sign></credentials></loginTicketResponse>`

func TestTicketIsReadWhateverTheNamespaceAround(t *testing.T) {
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(ticketDocument)
	body := `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><loginCmsResponse xmlns="https://wsaahomo.afip.gov.ar/ws/services/LoginCms"><loginCmsReturn>` +
		escaped + `</loginCmsReturn></loginCmsResponse></soapenv:Body></soapenv:Envelope>`
	ticket, err := readLogin(reply{Status: 200, Body: []byte(body)})
	if err != nil || ticket.Token != "VE9LRU4=" || ticket.Sign != "U0lHTg==" ||
		ticket.Expires.UTC().Format("15:04:05.000") != "00:22:00.396" {
		t.Fatalf("%+v %v", ticket, err)
	}
	damaged := strings.Replace(body, "&lt;/token&gt;", "", 1)
	if _, err := readLogin(reply{Status: 200, Body: []byte(damaged)}); err == nil ||
		strings.Contains(err.Error(), "VE9L") {
		t.Errorf("a damaged ticket: %v", err)
	}
	if _, err := readLogin(reply{Status: 200, Body: []byte(body[:len(body)-30])}); err == nil ||
		strings.Contains(err.Error(), "VE9L") {
		t.Errorf("a ticket cut off: %v", err)
	}
}

func FuzzInvoiceAnswer(f *testing.F) {
	f.Add(200, wrap("FECAESolicitar", `<FeDetResp><FECAEDetResponse><CbteDesde>1</CbteDesde><Resultado>A</Resultado><CAE>86500000000017</CAE></FECAEDetResponse></FeDetResp>`))
	f.Add(500, []byte(`<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultcode>soap:Client</faultcode></s:Fault></s:Body></s:Envelope>`))
	f.Add(200, []byte("<html><body>"))
	f.Add(200, []byte(`<?xml version="1.0" encoding="ISO-8859-1"?><Envelope><Body><FECAESolicitarResponse><R><Errors><Err><Code>1</Code><Msg>`+"\xf1"+`</Msg></Err></Errors></R></FECAESolicitarResponse></Body></Envelope>`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		res, _, err := decode[authorizeResult]("FECAESolicitar", reply{Status: status, Body: body})
		if err != nil {
			return
		}
		for _, v := range judge([]Voucher{{CbteDesde: 1}, {CbteDesde: 2}}, res.Details, plain(res.Errors)) {
			if v.Decision == "" || (v.Decision == Accepted) != isCode(v.CAE) {
				t.Errorf("%+v", v)
			}
		}
		found, _, err := decode[struct {
			ResultGet *registered `xml:"ResultGet"`
			failures
		}]("FECAESolicitar", reply{Status: status, Body: body})
		if err == nil && found.ResultGet != nil {
			_ = found.ResultGet.plain().Differences(Voucher{})
		}
	})
}

func FuzzLoginAnswer(f *testing.F) {
	f.Add(200, []byte(`<Envelope><Body><R><loginCmsReturn>`+strings.NewReplacer("<", "&lt;").Replace(ticketDocument)+
		`</loginCmsReturn></R></Body></Envelope>`))
	f.Add(500, []byte(`<Envelope><Body><Fault><faultcode>ns1:cms.bad</faultcode><faultstring>El CMS no es valido</faultstring></Fault></Body></Envelope>`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		ticket, err := readLogin(reply{Status: status, Body: body})
		if err == nil && (ticket.Token == "" || ticket.Sign == "" || ticket.Expires.IsZero()) {
			t.Errorf("%+v", ticket)
		}
	})
}

func FuzzExportAnswer(f *testing.F) {
	f.Add(200, wrap("FEXAuthorize", `<FEXResultAuth><Id>1</Id><Cbte_tipo>19</Cbte_tipo><Punto_vta>1</Punto_vta><Cbte_nro>1</Cbte_nro><Cae>86500000000017</Cae><Resultado>A</Resultado><Motivos_Obs>16: x</Motivos_Obs></FEXResultAuth><FEXErr><ErrCode>0</ErrCode><ErrMsg>OK</ErrMsg></FEXErr>`))
	f.Add(200, wrap("FEXAuthorize", `<FEXErr><ErrCode>2053</ErrCode><ErrMsg>Cotizacion informada no valida.</ErrMsg></FEXErr>`))
	f.Add(200, wrap("FEXAuthorize", `<FEXResultGet><Id>988888888888344</Id><Imp_total>250</Imp_total><Moneda_ctz>39</Moneda_ctz><Items><Item><Pro_total_item>250</Pro_total_item></Item></Items></FEXResultGet>`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		v := ExportVoucher{CbteTipo: 19, PuntoVta: 1, CbteNro: 1, Items: []ExportItem{{}}}
		if res, _, err := decode[exportAnswer]("FEXAuthorize", reply{Status: status, Body: body}); err == nil {
			if got, err := res.judge(v); err == nil && (got.Decision == Accepted) != isCode(got.CAE) {
				t.Errorf("%+v", got)
			}
		}
		if found, _, err := decode[exportFound]("FEXAuthorize", reply{Status: status, Body: body}); err == nil &&
			found.Get != nil {
			_ = found.Get.Differences(v)
		}
	})
}
