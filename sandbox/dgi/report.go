package dgi

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"folio/authority/schema"
)

// Report is a daily report as it was read (Formato de Reporte v13.2).
type Report struct {
	Environment string    `json:"environment"`
	RUC         string    `json:"ruc"`
	Date        string    `json:"date"`     // FechaResumen
	Sequence    int       `json:"sequence"` // SecEnvio
	Documents   int64     `json:"documents"`
	Summaries   []Summary `json:"summaries"`
	XML         string    `json:"xml,omitempty"`
}

// Summary is what a report says of one document type.
type Summary struct {
	Type     int     `json:"type"`
	Used     int64   `json:"used"`
	Annulled int64   `json:"annulled"`
	Issued   int64   `json:"issued"`
	Above    int64   `json:"above_threshold"` // CantDocsMay_topeUI
	Numbers  []Range `json:"numbers,omitempty"`
	Voided   []Range `json:"voided,omitempty"`
}

// Range is one of numbers.
type Range struct {
	Series string `json:"series"`
	From   int64  `json:"from"`
	To     int64  `json:"to"`
}

// block is a summary's name, with its document type.
type block struct {
	name string
	code int
}

// blocks are those of a report, in their order.
var blocks = []block{
	{"Rsmn_Tck", 101}, {"Rsmn_Tck_Nota_Credito", 102}, {"Rsmn_Tck_Nota_Debito", 103}, {"Rsmn_Tck_Cont", 201},
	{"Rsmn_Tck_Cont_Nota_Credito", 202}, {"Rsmn_Tck_Cont_Nota_Debito", 203},
	{"Rsmn_Tck_CtaAj", 131}, {"Rsmn_Tck_Nota_Credito_CtaAj", 132}, {"Rsmn_Tck_Nota_Debito_CtaAj", 133},
	{"Rsmn_Tck_CtaAj_Cont", 231}, {"Rsmn_Tck_CtaAj_Cont_Nota_Credito", 232}, {"Rsmn_Tck_CtaAj_Cont_Nota_Debito", 233},
	{"Rsmn_Fac", 111}, {"Rsmn_Fac_Nota_Credito", 112}, {"Rsmn_Fac_Nota_Debito", 113}, {"Rsmn_Fac_Cont", 211},
	{"Rsmn_Fac_Cont_Nota_Credito", 212}, {"Rsmn_Fac_Cont_Nota_Debito", 213},
	{"Rsmn_Fac_CtaAj", 141}, {"Rsmn_Fac_Nota_Credito_CtaAj", 142}, {"Rsmn_Fac_Nota_Debito_CtaAj", 143},
	{"Rsmn_Fac_CtaAj_Cont", 241}, {"Rsmn_Fac_CtaAj_Cont_Nota_Credito", 242}, {"Rsmn_Fac_CtaAj_Cont_Nota_Debito", 243},
	{"Rsmn_Fac_Exp", 121}, {"Rsmn_Fac_Exp_Nota_Credito", 122}, {"Rsmn_Fac_Exp_Nota_Debito", 123},
	{"Rsmn_Fac_Exp_Cont", 221}, {"Rsmn_Fac_Exp_Cont_Nota_Credito", 222}, {"Rsmn_Fac_Exp_Cont_Nota_Debito", 223},
	{"Rsmn_Rem", 181}, {"Rsmn_Rem_Cont", 281}, {"Rsmn_Rem_Exp", 124}, {"Rsmn_Rem_Exp_Cont", 224}, {"Rsmn_Resg", 182},
	{"Rsmn_Resg_Cont", 282},
	{"Rsmn_Bol", 151}, {"Rsmn_Bol_Nota_Credito", 152}, {"Rsmn_Bol_Nota_Debito", 153}, {"Rsmn_Bol_Cont", 251},
	{"Rsmn_Bol_Cont_Nota_Credito", 252}, {"Rsmn_Bol_Cont_Nota_Debito", 253},
}

// readReport reads a report and its root; a remark says why it is refused.
func readReport(text string) (Report, *etree.Element, *remark) {
	out := Report{XML: text}
	doc := etree.NewDocument()
	if strings.Contains(text, "<!") {
		return out, nil, &remark{"R01", "no se admite DTD, comentario ni CDATA"}
	}
	if err := doc.ReadFromString(strings.TrimSpace(text)); err != nil || doc.Root() == nil {
		return out, nil, &remark{"R01", "no es XML"}
	}
	root := doc.Root()
	parts := root.ChildElements()
	if root.Tag != "Reporte" || len(parts) < 2 || parts[0].Tag != "Caratula" || parts[len(parts)-1].Tag != "Signature" {
		return out, nil, &remark{"R01", "no es Reporte con Caratula y Signature"}
	}
	last := len(parts) - 1
	for _, p := range parts[:last] {
		if err := foreign(p); err != nil {
			return out, nil, &remark{"R01", err.Error()}
		}
	}
	if err := schema.Report("Caratula").Check(parts[0]); err != nil {
		return out, nil, &remark{"R04", err.Error()}
	}
	out.RUC, out.Date = textAt(parts[0], "RUCEmisor"), textAt(parts[0], "FechaResumen")
	out.Sequence, _ = strconv.Atoi(textAt(parts[0], "SecEnvio"))
	out.Documents = countAt(parts[0], "CantComprobantes")
	next := 0
	for _, p := range parts[1:last] {
		at := slices.IndexFunc(blocks[next:], func(b block) bool { return b.name == p.Tag })
		if at < 0 {
			return out, nil, &remark{"R04", fmt.Sprintf("%.40s no va en ese lugar", p.Tag)}
		}
		next += at + 1
		s, err := readSummary(p, blocks[next-1].code)
		if err != nil {
			return out, nil, &remark{"R04", p.Tag + ": " + err.Error()}
		}
		out.Summaries = append(out.Summaries, s)
	}
	return out, root, nil
}

// readSummary reads a block and wants its counts to agree with each other and with its
// ranges.
func readSummary(e *etree.Element, code int) (Summary, error) {
	s := Summary{Type: code}
	parts := e.ChildElements()
	if len(parts) != 2 || textAt(e, "TipoComp") != strconv.Itoa(code) || parts[1].Tag != "RsmnData" {
		return s, fmt.Errorf("lleva TipoComp %d y RsmnData", code)
	}
	data := parts[1]
	rule := "RsmnData"
	switch code % 100 {
	case 21, 22, 23:
		rule = "RsmnData_Exp"
	case 24:
		rule = "RsmnData_Rem_Exp"
	}
	if err := schema.Report(rule).Check(data); err != nil {
		return s, err
	}
	s.Used, s.Annulled, s.Issued, s.Above = countAt(data, "CantDocsUtil"), countAt(data, "CantDocsAnulados"),
		countAt(data, "CantDocsEmi"), countAt(data, "CantDocsMay_topeUI")
	var used, annulled int64
	s.Numbers, used = readRanges(data.FindElements("RngDocsUtil/RDU_Item"))
	s.Voided, annulled = readRanges(data.FindElements("RngDocsAnulados/RDA_Item"))
	switch {
	case used != s.Used:
		return s, fmt.Errorf("CantDocsUtil %d, sus rangos tienen %d", s.Used, used)
	case annulled != s.Annulled:
		return s, fmt.Errorf("CantDocsAnulados %d, sus rangos tienen %d", s.Annulled, annulled)
	case s.Issued != s.Used-s.Annulled:
		return s, fmt.Errorf("CantDocsEmi %d no es %d utilizados menos %d anulados", s.Issued, s.Used, s.Annulled)
	}
	return s, nil
}

func readRanges(items []*etree.Element) (out []Range, n int64) {
	for _, i := range items {
		r := Range{textAt(i, "Serie"), countAt(i, "NroDesde"), countAt(i, "NroHasta")}
		out, n = append(out, r), n+max(0, r.To-r.From+1)
	}
	return out, n
}

func countAt(e *etree.Element, path string) int64 {
	n, _ := strconv.ParseInt(textAt(e, path), 10, 64)
	return n
}

// signedReport wants the report's signature to be of the caller's certificate.
func signedReport(root *etree.Element, certificate *x509.Certificate, old bool) error {
	return verify(root.SelectElement("Signature"), certificate, old, func(uri string) (*etree.Element, error) {
		if uri != "" {
			return nil, errors.New("la firma no refiere al reporte entero")
		}
		return root, nil
	})
}
