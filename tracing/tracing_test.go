package tracing_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"folio/tracing"
)

// receiver is an OTLP receiver.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans map[string]*otlp.Span
}

func receive(t *testing.T) *receiver {
	r := &receiver{spans: map[string]*otlp.Span{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		content, err := io.ReadAll(q.Body)
		var all collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(content, &all) != nil || q.URL.Path != "/v1/traces" {
			t.Errorf("%s: %d bytes, %v", q.URL, len(content), err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, of := range all.GetResourceSpans() {
			for _, scope := range of.GetScopeSpans() {
				for _, s := range scope.GetSpans() {
					r.spans[s.GetName()] = s
				}
			}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// What several processes say of a request is one trace below its own span, without anything being stored for it.
func TestSpansOfSeveralProcessesJoin(t *testing.T) {
	r, began := receive(t), time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	open := func() *tracing.Tracer {
		tracer, err := tracing.Open(t.Context(), r.URL, "test")
		if err != nil {
			t.Fatal(err)
		}
		return tracer
	}
	front, worker := open(), open()
	front.Record(tracing.Span{Of: "R1", Root: true, Name: "request", Began: began, Ended: began.Add(time.Second)})
	worker.Led("R1", "I1")
	worker.Led("I1", "S1")
	worker.Record(tracing.Span{Of: "S1", Name: "call", Began: began, Ended: began, Fault: "no answer"})
	worker.Record(tracing.Span{Of: "I2", Name: "of another", Began: began, Ended: began})
	for _, tracer := range []*tracing.Tracer{front, worker} {
		if err := tracer.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	request, call, other := r.spans["request"], r.spans["call"], r.spans["of another"]
	if request == nil || call == nil || other == nil {
		t.Fatalf("exported: %v", r.spans)
	}
	if string(request.GetTraceId()) != string(call.GetTraceId()) ||
		string(call.GetParentSpanId()) != string(request.GetSpanId()) || len(request.GetParentSpanId()) > 0 {
		t.Errorf("they do not join: %v and %v", request, call)
	}
	if string(other.GetTraceId()) == string(request.GetTraceId()) {
		t.Error("another request is in the trace")
	}
	if call.GetStatus().GetMessage() != "no answer" || request.GetEndTimeUnixNano()-request.GetStartTimeUnixNano() != 1e9 {
		t.Errorf("%v, %v", call, request)
	}
}

func TestWithoutAnAddressNothingIsTraced(t *testing.T) {
	tracer, err := tracing.Open(t.Context(), "", "")
	if err != nil || tracer != nil {
		t.Fatal(tracer, err)
	}
	tracer.Led("R", "I")
	tracer.Record(tracing.Span{Of: "R", Name: "x"})
	if err := tracer.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, address := range []string{"127.0.0.1:4318", "ftp://x", "http://"} {
		if _, err := tracing.Open(t.Context(), address, ""); err == nil {
			t.Errorf("%s was taken", address)
		}
	}
}
