package measure_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"folio/authority"
	"folio/authority/measure"
	"folio/authority/wire"
)

// driver logs in, which it does not record, and asks, which it does.
type driver struct {
	authority.Driver
	url string
	err error // what the answer means
}

func (d driver) Name() string { return "arca" }

func (d driver) Last(ctx context.Context, _ authority.Credential, _ authority.Series,
	rec authority.Recorder) (authority.Last, error) {
	for _, op := range []string{"loginCms", "ask"} {
		_, err := wire.Do(ctx, http.DefaultClient, wire.Request{Operation: op, Method: http.MethodGet, URL: d.url + "/" + op})
		if op == "ask" {
			if err == nil {
				err = d.err
			}
			wire.Tell(rec, authority.Exchange{Operation: op}, err)
		}
	}
	return authority.Last{}, nil
}

func TestEveryCallIsHeardOnceWithItsOutcome(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/loginCms" {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	defer server.Close()
	for name, c := range map[string]struct {
		url  string
		err  error
		want []authority.CallResult // of the call that is recorded, and the log-in
	}{
		"answered": {server.URL, nil, []authority.CallResult{authority.Answered, authority.Broken}},
		"undecided": {server.URL, authority.ErrPending,
			[]authority.CallResult{authority.Answered, authority.Broken}},
		"refused": {server.URL, authority.Said("1", "no", authority.ErrRefused),
			[]authority.CallResult{authority.Refused, authority.Broken}},
		"broken": {server.URL, &authority.Message{Broken: true},
			[]authority.CallResult{authority.Broken, authority.Broken}},
		"nonsense": {server.URL, context.Canceled, []authority.CallResult{authority.NoAnswer, authority.Broken}},
		"late":     {server.URL, context.DeadlineExceeded, []authority.CallResult{authority.TimedOut, authority.Broken}},
		"away":     {"http://127.0.0.1:1", nil, []authority.CallResult{authority.Unsent, authority.Unsent}},
	} {
		t.Run(name, func(t *testing.T) {
			var heard []authority.CallResult
			d := measure.Wrap(driver{url: c.url, err: c.err}, func(_ context.Context, call measure.Call) {
				if call.Authority != "arca" || call.Environment != authority.Testing || call.Began.IsZero() || call.Took < 0 {
					t.Errorf("%+v", call)
				}
				heard = append(heard, call.Result)
			})
			recorded := 0
			if _, err := d.Last(t.Context(), authority.Credential{}, authority.Series{Environment: authority.Testing},
				func(authority.Exchange) { recorded++ }); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(heard, c.want) || recorded != 1 {
				t.Errorf("heard %v, recorded %d", heard, recorded)
			}
		})
	}
}
