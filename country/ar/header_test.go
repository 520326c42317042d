package ar_test

import (
	"reflect"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
)

const cbu = `"cbu":"0170099220000012345678"`

func TestHeaderInfo(t *testing.T) {
	h := func(field, code string) string { return "additional_header_info" + field + " AR-HEADER-" + code }
	for _, c := range []struct {
		name, kind, header string
		want               []string
	}{
		{"nothing", "FCA", ``, nil},
		{"null", "FCA", `null`, nil},
		{"activities", "FCA", `{"activities":[620100,620900]}`, nil},
		{"the CBU of class A with payment to it", "FCA", `{` + cbu + `}`, nil},
		{"two buyers", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":50.5},{"document_type":"CUIL","document_number":"20111111112","percentage":49.5}]}`, nil},
		{"a commercial reference", "FCA", `{"optionals":[{"id":"23","value":"OC 77"},{"id":"23","value":"OC 78"}]}`, nil},
		{"a commercial reference twice", "FCA", `{"optionals":[{"id":"23","value":"OC 77"},{"id":"23","value":"OC 77"}]}`,
			[]string{h(".optionals[1].value", "11")}},
		{"an FCE", "FMA", `{` + cbu + `,"transfer_system":"ADC"}`, nil},
		{"a list", "FCA", `[]`, []string{h("", "01")}},
		{"an unknown member", "FCA", `{"colour":"blue"}`, []string{h(".colour", "02")}},
		{"two unknown members", "FCA", `{"b":1,"a":2}`, []string{h(".a", "02"), h(".b", "02")}},
		{"a number for a CBU", "FMA", `{"cbu":170099220000012345678,"transfer_system":"SCA"}`, []string{h(".cbu", "01")}},
		{"a CBU of 21 digits", "FCA", `{"cbu":"017009922000001234567"}`, []string{h(".cbu", "03")}},
		{"an alias of five letters", "FMA", `{` + cbu + `,"transfer_system":"SCA","cbu_alias":"folio"}`,
			[]string{h(".cbu_alias", "03")}},
		{"an FCE without CBU and system", "FMA", ``, []string{h(".cbu", "04"), h(".transfer_system", "05")}},
		{"an FCE with an unknown system", "FMA", `{` + cbu + `,"transfer_system":"XYZ"}`,
			[]string{h(".transfer_system", "05")}},
		{"an FCE that cancels", "FMA", `{` + cbu + `,"transfer_system":"SCA","cancellation":"S"}`,
			[]string{h(".cancellation", "07")}},
		{"an FCE note that does not say whether it cancels", "CMA", ``, []string{h(".cancellation", "06")}},
		{"an FCE note with a CBU", "CMA", `{` + cbu + `,"cancellation":"S"}`, []string{h(".cbu", "07")}},
		{"a CBU in class B", "FCB", `{` + cbu + `}`, []string{h(".cbu", "07")}},
		{"a system of transfer in class A", "FCA", `{"transfer_system":"SCA"}`, []string{h(".transfer_system", "07")}},
		{"an alias in class A", "FCA", `{"cbu_alias":"folio.sa"}`, []string{h(".cbu_alias", "07")}},
		{"payment in the same currency when it is pesos", "FCA", `{"same_currency_payment":"S"}`,
			[]string{h(".same_currency_payment", "08")}},
		{"yes for S", "FCA", `{"same_currency_payment":"yes"}`, []string{h(".same_currency_payment", "08")}},
		{"an activity twice", "FCA", `{"activities":[620100,620100]}`, []string{h(".activities[1]", "09")}},
		{"an activity of a half", "FCA", `{"activities":[1.5]}`, []string{h(".activities", "01")}},
		{"buyers that come to 99", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":50.5},{"document_type":"CUIL","document_number":"20111111112","percentage":48.5}]}`, []string{h(".buyers", "10")}},
		{"a buyer without a percentage", "FCA",
			`{"buyers":[{"document_type":"CUIT","document_number":"33693450239"},{"document_type":"CUIL","document_number":"20111111112","percentage":1}]}`, []string{h(".buyers[0].percentage", "01")}},
		{"a buyer with a wrong CUIT", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":50.5},{"document_type":"CUIT","document_number":"20111111113","percentage":49.5}]}`, []string{h(".buyers[1].document_number", "10")}},
		{"a buyer without CUIT", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":50.5},{"document_type":"Pasaporte","document_number":"AB12","percentage":49.5}]}`, []string{h(".buyers[1].document_type", "10")}},
		{"a buyer that is nobody", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":50.5},{"document_type":"99","document_number":"0","percentage":49.5}]}`, []string{h(".buyers[1].document_type", "10")}},
		{"the same buyer twice", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":50.5},{"document_type":"CUIT","document_number":"33693450239","percentage":49.5}]}`, []string{h(".buyers[1].document_number", "12")}},
		{"the issuer among the buyers", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":50.5},{"document_type":"CUIT","document_number":"30500010912","percentage":49.5}]}`, []string{h(".buyers[1].document_number", "12")}},
		{"one buyer", "FCA", `{"buyers":[{"document_type":"CUIT","document_number":"33693450239","percentage":100}]}`,
			[]string{h(".buyers", "12")}},
		{"a recipient with the smaller part", "FCA",
			`{"buyers":[{"document_type":"CUIT","document_number":"20111111112","percentage":50.5},{"document_type":"CUIT","document_number":"33693450239","percentage":49.5}]}`, []string{"recipient.document_number AR-HEADER-12"}},
		{"a buyer with an unknown member", "FCA", `{"buyers":[{"name":"x"}]}`, []string{h(".buyers", "01")}},
		{"an Opcional that has a member of its own", "FCA", `{"optionals":[{"id":"2101","value":"x"}]}`,
			[]string{h(".optionals[0].id", "11")}},
		{"an Opcional without value", "FCA", `{"optionals":[{"id":"17","value":""}]}`,
			[]string{h(".optionals[0].value", "11")}},
		{"an Opcional twice", "FCA", `{"optionals":[{"id":"17","value":"1"},{"id":"17","value":"2"}]}`,
			[]string{h(".optionals[1].id", "11")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, _ := ar.Rules{}.DocumentType(c.kind)
			d, who := example(kind)
			d.HeaderInfo = []byte(c.header)
			_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
	t.Run("a buyer's document is told in digits", func(t *testing.T) {
		h, vs := ar.ParseHeader([]byte(`{"buyers":[{"document_type":"CUIT","document_number":"20-11111111-2","percentage":"100"}]}`))
		if len(vs) > 0 || h.Buyers[0].DocumentNumber != "20111111112" {
			t.Errorf("%+v, %v", h, vs)
		}
	})
	t.Run("dollars may be paid in dollars", func(t *testing.T) {
		d := product("FCA")
		d.Currency = events.Currency{Code: "USD", Rate: dec("1450.5")}
		d.HeaderInfo = []byte(`{"same_currency_payment":"S"}`)
		mustAccept(t, d)
	})
}

func TestOptionalsThatAreTold(t *testing.T) {
	for _, c := range []struct {
		name, kind, header string
		want               []ar.Optional
	}{
		{"an FCE: CBU, alias and system", "FMB",
			`{` + cbu + `,"cbu_alias":"folio.sa","transfer_system":"SCA","optionals":[{"id":"23","value":"OC 1"}]}`,
			[]ar.Optional{{"2101", "0170099220000012345678"}, {"2102", "folio.sa"}, {"27", "SCA"}, {"23", "OC 1"}}},
		{"an FCE note: whether it cancels", "DMC", `{"cancellation":"S"}`, []ar.Optional{{"22", "S"}}},
		{"class A with a CBU to print: none", "FCA", `{` + cbu + `}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ar.Optionals(events.Document{Type: c.kind, HeaderInfo: []byte(c.header)})
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("told %v, want %v", got, c.want)
			}
		})
	}
}

func FuzzHeader(f *testing.F) {
	f.Add([]byte(`{"buyers":[{"percentage":"1e5"}],"optionals":[{"id":"23"}]}`))
	f.Add([]byte(`{"activities":[9223372036854775808]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		d := product("FCA")
		d.HeaderInfo = raw
		if _, vs := check(d); len(vs) == 0 {
			ar.Optionals(d)
		}
	})
}
