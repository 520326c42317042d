package dgi

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"folio/sandbox/desk"
)

// dgiRUCs are whom envelopes are addressed to: DGI, and its test environment's own.
var dgiRUCs = map[string]bool{"214844360018": true, "219999830019": true}

// receiveEnvelope is EFACRECEPCIONSOBRE: it answers ACKSobre, or 108 for an envelope that
// came before.
func (c *call) receiveEnvelope() {
	e, bad := readSobre(c.message.content)
	if c.begin(c.marks(e)...) {
		return
	}
	if bad == nil {
		bad = c.judgeSobre(e)
	}
	if f, ok := desk.Find(c.struck, Cover); ok {
		bad = &remark{cmp.Or(f.Code, "S01"), f.Text}
	}
	sum := sha256.Sum256([]byte(c.message.content))
	id, _ := strconv.ParseInt(e.cover["Idemisor"], 10, 64)
	kept := envelope{environment: c.environment, ruc: c.message.ruc, idEmisor: id, hash: hex.EncodeToString(sum[:]),
		at: c.Now(), count: len(e.documents), bad: bad}
	if bad == nil {
		if err := c.accept(&kept, e); err != nil {
			c.broken(err)
			return
		}
		if kept.repeated {
			c.refuse("108", "Idemisor "+e.cover["Idemisor"])
			return
		}
	}
	c.see(e, kept)
	text, err := c.receipt(kept)
	if err != nil {
		c.broken(err)
		return
	}
	c.answer(text)
}

// see tells what became of an envelope.
func (c *call) see(e sobre, kept envelope) {
	c.seen.Verdict = fmt.Sprintf("AS, IDReceptor %d", kept.id)
	if kept.bad != nil {
		c.seen.Verdict = "BS " + kept.bad.Code + " " + kept.bad.Detail
	}
	c.seen.Hide(kept.token)
	for i, d := range e.documents {
		seen := desk.Seen{Document: fmt.Sprintf("%d %s %d", d.kind, d.at("Encabezado/IdDoc/Serie"), d.number()),
			Recipient: d.recipient(),
			Total:     d.total() + " " + d.at("Encabezado/Totales/TpoMoneda"), Verdict: "not judged", Refused: true}
		if i < len(kept.documents) {
			seen.Verdict, seen.Refused = kept.documents[i].State+" "+joined(kept.documents[i].Remarks),
				kept.documents[i].State != accepted
		}
		c.seen.Documents = append(c.seen.Documents, seen)
	}
}

func joined(remarks []remark) string {
	text := ""
	for _, r := range remarks {
		text += r.Code + " " + r.glosa() + " " + r.Detail + "; "
	}
	return text
}

// judgeSobre says why an envelope is refused as a whole; nil when it is not.
func (c *call) judgeSobre(e sobre) *remark {
	k := c.Knobs()
	ruc := e.cover["RUCEmisor"]
	switch own := rucOf(e.certificate); {
	case !dgiRUCs[e.cover["RutReceptor"]]:
		return &remark{"S02", "RutReceptor no es DGI"}
	case ruc != c.message.ruc:
		return &remark{"S02", "RUCEmisor " + ruc + ", certificado del envio RUC " + c.message.ruc}
	case c.trusts(e.certificate) != nil:
		return &remark{"S03", ""}
	case own != ruc:
		return &remark{"S02", "RUCEmisor " + ruc + ", certificado RUC " + own}
	case k.OneCertificate && !e.certificate.Equal(c.message.certificate):
		return &remark{"S03", "el certificado del envio no es el de la caratula"}
	case e.cover["CantCFE"] != strconv.Itoa(len(e.documents)):
		return &remark{"S05", fmt.Sprintf("CantCFE %s, CFE %d", e.cover["CantCFE"], len(e.documents))}
	}
	for i, d := range e.documents {
		switch {
		case d.at("Encabezado/Emisor/RUCEmisor") != ruc:
			return &remark{"S02", fmt.Sprintf("CFE %d es de RUC %s", i+1, d.at("Encabezado/Emisor/RUCEmisor"))}
		case !d.names(e.certificate):
			return &remark{"S06", fmt.Sprintf("CFE %d nombra otro certificado", i+1)}
		}
	}
	return nil
}

// accept judges the documents and keeps all in one commit, on disk when it returns. An
// envelope under a number that was used gets a reason, or repeats one.
func (c *call) accept(kept *envelope, e sobre) error {
	raw := make([]byte, 24)
	if _, err := rand.Read(raw); err != nil {
		return err
	}
	kept.token = base64.StdEncoding.EncodeToString(raw)
	_, kept.stuck = desk.Find(c.struck, Stick)
	_, kept.partial = desk.Find(c.struck, Partial)
	// Fechahora has whole seconds: whoever waits until then must not be told to wait.
	kept.ready = kept.at
	if after := time.Duration(c.Knobs().VerdictAfter); after > 0 {
		kept.ready = kept.at.Add(after).Truncate(time.Second).Add(time.Second)
	}
	return c.store.add(c.r.Context(), kept, func(q desk.Querier) error {
		hash, found, err := usedNumber(c.r.Context(), q, *kept)
		switch {
		case err != nil:
			return err
		case found && hash == kept.hash && !c.Knobs().RepeatsS08:
			kept.repeated = true
			return nil
		case found:
			kept.bad = &remark{"S08", fmt.Sprintf("Idemisor %d", kept.idEmisor)}
			return nil
		}
		for i, d := range e.documents {
			verdict, err := c.judge(q, *kept, e, d, i)
			if err != nil {
				return err
			}
			kept.documents = append(kept.documents, verdict)
		}
		return nil
	})
}
