package readapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/past"
	"folio/strict"

	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// recorded is one fact as an auditor sees it.
type recorded struct {
	ID            string         `json:"id"`
	Type          string         `json:"type"`
	Schema        int            `json:"schema"`
	Time          time.Time      `json:"time"`      // of the request that led to it, RFC 3339, UTC
	LoggedAt      time.Time      `json:"logged_at"` // by the log's clock
	Actor         *string        `json:"actor"`     // key:…, account:…, or a processor
	CausationID   *string        `json:"causation_id"`
	CorrelationID *string        `json:"correlation_id"` // of a call: its X-Request-Id
	RequestID     *string        `json:"request_id"`
	Stream        string         `json:"stream"`
	Revision      uint64         `json:"revision"`
	Position      string         `json:"position"`
	Leaf          *string        `json:"leaf_hash"` // in the transparency log; null where there is none
	Salt          *string        `json:"salt"`
	Data          jsontext.Value `json:"data"`
	Redacted      []string       `json:"redacted,omitempty"` // members that the caller may not see
	Stored        *storedBytes   `json:"stored,omitzero"`    // when it was asked for
}

// storedBytes are what the leaf was made from, byte for byte, in base64.
type storedBytes struct {
	Data     []byte `json:"data"`
	Metadata []byte `json:"metadata"`
}

func recordOf(r events.Recorded) recorded {
	return recorded{ID: r.ID, Type: r.Type, Schema: r.Meta.Schema, Time: r.Meta.At.UTC(), LoggedAt: r.When().UTC(),
		Actor: pointer(r.Meta.Actor), CausationID: pointer(r.Meta.Causation), CorrelationID: pointer(r.Meta.Correlation),
		RequestID: pointer(r.Meta.Request), Stream: r.Stream, Revision: r.Revision, Position: r.Position.String(),
		Data: jsontext.Value(r.Raw)}
}

// asStored lets through what a stored event may have: whatever the log has is a fact.
var asStored = json.JoinOptions(
	json.Deterministic(true),
	jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true),
)

// walk is one page of facts, in the order of the log: those after a position, up to a moment.
type walk struct {
	after   events.Position
	at      events.Moment
	perPage int64
}

// walk reads the parameters of a page of facts.
func (a api) walk(r *http.Request, q *strict.Query, most int64) (walk, error) {
	x := walk{perPage: q.Int("per_page", min(100, most), strict.Between(1, most))}
	if text := q.String("after", strict.MaxLen(60)); text != "" {
		var err error
		if x.after, err = events.ParsePosition(text); err != nil {
			q.Fail("after", "NOT_A_POSITION", "Send next_after of the page before, such as C:12/P:12.")
		} else if err = a.reached(r.Context(), q, "after", x.after); err != nil {
			return x, err
		}
	}
	var err error
	x.at, err = a.at(r.Context(), q)
	return x, err
}

// answerFacts answers with one page of facts.
func (a api) answerFacts(w http.ResponseWriter, r *http.Request, facts func(context.Context, walk) past.Facts) error {
	q := strict.ReadQuery(r)
	x, err := a.walk(r, q, 100)
	if err != nil {
		return err
	}
	stored := q.String("stored", strict.MaxLen(5))
	if stored != "" && stored != "true" && stored != "false" {
		q.Fail("stored", strict.CodeNotAllowed, "Use true or false.")
	}
	if err := q.Done(); err != nil {
		return err
	}
	encode, err := a.encoder(r.Context(), stored == "true")
	if err != nil {
		return err
	}
	var body []byte
	if err := a.pass(r.Context(), func() (err error) {
		body, err = x.page(past.Until(facts(r.Context(), x), x.at), encode)
		return err
	}); err != nil {
		return err
	}
	httpapi.RawJSON(w, http.StatusOK, body)
	return nil
}

// encoder writes facts with their leaves, and with their stored bytes if they are wanted.
func (a api) encoder(ctx context.Context, stored bool) (func(events.Recorded) ([]byte, error), error) {
	redacts := redacts(ctx)
	var leaf func(events.Recorded) (string, string)
	if a.Leaves != nil {
		var err error
		if leaf, err = a.Leaves(ctx); err != nil {
			return nil, err
		}
	}
	return func(r events.Recorded) ([]byte, error) {
		out := recordOf(r)
		if leaf != nil {
			hash, salt := leaf(r)
			out.Leaf, out.Salt = pointer(hash), pointer(salt)
		}
		if stored {
			out.Stored = &storedBytes{r.Raw, r.RawMeta}
		}
		if redacts {
			out = redact(out)
		}
		return json.Marshal(out, asStored)
	}, nil
}

// page makes the envelope. It ends early when it is long: next_after says where to go on,
// and is null only at the end.
func (x walk) page(facts past.Facts, encode func(events.Recorded) ([]byte, error)) ([]byte, error) {
	out := append([]byte(`{"per_page":`), strconv.FormatInt(x.perPage, 10)...)
	out = append(out, `,"data":[`...)
	n, last, more := int64(0), x.after, false
	for r, err := range facts {
		if err != nil {
			return nil, err
		}
		if more = n == x.perPage || len(out) > partBytes; more {
			break
		}
		body, err := encode(r)
		if err != nil {
			return nil, err
		}
		if n++; n > 1 {
			out = append(out, ',')
		}
		out, last = append(out, body...), r.Position
	}
	out = append(out, `],"next_after":`...)
	if !more {
		return append(out, "null}"...), nil
	}
	out, _ = jsontext.AppendQuote(out, last.String())
	return append(out, '}'), nil
}

func (a api) invoiceEvents(w http.ResponseWriter, r *http.Request) error {
	i, err := a.invoice(r)
	if err != nil {
		return err
	}
	return a.answerFacts(w, r, func(ctx context.Context, x walk) past.Facts {
		return past.Invoice(ctx, a.Log, i.ID, x.after, x.at)
	})
}

func (a api) companyEvents(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	return a.answerFacts(w, r, func(ctx context.Context, x walk) past.Facts {
		return past.Company(ctx, a.Log, c.ID, x.after)
	})
}

func (a api) seriesEvents(w http.ResponseWriter, r *http.Request) error {
	id, err := a.series(r)
	if err != nil {
		return err
	}
	return a.answerFacts(w, r, func(ctx context.Context, x walk) past.Facts {
		return past.Series(ctx, a.Log, id, x.after)
	})
}

var errNoSeries = fault.New(fault.NotFound, "SERIES_NOT_FOUND",
	"There is no such numbering series among this company's: list them with GET /api/companies/{id_company}/numbering.")

// series is the id of the series that the path names, if the caller may see it.
func (a api) series(r *http.Request) (string, error) {
	c, err := a.company(r)
	if err != nil {
		return "", err
	}
	id := chi.URLParam(r, "series")
	if _, err := httpapi.PathID(r, "series"); err != nil || !strings.HasPrefix(id, c.ID+"-") {
		return "", errNoSeries
	}
	for _, err := range a.Log.Read(r.Context(), "numbering-"+id, 0) {
		if err != nil {
			return "", err
		}
		return id, nil
	}
	return "", errNoSeries
}

func (a api) purchaseEvents(w http.ResponseWriter, r *http.Request) error {
	p, err := a.purchase(r)
	if err != nil {
		return err
	}
	return a.answerFacts(w, r, func(ctx context.Context, x walk) past.Facts {
		return past.Purchase(ctx, a.Log, p.PurchaseReceived, x.after)
	})
}

// webhookEvents also knows subscriptions that were removed.
func (a api) webhookEvents(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(chi.URLParam(r, "id_webhook"), 10, 64)
	if err != nil {
		return errNoWebhook
	}
	company, known := httpapi.Caller(r.Context()).Company, false
	for _, err := range past.Webhook(r.Context(), a.Log, company, id, events.Position{}) {
		if err != nil {
			return err
		}
		known = true
		break
	}
	if !known {
		return errNoWebhook
	}
	return a.answerFacts(w, r, func(ctx context.Context, x walk) past.Facts {
		return past.Webhook(ctx, a.Log, company, id, x.after)
	})
}
