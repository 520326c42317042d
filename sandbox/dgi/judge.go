package dgi

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/money"
	"folio/sandbox"
	"folio/sandbox/desk"
)

// examination is the judgement of one document.
type examination struct {
	*call
	q        desk.Querier
	sobre    sobre
	envelope envelope
	d        cfe
	out      document
}

func (x *examination) refuse(code, format string, args ...any) {
	x.out.State, x.out.Remarks = rejected, append(x.out.Remarks, remark{code, fmt.Sprintf(format, args...)})
}

// judge is the verdict on one document (Formato de Mensaje de Respuesta v19, table 4.3).
// Small e-Tickets, which need not be sent, are accepted like others.
func (c *call) judge(q desk.Querier, e envelope, s sobre, d cfe, index int) (document, error) {
	x := &examination{call: c, q: q, sobre: s, envelope: e, d: d,
		out: document{Type: d.kind, Series: d.at("Encabezado/IdDoc/Serie"), Number: d.number(),
			Date:     d.at("Encabezado/IdDoc/FchEmis"),
			SignedAt: d.at("TmstFirma"), Recipient: d.recipient(), Currency: d.at("Encabezado/Totales/TpoMoneda"),
			Rate: d.at("Encabezado/Totales/TpoCambio"), Total: d.total(), State: accepted}}
	if err := d.signed(s.certificate, c.Knobs().TakeSHA1); err != nil {
		x.refuse("E04", "%s", err)
	}
	for _, check := range []func() error{x.numbered, x.authorized, x.referenced} {
		if err := check(); err != nil {
			return x.out, err
		}
	}
	x.formed()
	x.totals()
	for _, f := range c.struck {
		if f.Effect == Reject && f.Document == index {
			x.refuse(cmp.Or(f.Code, "E05"), "%s", f.Text)
		}
	}
	return x.out, nil
}

// numbered wants a number that was neither used nor annulled (E02, E01).
func (x *examination) numbered() error {
	ctx := x.r.Context()
	own := identity{x.environment, x.envelope.ruc, x.out.Type, x.out.Series, x.out.Number}
	before, err := known(ctx, x.q, own)
	if err != nil {
		return err
	}
	for _, b := range append(before, x.envelope.documents...) {
		same := b.Type == x.out.Type && b.Series == x.out.Series && b.Number == x.out.Number
		if same && (b.State == accepted || b.burns()) {
			x.refuse("E02", "")
			break
		}
	}
	annulled, err := reported(ctx, x.q, own, true)
	if annulled {
		x.refuse("E01", "")
	}
	return err
}

// authorized wants CAEData to be a CAE that was given out to this company for this type,
// and the number and the time of signature within it (E03, E07, E09, E11).
func (x *examination) authorized() error {
	said := func(name string) string { return x.d.at("CAEData/" + name) }
	a, found, err := findCAE(x.r.Context(), x.q, said("CAE_ID"))
	if err != nil {
		return err
	}
	from, to := strconv.FormatInt(a.From, 10), strconv.FormatInt(a.To, 10)
	switch {
	case !found:
		x.refuse("E03", "no hay CAE %s", said("CAE_ID"))
		return nil
	case a.RUC != x.envelope.ruc || a.Type != x.out.Type:
		x.refuse("E09", "el CAE %s es de RUC %s y tipo %d", a.Number, a.RUC, a.Type)
		return nil
	case a.Series != x.out.Series || from != said("DNro") || to != said("HNro") || a.Expires != said("FecVenc"):
		x.refuse("E03", "CAEData no es la del CAE %s: serie %s, %s a %s, vence %s", a.Number, a.Series, from, to, a.Expires)
	case x.out.Number < a.From || x.out.Number > a.To:
		x.refuse("E03", "el numero %d no esta entre %s y %s", x.out.Number, from, to)
	}
	at, err := time.Parse(time.RFC3339, x.out.SignedAt)
	day := at.In(Zone).Format(time.DateOnly)
	if err != nil || day > a.Expires || day < a.Issued {
		x.refuse("E07", "firmado el %s, CAE de %s a %s", day, a.Issued, a.Expires)
	}
	x.special(a)
	return nil
}

// special holds a document to the CAE's regime (Formato de CFE v25, G-C5, G-C6, A-C10,
// A-C17, B-C4): E11 where CAEData says another, E05 where the document does.
func (x *examination) special(a authorization) {
	written := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	if said := x.d.at("CAEData/CAEEspecial"); said != written(a.Special) {
		x.refuse("E11", "el CAE %s tiene CAEEspecial %q y el documento dice %q", a.Number, written(a.Special), said)
	}
	if said := x.d.at("CAEData/CausalCAEEsp"); said != written(a.Cause) {
		x.refuse("E11", "el CAE %s tiene CausalCAEEsp %q y el documento dice %q", a.Number, written(a.Cause), said)
	}
	small := a.Special >= 2
	if has := x.d.at("Encabezado/IdDoc/MntBruto") == "3"; has != small &&
		!slices.Contains([]string{"eRem", "eRem_Exp"}, x.d.body.Tag) {
		x.refuse("E05", "MntBruto 3 es de los CAE especiales 2, 3 y 4, y de todos sus documentos")
	}
	if a.Special >= 3 && x.d.at("Encabezado/IdDoc/IVAalDia") != "" {
		x.refuse("E05", "IVAalDia no va con CAEEspecial %d", a.Special)
	}
	for _, item := range x.d.body.FindElements("Detalle/Item") {
		switch kind := textAt(item, "IndFact"); {
		case a.Special == 1 && slices.Contains([]string{"2", "3", "4", "11", "12"}, kind):
			x.refuse("E05", "un exonerado no tiene lineas con IndFact %s", kind)
		case small && slices.Contains([]string{"1", "2", "3", "4"}, kind), !small && kind == "16":
			x.refuse("E05", "IndFact %s no es de CAEEspecial %d", kind, a.Special)
		}
	}
}

// note says whether a type is a credit or debit note; contingency has the same last digits.
func note(kind int) bool {
	return slices.Contains([]int{2, 3}, kind%10) && kind%100 != 82 // 182 and 282 are withholdings
}

// referenced wants notes to say what they correct (E12).
func (x *examination) referenced() error {
	if !note(x.out.Type) {
		return nil
	}
	list := x.d.body.FindElements("Referencia/Referencia")
	if len(list) == 0 {
		x.refuse("E12", "la nota no tiene referencia")
	}
	for i, r := range list {
		text := func(name string) string {
			if e := r.SelectElement(name); e != nil {
				return strings.TrimSpace(e.Text())
			}
			return ""
		}
		if text("IndGlobal") != "" {
			if text("MntCFEref")+text("TpoMonedaRef")+text("TpoCambioRef") != "" {
				x.refuse("E05", "referencia %d: una global no tiene monto, moneda ni cambio", i+1)
			}
			continue
		}
		kind, _ := strconv.Atoi(text("TpoDocRef"))
		number, _ := strconv.ParseInt(text("NroCFERef"), 10, 64)
		named := identity{x.environment, x.envelope.ruc, kind, text("Serie"), number}
		found, err := known(x.r.Context(), x.q, named)
		if err != nil {
			return err
		}
		daily, err := reported(x.r.Context(), x.q, named, false)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(found, func(d document) bool { return d.State == accepted })
		x.changed(i+1, text, found, at)
		if x.Knobs().StrictReferences && !daily && at < 0 {
			x.refuse("E12", "referencia %d: no hay %d %s %d", i+1, kind, text("Serie"), number)
		}
	}
	return nil
}

// changed compares how much of a document a note says to change, and in which currency and
// at which rate, with the document that is held here: found[at], none below 0 (Formato de CFE
// v25, F-C8 to F-C10; E05).
func (x *examination) changed(n int, text func(name string) string, found []document, at int) {
	amount, currency, rate := text("MntCFEref"), text("TpoMonedaRef"), text("TpoCambioRef")
	foreign := currency != "UYU" && currency != ""
	if x.Knobs().RequireAmounts && (amount == "" || currency == "" || foreign && rate == "") {
		x.refuse("E05", "referencia %d: faltan MntCFEref, TpoMonedaRef o TpoCambioRef", n)
	}
	if at < 0 || amount == "" && currency == "" && rate == "" {
		return
	}
	same := func(a, b string) bool {
		x, err := money.Parse(a)
		y, wrong := money.Parse(b)
		return err == nil && wrong == nil && x.Equal(y)
	}
	held := found[at]
	whole, _ := money.Parse(held.Total)
	switch sum, err := money.Parse(amount); {
	case currency != "" && currency != held.Currency:
		x.refuse("E05", "referencia %d: TpoMonedaRef es %s y el documento es en %s", n, currency, held.Currency)
	case foreign && !same(rate, held.Rate):
		x.refuse("E05", "referencia %d: TpoCambioRef es %q y el del documento %s", n, rate, held.Rate)
	case err == nil && whole.Less(sum):
		x.refuse("E05", "referencia %d: MntCFEref %s es mas que el MntPagar %s del documento", n, amount, held.Total)
	}
}

// formed checks what the format says of single fields (Formato de CFE v25): who receives
// it, dates, the exchange rate, the complement.
func (x *examination) formed() {
	d := x.d
	if limit := x.Now().In(Zone).AddDate(0, 0, 60).Format(time.DateOnly); x.out.Date > limit {
		x.refuse("E05", "FchEmis %s es mas de 60 dias posterior", x.out.Date)
	}
	if rate := d.at("Encabezado/Totales/TpoCambio"); x.out.Currency != "" && x.out.Currency != "UYU" {
		if v, err := money.Parse(rate); err != nil || v.Sign() <= 0 {
			x.refuse("E10", "falta TpoCambio para %s", x.out.Currency)
		}
	}
	if own := d.at("Compl_Fiscal/Compl_Fiscal_Data/RUCEmisor"); own != "" && own != x.envelope.ruc {
		x.refuse("E08", "Complemento Fiscal de RUC %s", own)
	}
	x.recipient()
	if n := strconv.Itoa(len(d.body.FindElements("Detalle/Item"))); d.at("Encabezado/Totales/CantLinDet") != n {
		x.refuse("E05", "CantLinDet no es %s", n)
	}
}

// recipient checks the identity of who receives the document, and that it is there.
func (x *examination) recipient() {
	kind, number, place := x.d.at("Encabezado/Receptor/TipoDocRecep"), x.d.at("Encabezado/Receptor/DocRecep"),
		x.d.at("Encabezado/Receptor/CodPaisRecep")
	both := number != "" && x.d.at("Encabezado/Receptor/DocRecepExt") != ""
	_, badRUC := sandbox.ParseRUC(number)
	switch {
	case both:
		x.refuse("E05", "DocRecep y DocRecepExt a la vez")
	case kind == "2" && badRUC != nil:
		x.refuse("E05", "%s", badRUC)
	case kind == "3" && !sandbox.ValidCI(number):
		x.refuse("E05", "la cedula %.20q no es valida", number)
	case (kind == "2" || kind == "3") && place != "UY":
		x.refuse("E05", "CodPaisRecep no es UY")
	case x.d.body.Tag == "eFact" && kind != "2":
		x.refuse("E05", "una e-Factura es a un RUC: TipoDocRecep 2")
	case x.d.body.Tag == "eTck" && x.d.recipient() == "" && x.aboveThreshold():
		x.refuse("E05", "falta quien recibe: supera 5.000 UI")
	}
}

// aboveThreshold compares the net amount in pesos with the knob.
func (x *examination) aboveThreshold() bool {
	limit := x.Knobs().IdentifyFrom
	if limit.IsZero() {
		return false
	}
	t := x.amounts()
	net := t["MntTotal"].Sub(t["MntIVATasaMin"]).Sub(t["MntIVATasaBasica"]).Sub(t["MntIVAOtra"])
	if rate, err := money.Parse(x.d.at("Encabezado/Totales/TpoCambio")); err == nil && rate.Sign() > 0 {
		if net.WholeDigits()+rate.WholeDigits() > maxDigits {
			return net.Sign() > 0 // more than any threshold, and than exact decimals hold
		}
		net = net.Mul(rate)
	}
	return limit.Less(net)
}

// marks are the faults that documents ask for.
func (c *call) marks(e sobre) []desk.Fault {
	documents := make([]desk.Marked, len(e.documents))
	for i, d := range e.documents {
		documents[i] = desk.Marked{Identity: d.text,
			Faults: append(marking.ByNumber(markedNumber(d)), c.ByText(marking, d.text)...)}
	}
	return c.Due(marking, c.environment, c.message.ruc, documents)
}
