package sii

import (
	"cmp"
	"encoding/base64"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"

	"folio/sandbox/desk"
)

// siiRUT receives every envelope.
const siiRUT = "60803000-K"

// wanted is the text of a verdict that was asked for by its code alone.
const wanted = "Pedido al simulador por una marca o una falla"

// judgeSet is the ESTADO of an envelope: EPR when its documents are to be judged, or
// why it is refused as a whole.
func (c *call) judgeSet(s sending, e set) string {
	if f, ok := c.fault(Cover); ok {
		if f.Code == "" {
			return "RCT"
		}
		return f.Code
	}
	target := e.root.SelectElement("SetDTE")
	by, err := verify(target, e.root.SelectElement("Signature"))
	if err != nil || c.trusts(by.certificate) != nil {
		return "RFR"
	}
	wanted, listed := c.Knobs().Resolutions[s.issuer]
	switch {
	case e.cover["RutEmisor"] != s.issuer, e.cover["RutEnvia"] != s.sender, e.cover["RutReceptor"] != siiRUT,
		by.rut != s.sender:
		return "RCT"
	case listed && wanted != e.cover["NroResol"]+" "+e.cover["FchResol"]:
		return "RCT"
	}
	return "EPR"
}

// judge is the verdict on one document.
func (c *call) judge(q desk.Querier, issuer string, d dte, index int) (document, error) {
	out := document{Date: d.at("Encabezado/IdDoc/FchEmis"), Recipient: d.at("Encabezado/Receptor/RUTRecep"),
		Amount:    d.at("Encabezado/Totales/MntTotal"),
		Signature: d.signature(), Outcome: passed}
	out.Type, _ = strconv.Atoi(d.at("Encabezado/IdDoc/TipoDTE"))
	out.Folio, _ = strconv.ParseInt(d.at("Encabezado/IdDoc/Folio"), 10, 64)
	refuse := func(code, text string) {
		out.Outcome, out.Remarks = refused, append(out.Remarks, remark{code, text})
	}
	if !c.signedAsItIs(d) {
		refuse("DTE-3-505", "Firma del DTE incorrecta")
	}
	if d.at("Encabezado/Emisor/RUTEmisor") != issuer {
		refuse("HED-3-305", "RUT del emisor no corresponde")
	}
	c.judgeStamp(d, out, refuse)
	if expired := c.expired(d, out); expired && !c.Knobs().TakeExpired {
		refuse("CAF-3-517", "CAF vencido")
	} else if expired {
		out.Outcome, out.Remarks = remarked, append(out.Remarks, remark{"CAF-2-517", "CAF vencido"})
	}
	if out.Type == 56 || out.Type == 61 || out.Type == 111 || out.Type == 112 {
		if d.at("Referencia/FolioRef") == "" || d.at("Referencia/CodRef") == "" {
			refuse("REF-3-750", "Falta referencia con su codigo")
		}
	}
	for _, r := range totalsOf(d.body) {
		refuse(r.Code, r.Text)
	}
	if c.Knobs().RequireTransit && moves(d, out.Type) {
		for _, missing := range transitFaults(d, out.Type) {
			refuse("TRA-3-154", "Falta "+missing+" del traslado de mercaderias")
		}
	}
	before, err := known(c.r.Context(), q, numbered{c.environment, issuer, out.Type, out.Folio})
	if err != nil {
		return out, err
	}
	for _, b := range before {
		switch {
		case b.Outcome == refused:
		case b.Date == out.Date && b.Recipient == out.Recipient && b.Amount == out.Amount:
			refuse("DTE-3-100", "DTE repetido")
		default:
			refuse("DTE-3-101", "Folio ya fue utilizado con otros datos")
		}
	}
	for _, f := range c.struck {
		switch {
		case f.Document != index:
		case f.Effect == Reject:
			refuse(f.Code, cmp.Or(f.Text, wanted))
		case f.Effect == Remark && out.Outcome == passed:
			out.Outcome, out.Remarks = remarked, append(out.Remarks, remark{f.Code, cmp.Or(f.Text, wanted)})
		}
	}
	return out, nil
}

// transitData are the elements that a document which covers goods in transit must have; a
// plate may be told in words.
var transitData = []string{"RUTTrans", "Chofer/RUTChofer", "Chofer/NombreChofer", "DirDest", "CmnaDest", "FchSalida",
	"HraSalida"}

// transitFaults are what a document does not say of the goods that it covers: how and by
// whom they go, a plate or that none is known in words, and of each line how much and, in a
// sale, at what price.
func transitFaults(d dte, code int) (missing []string) {
	for _, path := range transitData {
		if d.at("Encabezado/Transporte/"+path) == "" {
			missing = append(missing, path)
		}
	}
	words := slices.ContainsFunc(d.body.FindElements("Detalle/DscItem"), func(e *etree.Element) bool {
		return strings.Contains(strings.ToLower(e.Text()), "patente")
	})
	if d.at("Encabezado/Transporte/Patente") == "" && !words {
		missing = append(missing, "Patente")
	}
	for _, l := range d.body.FindElements("Detalle") {
		for _, name := range []string{"QtyItem", "UnmdItem", "PrcItem"} {
			free := name == "PrcItem" && code == 52 && d.at("Encabezado/IdDoc/IndTraslado") != "1"
			if textAt(l, name) == "" && !free {
				missing = append(missing, name+" de la linea "+textAt(l, "NroLinDet"))
			}
		}
	}
	return missing
}

// moves says that a document covers goods in transit itself; those of a factura that names
// a guía go with that.
func moves(d dte, code int) bool {
	if code != 52 && slices.ContainsFunc(d.body.FindElements("Referencia/TpoDocRef"), func(e *etree.Element) bool {
		return slices.Contains([]string{"50", "52"}, e.Text())
	}) {
		return false
	}
	way := d.at("Encabezado/IdDoc/TipoDespacho")
	return code == 52 || (code == 33 || code == 34) && (way == "2" || way == "3")
}

// overSixMonths counts by the calendar: a day that the sixth month lacks is its last one.
func overSixMonths(from, now time.Time) bool {
	end := time.Date(from.Year(), from.Month()+6, from.Day(), 0, 0, 0, 0, from.Location())
	for end.Month() != (from.Month()+5)%12+1 {
		end = end.AddDate(0, 0, -1)
	}
	return !now.Before(end.AddDate(0, 0, 1))
}

// signedAsItIs takes a signature that holds for the document alone or where it stands.
func (c *call) signedAsItIs(d dte) bool {
	by, err := verify(d.body, d.alone.SelectElement("Signature"))
	if err != nil {
		by, err = verify(d.inPlace.ChildElements()[0], d.inPlace.SelectElement("Signature"))
	}
	return err == nil && c.trusts(by.certificate) == nil
}

var (
	blank     = regexp.MustCompile(`>\s+<`)
	ddText    = regexp.MustCompile(`(?s)<DD>.*</DD>`)
	daText    = regexp.MustCompile(`(?s)<DA>.*</DA>`)
	stampText = regexp.MustCompile(`(?s)<TED .*</TED>`)
)

// judgeStamp verifies FRMA with the sandbox's key, FRMT with the CAF's, and that the
// stamp says what the document says.
func (c *call) judgeStamp(d dte, doc document, refuse func(code, text string)) {
	stamp := blank.ReplaceAllString(stampText.FindString(d.text), "><")
	public := &c.folios.key.PublicKey
	if d.at("TED/DD/CAF/DA/IDK") != strconv.Itoa(KeyID) ||
		!signedText(daText.FindString(stamp), d.at("TED/DD/CAF/FRMA"), public.N, big.NewInt(int64(public.E))) {
		refuse("CAF-3-516", "Firma del CAF incorrecta")
	}
	n, e := decodeInt(d.at("TED/DD/CAF/DA/RSAPK/M")), decodeInt(d.at("TED/DD/CAF/DA/RSAPK/E"))
	if !signedText(ddText.FindString(stamp), d.at("TED/FRMT"), n, e) {
		refuse("TED-3-510", "Firma del timbre incorrecta")
	}
	from, _ := strconv.ParseInt(d.at("TED/DD/CAF/DA/RNG/D"), 10, 64)
	to, _ := strconv.ParseInt(d.at("TED/DD/CAF/DA/RNG/H"), 10, 64)
	kind, issuer := strconv.Itoa(doc.Type), d.at("Encabezado/Emisor/RUTEmisor")
	for _, same := range [][2]string{
		{d.at("TED/DD/RE"), issuer}, {d.at("TED/DD/CAF/DA/RE"), issuer}, {d.at("TED/DD/TD"), kind},
		{d.at("TED/DD/CAF/DA/TD"), kind},
		{d.at("TED/DD/F"), strconv.FormatInt(doc.Folio, 10)}, {d.at("TED/DD/FE"), doc.Date},
		{d.at("TED/DD/RR"), doc.Recipient}, {d.at("TED/DD/MNT"), doc.Amount},
	} {
		if same[0] != same[1] {
			refuse("TED-3-511", "El timbre dice "+same[0]+" y el documento "+same[1])
		}
	}
	if doc.Folio < from || doc.Folio > to {
		refuse("CAF-3-515", "Folio fuera del rango del CAF")
	}
}

func decodeInt(text string) *big.Int {
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return new(big.Int)
	}
	return new(big.Int).SetBytes(raw)
}

// signedText verifies a signature over a text as SII computes it: in ISO-8859-1.
func signedText(text, signature string, n, e *big.Int) bool {
	message, err := latin1(text)
	raw, bad := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(signature), ""))
	return err == nil && bad == nil && len(message) > 0 && verifies(n, e, message, raw)
}

// shortLived types have CAFs that expire (Res. Ex. SII 58/2017).
var shortLived = map[int]bool{33: true, 43: true, 46: true, 56: true, 61: true}

func (c *call) expired(d dte, doc document) bool {
	from, err := time.ParseInLocation(time.DateOnly, d.at("TED/DD/CAF/DA/FA"), zone)
	return err == nil && shortLived[doc.Type] && overSixMonths(from, c.Now().In(zone))
}
