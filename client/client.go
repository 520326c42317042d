// Package client calls Folio's API. It needs nothing but Go's standard library.
//
//	c := client.Client{Base: "https://folio.example.com", Key: "fk_...", Patience: 5}
//	invoice, err := c.With("Idempotency-Key", "order-1042").CreateInvoice(ctx, client.CreateInvoiceBody{...})
//
// The methods and types of api_*.go and types_*.go follow from the service's OpenAPI document. Amounts are
// json.Number, so that no decimal is lost. VerifyWebhook is for receivers of deliveries.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Client calls a service with one credential. The zero value of each member but Base is
// good, a copy is another client, and all of it may be used by many at once.
type Client struct {
	Base  string // of the service, such as https://folio.example.com
	Key   string // of a company, fk_...
	Token string // of an account: see Login
	// HTTP makes the calls; nil is http.DefaultClient.
	HTTP *http.Client
	// Header is sent with each call: see With.
	Header http.Header
	// Patience is how often a call is sent again: one that was answered 429 with a Retry-After,
	// after the seconds that it names; and, if it reads, puts, deletes or has an Idempotency-Key,
	// one that was answered 503, likewise, or whose answer did not come, after 1, 2, 4, ...
	// seconds. Any other may have done its work, with 503 too (the event log took the fact and its
	// answer was lost): whoever calls must look first.
	Patience int
}

// Answer is what the service said, whatever its status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// With is the client with one more header.
func (c Client) With(name, value string) Client {
	c.Header = c.Header.Clone()
	if c.Header == nil {
		c.Header = http.Header{}
	}
	c.Header.Set(name, value)
	return c
}

// Login gives the client with a token of the account in place of its credentials. A token is
// good for twelve hours.
func (c Client) Login(ctx context.Context, email, password string) (Client, error) {
	c.Key, c.Token = "", ""
	var got struct {
		Token string `json:"access_token"`
	}
	err := c.Do(ctx, http.MethodPost, "/api/login", map[string]string{"email": email, "password": password}, &got)
	c.Token = got.Token
	return c, err
}

// Do sends body and decodes the answer into out: *[]byte takes it as it is, nil leaves it. A
// status of 300 or more is a *Problem. What body may be: see Send.
func (c Client) Do(ctx context.Context, method, path string, body, out any) error {
	a, err := c.Send(ctx, method, path, body)
	if err != nil {
		return err
	}
	if a.Status >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %w", method, path, a.Problem())
	}
	switch out := out.(type) {
	case nil:
		return nil
	case *[]byte:
		*out = a.Body
		return nil
	}
	return json.Unmarshal(a.Body, out)
}

// Send sends body: nil for none, []byte as JSON that is written already, a Form as one,
// anything else as JSON. An error is one of the way there and back, or of ctx.
func (c Client) Send(ctx context.Context, method, path string, body any) (Answer, error) {
	content, contentType, err := encode(body)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	for again := 0; ; again++ {
		a, err := c.once(ctx, method, path, contentType, content)
		if again >= c.Patience {
			return a, err
		}
		wait := a.retryAfter()
		switch safe := c.repeatable(method); {
		case err != nil && safe:
			wait = time.Second << min(again, 5)
		case a.Status == http.StatusServiceUnavailable && !safe:
			wait = 0
		}
		if wait == 0 {
			return a, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return a, errors.Join(ctx.Err(), err)
		}
	}
}

// repeatable says whether a call of which nobody knows what it did may be sent again.
func (c Client) repeatable(method string) bool {
	return method != http.MethodPost || c.Header.Get("Idempotency-Key") != ""
}

// retryAfter is how long a refused call should wait, 0 when it should not be sent again.
func (a Answer) retryAfter() time.Duration {
	if a.Status != http.StatusTooManyRequests && a.Status != http.StatusServiceUnavailable {
		return 0
	}
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func encode(body any) (content []byte, contentType string, err error) {
	switch body := body.(type) {
	case nil:
		return nil, "", nil
	case []byte:
		return body, "application/json", nil
	case Form:
		return body.Encode()
	}
	content, err = json.Marshal(body)
	return content, "application/json", err
}

func (c Client) once(ctx context.Context, method, path, contentType string, content []byte) (Answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(content))
	if err != nil {
		return Answer{}, err
	}
	if len(content) > 0 {
		r.Header.Set("Content-Type", contentType)
	}
	if c.Key != "" {
		r.Header.Set("x-api-key", c.Key)
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	for name := range c.Header {
		r.Header.Set(name, c.Header.Get(name))
	}
	caller := c.HTTP
	if caller == nil {
		caller = http.DefaultClient
	}
	got, err := caller.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer got.Body.Close()
	whole, err := io.ReadAll(got.Body)
	return Answer{got.StatusCode, got.Header, whole}, err
}
