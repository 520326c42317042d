package uy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

// reported is a document as the report sees it: its sums, currency, branch and date.
func reported(code int, series string, number int64, date string, change func(*events.Document)) country.Issued {
	dec := money.MustParse
	d := events.Document{OfficialCode: code, Date: date + " 10:00:00",
		Currency:   events.Currency{Code: "UYU", Rate: dec("1")},
		HeaderInfo: []byte(`{"issuer":{"branch_code":"2"}}`),
		Totals: events.Totals{Total: dec("142"), Taxes: []events.TotalTax{
			{Type: "iva22", BaseAmount: dec("100"), Amount: dec("22")}, {Type: "exempt", BaseAmount: dec("20")}}}}
	if change != nil {
		change(&d)
	}
	return country.Issued{Document: d, Series: series, Number: number}
}

func small(d *events.Document) {
	d.HeaderInfo = []byte(`{"daily_report_only":true,"issuer":{"branch_code":"2"}}`)
}

var reportAt = time.Date(2026, 11, 28, 5, 0, 0, 0, time.UTC)

func newReport() country.DailyReport {
	return uy.Rules{}.NewDailyReport(country.ReportHead{TaxIdentifier: "217111220014", Day: "2026-11-27"})
}

// in wants parts in this order in a report.
func in(t *testing.T, r country.DailyReport, parts ...string) {
	t.Helper()
	content, err := r.Content(3, reportAt)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(content)
	for _, p := range parts {
		_, after, ok := strings.Cut(rest, p)
		if !ok {
			t.Fatalf("%s\nis not, in its place, in\n%s", p, content)
		}
		rest = after
	}
}

func TestDailyReport(t *testing.T) {
	r := newReport()
	usd := func(d *events.Document) {
		d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("39.55")}
		d.Totals.Taxes = []events.TotalTax{{Type: "exempt", BaseAmount: money.MustParse("10.01")}}
	}
	for _, i := range []country.Issued{
		reported(101, "A", 2, "2026-11-27", small), reported(101, "A", 1, "2026-11-27", small),
		reported(101, "A", 4, "2026-11-26", nil),
		reported(101, "B", 1, "2026-11-27", small), reported(112, "A", 9, "2026-11-27", nil),
		reported(121, "A", 7, "2026-11-27", usd),
		reported(181, "A", 5, "2026-11-27", nil),
	} {
		if err := r.Issued(i); err != nil {
			t.Fatal(err)
		}
	}
	r.Refused(101, "A", 3, []events.AuthorityMessage{{Code: "E05"}})
	r.Refused(101, "A", 9, []events.AuthorityMessage{{Code: "E02"}}) // another document has it
	r.Refused(101, "A", 9, []events.AuthorityMessage{{Code: events.CodeNumberTaken}})
	r.Refused(111, "A", 9, []events.AuthorityMessage{{Code: "E04"}, {Code: "E09"}})
	const amount = `<TotMntNoGrv>%s</TotMntNoGrv><TotMntIVATasaMin>0.00</TotMntIVATasaMin><TotMntIVATasaBas>%s</TotMntIVATasaBas>` +
		`<MntIVATasaMin>0.00</MntIVATasaMin><MntIVATasaBas>%s</MntIVATasaBas><IVATasaMin>10.000</IVATasaMin><IVATasaBas>22.000</IVATasaBas><TotMntTotal>%s</TotMntTotal></Mnts_FyT_Item>`
	in(t, r, `<Reporte xmlns="http://cfe.dgi.gub.uy"><Caratula version="1.0"><RUCEmisor>217111220014</RUCEmisor><FechaResumen>2026-11-27</FechaResumen><SecEnvio>3</SecEnvio>`+
		`<TmstFirmaEnv>2026-11-28T02:00:00-03:00</TmstFirmaEnv><CantComprobantes>8</CantComprobantes></Caratula>`,
		`<Rsmn_Tck><TipoComp>101</TipoComp><RsmnData><Montos><Mnts_FyT_Item><Fecha>2026-11-26</Fecha><CodSuc>2</CodSuc>`+
			fmt.Sprintf(amount, "20.00", "100.00", "22.00", "142.00"),
		`<Mnts_FyT_Item><Fecha>2026-11-27</Fecha><CodSuc>2</CodSuc>`+
			fmt.Sprintf(amount, "60.00", "300.00", "66.00", "426.00")+`</Montos>`,
		`<CantDocsUtil>5</CantDocsUtil><CantDocsMay_topeUI>1</CantDocsMay_topeUI><CantDocsAnulados>1</CantDocsAnulados><CantDocsEmi>4</CantDocsEmi>`+
			`<RngDocsUtil><RDU_Item><Serie>A</Serie><NroDesde>1</NroDesde><NroHasta>4</NroHasta></RDU_Item><RDU_Item><Serie>B</Serie><NroDesde>1</NroDesde><NroHasta>1</NroHasta></RDU_Item></RngDocsUtil>`+
			`<RngDocsAnulados><RDA_Item><Serie>A</Serie><NroDesde>3</NroDesde><NroHasta>3</NroHasta></RDA_Item></RngDocsAnulados></RsmnData></Rsmn_Tck>`,
		`<Rsmn_Fac_Nota_Credito><TipoComp>112</TipoComp>`,
		`<Rsmn_Fac_Exp><TipoComp>121</TipoComp><RsmnData><Montos><Mnts_FExp_Item><Fecha>2026-11-27</Fecha><CodSuc>2</CodSuc><TotMntExpyAsim>395.90</TotMntExpyAsim><TotMntTotal>395.90</TotMntTotal>`,
		`<Rsmn_Rem><TipoComp>181</TipoComp><RsmnData><CantDocsUtil>1</CantDocsUtil><CantDocsAnulados>0</CantDocsAnulados><CantDocsEmi>1</CantDocsEmi>`)
	if content, _ := r.Content(3, reportAt); strings.Contains(string(content), "<TipoComp>111</TipoComp>") {
		t.Error("a number that is not burnt is reported")
	}
	if used, annulled := r.Counts(); used != 8 || annulled != 1 {
		t.Errorf("%d used, %d annulled, want 8 and 1", used, annulled)
	}
}

func TestADayWithoutDocuments(t *testing.T) {
	in(t, newReport(), `<CantComprobantes>0</CantComprobantes></Caratula></Reporte>`)
}

func TestTheOrderOfDocumentsDoesNotMatter(t *testing.T) {
	var want []byte
	for round := range uint64(20) {
		r, rnd := newReport(), rand.New(rand.NewPCG(round, 1))
		for _, n := range rnd.Perm(30) {
			if n%7 == 3 {
				r.Refused(101, "A", int64(n+1), nil)
			} else if err := r.Issued(reported(101, "A", int64(n+1), fmt.Sprintf("2026-11-%02d", 25+n%3), nil)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := r.Content(1, reportAt)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if string(got) != string(want) {
			t.Fatalf("round %d: the report differs\n%s\n%s", round, got, want)
		}
	}
}

func TestWhatAReportCannotHoldIsRefused(t *testing.T) {
	if _, err := newReport().Content(100, reportAt); err == nil || !strings.Contains(err.Error(), "SecEnvio") {
		t.Errorf("a sequence of three digits: %v", err)
	}
	huge := reported(101, "A", 1, "2026-11-27", func(d *events.Document) {
		d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("999999")}
		d.Totals.Taxes[0].BaseAmount = money.MustParse("9999999999999")
	})
	if err := newReport().Issued(huge); err == nil {
		t.Error("an amount of nineteen digits is taken")
	}
	if err := newReport().Issued(reported(999, "A", 1, "2026-11-27", nil)); err == nil {
		t.Error("an unknown type is taken")
	}
}

func TestTheReportIsDueEarlyOnTheNextDayOfUruguay(t *testing.T) {
	for day, want := range map[string]string{"2026-11-27": "2026-11-28T05:00:00Z", "2026-12-31": "2027-01-01T05:00:00Z"} {
		if got := (uy.Rules{}).ReportDue(day).UTC().Format(time.RFC3339); got != want {
			t.Errorf("the report of %s is due at %s, want %s", day, got, want)
		}
	}
}
