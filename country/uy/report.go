package uy

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

var _ country.DailyReporter = Rules{}

// reportHour is when the report of the day before is made. Which hour DGI expects is not
// said in what it publishes; the operator can set another.
const reportHour = 2

// ReportDue is two o'clock of the next day in Uruguay.
func (Rules) ReportDue(day string) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, day, location)
	if err != nil {
		return time.Time{}
	}
	return time.Date(t.Year(), t.Month(), t.Day()+1, reportHour, 0, 0, 0, location)
}

// NewDailyReport begins DGI's reporte diario (Formato de Reporte v13.2): per type the
// numbers that were used and those of them that are annulled, as counts and ranges, and
// the amounts in pesos by date of the document and branch. An annulled number is one that
// DGI refused; a document that a credit note undoes is none.
//
// Names and order of the elements are those of the schema ReporteDiarioCFE 1.44.2 as far
// as it is known here: RsmnData of e-Tickets with Montos_FyT, and exports with Montos_FExp
// and Montos_Rem_Exp, whose items have names of their own (classes that others generated
// from the schema). Unverified are that e-Facturas have the parts of e-Tickets without
// CantDocsMay_topeUI, and e-Remitos those without amounts, that CantComprobantes is the
// sum of CantDocsUtil, and that CantDocsUtil counts annulled numbers.
//
// Foreign amounts are converted at the document's own rate. The norm is the central
// bank's buying rate of the day before: a document with another rate is reported with it.
func (Rules) NewDailyReport(h country.ReportHead) country.DailyReport {
	return &dailyReport{head: h, types: map[int]*reportedType{}}
}

type dailyReport struct {
	head  country.ReportHead
	types map[int]*reportedType
}

// reportedType is what the report says of one type of document.
type reportedType struct {
	above    int64 // e-Tickets above the threshold
	used     []reportedNumber
	annulled []reportedNumber
	amounts  map[reportedPlace]cfeSums
}

type reportedNumber struct {
	series string
	number int64
}

// reportedPlace is what amounts are added up by.
type reportedPlace struct{ date, branch string }

func (r *dailyReport) of(code int) *reportedType {
	t := r.types[code]
	if t == nil {
		t = &reportedType{amounts: map[reportedPlace]cfeSums{}}
		r.types[code] = t
	}
	return t
}

// Issued adds a document.
func (r *dailyReport) Issued(i country.Issued) error {
	d := i.Document
	if _, ok := kindOf(d.OfficialCode); !ok {
		return fmt.Errorf("daily report: %d is no kind of document", d.OfficialCode)
	}
	t := r.of(d.OfficialCode)
	t.used = append(t.used, reportedNumber{i.Series, i.Number})
	h, _ := ParseHeader(d.HeaderInfo)
	if IsTicket(d.OfficialCode) && !h.DailyReportOnly && !h.BelowThreshold {
		t.above++
	}
	if d.OfficialCode == codeRemito {
		return nil
	}
	place := reportedPlace{country.DayOf(d.Date), cmp.Or(h.Issuer[FieldBranchCode], "0")}
	inPesos, err := sumsOf(d).pesos(d.Currency)
	if err != nil {
		return err
	}
	t.amounts[place], err = t.amounts[place].plus(inPesos)
	return err
}

// notBurnt are the refusals after which the number is not annulled: another document has
// it (E02, or an operator who saw it), or it is none of the CAE (E09). MSG19 §1.
var notBurnt = []string{"E02", "E09", events.CodeNumberTaken}

// Refused adds an annulled number.
func (r *dailyReport) Refused(code int, series string, number int64, reasons []events.AuthorityMessage) {
	if slices.ContainsFunc(reasons, func(m events.AuthorityMessage) bool { return slices.Contains(notBurnt, m.Code) }) {
		return
	}
	t, n := r.of(code), reportedNumber{series, number}
	t.used, t.annulled = append(t.used, n), append(t.annulled, n)
}

// Counts are those of all types.
func (r *dailyReport) Counts() (used, annulled int64) {
	for _, t := range r.types {
		used, annulled = used+int64(len(t.used)), annulled+int64(len(t.annulled))
	}
	return used, annulled
}

// maxReportDigits bounds amounts: those of the schema have 15 digits before the point.
const maxReportDigits = 15

var errReportTooLarge = errors.New("daily report: an amount in pesos has more than 15 digits")

// pesos are sums in local currency, each rounded to cents, half away from zero.
func (s cfeSums) pesos(c events.Currency) (cfeSums, error) {
	if c.Code == localCurrency || c.Code == "" {
		return s, nil
	}
	for _, a := range s.all() {
		if a.WholeDigits()+c.Rate.WholeDigits() > maxReportDigits || !country.Bounded(c.Rate) {
			return s, errReportTooLarge
		}
		*a = a.Round(places).Mul(c.Rate.Round(3)).Round(places)
	}
	return s, nil
}

// all are the sums that the report tells.
func (s *cfeSums) all() []*money.Decimal {
	return []*money.Decimal{&s.exempt, &s.minimum, &s.basic, &s.minimumTax, &s.basicTax}
}

func (s cfeSums) plus(more cfeSums) (cfeSums, error) {
	to, from := s.all(), more.all()
	for i := range to {
		if *to[i] = to[i].Add(*from[i]); to[i].WholeDigits() > maxReportDigits {
			return s, errReportTooLarge
		}
	}
	return s, nil
}

// ranges are numbers as ranges without gaps, by series and number.
func ranges(numbers []reportedNumber) []reportRange {
	slices.SortFunc(numbers, func(a, b reportedNumber) int {
		return cmp.Or(cmp.Compare(a.series, b.series), cmp.Compare(a.number, b.number))
	})
	var out []reportRange
	for _, n := range numbers {
		if last := len(out) - 1; last >= 0 && out[last].Serie == n.series && out[last].NroHasta+1 == n.number {
			out[last].NroHasta = n.number
			continue
		}
		out = append(out, reportRange{n.series, n.number, n.number})
	}
	return out
}

// sortedPlaces are the places of amounts, by date and branch.
func (t *reportedType) sortedPlaces() []reportedPlace {
	var out []reportedPlace
	for place := range t.amounts {
		out = append(out, place)
	}
	slices.SortFunc(out, func(a, b reportedPlace) int {
		return cmp.Or(cmp.Compare(a.date, b.date), cmp.Compare(len(a.branch), len(b.branch)), cmp.Compare(a.branch, b.branch))
	})
	return out
}

// maxSequence and the others are limits of the schema.
const (
	maxSequence     = 99
	maxReportRanges = 10_000
)

// Content is the unsigned Reporte element; TmstFirmaEnv is at in Uruguay's time. It
// refuses what the schema has no room for.
func (r *dailyReport) Content(sequence int, at time.Time) ([]byte, error) {
	if sequence > maxSequence {
		return nil, fmt.Errorf("daily report: SecEnvio %d has more than two digits", sequence)
	}
	used, _ := r.Counts()
	x := reportDocument{Namespace: Namespace,
		Caratula: reportCover{Version: "1.0", RUCEmisor: r.head.TaxIdentifier, FechaResumen: r.head.Day, SecEnvio: sequence,
			TmstFirmaEnv: stamp(at), CantComprobantes: used}}
	for _, b := range reportBlocks {
		t := r.types[b.code]
		if t == nil || len(t.used) == 0 {
			continue
		}
		block := t.block(b.name, b.code)
		if _, most := reportItem(b.code); len(block.Data.Used.Items) > maxReportRanges || block.Data.Amounts != nil &&
			len(block.Data.Amounts.Items) > most {
			return nil, fmt.Errorf("daily report: type %d has more ranges or branches than a report can hold", b.code)
		}
		x.Blocks = append(x.Blocks, block)
	}
	out, err := xml.Marshal(x)
	if err != nil {
		return nil, fmt.Errorf("daily report: %w", err)
	}
	return out, nil
}

func (t *reportedType) block(name string, code int) reportBlock {
	b := reportBlock{XMLName: xml.Name{Local: name}, TipoComp: code, Data: reportData{
		CantDocsUtil: len(t.used), CantDocsAnulados: len(t.annulled), CantDocsEmi: len(t.used) - len(t.annulled),
		Used: reportUsed{ranges(t.used)}}}
	if len(t.annulled) > 0 {
		b.Data.Annulled = &reportAnnulled{ranges(t.annulled)}
	}
	if IsTicket(code) {
		b.Data.CantDocsMayTopeUI = strconv.FormatInt(t.above, 10)
	}
	for _, place := range t.sortedPlaces() {
		if b.Data.Amounts == nil {
			b.Data.Amounts = &reportAmounts{}
		}
		b.Data.Amounts.Items = append(b.Data.Amounts.Items, amountsOf(code, place, t.amounts[place]))
	}
	return b
}

func amountsOf(code int, place reportedPlace, s cfeSums) reportAmount {
	name, _ := reportItem(code)
	a := reportAmount{XMLName: xml.Name{Local: name}, Fecha: place.date, CodSuc: place.branch,
		TotMntTotal: cents(s.total())}
	if IsExport(code) {
		a.TotMntExpyAsim = cents(s.exempt)
		return a
	}
	a.TotMntNoGrv, a.TotMntIVATasaMin, a.TotMntIVATasaBas = cents(s.exempt), cents(s.minimum), cents(s.basic)
	a.MntIVATasaMin, a.MntIVATasaBas = cents(s.minimumTax), cents(s.basicTax)
	a.IVATasaMin, a.IVATasaBas = "10.000", "22.000"
	return a
}
