package arca

import (
	"fmt"
	"strings"

	"folio/sandbox/desk"
)

// saw tells the vouchers of a request to authorize and what became of each.
func (c *call) saw(key series, verdicts []verdict, errs []Message) {
	c.seen.Series = key.String()
	accepted := 0
	for _, v := range verdicts {
		seen := desk.Seen{Document: fmt.Sprint(v.detail.Desde), Total: v.detail.Total.String() + " " + v.detail.MonID,
			Recipient: fmt.Sprintf("%d %d", v.detail.DocTipo, v.detail.DocNro), Verdict: "R " + joined(v.obs),
			Refused: !v.accepted}
		if v.accepted {
			accepted++
			seen.Verdict = "A " + v.granted.CAE + " " + joined(v.obs)
		}
		seen.Verdict = strings.TrimSpace(seen.Verdict)
		c.seen.Documents = append(c.seen.Documents, seen)
	}
	c.seen.Verdict = fmt.Sprintf("%d of %d authorized", accepted, len(verdicts))
	if len(errs) > 0 {
		c.seen.Verdict += "; " + joined(errs)
	}
}

func joined(ms []Message) string {
	texts := make([]string, len(ms))
	for i, m := range ms {
		texts[i] = fmt.Sprintf("%d %s", m.Code, m.Text)
	}
	return strings.Join(texts, "; ")
}
