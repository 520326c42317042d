package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/folio/client"
)

// service answers what a handler writes, without a network.
func service(h http.HandlerFunc) client.Client {
	return client.Client{Base: "http://folio", Key: "fk_1", HTTP: &http.Client{Transport: direct(h)}}
}

type direct http.HandlerFunc

func (h direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h(w, r)
	return w.Result(), nil
}

func TestABodyIsSentWithTheCredentialAndTheAnswerDecoded(t *testing.T) {
	c := service(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("x-api-key") != "fk_1" || r.Header.Get("Idempotency-Key") != "order" || string(body) != `{"a":1}` {
			t.Errorf("%v %s", r.Header, body)
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":"I1"}`)
	})
	var out struct{ ID string }
	err := c.With("Idempotency-Key", "order").Do(t.Context(), "POST", "/api/invoices", map[string]int{"a": 1}, &out)
	if err != nil || out.ID != "I1" || c.Header != nil {
		t.Errorf("%+v, %v, %v", out, err, c.Header)
	}
	var raw []byte
	if err := c.With("Idempotency-Key", "order").Do(t.Context(), "POST", "/", []byte(`{"a":1}`), &raw); err != nil ||
		string(raw) != `{"id":"I1"}` {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestARefusalIsAProblemWithItsPaths(t *testing.T) {
	c := service(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, `{"status":422,"code":"Two things.","message":"VALIDATION_FAILED",`+
			`"errors":[{"path":"items[0].quantity","code":"REQUIRED","message":"Say how many."}]}`)
	})
	err := c.Do(t.Context(), "POST", "/api/invoices", nil, nil)
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != 422 || p.Constant != "VALIDATION_FAILED" ||
		!strings.Contains(err.Error(), "items[0].quantity") {
		t.Errorf("%v", err)
	}
	proxy := service(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	if err := proxy.Do(t.Context(), "GET", "/", nil, nil); !errors.As(err, &p) || p.Status != 502 {
		t.Errorf("of a proxy: %v", err)
	}
}

func TestRetryAfterIsObeyedAsOftenAsPatienceAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		c := service(func(w http.ResponseWriter, _ *http.Request) {
			if calls++; calls <= 2 {
				w.Header().Set("Retry-After", "3")
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
		if a, err := c.Send(t.Context(), "GET", "/", nil); err != nil || a.Status != 429 || calls != 1 {
			t.Errorf("without patience: %d after %d calls, %v", a.Status, calls, err)
		}
		calls, c.Patience = 0, 2
		if a, err := c.Send(t.Context(), "GET", "/", nil); err != nil || a.Status != 200 || calls != 3 {
			t.Errorf("with patience: %d after %d calls, %v", a.Status, calls, err)
		}
		calls = 0
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Send(ctx, "GET", "/", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("of a caller that left: %v", err)
		}
	})
}

func TestAFormHasItsFieldsAndFiles(t *testing.T) {
	c := service(func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("certificate")
		if err != nil || header.Filename != "a.pfx" || r.FormValue("password") != "secret" {
			t.Fatalf("%v", err)
		}
		content, _ := io.ReadAll(file)
		_, _ = w.Write(content)
	})
	var out []byte
	err := c.Do(t.Context(), "POST", "/", client.Form{Fields: map[string]string{"password": "secret"},
		Files: []client.File{{Field: "certificate", Name: "a.pfx", Content: []byte("pfx")}}}, &out)
	if err != nil || string(out) != "pfx" {
		t.Errorf("%s, %v", out, err)
	}
}

// An answer that did not come is asked for again, unless the call could have its effect twice.
func TestALostAnswerIsAskedForAgainWhereThatIsSafe(t *testing.T) {
	for _, c := range []struct {
		method, key string
		calls       int
	}{{"GET", "", 3}, {"PUT", "", 3}, {"POST", "order", 3}, {"POST", "", 1}} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			lost := transport(func(*http.Request) (*http.Response, error) {
				if calls++; calls < 3 {
					return nil, io.ErrUnexpectedEOF
				}
				return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
			})
			x := client.Client{Base: "http://folio", HTTP: &http.Client{Transport: lost}, Patience: 5}
			if c.key != "" {
				x = x.With("Idempotency-Key", c.key)
			}
			_, err := x.Send(t.Context(), c.method, "/", nil)
			if calls != c.calls || (err == nil) != (c.calls == 3) {
				t.Errorf("%s with key %q: %d calls, %v", c.method, c.key, calls, err)
			}
		})
	}
}

// What 503 says nothing of may have been done: a second invoice would be issued.
func TestACallThatIsUnavailableIsSentAgainWhereThatIsSafe(t *testing.T) {
	for _, c := range []struct {
		method, key   string
		status, calls int
	}{{"GET", "", 503, 3}, {"PUT", "", 503, 3}, {"POST", "order", 503, 3}, {"POST", "", 503, 1}, {"POST", "", 429, 3}} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			x := service(func(w http.ResponseWriter, _ *http.Request) {
				if calls++; calls < 3 {
					w.Header().Set("Retry-After", "2")
					w.WriteHeader(c.status)
				}
			})
			if x.Patience = 5; c.key != "" {
				x = x.With("Idempotency-Key", c.key)
			}
			if _, err := x.Send(t.Context(), c.method, "/", nil); calls != c.calls || err != nil {
				t.Errorf("%s with key %q after %d: %d calls, %v", c.method, c.key, c.status, calls, err)
			}
		})
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestATypedCallHasItsPathItsQueryAndItsBody(t *testing.T) {
	c := service(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.Method + " " + r.URL.RequestURI() {
		case "GET /api/invoices?per_page=2&status=accepted&updated_since=C%3A1%2FP%3A1":
			_, _ = io.WriteString(w,
				`{"data":[{"id":"I1","totals":{"total":0.10}}],"next_cursor":"c","updated_until":"C:2/P:2"}`)
		case "POST /api/invoices":
			_, _ = w.Write([]byte(`{"id":"I2","external_reference":` + strconv.Quote(string(body)) + `}`))
		case "GET /api/invoices/a%2Fb":
			_, _ = io.WriteString(w, `{"id":"I3"}`)
		default:
			t.Errorf("%s %s", r.Method, r.URL)
		}
	})
	list, err := c.ListInvoices(t.Context(), client.ListInvoicesQuery{PerPage: "2", Status: "accepted",
		UpdatedSince: "C:1/P:1"})
	if err != nil || len(list.Data) != 1 || list.Data[0].Totals.Total != "0.10" || *list.NextCursor != "c" ||
		list.UpdatedUntil != "C:2/P:2" {
		t.Errorf("%+v, %v", list, err)
	}
	made, err := c.CreateInvoice(t.Context(), client.CreateInvoiceBody{InvoiceType: "FCA",
		Items: []client.CreateInvoiceBodyItem{{Quantity: "2", UnitPrice: "100.10"}}})
	if err != nil || made.ID != "I2" || !strings.Contains(made.ExternalReference, `"unit_price":100.10`) {
		t.Errorf("%+v, %v", made, err)
	}
	if one, err := c.ReadInvoice(t.Context(), "a/b", client.ReadInvoiceQuery{}); err != nil || one.ID != "I3" {
		t.Errorf("%+v, %v", one, err)
	}
}
