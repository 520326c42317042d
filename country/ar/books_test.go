package ar_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/money"
)

func exact(s string) money.Exact {
	e, err := money.ParseExact(s)
	if err != nil {
		panic(err)
	}
	return e
}

func sale() country.BookLine {
	return country.BookLine{OfficialCode: 3, BranchOffice: 5, Number: 1234, Date: "2026-11-30",
		RecipientName: "Ñandú  & Cía S.A.",
		RecipientType: "CUIT", RecipientNumber: "30500010912", Currency: "USD", Rate: exact("1234.5"),
		Net: exact("300"), Untaxed: exact("1.1"), Exempt: exact("2"), Tax: exact("52.5"), Other: exact("10"),
		Total: exact("365.6"),
		Rates: []country.BookRate{{Code: "4", Base: exact("100"), Amount: exact("10.5")},
			{Code: "5", Base: exact("200"), Amount: exact("42")}},
		Others: map[string]money.Exact{"perc_iibb": exact("7"), "municipal": exact("3")}}
}

func TestALineOfTheBookOfSales(t *testing.T) {
	raw, err := ar.Rules{}.BookLines("cbte", sale())
	if err != nil {
		t.Fatal(err)
	}
	want := "20261130" + "003" + "00005" + "00000000000000001234" + "00000000000000001234" + "80" +
		"00000000030500010912" +
		"\xd1and\xfa & C\xeda S.A." + strings.Repeat(" ", 14) + "000000000036560" + "000000000000110" + "000000000000000" +
		"000000000000200" +
		"000000000000000" + "000000000000700" + "000000000000000" + "000000000000000" + "DOL" + "1234500000" + "2" + " " +
		"000000000000300" + "20261130" + "\r\n"
	if string(raw) != want || len(raw) != 268 {
		t.Errorf("%d bytes\n%q\nwant\n%q", len(raw), raw, want)
	}
	raw, err = ar.Rules{}.BookLines("alicuotas", sale())
	if err != nil {
		t.Fatal(err)
	}
	want = "00300005000000000000000012340000000000100000004000000000001050\r\n" +
		"00300005000000000000000012340000000000200000005000000000004200\r\n"
	if string(raw) != want {
		t.Errorf("%q\nwant\n%q", raw, want)
	}
}

func TestADocumentWithoutARateHasThatOfZero(t *testing.T) {
	l := sale()
	l.Rates = nil
	for name, c := range map[string]struct {
		change    func(*country.BookLine)
		operation string
	}{
		"exempt":  {func(*country.BookLine) {}, "E"},
		"untaxed": {func(l *country.BookLine) { l.Exempt = money.Exact{} }, "N"},
		"export":  {func(l *country.BookLine) { l.OfficialCode = 19 }, "X"},
	} {
		one := l
		c.change(&one)
		raw, err := ar.Rules{}.BookLines("cbte", one)
		if err != nil || string(raw[241:243]) != "1"+c.operation {
			t.Errorf("%s: %q, %v", name, raw[241:243], err)
		}
		raw, err = ar.Rules{}.BookLines("alicuotas", one)
		if err != nil || string(raw[43:47]) != "0003" {
			t.Errorf("%s: %q, %v", name, raw, err)
		}
	}
}

func TestTheDueDateIsNotToldOfExportsAndCreditInvoices(t *testing.T) {
	for code, want := range map[int]string{1: "20261215", 3: "20261215", 19: "00000000", 201: "00000000"} {
		l := sale()
		l.OfficialCode, l.Due = code, "2026-12-15"
		if raw, err := (ar.Rules{}).BookLines("cbte", l); err != nil || string(raw[258:266]) != want {
			t.Errorf("type %d: %q, %v", code, raw, err)
		}
	}
}

func TestWhoIsNotIdentifiedHasTheLegend(t *testing.T) {
	l := sale()
	l.RecipientType, l.RecipientNumber, l.RecipientName = "", "", "Juan"
	raw, err := ar.Rules{}.BookLines("cbte", l)
	if err != nil || string(raw[56:108]) != "99"+strings.Repeat("0", 20)+"CONSUMIDOR FINAL"+strings.Repeat(" ", 14) {
		t.Errorf("%q, %v", raw, err)
	}
}

func TestWhatDoesNotFitTheBookIsRefused(t *testing.T) {
	l := sale()
	l.Total = exact("99999999999999.99")
	if _, err := (ar.Rules{}).BookLines("cbte", l); err == nil || !strings.Contains(err.Error(), "the total") {
		t.Errorf("got %v", err)
	}
}
