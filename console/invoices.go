package console

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// statuses are those of an invoice, in the order of its life.
var statuses = []string{"Pending", "In process", "Accepted", "Rejected"}

// filters are the API's parameters that the list of invoices has fields for.
var filters = []string{"status", "invoice_type", "date_from", "date_to", "number", "recipient_document",
	"external_reference"}

// perPage is how many rows a list shows.
const perPage = 20

// invoices is the list with its filters. A refused filter is shown beside its field.
func (v *visit) invoices() error {
	q := v.r.URL.Query()
	ask, filtered := url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(pageOf(v.r))}}, false
	for _, name := range filters {
		if text := strings.TrimSpace(q.Get(name)); text != "" {
			ask.Set(name, text)
			filtered = filtered || name != "status"
		}
	}
	v.form = q // what was asked for stands in the fields
	types, err := v.documentTypes()
	if err != nil {
		return err
	}
	var found list[invoice]
	show := func(status int) error {
		pace := ""
		for _, i := range found.Data { // the newest that waits comes first
			if i.Waits() && pace == "" {
				pace = i.Pace(v.console.Clock())
			}
		}
		v.render(status, "invoices", "Invoices", struct {
			List       list[invoice]
			Statuses   []string
			Status     string
			Types      []option
			Filtered   bool
			Self, Pace string
			Pages      pager
		}{found, statuses, q.Get("status"), typeOptions(v, types), filtered, selfOf(v.r), pace,
			pagerOf(v.r, found.Page, found.Pages)})
		return nil
	}
	if err := v.get("/api/invoices?"+ask.Encode(), &found); err != nil {
		return v.again(err, show)
	}
	return show(http.StatusOK)
}

func withAny(v *visit, values []string) []option {
	all := []option{{Name: say(v.language, "Any")}}
	for _, s := range values {
		all = append(all, option{Value: s, Name: say(v.language, s)})
	}
	return all
}

func typeOptions(v *visit, types []documentType) []option {
	all := []option{{Name: say(v.language, "Any")}}
	for _, t := range types {
		all = append(all, option{Value: t.Type, Name: t.Type + " · " + t.Name})
	}
	return all
}

// selfOf is the address at which a page looks for what has moved.
func selfOf(r *http.Request) string {
	q := r.URL.Query()
	q.Del("done")
	q.Set("seen", seenMark)
	return r.URL.Path + "?" + q.Encode()
}

// attempt is one submission of an invoice to the authority.
type attempt struct {
	OpenedAt time.Time `json:"opened_at"`
	Number   int64     `json:"number"`
	Result   string    `json:"result"`
	Messages []said    `json:"messages"`
}

// explained is why an invoice is as it is.
type explained struct {
	Attempts []attempt `json:"attempts"`
	Story    []struct {
		Time time.Time `json:"time"`
		Type string    `json:"type"`
		Text string    `json:"text"`
	} `json:"story"`
	Truncated bool `json:"story_truncated"`
}

// exchange is one call to the authority with what was said in it.
type exchange struct {
	Operation string    `json:"operation"`
	At        time.Time `json:"at"`
	Request   *string   `json:"request_sha256"`
	Answer    *string   `json:"answer_sha256"`
	Fault     *string   `json:"fault"`
}

// invoice is one document: its state, its story, and what was said to the authority.
func (v *visit) invoice() error { return v.showInvoice(http.StatusOK) }

func (v *visit) showInvoice(status int) error {
	id := v.r.PathValue("invoice")
	var i invoice
	if err := v.get(route("invoices", id), &i); err != nil {
		return err
	}
	var why explained
	if err := v.get(route("invoices", id, "explain"), &why); err != nil {
		return err
	}
	var said list[exchange]
	if err := v.get(route("invoices", id, "calls"), &said); err != nil {
		return err
	}
	credited := slices.Contains(v.console.country(v.here.Country).Credited, i.Type)
	_, noFile := v.send(v.r.Context(), http.MethodHead, route("invoices", id, "download-xml"), "", nil)
	v.render(status, "invoice", i.Name(), struct {
		Invoice   invoice
		Why       explained
		Exchanges []exchange
		File      bool // there is a signed document
		Credited  bool // it can have a credit note
		Self      string
	}{i, why, said.Data, noFile == nil, credited, Path + v.within("invoices", id)})
	return nil
}

// creditInvoice issues the note that the API writes: of the whole, or of an amount.
func (v *visit) creditInvoice() error {
	var made invoice
	err := v.post(route("invoices", v.r.PathValue("invoice"), "credit-note"), v.body(), &made)
	if err != nil {
		return v.again(err, v.showInvoice)
	}
	return v.done(v.within("invoices", made.ID), "issued")
}

func (v *visit) processInvoice() error {
	id := v.r.PathValue("invoice")
	if err := v.post(route("invoices", id, "process"), nil, nil); err != nil {
		return err
	}
	return v.done(v.within("invoices", id), "process")
}

// emailInvoice has the invoice sent; the timeline tells what came of it.
func (v *visit) emailInvoice() error {
	id := v.r.PathValue("invoice")
	if err := v.post(route("invoices", id, "email"), v.body(), nil); err != nil {
		return v.again(err, v.showInvoice)
	}
	return v.done(v.within("invoices", id), "email")
}

func (v *visit) invoiceTicket() error {
	return v.forward(route("invoices", v.r.PathValue("invoice"), "download-pdf", "ticket"), "", "inline")
}

func (v *visit) invoicePDF() error {
	return v.forward(route("invoices", v.r.PathValue("invoice"), "download-pdf", "A4"), "", "inline")
}

func (v *visit) invoiceXML() error {
	return v.forward(route("invoices", v.r.PathValue("invoice"), "download-xml"), "", "attachment")
}

// invoiceCall shows a body of the exchange as text: whatever it holds, no browser runs it.
func (v *visit) invoiceCall() error {
	return v.forward(route("invoices", v.r.PathValue("invoice"), "calls", v.r.PathValue("body")),
		"text/plain; charset=utf-8", "inline")
}

// forward hands a file of the API on. A type that is given replaces the API's.
func (v *visit) forward(path, kind, disposition string) error {
	a, err := v.send(v.r.Context(), http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	h := v.w.Header()
	for _, name := range []string{"Content-Type", "Content-Disposition", "ETag", "Folio-As-Of"} {
		if value := a.header.Get(name); value != "" {
			h.Set(name, value)
		}
	}
	if kind != "" {
		h.Set("Content-Type", kind)
	}
	if h.Get("Content-Disposition") == "" {
		h.Set("Content-Disposition", disposition)
	}
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	_, _ = io.Copy(v.w, &a.body) // the only failure is a browser that has gone
	return nil
}
