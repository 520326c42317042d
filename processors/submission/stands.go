package submission

import (
	"cmp"
	"slices"
	"time"

	"folio/waiting"
)

// Standing is a series that stands: for Config.StandsAfter nothing was learnt about what waits in it.
type Standing struct {
	Series string       `json:"series"`
	Code   waiting.Code `json:"code"`
	Text   string       `json:"text"`
	Since  time.Time    `json:"since"` // UTC
}

// Standing lists the series of this process that stand, the one that stands longest first.
func (p *Processor) Standing() []Standing {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Standing, 0, len(p.standing))
	for series, r := range p.standing {
		out = append(out, Standing{series, r.Code, r.Text, r.Since.UTC()})
	}
	slices.SortFunc(out, func(a, b Standing) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Series, b.Series))
	})
	return out
}

// companys are the reasons that the company itself must end, and is told of by each of its
// invoices: they are no matter of the operator's.
var companys = []waiting.Code{waiting.NoCertificate, waiting.NoProfile, waiting.OtherEnvironment, waiting.NoRange,
	waiting.RangeExhausted}

// stands tells the operator, once, of a series that waits for too long. Of several open
// submissions the one counts that waits longest.
func (p *Processor) stands(series string, r *waiting.Reason) {
	longest := r
	for i := range r.Open {
		if o := &r.Open[i].Reason; o.Since.Before(longest.Since) {
			longest = o
		}
	}
	waits := p.Clock.Now().Sub(longest.Since)
	if waits < p.c.StandsAfter || slices.Contains(companys, longest.Code) {
		p.goes(series)
		return
	}
	p.mu.Lock()
	_, told := p.standing[series]
	p.standing[series] = *longest
	p.mu.Unlock()
	if !told {
		p.Logger.Error("series stands", "series", series, "reason", longest.Code, "text", longest.Text, "since",
			longest.Since.UTC(), "attempts", longest.Attempts)
	}
}

// goes says that a series does not stand (any more).
func (p *Processor) goes(series string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.standing, series)
}
