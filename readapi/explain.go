package readapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"folio/httpapi"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
)

// explanation is why an invoice is as it is. Whatever is said has the position of the fact
// that it follows from.
type explanation struct {
	Invoice       string                  `json:"invoice_id"`
	Status        string                  `json:"status"`
	Series        *string                 `json:"series"` // null while no environment is known
	Number        *string                 `json:"number"` // once it is final
	PendingReason *resource.PendingReason `json:"pending_reason"`
	Range         *usedRange              `json:"range"`       // of the last attempt; null where the authority counts
	Certificate   *usedCertificate        `json:"certificate"` // of the last attempt
	Settings      settings                `json:"settings"`    // when it was created
	Attempts      []attempt               `json:"attempts"`
	Story         []step                  `json:"story"`
	Truncated     bool                    `json:"story_truncated"`
}

// usedRange is the numbering range that a number is of.
type usedRange struct {
	Enumeration string  `json:"id_enumeration"`
	Series      *string `json:"series"` // its letter
	From        int64   `json:"from"`
	To          int64   `json:"to"`
	ExpiresOn   *string `json:"expires_on"`
	Position    string  `json:"position"` // of its upload
}

// usedCertificate is the certificate that signed, by the rule that signing goes by: the newest
// of the environment that was valid when the submission was opened.
type usedCertificate struct {
	ID           string `json:"id"`
	SerialNumber string `json:"serial_number"`
	Subject      string `json:"subject"`
	ValidFrom    string `json:"valid_from"`
	ValidTo      string `json:"valid_to"`
	Fingerprint  string `json:"fingerprint"`
	Position     string `json:"position"` // of its upload
}

// settings are the company's when the invoice was created.
type settings struct {
	Profile         *resource.FiscalProfile `json:"fiscal_profile"`
	ProfilePosition *string                 `json:"fiscal_profile_position"`
	Branch          *resource.Branch        `json:"branch"`
	BranchPosition  *string                 `json:"branch_position"`
	Logo            *string                 `json:"logo_sha256"`
	LogoPosition    *string                 `json:"logo_position"`
}

// attempt is one submission of the invoice.
type attempt struct {
	Submission     string             `json:"submission"`
	OpenedAt       time.Time          `json:"opened_at"`
	Position       string             `json:"position"`
	Number         int64              `json:"number"`
	First          int64              `json:"first"` // of the submission
	Documents      int                `json:"documents"`
	AuthorityLast  int64              `json:"authority_last"`
	Range          *string            `json:"id_enumeration"`
	Certificate    *usedCertificate   `json:"certificate"`
	Result         *string            `json:"result"` // accepted, rejected, not_processed; null while it is open
	ResultPosition *string            `json:"result_position"`
	LearntByAsking bool               `json:"learnt_by_asking"`
	Messages       []resource.Message `json:"messages"` // of the authority, word for word
	Calls          []call             `json:"calls"`
}

// step is one fact in words.
type step struct {
	Position string    `json:"position"`
	Time     time.Time `json:"time"`
	Type     string    `json:"type"`
	Stream   string    `json:"stream"`
	Revision uint64    `json:"revision"`
	Text     string    `json:"text"`
}

// explainInvoice tells why the invoice is as it is, now or at a moment.
func (a api) explainInvoice(w http.ResponseWriter, r *http.Request) error {
	i, err := a.invoice(r)
	if err != nil {
		return err
	}
	m, err := a.onlyAt(r)
	if err != nil {
		return err
	}
	var out explanation
	if err := a.pass(r.Context(), func() error {
		x, found, err := past.Explain(r.Context(), a.Log, i.ID, m)
		if err != nil {
			return err
		}
		if !found {
			return errNotYetInvoice
		}
		then, err := engine.GetAt[projections.Invoice](r.Context(), a.Documents, projections.Invoices, i.ID, m)
		if err != nil {
			return a.missing(r.Context(), err, errNoInvoice, "invoice-"+i.ID)
		}
		out, err = a.explanationOf(r.Context(), x, then)
		if err == nil && m.IsZero() && then.Authorization == nil && then.Status != projections.StatusRejected {
			about := aboutOf(then)
			out.PendingReason, err = a.reasonsNow(r)(&about)
		}
		return err
	}); err != nil {
		return err
	}
	for n, s := range out.Story {
		out.Story[n].Text = httpapi.Said(r, httpapi.Story, s.Text)
	}
	httpapi.Localized(w.Header(), httpapi.InSpanish(r))
	return httpapi.JSON(w, http.StatusOK, out)
}

func (a api) explanationOf(ctx context.Context, x past.Explanation, i projections.Invoice) (explanation, error) {
	out := explanation{Invoice: x.Invoice, Status: x.Status, Settings: settingsOf(x.Settings), Truncated: x.Cut,
		Attempts: make([]attempt, len(x.Attempts)), Story: make([]step, len(x.Story))}
	if i.Environment != "" {
		out.Series = pointer(i.Series())
	}
	if i.Number != 0 {
		out.Number = pointer(resource.Number(i.BranchOffice, i.Number))
	}
	for n, t := range x.Attempts {
		out.Attempts[n] = attemptOf(t)
		out.Certificate = out.Attempts[n].Certificate
	}
	for n, s := range x.Story {
		out.Story[n] = step{s.Position.String(), s.Time.UTC(), s.Type, s.Stream, s.Revision, s.Text}
	}
	if n := len(x.Attempts); n > 0 && x.Attempts[n-1].Range != "" {
		var err error
		out.Range, err = a.rangeOf(ctx, x.Attempts[n-1].Range)
		return out, err
	}
	return out, nil
}

func (a api) rangeOf(ctx context.Context, id string) (*usedRange, error) {
	e, err := a.Documents.GetEnumeration(ctx, id)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, nil
	}
	return &usedRange{e.ID, pointer(e.Series), e.From, e.To, pointer(e.ExpiresOn), e.At.String()}, err
}

func settingsOf(s past.Settings) (out settings) {
	if s.Profile != nil {
		profile := resource.Profile(*s.Profile)
		out.Profile, out.ProfilePosition = &profile, pointer(s.ProfileAt.String())
	}
	if s.Branch != nil {
		branch := resource.BranchOf(s.Branch.Number, s.Branch.Branch)
		out.Branch, out.BranchPosition = &branch, pointer(s.BranchAt.String())
	}
	if s.Logo != "" {
		out.Logo, out.LogoPosition = &s.Logo, pointer(s.LogoAt.String())
	}
	return out
}

func attemptOf(t past.Attempt) attempt {
	out := attempt{
		Submission:    t.Submission,
		OpenedAt:      t.Opened.Time.UTC(),
		Position:      t.Opened.Position.String(),
		Number:        t.Number,
		First:         t.First,
		Documents:     t.Documents,
		AuthorityLast: t.AuthorityLast,
		Range:         pointer(t.Range),
		Messages:      []resource.Message{},
		Calls:         make([]call, len(t.Calls)),
	}
	if c := t.Certificate; c != nil {
		out.Certificate = &usedCertificate{c.Certificate, c.SerialNumber, c.Subject, c.ValidFrom, c.ValidTo, c.Fingerprint,
			t.CertificateAt.String()}
	}
	if o := t.Outcome; o != nil {
		out.Result, out.ResultPosition = pointer(string(o.Result)), pointer(t.OutcomeAt.String())
		out.LearntByAsking, out.Messages = o.Found, resource.Messages(o.Messages)
	}
	for i, c := range t.Calls {
		out.Calls[i] = callOf(c)
	}
	return out
}
