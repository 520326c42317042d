package readapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/papers"
	"folio/past"
	"folio/projections"
	"folio/waiting"
)

// call is one exchange with the authority. Both bodies are to be had by their hash.
type call struct {
	Operation string    `json:"operation"`
	At        time.Time `json:"at"`
	Request   *string   `json:"request_sha256"`
	Answer    *string   `json:"answer_sha256"` // null when none came
	Fault     *string   `json:"fault"`
	// Position is of the fact that tells of it; null of a call that no fact tells of yet.
	Position *string `json:"position"`
}

func callOf(c past.Call) call {
	out := call{c.Operation, c.At.UTC(), pointer(c.Request), pointer(c.Answer), pointer(c.Fault), nil}
	if !c.Position.IsZero() {
		out.Position = pointer(c.Position.String())
	}
	return out
}

var errNoCall = fault.New(fault.NotFound, "CALL_NOT_FOUND",
	"No call to the authority about this has such a body: list them with GET .../calls.")

// maxCalls bounds one list of calls: the first ones are told.
const maxCalls = 1000

// callsOf are the exchanges that facts tell of.
func callsOf(facts past.Facts) ([]call, error) {
	out := []call{}
	for r, err := range facts {
		if err != nil {
			return nil, err
		}
		for _, c := range past.CallsIn(r) {
			if len(out) < maxCalls {
				out = append(out, callOf(c))
			}
		}
	}
	return out, nil
}

// invoiceCalls are the exchanges about an invoice: those that facts tell of, and the first
// and last ones of what is being tried now.
func (a api) invoiceCalls(ctx context.Context, i projections.Invoice) ([]call, error) {
	out, err := callsOf(past.Invoice(ctx, a.Log, i.ID, events.Position{}, events.Moment{}))
	if err != nil || i.Status == projections.StatusAccepted || i.Status == projections.StatusRejected {
		return out, err
	}
	about := aboutOf(i)
	series, err := a.waitingRoom(ctx, &about)
	if err != nil {
		return nil, err
	}
	why, err := a.Notes.Get(ctx, series)
	if why = why.About(i.ID); err != nil || why == nil || why.Tried == nil {
		return out, err
	}
	for n, try := range []waiting.Try{why.Tried.First, why.Tried.Last} {
		if n > 0 && try.Turn == why.Tried.First.Turn {
			continue
		}
		for _, c := range try.Calls {
			out = append(out, callOf(past.Call{Call: c}))
		}
	}
	return out, nil
}

func (a api) purchaseCalls(ctx context.Context, p projections.Purchase) ([]call, error) {
	return callsOf(past.Purchase(ctx, a.Log, p.PurchaseReceived, events.Position{}))
}

// answerCalls answers with a list of calls, or, where the path names one, with a body.
func (a api) answerCalls(w http.ResponseWriter, r *http.Request, of func() ([]call, error)) error {
	var all []call
	if err := a.pass(r.Context(), func() (err error) {
		all, err = of()
		return err
	}); err != nil {
		return err
	}
	sha := chi.URLParam(r, "sha256")
	if sha == "" {
		return httpapi.JSON(w, http.StatusOK, struct {
			Data []call `json:"data"`
		}{all})
	}
	for _, c := range all {
		for _, body := range []*string{c.Request, c.Answer} {
			if body != nil && *body == sha {
				return a.answerBody(w, r, fmt.Sprintf("%s-%.12s", c.Operation, sha), sha)
			}
		}
	}
	return errNoCall
}

// answerBody answers with what was said to or by the authority, byte for byte. It may be
// anything, an error page too, so a browser is to keep it and not to show it.
func (a api) answerBody(w http.ResponseWriter, r *http.Request, name, sha string) error {
	return a.Work.Pass(r.Context(), httpapi.Caller(r.Context()).Party(), papers.EnvelopeMemory, func() error {
		content, err := a.Files.File(r.Context(), sha)
		if err != nil {
			return fmt.Errorf("body %s of a call: %w", sha, err)
		}
		file{papers.PlainName(name) + ".txt", "application/octet-stream", content, false}.write(w, r)
		return nil
	})
}

func (a api) readInvoiceCalls(w http.ResponseWriter, r *http.Request) error {
	i, err := a.invoice(r)
	if err != nil {
		return err
	}
	return a.answerCalls(w, r, func() ([]call, error) { return a.invoiceCalls(r.Context(), i) })
}

func (a api) readPurchaseCalls(w http.ResponseWriter, r *http.Request) error {
	p, err := a.purchase(r)
	if err != nil {
		return err
	}
	return a.answerCalls(w, r, func() ([]call, error) { return a.purchaseCalls(r.Context(), p) })
}
