package dgi

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"folio/authority"
	"folio/events"
)

// receipt is what is known of an envelope: what was signed, DGI's number and token of it,
// without which it can be asked for by its documents' numbers only, and the verdicts so
// far.
type receipt struct {
	SHA256    string    `json:"sha256"` // of the bytes
	Envelope  string    `json:"id_emisor"`
	Receiver  string    `json:"id_receptor,omitempty"`
	Token     string    `json:"token,omitempty"`
	NotBefore time.Time `json:"not_before,omitzero"` // asking earlier is useless
	// Adopted: Token is not that of our own reply, which was lost, but of the envelope that
	// DGI has under our number.
	Adopted   bool   `json:"adopted,omitempty"`
	Documents []kept `json:"documents"`
}

// kept is one document of an envelope.
type kept struct {
	signed
	Invoice string                    `json:"invoice"`
	State   string                    `json:"state,omitempty"` // AE, BE, CE, FE; empty: not decided
	Said    []events.AuthorityMessage `json:"said,omitempty"`
	// Foreign is how the document that DGI has under the number is not this one.
	Foreign string `json:"foreign,omitempty"`
}

// decisions are the states of a document that are final (MSG19): accepted, rejected,
// observed and re-liquidated, the last two of contingency documents.
var decisions = []string{"AE", "BE", "CE", "FE"}

// of is the place of a document in an envelope, -1 when another one or none has its number.
func (r receipt) of(d authority.Document) int {
	return slices.IndexFunc(r.Documents, func(k kept) bool {
		return k.Number == d.Number && k.Invoice == d.Invoice && k.Type == d.Document.OfficialCode
	})
}

// received takes in what it takes to ask for the envelope.
func (r *receipt) received(receiver string, a *ask, adopted bool) {
	if receiver = strings.TrimSpace(receiver); strings.Trim(receiver, "0") != "" {
		r.Receiver, r.Adopted = receiver, adopted
	}
	r.Token, r.NotBefore = "", time.Time{}
	if a != nil {
		r.Token, r.NotBefore = strings.TrimSpace(a.Token), a.notBefore()
	}
}

// decide takes in the verdicts of an answer. Those without a number go by their place.
//
// Two systems that have the same CAE give the same number to their envelopes, and DGI
// refuses the second one as a repetition. An adopted envelope is therefore ours only when
// its documents have our dates and were signed when ours were (FechaCFE, TmstCFE). The
// answer carries no more than these of what was sent: neither recipient nor amounts, nor
// references.
func (r *receipt) decide(verdicts []verdict) {
	for _, v := range verdicts {
		i := v.Ordinal - 1
		if v.Number != 0 {
			i = slices.IndexFunc(r.Documents, func(k kept) bool {
				return k.Number == v.Number && (v.Type == 0 || k.Type == v.Type) &&
					(v.Series == "" || k.Series == strings.TrimSpace(v.Series))
			})
		}
		state := strings.TrimSpace(v.State)
		if i < 0 || i >= len(r.Documents) || !slices.Contains(decisions, state) {
			continue
		}
		k := &r.Documents[i]
		if at := timeOf(v.Signed); r.Adopted && !at.IsZero() && !at.Equal(k.At) {
			k.Foreign = "it was signed at " + strings.TrimSpace(v.Signed) + ", ours at " + moment(k.At)
			continue
		}
		if day := strings.TrimSpace(v.Date); r.Adopted && day != "" && k.Date != "" && day != k.Date {
			k.Foreign = "it is dated " + day + ", ours " + k.Date
			continue
		}
		k.State, k.Said, k.Foreign = state, messages(append(v.Reasons, v.Remarks...)), ""
	}
}

// answered guards what is kept of a series, and remembers for whom the last answer about
// its envelope has not served yet: each answer tells of all its documents, and each of
// them is asked for alone.
type answered struct {
	sync.Mutex
	envelope string // hash of what was sent
	left     map[int64]bool
}

// answer remembers an answer that a document was asked for.
func (a *answered) answer(r receipt, asked int64) {
	a.envelope, a.left = r.SHA256, map[int64]bool{}
	for _, k := range r.Documents {
		a.left[k.Number] = k.Number != asked
	}
}

// serve says whether the last answer is news to a document, once.
func (a *answered) serve(r receipt, number int64) bool {
	news := a.envelope == r.SHA256 && a.left[number]
	delete(a.left, number)
	return news
}

// receipts are what is kept of a series: those of its envelopes, the last one last, and
// those of documents that went alone since DGI refused the one that they shared.
type receipts struct {
	Envelopes []receipt `json:"envelopes,omitempty"`
	Alone     []receipt `json:"alone,omitempty"`
}

// read takes in what was kept. Earlier versions kept one envelope, in the place of the list.
func (rs *receipts) read(blob []byte) error {
	if err := json.Unmarshal(blob, rs); err != nil || len(rs.Envelopes) > 0 {
		return err
	}
	var only receipt
	if err := json.Unmarshal(blob, &only); err != nil || only.SHA256 == "" {
		return err
	}
	rs.Envelopes = []receipt{only}
	return nil
}

// all are the receipts, those of single documents first, which are asked for there, then
// the envelopes, the newest first.
func (rs *receipts) all() []*receipt {
	out := make([]*receipt, 0, len(rs.Alone)+len(rs.Envelopes))
	for i := range rs.Alone {
		out = append(out, &rs.Alone[i])
	}
	for i := len(rs.Envelopes) - 1; i >= 0; i-- {
		out = append(out, &rs.Envelopes[i])
	}
	return out
}

// about is the receipt that a document is in, with its place there; nil when in none, or
// only in an envelope that another one has replaced since.
func (rs *receipts) about(d authority.Document) (*receipt, int) {
	for n, r := range rs.all() {
		if i := r.of(d); i >= 0 && (n < len(rs.Alone) || d.Envelope == "" || r.SHA256 == d.Envelope) {
			return r, i
		}
	}
	return nil, -1
}

// which is the first receipt of which something is true, nil when there is none.
func (rs *receipts) which(is func(*receipt) bool) *receipt {
	all := rs.all()
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// maxKept bounds the documents of all envelopes whose receipts are kept: more than may be
// open at once. Losing a receipt costs a question, and at most sending the same bytes again.
const maxKept = 1500

// begin takes in an envelope that is about to be sent, and lets the oldest go: first those
// on whose documents DGI has decided, then any.
func (rs *receipts) begin(r receipt) {
	if k := r.Documents[0]; len(r.Documents) == 1 &&
		r.Envelope == strconv.FormatInt(aloneID(k.Type, k.Series, k.Number), 10) {
		rs.Alone = dropped(append(rs.Alone, r))
		return
	}
	rs.Envelopes = dropped(append(rs.Envelopes, r))
}

func dropped(rs []receipt) []receipt {
	documents := 0
	for _, r := range rs {
		documents += len(r.Documents)
	}
	last := len(rs) - 1
	for _, any := range []bool{false, true} {
		kept := rs[:0:0]
		for i, r := range rs {
			if i < last-recent && r.decided() || i < last && any && documents > maxKept {
				documents -= len(r.Documents)
				continue
			}
			kept = append(kept, r)
		}
		rs, last = kept, len(kept)-1
	}
	return rs
}

// recent is how many envelopes are kept although all is known of them: what DGI decided may
// not have been written down.
const recent = 4

func (r receipt) decided() bool {
	return !slices.ContainsFunc(r.Documents, func(k kept) bool { return k.State == "" })
}

// folder is what is kept of a series in the hands of one who asks; others wait.
type folder struct {
	*answered
	series authority.Series
	receipts
}

func (c *Client) ref(s authority.Series) string {
	return "sent-dgi-" + c.endpoints.Environment + "-" + s.Company + "-" + strconv.Itoa(s.OfficialCode)
}

// enter waits for the others who ask about a series. Who enters must Unlock.
func (c *Client) enter(ctx context.Context, s authority.Series) *folder {
	c.mu.Lock()
	a := c.series[c.ref(s)]
	if a == nil {
		a = &answered{}
		c.series[c.ref(s)] = a
	}
	c.mu.Unlock()
	a.Lock()
	f := &folder{answered: a, series: s}
	if f.read(c.kept.Load(ctx, c.ref(s))) != nil {
		f.receipts = receipts{}
	}
	return f
}

// keep stores the receipts, also when the caller has left: what DGI said is not said twice.
func (c *Client) keep(ctx context.Context, f *folder) error {
	blob, err := json.Marshal(f.receipts)
	if err == nil {
		err = c.kept.Store(context.WithoutCancel(ctx), c.ref(f.series), blob)
	}
	if err != nil {
		return fmt.Errorf("keep the receipts of series %s: %w", c.ref(f.series), err)
	}
	return nil
}
